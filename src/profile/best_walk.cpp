// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <vector>

#include "doeblin/profile/walk.hpp"

// Which walk is taken decides how good a lower end is, and not whether it holds: plain doubles are enough here.
namespace doeblin {
namespace {

using Weights = std::vector<double>;

// Walks that are kept while longer ones are tried, and numbers that may be looked at for each step.
constexpr std::size_t kKept = 16;
constexpr std::size_t kMostWork = 10'000'000;
constexpr std::size_t kMostTried = 1024;

struct Candidate {
  std::vector<std::size_t> ahead;  // rows from the origin on
  std::vector<std::size_t> behind;
  double score = 0.0;
};

class Search {
 public:
  Search(const FiniteMechanism& mechanism, const PeopleCounts& first, const PeopleCounts& second)
      : neighbours_(mechanism.rows().size()), first_(weights_of(first)), second_(weights_of(second)) {
    for (const auto& row : mechanism.rows()) {
      rows_.emplace_back();
      for (const Bracket& chance : row) rows_.back().push_back(chance.middle());
    }
    for (const auto& [i, j] : mechanism.adjacent()) {
      if (i == j) continue;
      neighbours_[i].push_back(j);
      neighbours_[j].push_back(i);
    }
  }

  [[nodiscard]] Candidate best() {
    std::vector<Candidate> kept;
    for (std::size_t row = 0; row < rows_.size(); ++row) kept.push_back(scored({{row}, {row}}));
    // Everything is tried for the first step, what is best for later ones.
    for (std::size_t step = 1; step < first_.size(); ++step) extend(kept, &Candidate::ahead);
    for (std::size_t step = 1; step < second_.size(); ++step) extend(kept, &Candidate::behind);
    return kept.front();
  }

 private:
  static Weights weights_of(const PeopleCounts& counts) {
    Weights weights;
    for (const Bracket& weight : counts.weights) weights.push_back(weight.middle());
    while (weights.size() > counts.steps(kLongestWalk) + 1) {
      const double last = weights.back();
      weights.pop_back();
      weights.back() += last;
    }
    return weights;
  }

  [[nodiscard]] Weights mixture(const std::vector<std::size_t>& walk, const Weights& weights) const {
    Weights law(rows_[0].size(), 0.0);
    for (std::size_t n = 0; n < walk.size(); ++n) {
      // The last row stands for all later steps.
      double weight = 0.0;
      for (std::size_t i = n; i < weights.size() && (i == n || n + 1 == walk.size()); ++i) weight += weights[i];
      for (std::size_t y = 0; y < law.size(); ++y) law[y] += weight * rows_[walk[n]][y];
    }
    return law;
  }

  [[nodiscard]] Candidate scored(Candidate one) const {
    const Weights p = mixture(one.ahead, first_);
    const Weights q = mixture(one.behind, second_);
    one.score = 0.0;
    for (std::size_t y = 0; y < p.size(); ++y)
      if (p[y] + q[y] > 0.0) one.score += (p[y] - q[y]) * (p[y] - q[y]) / (p[y] + q[y]);
    return one;
  }

  void extend(std::vector<Candidate>& kept, std::vector<std::size_t> Candidate::*side) const {
    std::vector<Candidate> longer;
    std::size_t work = 0;
    for (const Candidate& one : kept) {
      const std::size_t row = (one.*side).back();
      work += neighbours_[row].size() * rows_[0].size();
      // The first steps, from every row, are as many as the pairs that every question looks at.
      if ((one.*side).size() > 1 && work > kMostWork) break;
      for (const std::size_t next : neighbours_[row]) {
        Candidate extended = one;
        (extended.*side).push_back(next);
        longer.push_back(scored(std::move(extended)));
        if (longer.size() >= kMostTried) keep_best(longer);
      }
    }
    kept.insert(kept.end(), longer.begin(), longer.end());
    keep_best(kept);
  }

  static void keep_best(std::vector<Candidate>& candidates) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    candidates.resize(std::min(candidates.size(), kKept));
  }

  std::vector<Weights> rows_;
  std::vector<std::vector<std::size_t>> neighbours_;
  Weights first_;
  Weights second_;
};

}  // namespace

Walk best_walk(const FiniteMechanism& mechanism, const PeopleCounts& first, const PeopleCounts& second) {
  const Candidate best = Search(mechanism, first, second).best();
  Walk walk{.laws = {}, .origin = best.behind.size() - 1};
  for (std::size_t n = best.behind.size() - 1; n > 0; --n) walk.laws.push_back(mechanism.rows()[best.behind[n]]);
  for (const std::size_t row : best.ahead) walk.laws.push_back(mechanism.rows()[row]);
  return walk;
}

}  // namespace doeblin
