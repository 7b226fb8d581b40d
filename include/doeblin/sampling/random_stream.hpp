// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace doeblin::sampling {

/// Random words for noise: the ChaCha20 stream of libsodium under a key that nobody knows.
///
/// Method   the first 32 bytes of every block become the key of the next one and words are erased once handed out, so
///          the state of a running program says nothing about noise that was drawn before
/// A stream cannot be copied, and must not be used on both sides of a fork(): two copies would draw the same noise.
class RandomStream {
 public:
  using Key = std::array<unsigned char, 32>;

  explicit RandomStream(const Key& key);
  RandomStream(RandomStream&&) noexcept = default;
  RandomStream& operator=(RandomStream&&) noexcept = default;
  ~RandomStream();

  /// 64 fresh bits.
  [[nodiscard]] std::uint64_t next() {
    if (position_ == kWords) refill();
    return take();
  }

  /// Overwrites `words` with fresh bits.
  void fill(std::span<std::uint64_t> words);

  /// Uniform on 0, ..., bound - 1, exactly. Domain: bound >= 1.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);

  /// True with probability exactly p, a double in [0, 1].
  [[nodiscard]] bool bernoulli(double p);

 private:
  static constexpr std::size_t kWords = 1024;
  struct State;
  struct Erase {
    void operator()(State* state) const;
  };

  void refill();
  std::uint64_t take();

  std::unique_ptr<State, Erase> state_;
  std::size_t position_ = kWords;
};

/// Where streams come from: the system's random numbers, or a seed for tests and simulations.
class RandomSource {
 public:
  /// Every stream has a fresh key from the system.
  [[nodiscard]] static RandomSource secure() { return RandomSource(std::nullopt); }
  /// Streams that anybody can draw again who knows the seed: what is released with them has no guarantee at all.
  [[nodiscard]] static RandomSource insecure(std::uint64_t seed) { return RandomSource(seed); }

  [[nodiscard]] bool is_secure() const { return !seed_; }
  /// The stream called `index`. From a seed the same index gives the same stream, other indices independent ones.
  [[nodiscard]] RandomStream stream(std::uint64_t index = 0) const;

 private:
  explicit RandomSource(std::optional<std::uint64_t> seed) : seed_(seed) {}
  std::optional<std::uint64_t> seed_;
};

}  // namespace doeblin::sampling
