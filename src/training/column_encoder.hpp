// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doeblin/training/encoding.hpp"
#include "training/field_encoding.hpp"

namespace doeblin::training {

/// Makes a dense feature vector of the columns of a file, whatever their order there.
class ColumnEncoder {
 public:
  enum class Kind { kIgnored, kNumber, kCategory, kLabel };
  /// Of a column of the file.
  struct Role {
    Kind kind = Kind::kIgnored;
    /// Where it is in the encoding, and its first coordinate.
    std::size_t column = 0;
    std::size_t coordinate = 0;
  };

  /// Errors   InvalidArgument when a column of the encoding is not in the file
  ColumnEncoder(const Encoding& encoding, const std::vector<std::string>& columns, const std::string& file,
                bool needs_label);

  /// One for each column of the file.
  [[nodiscard]] const std::vector<Role>& roles() const { return roles_; }
  [[nodiscard]] const LabelColumn& label() const { return encoding_.label; }

  void set_number(const Role& role, double number) {
    row_[role.coordinate] = mapped(number, encoding_.columns[role.column].bounds);
  }
  /// False when there is no such level.
  [[nodiscard]] bool set_level(const Role& role, std::string_view level);
  /// The record of all that was set since the last one.
  [[nodiscard]] std::span<const double> finish();

 private:
  Encoding encoding_;
  std::vector<Role> roles_;
  /// For each column of the encoding.
  std::vector<std::map<std::string, std::size_t, std::less<>>> levels_;
  std::vector<double> row_;
};

}  // namespace doeblin::training
