// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "verify/mixing/kernels.hpp"

namespace doeblin::verify {
namespace {

// Partitions of more steps than this have their stops at equally spaced places.
constexpr std::size_t kMostStops = 32;
constexpr std::size_t kLongestChain = 4096;
constexpr double kMostSteps = 1e9;
// Any partition gives a bound: which of them is the best need only be found, at this precision.
constexpr long kSearchBits = 64;

// `count` blocks of the same length, one after another.
struct Run {
  std::size_t block;
  std::size_t count;
};
using Partition = std::vector<Run>;

struct Candidate {
  Ball value = Ball(1);
  Partition partition = {};
};

// m steps from a distance D are a kernel of the Gaussian level D/(s (c^-2 + ... + c^-2m)^(1/2)) (I7).
Ball block_level(const GaussianSteps& steps, std::size_t block) {
  // c may be next to 1, where c^2m - 1 loses digits.
  const WithPrecision more(precision() + 1024);
  const Ball ratio = steps.distance / steps.scale;
  const Ball square_of_c = square(steps.lipschitz);
  if (arb_is_one(square_of_c.get()) != 0) return ratio / sqrt(Ball(static_cast<double>(block)));
  const Ball grown = power(square_of_c, block);
  return ratio * sqrt(grown * (square_of_c - Ball(1)) / (grown - Ball(1)));
}

Ball middle_of(const Ball& x) {
  Ball middle;
  arb_get_mid_arb(middle.get(), x.get());
  return middle;
}

class Search {
 public:
  explicit Search(const GaussianSteps& steps)
      : steps_(steps),
        count_(static_cast<std::size_t>(std::min(steps.steps, kMostSteps))),
        places_(std::min(count_, kMostStops)) {}

  /// The smallest bound over the partitions, evaluated at the precision in use.
  [[nodiscard]] Ball best(const Ball& excess) {
    if (!excess.is_finite()) return Ball(0);
    const Partition partition = found(middle_of(excess));
    return after(Ball(1), partition, excess);
  }

 private:
  [[nodiscard]] const Ball& level(std::size_t block) {
    auto& levels = levels_[precision()];
    const auto seen = levels.find(block);
    return seen != levels.end() ? seen->second : levels.emplace(block, block_level(steps_, block)).first->second;
  }

  [[nodiscard]] Ball after(Ball value, const Run& run, const Ball& excess) {
    const auto kappa = [&](const Ball& h) {
      const Ball at = is_searching_ ? middle_of(h) : h;
      return run.block == 1 ? steps_.single(at) : gaussian_kappa(at, level(run.block));
    };
    for (std::size_t k = 0; k < run.count && !is_negligible(value); ++k) {
      value = mixed(value, excess, kappa);
      if (is_searching_) value = middle_of(value);
    }
    return value;
  }

  [[nodiscard]] Ball after(Ball value, const Partition& partition, const Ball& excess) {
    for (const Run& run : partition) value = after(std::move(value), run, excess);
    return value;
  }

  [[nodiscard]] std::size_t place(std::size_t k) const { return k * count_ / places_; }

  // All partitions with stops at the places.
  [[nodiscard]] Candidate by_stops(const Ball& excess) {
    std::vector<Candidate> least(places_ + 1);
    for (std::size_t k = 1; k <= places_; ++k)
      for (std::size_t j = 0; j < k; ++j) {
        const Run last{place(k) - place(j), 1};
        const Ball value = after(least[j].value, last, excess);
        if (j > 0 && !certainly_less(value, least[k].value)) continue;
        least[k] = {value, least[j].partition};
        least[k].partition.push_back(last);
      }
    return least[places_];
  }

  // Equal blocks, and the rest as one.
  [[nodiscard]] Candidate chain(std::size_t block, const Ball& excess) {
    const std::size_t count = std::min(count_ / block, kLongestChain);
    Partition partition = {{block, count}};
    if (const std::size_t left = count_ - count * block; left > 0) partition.push_back({left, 1});
    return {after(Ball(1), partition, excess), partition};
  }

  [[nodiscard]] Partition found(const Ball& excess) {
    const WithPrecision less(kSearchBits);
    is_searching_ = true;
    Candidate best = by_stops(excess);
    for (std::size_t block = 1; block < count_ && !is_negligible(best.value); block *= 2) {
      const Candidate other = chain(block, excess);
      if (certainly_less(other.value, best.value)) best = other;
    }
    is_searching_ = false;
    return best.partition;
  }

  GaussianSteps steps_;
  std::size_t count_;
  std::size_t places_;
  // While searching, numbers are points: nothing is claimed of them.
  bool is_searching_ = false;
  std::map<long, std::map<std::size_t, Ball>> levels_;
};

}  // namespace

Curve gaussian_blocks(const GaussianSteps& steps) {
  return {.value = [steps](const Ball& excess) { return Search(steps).best(excess); },
          .is_exact = false,
          .is_convex = false};
}

Curve repeated(const Curve& single, double steps) {
  const auto count = static_cast<std::size_t>(std::min(steps, static_cast<double>(kLongestChain)));
  return {.value =
              [=](const Ball& excess) {
                Ball value(1);
                for (std::size_t k = 0; k < count && !is_negligible(value); ++k)
                  value = mixed(value, excess, single.value);
                return value;
              },
          .is_exact = false,
          .pure_excess = single.pure_excess};
}

}  // namespace doeblin::verify
