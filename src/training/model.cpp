// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "doeblin/core/error.hpp"
#include "training/gradient_sum.hpp"

namespace doeblin::training {
namespace {

// Products, of all steps together.
constexpr double kMostWork = 1e10;
constexpr double kMostSteps = 1e5;
constexpr double kStillness = 1e-9;

double product(const std::vector<double>& w, std::span<const double> features) {
  return std::inner_product(features.begin(), features.end(), w.begin(), 0.0);
}

double product(const std::vector<double>& w, const SparseRow& row) {
  double sum = 0.0;
  for (std::size_t k = 0; k < row.indices.size(); ++k) sum += row.values[k] * w[row.indices[k]];
  return sum;
}

EncodedRecord record_at(const Records& records, std::size_t i) {
  EncodedRecord record;
  if (records.is_sparse())
    record.sparse = records.sparse_row(i);
  else
    record.features = records.row(i);
  return record;
}

// The label of a class against the rest.
double label_for(std::size_t task, std::size_t tasks, double label) {
  if (tasks == 1) return label;
  return label == static_cast<double>(task) ? 1.0 : -1.0;
}

// One vector of best_without_noise().
std::optional<std::vector<double>> optimum(GradientSum& gradient, const Domain& domain, double smoothness,
                                           double regularisation, std::size_t dimension, std::size_t count) {
  std::vector<std::uint64_t> everybody(count);
  std::iota(everybody.begin(), everybody.end(), std::uint64_t{0});
  PaddedVector w(dimension), ahead(dimension);
  domain.project(w.span());
  std::copy(w.span().begin(), w.span().end(), ahead.span().begin());
  const double rate = 1.0 / (smoothness + regularisation);
  double momentum = 1.0;
  const double steps = std::min(kMostSteps, kMostWork / (static_cast<double>(dimension) * static_cast<double>(count)));
  for (double k = 0.0; k < steps; ++k) {
    const auto sum = gradient.over(everybody, ahead);
    PaddedVector next(dimension);
    double along = 0.0, moved = 0.0;
    for (std::size_t j = 0; j < dimension; ++j)
      next[j] = ahead[j] - rate * (sum[j] / static_cast<double>(count) + regularisation * ahead[j]);
    domain.project(next.span());
    for (std::size_t j = 0; j < dimension; ++j) {
      along += (ahead[j] - next[j]) * (next[j] - w[j]);
      moved = std::max(moved, std::abs(next[j] - w[j]));
    }
    // Where the step goes against what was gained, the memory is dropped.
    const double faster = along > 0.0 ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    const double carried = along > 0.0 ? 0.0 : (momentum - 1.0) / faster;
    for (std::size_t j = 0; j < dimension; ++j) ahead[j] = next[j] + carried * (next[j] - w[j]);
    momentum = faster;
    w = std::move(next);
    if (k > 10.0 && moved <= kStillness * domain.radius(dimension))
      return std::vector<double>(w.span().begin(), w.span().end());
  }
  return std::nullopt;
}

}  // namespace

void Model::validate() const {
  loss.validate();
  encoding.validate();
  const std::size_t classes = encoding.label.classes.size();
  if (loss.is_classification() != encoding.label.is_class())
    throw InvalidArgument("label", loss.is_classification() ? "a number" : "a class",
                          loss.is_classification() ? "classes for this loss" : "a number for this loss");
  const std::size_t vectors = classes > 2 ? classes : 1;
  require(parameters.size() == vectors, "vectors of parameters", static_cast<double>(parameters.size()),
          "one, or one for every class");
  for (const auto& w : parameters) {
    require(w.size() == encoding.dimension(), "parameters", static_cast<double>(w.size()),
            "as many as the encoding has coordinates");
    for (const double x : w) require(std::isfinite(x), "parameter", x, "a finite number");
  }
}

void Model::predictions(const EncodedRecord& record, std::vector<double>& values) const {
  values.clear();
  for (const auto& w : parameters)
    values.push_back(encoding.is_sparse() ? product(w, record.sparse) : product(w, record.features));
}

std::size_t Model::class_of(const std::vector<double>& predictions) const {
  if (predictions.size() == 1) return predictions[0] > 0.0 ? 1 : 0;
  return static_cast<std::size_t>(std::max_element(predictions.begin(), predictions.end()) - predictions.begin());
}

Quality quality_on(const Model& model, const Records& public_records, Communicator& communicator) {
  const std::size_t tasks = model.parameters.size();
  std::vector<double> sums(4, 0.0), values;
  for (std::size_t i = 0; i < public_records.count(); ++i) {
    if (!public_records.contains(i)) continue;
    model.predictions(record_at(public_records, i), values);
    const double label = public_records.label(i);
    sums[0] += 1.0;
    if (model.encoding.label.is_class()) {
      const std::size_t predicted = model.class_of(values);
      const double as_label = tasks == 1 ? (predicted == 1 ? 1.0 : -1.0) : static_cast<double>(predicted);
      sums[1] += as_label == label ? 1.0 : 0.0;
    } else {
      sums[3] += (values[0] - label) * (values[0] - label);
    }
    for (std::size_t task = 0; task < tasks; ++task)
      sums[2] += model.loss.value(values[task], label_for(task, tasks, label));
  }
  const std::vector<std::size_t> lengths(communicator.size(), sums.size());
  std::vector<double> all(sums.size() * communicator.size());
  communicator.gather(sums, lengths, all);
  std::fill(sums.begin(), sums.end(), 0.0);
  for (std::size_t k = 0; k < all.size(); ++k) sums[k % sums.size()] += all[k];
  const double count = std::max(1.0, sums[0]);
  return {sums[0], sums[1] / count, sums[2] / count, std::sqrt(sums[3] / count)};
}

std::optional<Model> best_without_noise(const Model& like, const Domain& domain, double regularisation,
                                        const Records& public_records) {
  ensure(public_records.kept() == public_records.count(), "all records are here");
  Model best = like;
  best.guarantee = "none: trained without noise";
  const LossConstants constants = constants_of(like.loss, {like.encoding.norm_bound(), like.encoding.label.largest()},
                                               domain.radius(like.encoding.dimension()));
  for (std::size_t task = 0; task < best.parameters.size(); ++task) {
    const auto positive = best.parameters.size() > 1 ? std::optional(static_cast<double>(task)) : std::nullopt;
    GradientSum gradient(public_records, like.loss, positive, alone());
    auto found = optimum(gradient, domain, constants.smoothness, regularisation, like.encoding.dimension(),
                         public_records.count());
    if (!found) return std::nullopt;
    best.parameters[task] = std::move(*found);
  }
  return best;
}

}  // namespace doeblin::training
