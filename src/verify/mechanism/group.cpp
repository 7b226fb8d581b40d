// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>

#include "verify/mechanism/noise.hpp"
#include "verify/mechanism/renyi.hpp"
#include "verify/programs.hpp"

namespace doeblin::verify {
namespace {

// C4: (e^eps - 1)/(e^{eps/k} - 1) delta(eps/k), k delta(0) at 0.
Ball rule(const Known& base, unsigned long k, const Ball& epsilon) {
  const Ball count(static_cast<double>(k));
  const Ball share = epsilon / count;
  const Ball growth = arb_is_zero(epsilon.get()) != 0 ? count : expm1(epsilon) / expm1(share);
  return growth * base.delta(share).upper;
}

// A delta never grows with epsilon: the rule at any smaller one holds too. Where it is locally least is looked for once.
class RunningRule {
 public:
  RunningRule(Known base, unsigned long k) : base_(std::move(base)), k_(k) {}

  [[nodiscard]] Ball at(const Ball& epsilon) {
    if (least_.empty()) search();
    Ball best = min(Ball(1), rule(base_, k_, epsilon));
    for (const auto& [at, value] : least_)
      if (certainly_at_most(at, epsilon)) best = min(best, value);
    return best;
  }

 private:
  struct Least {
    Ball epsilon, value;
  };

  [[nodiscard]] double about(double epsilon) const { return rule(base_, k_, Ball(epsilon)).upper(); }

  // Where the rule says nothing, or next to nothing is left, by one person's delta.
  [[nodiscard]] double last() const {
    const auto people = static_cast<double>(k_);
    double epsilon = kFirst;
    while (epsilon * people < kLast && base_.delta(Ball(epsilon)).upper.upper() > kNothingLeft) epsilon *= 2.0;
    return epsilon * people;
  }

  void search() {
    const double end = last();
    std::vector<double> values;
    for (int i = 0; i <= kPoints; ++i) values.push_back(about(end * i / kPoints));
    least_.push_back({Ball(0), rule(base_, k_, Ball(0))});
    for (std::size_t i = 1; i < kPoints; ++i)
      if (values[i] < values[i - 1] && values[i] <= values[i + 1])
        add(end * static_cast<double>(i - 1) / kPoints, end * static_cast<double>(i + 1) / kPoints);
    // From the largest loss on, and certainly from a little more, nothing becomes less.
    if (base_.largest_loss) {
      const Ball last = base_.largest_loss->high_end() * Ball(static_cast<double>(k_)) * (Ball(1) + Ball(0x1p-100));
      least_.push_back({last.high_end(), rule(base_, k_, last.high_end())});
    }
  }

  // By golden sections.
  void add(double low, double high) {
    constexpr double kGolden = 0.6180339887498949;
    double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    double at_a = about(a), at_b = about(b);
    for (int i = 0; i < kSections; ++i) {
      if (at_a <= at_b) {
        high = b, b = a, at_b = at_a;
        a = high - kGolden * (high - low), at_a = about(a);
      } else {
        low = a, a = b, at_a = at_b;
        b = low + kGolden * (high - low), at_b = about(b);
      }
    }
    const Ball best(at_a <= at_b ? a : b);
    least_.push_back({best, rule(base_, k_, best)});
  }

  static constexpr double kFirst = 1.0 / 64.0, kLast = 512.0, kNothingLeft = 1e-60;
  static constexpr int kPoints = 64, kSections = 24;

  Known base_;
  unsigned long k_;
  std::vector<Least> least_ = {};
};

// The triangle inequality of Renyi divergences, with half of the people on each side of Q and 1/p + 1/q = 1:
// D_alpha(P||R) <= (alpha - 1/p)/(alpha - 1) D_{p alpha}(P||Q) + D_{q (alpha - 1/p)}(Q||R).
Ball renyi_of(const Known& base, const Ball& alpha, unsigned long k) {
  if (k == 1) return base.renyi(alpha);
  // Where there are many people every p is one of many.
  constexpr unsigned long kFew = 4;
  Ball best(kInfinity);
  for (const double p : {2.0, 1.25, 5.0}) {
    if (k > kFew && p != 2.0) break;
    const Ball rest = alpha - Ball(1) / Ball(p);
    const Ball far = renyi_of(base, Ball(p) * alpha, k - k / 2);
    const Ball near = renyi_of(base, Ball(p) / Ball(p - 1.0) * rest, k / 2);
    if (far.is_finite() && near.is_finite()) best = min(best, rest / (alpha - Ball(1)) * far + near);
  }
  return best;
}

constexpr unsigned long kMostRenyiPeople = 64;

}  // namespace

Known known_group(const Known& base, unsigned long k) {
  if (k == 1) return base;
  if (base.group) return base.group(k);
  const auto running = std::make_shared<RunningRule>(base, k);
  std::optional<Ball> pure;
  if (base.pure) pure = *base.pure * Ball(static_cast<double>(k));
  Known known{.delta = [=](const Ball& epsilon) {
    const Ball upper = running->at(epsilon);
    // A group is at least as badly off as one person.
    return Enclosed{pure ? min(upper, known_black_box(*pure, Ball(0)).delta(epsilon).upper) : upper,
                    base.delta(epsilon).lower};
  }};
  known.pure = pure;
  if (base.renyi && k <= kMostRenyiPeople) known.renyi = [=](const Ball& alpha) { return renyi_of(base, alpha, k); };
  return known;
}

}  // namespace doeblin::verify
