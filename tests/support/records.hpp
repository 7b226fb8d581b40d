// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "doeblin/sampling/random_stream.hpp"
#include "doeblin/training/records.hpp"

namespace doeblin::test {

struct Example {
  std::vector<double> features;
  double label;
};

inline training::Records records_of(const std::vector<Example>& examples, const training::Shard& shard = {}) {
  training::Records records({.dimension = examples.at(0).features.size(), .is_sparse = false, .shard = shard});
  for (std::size_t i = 0; i < examples.size(); ++i) records.append(examples[i].features, examples[i].label, i + 2);
  return records;
}

/// The same as sparse records.
inline training::Records sparse_records_of(const std::vector<Example>& examples, const training::Shard& shard = {}) {
  training::Records records({.dimension = examples.at(0).features.size(), .is_sparse = true, .shard = shard});
  for (std::size_t i = 0; i < examples.size(); ++i) {
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    for (std::size_t j = 0; j < examples[i].features.size(); ++j)
      if (examples[i].features[j] != 0.0)
        indices.push_back(static_cast<std::uint32_t>(j)), values.push_back(examples[i].features[j]);
    records.append({indices, values}, examples[i].label, i + 2);
  }
  return records;
}

/// Feature vectors of norm at most 1 and labels -1 and 1, the same for a seed.
inline std::vector<Example> random_examples(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  sampling::RandomStream random = sampling::RandomSource::insecure(seed).stream();
  const auto uniform = [&] { return 2.0 * (static_cast<double>(random.next() >> 11U) * 0x1p-53) - 1.0; };
  std::vector<Example> examples(count);
  for (Example& one : examples) {
    double square = 0.0;
    for (std::size_t j = 0; j < dimension; ++j) {
      one.features.push_back(uniform());
      square += one.features.back() * one.features.back();
    }
    for (double& x : one.features) x /= 1.000001 * std::max(1.0, std::sqrt(square));
    one.label = random.next() % 2 == 0 ? 1.0 : -1.0;
  }
  return examples;
}

}  // namespace doeblin::test
