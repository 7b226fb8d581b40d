// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// How a record of a file becomes numbers. A model keeps it, so that prediction does exactly what training did.
namespace doeblin::training {

/// More coordinates than this are refused.
inline constexpr std::size_t kMostFeatures = std::size_t{1} << 27;
/// The level that stands for all that are not listed.
inline constexpr std::string_view kOtherLevel = "*";

struct Bounds {
  double low;
  double high;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// A column with a name.
struct InputColumn {
  std::string name;
  /// Of numbers: they are clipped to the bounds and mapped to [0, 1]; without bounds they are taken as they are.
  std::optional<Bounds> bounds = {};
  /// Of categories, unless it is empty: one coordinate for each level, 1 for the own level and 0 for the others.
  std::vector<std::string> levels = {};

  [[nodiscard]] bool is_categorical() const { return !levels.empty(); }
  /// Number of coordinates.
  [[nodiscard]] std::size_t width() const { return is_categorical() ? levels.size() : 1; }
  friend bool operator==(const InputColumn&, const InputColumn&) = default;
};

/// Columns without names that stand next to each other and have the same bounds. The low one is 0, so that a coordinate
/// that is not written is 0 afterwards as well.
struct NumberedColumns {
  std::uint32_t count;
  std::optional<Bounds> bounds = {};
  friend bool operator==(const NumberedColumns&, const NumberedColumns&) = default;
};

/// What is to be predicted: one of several classes, or a number.
struct LabelColumn {
  std::string name;
  /// As they are written in the file; a number may be written in other ways. The labels of two classes are -1 for the
  /// first and 1 for the second, those of more classes 0, 1, ...
  std::vector<std::string> classes = {};
  /// Of a number, which is clipped to them.
  std::optional<Bounds> bounds = {};

  [[nodiscard]] bool is_class() const { return !classes.empty(); }
  /// Label of the class that `text` names.
  [[nodiscard]] std::optional<double> label_of(std::string_view text) const;
  /// Likewise, for a class that is a number.
  [[nodiscard]] std::optional<double> label_of(double number) const;
  /// Label of the class with this number, from 0.
  [[nodiscard]] double label_at(std::size_t i) const;
  /// Largest absolute value of a label.
  [[nodiscard]] double largest() const;
  friend bool operator==(const LabelColumn&, const LabelColumn&) = default;
};

struct Encoding {
  /// Of CSV files, by the names in the header, and of NPY files, where the names are "1", "2", ...
  std::vector<InputColumn> columns = {};
  /// Of LIBSVM files, instead.
  std::vector<NumberedColumns> numbered = {};
  LabelColumn label;
  /// Feature vectors that are longer than this are scaled down to it.
  double norm = 1.0;
  /// A last coordinate for all records, added after that; 0: none.
  double intercept = 0.0;

  [[nodiscard]] bool is_sparse() const { return !numbered.empty(); }
  /// Coordinates of a feature vector, without and with the intercept.
  [[nodiscard]] std::size_t features() const;
  [[nodiscard]] std::size_t dimension() const { return features() + (intercept > 0.0 ? 1 : 0); }
  /// Bound    at least the exact norm of every feature vector, with its intercept
  /// Formula  sqrt(norm^2 + intercept^2)
  [[nodiscard]] double norm_bound() const;

  /// Errors   InvalidArgument that names the parameter
  void validate() const;
  friend bool operator==(const Encoding&, const Encoding&) = default;
};

/// Bounds for all columns whose name matches; * stands for any text, ? for any character.
struct PatternBounds {
  std::string pattern;
  Bounds bounds;
};

struct Categories {
  std::string name;
  std::vector<std::string> levels;
};

/// An encoding as it is declared before the file is known. Every column that is neither the label nor dropped is a
/// feature.
struct EncodingRequest {
  /// Name of the column; empty: the last one of an NPY file. LIBSVM files have no name for it.
  std::string label = {};
  /// Either classes,
  std::vector<std::string> classes = {};
  /// or a number within bounds.
  std::optional<Bounds> label_bounds = {};
  /// For columns of numbers; of several patterns that match, the first counts.
  std::vector<PatternBounds> bounds = {};
  std::vector<Categories> categorical = {};
  std::vector<std::string> dropped = {};
  /// Number of features of a LIBSVM file, which does not say it itself.
  std::size_t features = 0;
  double norm = 1.0;
  double intercept = 0.0;
};

/// For a file with these columns; `file` is what errors call it.
/// Errors   InvalidArgument for names that are not there, with the nearest one that is, and for patterns that give
///          bounds to no column
[[nodiscard]] Encoding resolve(const EncodingRequest& request, const std::vector<std::string>& columns,
                               const std::string& file);

/// For LIBSVM files, whose columns are called "1", ..., "features" in patterns.
[[nodiscard]] Encoding resolve_numbered(const EncodingRequest& request);

}  // namespace doeblin::training
