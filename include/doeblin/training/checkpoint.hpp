// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "doeblin/training/noisy_descent.hpp"

/// Hidden states on the disk: encrypted, whole or not at all.
namespace doeblin::training {

/// A key for libsodium's secretbox, erased when it is no longer needed.
class CheckpointKey {
 public:
  using Bytes = std::array<unsigned char, 32>;

  explicit CheckpointKey(const Bytes& bytes) : bytes_(bytes) {}
  CheckpointKey(const CheckpointKey&) = delete;
  CheckpointKey& operator=(const CheckpointKey&) = delete;
  CheckpointKey(CheckpointKey&& other) noexcept;
  CheckpointKey& operator=(CheckpointKey&& other) noexcept;
  ~CheckpointKey();

  /// From the environment variable: 64 hexadecimal digits. Empty if it is not set.
  /// Errors   InvalidArgument for anything else; the value is never shown
  [[nodiscard]] static std::optional<CheckpointKey> from_environment(const char* variable = "DOEBLIN_CHECKPOINT_KEY");
  /// From a file of 64 hexadecimal digits that only its owner can read; a fresh key is put there if there is no file.
  /// Errors   InvalidArgument when others can read it, or it holds no key
  [[nodiscard]] static CheckpointKey from_file(const std::string& path);

  [[nodiscard]] const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

/// What tells one run from another: a hash of its description and its records.
using RunIdentity = std::array<unsigned char, 32>;

[[nodiscard]] RunIdentity identity_of(std::string_view description, const Records& records,
                                      Communicator& communicator = alone());

/// Where a run stands. Runs for several classes come one after another.
struct Checkpoint {
  RunIdentity run{};
  std::vector<std::vector<double>> finished = {};
  DescentState state = {};
};

/// Replaces the file. A new nonce every time, so that files of the same state are not alike.
/// Errors   InvalidArgument with the system's reason
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint, const CheckpointKey& key);

/// Removes what a program that was killed in the middle of write_checkpoint() may have left: whole encrypted files
/// under temporary names.
void remove_leftovers(const std::string& path);

/// Empty when there is no such file.
/// Errors   InvalidArgument for another key, a file that was changed, or one of another run
[[nodiscard]] std::optional<Checkpoint> read_checkpoint(const std::string& path, const RunIdentity& run,
                                                        const CheckpointKey& key);

}  // namespace doeblin::training
