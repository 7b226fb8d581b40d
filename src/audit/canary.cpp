// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/canary.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/training/train.hpp"

namespace doeblin::audit {
namespace {

using training::DescentPlan;
using training::Records;

struct Canary {
  std::vector<double> features;
  double first_label;
  double second_label;
};

// Sum of the absolute values of every coordinate.
std::vector<double> use_of_coordinates(const Records& records) {
  std::vector<double> use(records.dimension(), 0.0);
  for (std::size_t i = 0; i < records.count(); ++i) {
    if (records.is_sparse()) {
      const training::SparseRow row = records.sparse_row(i);
      for (std::size_t k = 0; k < row.indices.size(); ++k) use[row.indices[k]] += std::fabs(row.values[k]);
    } else {
      const auto row = records.row(i);
      for (std::size_t j = 0; j < row.size(); ++j) use[j] += std::fabs(row[j]);
    }
  }
  return use;
}

// As long as the plan allows, a little less so that no rounding makes it longer.
Canary canary_of(const DescentPlan& plan, const Records& records) {
  const std::vector<double> use = use_of_coordinates(records);
  Canary canary{std::vector<double>(use.size(), 0.0), 1.0, -1.0};
  const auto least = std::min_element(use.begin(), use.end()) - use.begin();
  canary.features[static_cast<std::size_t>(least)] = plan.request.bounds.feature_norm * (1.0 - 0x1p-40);
  if (!plan.request.loss.is_classification()) {
    canary.first_label = plan.request.bounds.label;
    canary.second_label = -plan.request.bounds.label;
  }
  if (plan.request.tasks > 1.0) canary.first_label = 0.0, canary.second_label = 1.0;
  return canary;
}

void append(Records& records, const std::vector<double>& features, double label) {
  if (!records.is_sparse()) return records.append(features, label, 0);
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (features[j] == 0.0) continue;
    indices.push_back(static_cast<std::uint32_t>(j));
    values.push_back(features[j]);
  }
  records.append({indices, values}, label, 0);
}

// The same records with another one at `place`, from 0.
std::shared_ptr<const Records> exchanged(const Records& records, std::size_t place, const std::vector<double>& features,
                                         double label) {
  auto copy = std::make_shared<Records>(
      training::RecordsShape{.dimension = records.dimension(), .is_sparse = records.is_sparse()});
  for (std::size_t i = 0; i < records.count(); ++i) {
    if (i == place)
      append(*copy, features, label);
    else if (records.is_sparse())
      copy->append(records.sparse_row(i), records.label(i), records.line(i));
    else
      copy->append(records.row(i), records.label(i), records.line(i));
  }
  return copy;
}

// All vectors of a model, one after another.
std::vector<double> flat(const std::vector<std::vector<double>>& vectors) {
  std::vector<double> all;
  for (const std::vector<double>& one : vectors) all.insert(all.end(), one.begin(), one.end());
  return all;
}

// Where a canary pushes the parameters: along its features, and for several classes up in one task, down in another.
std::vector<double> direction_of(const Canary& canary, std::size_t tasks) {
  std::vector<double> direction;
  const double length = *std::max_element(canary.features.begin(), canary.features.end());
  for (std::size_t task = 0; task < tasks; ++task)
    for (const double x : canary.features)
      direction.push_back(task == 0 ? x / length : (task == 1 ? -x / length : 0.0));
  return direction;
}

}  // namespace

Subject canary_subject(const DescentPlan& plan, const Records& records, const CanaryOptions& options) {
  const auto last = static_cast<std::size_t>(plan.privacy.n - plan.privacy.public_tail);
  const std::size_t record = options.record == 0 ? last : options.record;
  require(record >= 1 && record <= last, "canary", static_cast<double>(record),
          fmt::format("a private record, 1 to {}", last));
  const Canary canary = canary_of(plan, records);
  const bool is_left_out = plan.privacy.relation != Relation::kSubstitute;
  const auto first = exchanged(records, record - 1, canary.features, canary.first_label);
  const auto second =
      exchanged(records, record - 1, is_left_out ? std::vector<double>(records.dimension(), 0.0) : canary.features,
                is_left_out ? canary.first_label : canary.second_label);
  const auto tasks = static_cast<std::size_t>(plan.request.tasks);
  const std::size_t dimension = tasks * records.dimension();
  const auto run = [=](Side side, std::uint64_t stream, std::size_t count) {
    Outputs outputs{dimension, {}};
    sampling::RandomStream seeds = options.source.stream(stream);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t seed = seeds.next();
      const auto parameters = training::train(
          plan, side == Side::kFirst ? *first : *second,
          {.source = options.source.is_secure() ? options.source : sampling::RandomSource::insecure(seed),
           .stop = options.stop});
      // Stopped: what is returned is not looked at any more.
      const std::vector<double> row = parameters ? flat(*parameters) : std::vector<double>(dimension, 0.0);
      outputs.values.insert(outputs.values.end(), row.begin(), row.end());
    }
    return outputs;
  };
  Subject subject{.name = fmt::format("training with a canary as record {}", record), .run = run, .block = 8};
  // A model with one parameter is its own statistic.
  if (dimension > 1) subject.directions = {direction_of(canary, tasks)};
  return subject;
}

}  // namespace doeblin::audit
