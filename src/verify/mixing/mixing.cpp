// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include "verify/mixing/kernels.hpp"
#include "verify/programs.hpp"

namespace doeblin::verify {
namespace {

using language::Call;

constexpr double kMostExactTerms = 2e7;
constexpr long kSharpBits = 128;

// Matrices that follow each other are one: their product says more than one bound after another.
std::vector<std::vector<Call>> in_groups(const std::vector<Call>& kernels) {
  std::vector<std::vector<Call>> groups;
  for (const Call& call : kernels) {
    const bool joins = !groups.empty() && has_matrix(groups.back().back()) && has_matrix(call);
    if (!joins) groups.emplace_back();
    groups.back().push_back(call);
  }
  return groups;
}

Curve curve_of(const std::vector<Call>& group) {
  if (group.size() == 1) {
    if (const auto response = k_ary_power(group[0])) return k_ary_curve(*response);
    if (const auto bounded = bounded_kernel(group[0])) return *bounded;
    if (const auto projected = projected_kernel(group[0])) return *projected;
  }
  return matrix_curve(group);
}

// Both are matrices: what is released is their product. Null where that would take too long.
std::shared_ptr<const KnownMatrix> processed(const KnownMatrix& mechanism, const std::vector<Call>& group) {
  const KernelMatrix kernel = matrix_of(group);
  const double pairs = static_cast<double>(mechanism.neighbours.size());
  if (pairs * static_cast<double>(kernel.rows[0].size()) > kMostExactTerms) return nullptr;
  return std::make_shared<const KnownMatrix>(KnownMatrix{product(mechanism.rows, kernel.rows), mechanism.neighbours});
}

// M2, for a mechanism that is known through its profile.
Known mixed_profile(const Known& base, const Curve& curve) {
  Known after;
  const bool is_fed_in_one_way = base.matrix && curve.is_finite;
  const bool is_attained = curve.is_exact && !is_fed_in_one_way;
  after.delta = [before = base.delta, curve, is_attained](const Ball& epsilon) {
    const Enclosed d = before(epsilon);
    const Ball excess = excess_of(epsilon);
    return Enclosed{mixed(d.upper, excess, curve.value),
                    is_attained ? mixed_lower(d.lower, excess, curve.value) : Ball(0)};
  };
  // All neighbours, fed to the kernel in all ways: closed under exchanging the two.
  if (base.pairs && curve.is_convex) {
    const Divergence worst = [profile = after.delta](const Ball& epsilon) { return profile(epsilon).upper; };
    after.pairs = Pairs{.forward = worst, .backward = worst, .are_attained = false, .is_symmetric = true};
  }
  // Post-processing keeps these.
  after.dominating_mu = base.mu ? base.mu : base.dominating_mu;
  after.rho = base.rho;
  const std::optional<Ball> before_excess = base.pure ? std::optional(expm1(*base.pure)) : std::nullopt;
  if (const auto excess = joined_pure(before_excess, curve.pure_excess)) after.pure = log1p(*excess);
  after.renyi = base.renyi;
  after.largest_order = base.largest_order;
  return after;
}

Known mixed_once(const Known& base, const std::vector<Call>& group) {
  if (base.matrix && has_matrix(group[0]))
    if (const auto exact = processed(*base.matrix, group)) return known_of_matrix(exact);
  return mixed_profile(base, curve_of(group));
}

}  // namespace

std::optional<Ball> joined_pure(const std::optional<Ball>& first, const std::optional<Ball>& second) {
  if (!first || !second) return first ? first : second;
  return *first * *second / (Ball(2) + *first + *second);
}

Ball at_most_one(const Ball& x) { return certainly_at_most(x, Ball(1)) ? x : Ball(1); }

bool is_sharp(const Ball& x) {
  return arb_is_exact(x.get()) != 0 || arb_rel_accuracy_bits(x.get()) >= std::min(kSharpBits, precision() / 2);
}

const Ball& negligible() {
  static const Ball bound = [] {
    Ball x(1);
    arb_mul_2exp_si(x.get(), x.get(), -4000);
    return x;
  }();
  return bound;
}

Ball excess_of(const Ball& epsilon) { return epsilon.is_finite() ? expm1(epsilon) : epsilon; }

bool is_negligible(const Ball& x) { return certainly_at_most(x, negligible()); }

Ball mixed(const Ball& d, const Ball& excess, const std::function<Ball(const Ball&)>& kappa) {
  const auto at = [&](const Ball& before) {
    if (certainly_at_most(before, Ball(0))) return Ball(0);
    const Ball quotient = excess.is_finite() ? excess / before : excess;
    // Where nothing is known about it, the kernel does no harm.
    if (!quotient.is_finite() && !quotient.is_infinite()) return before;
    return before * at_most_one(kappa(quotient));
  };
  const Ball before = at_most_one(d);
  return is_sharp(before) ? at(before) : Ball::between(at(before.low_end()), at(before.high_end()));
}

Ball mixed_lower(const Ball& d, const Ball& excess, const std::function<Ball(const Ball&)>& kappa) {
  const auto low_kappa = [&](const Ball& h) { return kappa(h).low_end(); };
  const auto at = [&](const Ball& before) { return positive_part(mixed(before, excess, low_kappa)); };
  if (certainly_at_most(d, Ball(0))) return Ball(0);
  if (certainly_less(Ball(0), d)) return at(d.low_end());
  // Too small for the precision: anything up to its high end may be attained, and none of it is contradicted.
  return Ball::between(Ball(0), at(d.high_end()));
}

bool is_kernel(const Call& call) {
  static constexpr std::array<std::string_view, 10> kNames = {
      "dobrushin",          "doeblin",          "ultra_mixing",        "kernel",
      "k_ary_response",     "binary_symmetric", "truncated_geometric", "lazy_walk",
      "projected_gaussian", "projected_laplace"};
  return std::find(kNames.begin(), kNames.end(), call.name) != kNames.end();
}

Known known_mixture(const std::vector<Call>& kernels, const Known& base) {
  Known after = base;
  for (const auto& group : in_groups(kernels)) after = mixed_once(after, group);
  if (kernels.empty()) return after;
  // People before the kernels, then the kernels.
  after.group = [kernels, base](unsigned long k) { return known_mixture(kernels, known_group(base, k)); };
  return after;
}

}  // namespace doeblin::verify
