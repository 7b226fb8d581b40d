// SPDX-License-Identifier: Apache-2.0
#include "doeblin/certificate/sha256.hpp"

#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <sodium.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"

namespace doeblin::certificate {
namespace {

class Hash {
 public:
  Hash() { crypto_hash_sha256_init(&state_); }
  void add(std::string_view bytes) {
    crypto_hash_sha256_update(&state_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  }
  [[nodiscard]] std::string text() {
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    crypto_hash_sha256_final(&state_, digest.data());
    std::string digits;
    for (const unsigned char byte : digest) digits += fmt::format("{:02x}", byte);
    return digits;
  }

 private:
  crypto_hash_sha256_state state_{};
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.text();
}

std::string sha256_of_file(const std::string& parameter, const std::string& path) {
  const auto refused = [&] {
    return InvalidArgument(parameter, fmt::format("'{}'", printable_path(path)), "a file that can be read");
  };
  // Pipes and devices may never end.
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw refused();
  std::ifstream file(path, std::ios::binary);
  Hash hash;
  std::array<char, 1 << 16> block{};
  while (file.read(block.data(), block.size()) || file.gcount() > 0)
    hash.add({block.data(), static_cast<std::size_t>(file.gcount())});
  if (!file.eof()) throw refused();
  return hash.text();
}

}  // namespace doeblin::certificate
