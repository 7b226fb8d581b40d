// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sodium.h>

#include <cstdint>
#include <string_view>

#include "doeblin/training/data_file.hpp"

namespace doeblin::training {

/// Decides for each record.
class Splitter {
 public:
  /// Errors   InvalidArgument unless the split is valid
  explicit Splitter(const Split& split);
  [[nodiscard]] bool is_held_out(std::string_view content) const;

 private:
  /// Hashes from here up to 2^64 are trained on.
  std::uint64_t threshold_;
  /// After the key.
  crypto_generichash_state start_;
};

}  // namespace doeblin::training
