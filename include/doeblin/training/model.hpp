// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "doeblin/training/communicator.hpp"
#include "doeblin/training/data_file.hpp"
#include "doeblin/training/domain.hpp"
#include "doeblin/training/loss.hpp"

namespace doeblin::training {

/// A linear model and how records become its numbers.
struct Model {
  Loss loss = {};
  Encoding encoding = {};
  /// One vector, or one for every class against the rest.
  std::vector<std::vector<double>> parameters = {};
  /// What is said about its privacy, in one line.
  std::string guarantee = {};

  /// Errors   InvalidArgument unless everything fits together
  void validate() const;

  /// <w, x> for every vector.
  void predictions(const EncodedRecord& record, std::vector<double>& values) const;
  /// The class that is predicted, as an index into encoding.label.classes.
  [[nodiscard]] std::size_t class_of(const std::vector<double>& predictions) const;
};

/// How good a model is on records that may be looked at.
struct Quality {
  double records = 0.0;
  /// Share of records whose class is right; 0 for numbers.
  double accuracy = 0.0;
  /// Mean loss; summed over the classes.
  double loss = 0.0;
  /// Square root of the mean squared error, for numbers.
  double error = 0.0;
};

/// Only for records that are public: what it returns depends on every one of them.
[[nodiscard]] Quality quality_on(const Model& model, const Records& public_records,
                                 Communicator& communicator = alone());

/// The best model in the domain without any noise, for public records only: a yardstick. Empty when it takes more than
/// about ten seconds of work to find.
///
/// Method   accelerated projected gradient descent with restarts, until nothing moves by more than 1e-9 of the radius
[[nodiscard]] std::optional<Model> best_without_noise(const Model& like, const Domain& domain, double regularisation,
                                                      const Records& public_records);

/// As JSON; numbers are exact doubles.
[[nodiscard]] std::string json_of(const Model& model);
/// Errors   InvalidArgument with the file's name for anything that is not a model
[[nodiscard]] Model read_model(const std::string& path);
/// What json_of() wrote; `name` is what errors call it.
[[nodiscard]] Model model_of(const std::string& name, std::string_view text);

}  // namespace doeblin::training
