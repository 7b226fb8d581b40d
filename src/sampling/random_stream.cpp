// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/random_stream.hpp"

#include <sodium.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "doeblin/core/error.hpp"
#include "sampling/double_word.hpp"

namespace doeblin::sampling {
namespace {

void start_libsodium() {
  static const bool ready = sodium_init() >= 0;
  ensure(ready, "libsodium starts");
}

}  // namespace

struct RandomStream::State {
  Key key;
  std::array<std::uint64_t, kWords> words;
};

void RandomStream::Erase::operator()(State* state) const {
  sodium_memzero(state, sizeof(State));
  delete state;
}

RandomStream::RandomStream(const Key& key) {
  start_libsodium();
  state_.reset(new State);
  state_->key = key;
}

RandomStream::~RandomStream() = default;

void RandomStream::refill() {
  // A new key for every block, so one nonce will do.
  static constexpr unsigned char kNonce[crypto_stream_chacha20_NONCEBYTES] = {};
  auto* bytes = reinterpret_cast<unsigned char*>(state_->words.data());
  crypto_stream_chacha20(bytes, sizeof(state_->words), kNonce, state_->key.data());
  std::memcpy(state_->key.data(), bytes, state_->key.size());
  sodium_memzero(bytes, state_->key.size());
  position_ = sizeof(Key) / sizeof(std::uint64_t);
}

std::uint64_t RandomStream::take() {
  std::uint64_t word = 0;
  std::swap(word, state_->words[position_++]);
  return word;
}

void RandomStream::fill(std::span<std::uint64_t> words) {
  while (!words.empty()) {
    if (position_ == kWords) refill();
    const std::size_t count = std::min(words.size(), kWords - position_);
    auto* first = state_->words.data() + position_;
    std::copy_n(first, count, words.data());
    std::fill_n(first, count, 0);
    position_ += count;
    words = words.subspan(count);
  }
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  ensure(bound >= 1, "a bound of at least 1");
  // The high word of word * bound is uniform once the low words below 2^64 mod bound are left out, which makes every
  // high word come from the same number of words.
  const std::uint64_t excess = (0 - bound) % bound;
  for (;;) {
    const auto product = static_cast<UnsignedDoubleWord>(next()) * bound;
    if (static_cast<std::uint64_t>(product) >= excess) return static_cast<std::uint64_t>(product >> 64);
  }
}

bool RandomStream::bernoulli(double p) {
  require(p >= 0.0 && p <= 1.0, "p", p, "0 <= p <= 1");
  // U < p, one word of the binary expansions of both at a time; the words of p end.
  for (;;) {
    if (p == 1.0) return true;
    const double scaled = std::ldexp(p, 64);
    const double whole = std::floor(scaled);
    const auto word = next();
    const auto digits = static_cast<std::uint64_t>(whole);
    if (word != digits) return word < digits;
    p = scaled - whole;
    if (p == 0.0) return false;
  }
}

RandomStream RandomSource::stream(std::uint64_t index) const {
  start_libsodium();
  RandomStream::Key key;
  if (seed_) {
    const std::uint64_t name[2] = {*seed_, index};
    crypto_generichash(key.data(), key.size(), reinterpret_cast<const unsigned char*>(name), sizeof(name), nullptr, 0);
  } else {
    randombytes_buf(key.data(), key.size());
  }
  RandomStream stream(key);
  sodium_memzero(key.data(), key.size());
  return stream;
}

}  // namespace doeblin::sampling
