// SPDX-License-Identifier: Apache-2.0
#include "training/split.hpp"

#include <array>
#include <cmath>

#include "doeblin/core/error.hpp"

namespace doeblin::training {
namespace {

std::array<unsigned char, 8> little_endian(std::uint64_t word) {
  std::array<unsigned char, 8> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(word >> 8U * i);
  return bytes;
}

void update(crypto_generichash_state& state, std::string_view text) {
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(text.data()), text.size());
}

}  // namespace

void Split::validate() const { require(held_out >= 0.0 && held_out < 1.0, "held_out", held_out, "0 <= held_out < 1"); }

Splitter::Splitter(const Split& split) {
  split.validate();
  ensure(sodium_init() >= 0, "libsodium starts");
  // The smallest whole number from which on H < 2^64 held_out is false; below 2^64 as held_out is below 1.
  threshold_ = static_cast<std::uint64_t>(std::ceil(std::ldexp(split.held_out, 64)));
  crypto_generichash_init(&start_, nullptr, 0, crypto_generichash_BYTES);
  // With its length in front no key and content can be mistaken for others.
  const auto length = little_endian(split.key.size());
  crypto_generichash_update(&start_, length.data(), length.size());
  update(start_, split.key);
}

bool Splitter::is_held_out(std::string_view content) const {
  if (threshold_ == 0) return false;
  crypto_generichash_state state = start_;
  update(state, content);
  std::array<unsigned char, crypto_generichash_BYTES> hash;
  crypto_generichash_final(&state, hash.data(), hash.size());
  std::uint64_t first = 0;
  for (std::size_t i = 8; i > 0; --i) first = first << 8U | hash[i - 1];
  return first < threshold_;
}

}  // namespace doeblin::training
