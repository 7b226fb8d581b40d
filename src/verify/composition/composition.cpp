// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>

#include "doeblin/core/whole.hpp"
#include "verify/composition/loss_lattice.hpp"
#include "verify/mechanism/renyi.hpp"
#include "verify/routes.hpp"

namespace doeblin::verify {
namespace {

using Release = std::pair<std::shared_ptr<const Known>, unsigned long>;

constexpr double kMostReleases = 0x1p40;

std::vector<Release> releases_of(const std::vector<Known>& parts, unsigned long times) {
  std::vector<Release> releases;
  for (const Known& part : parts) {
    if (part.releases.empty()) {
      releases.emplace_back(std::make_shared<const Known>(part), times);
      continue;
    }
    for (const auto& [known, count] : part.releases) {
      if (static_cast<double>(count) * static_cast<double>(times) > kMostReleases)
        throw CannotCheck("so many releases");
      releases.emplace_back(known, count * times);
    }
  }
  return releases;
}

// The sum of count * value over all releases; nothing unless every one has it.
std::optional<Ball> total_of(const std::vector<Release>& releases,
                             const std::function<std::optional<Ball>(const Known&)>& value) {
  Ball total(0);
  for (const auto& [known, count] : releases) {
    const std::optional<Ball> one = value(*known);
    if (!one) return std::nullopt;
    total = total + *one * Ball(static_cast<double>(count));
  }
  return total;
}

// The same question is not computed twice: losses of both signs ask a symmetric divergence alike.
Divergence remembered(const Divergence& divergence) {
  const auto answers = std::make_shared<std::map<double, std::pair<Ball, Ball>>>();
  return [=](const Ball& epsilon) {
    const auto [found, is_new] = answers->try_emplace(epsilon.middle());
    auto& [asked, answer] = found->second;
    if (is_new || arb_equal(asked.get(), epsilon.get()) == 0) asked = epsilon, answer = divergence(epsilon);
    return answer;
  };
}

// A bound on the profile in both directions is the divergence of a pair, once it is convex (C7): the grid sees to that.
Pairs pairs_of_profile(const std::shared_ptr<const Known>& known) {
  const Divergence profile =
      remembered([known](const Ball& epsilon) { return min(Ball(1), known->delta(epsilon).upper); });
  return {.forward = profile, .backward = profile, .are_attained = false, .is_symmetric = true, .is_profile = true};
}

bool has_exact_pair(const Release& one) { return one.first->pairs && !one.first->pairs->is_profile; }

// The losses of all releases added up, computed when asked for.
class LossRoute {
 public:
  LossRoute(const std::vector<Release>& releases, const Context& context) : context_(context) {
    for (const auto& [known, count] : releases) {
      const Pairs pairs = known->pairs ? *known->pairs : pairs_of_profile(known);
      const std::optional<Ball>& largest = pairs.is_profile ? known->pure : known->largest_loss;
      forward_.push_back({pairs.forward, pairs.backward, count, largest});
      backward_.push_back({pairs.backward, pairs.forward, count, largest});
      are_attained_ = are_attained_ && pairs.are_attained;
      is_symmetric_ = is_symmetric_ && pairs.is_symmetric;
      has_profiles_ = has_profiles_ || pairs.is_profile;
    }
  }

  [[nodiscard]] Ball upper(const Ball& epsilon) { return worse(upper_, LossSum::Side::kUpper, epsilon); }
  [[nodiscard]] Ball lower(const Ball& epsilon) {
    return are_attained_ ? worse(lower_, LossSum::Side::kLower, epsilon) : Ball(0);
  }

 private:
  Ball worse(std::vector<LossSum>& sums, LossSum::Side side, const Ball& epsilon) {
    if (sums.empty()) {
      const LatticeQuestion question{.largest_epsilon = context_.largest_epsilon,
                                     .least_delta = context_.least_delta,
                                     .effort = context_.effort,
                                     .is_costly = has_profiles_};
      sums.emplace_back(forward_, question, side);
      if (!is_symmetric_) sums.emplace_back(backward_, question, side);
    }
    Ball worst(0);
    for (const LossSum& sum : sums) worst = max(worst, sum.delta(epsilon));
    return worst;
  }

  Context context_;
  std::vector<LatticePart> forward_;
  std::vector<LatticePart> backward_;
  bool are_attained_ = true;
  bool is_symmetric_ = true;
  bool has_profiles_ = false;  ///< which take long to put on a grid
  std::vector<LossSum> upper_;
  std::vector<LossSum> lower_;
};

// Epsilons and deltas add: with the releases in equal shares of epsilon.
Ball basic_delta(const std::vector<Release>& releases, const Ball& epsilon) {
  double count = 0.0;
  for (const auto& [known, times] : releases) count += static_cast<double>(times);
  const Ball share = epsilon / Ball(count);
  Ball sum(0);
  for (const auto& [known, times] : releases) sum = sum + Ball(static_cast<double>(times)) * known->delta(share).upper;
  return min(sum, Ball(1));
}

Known in_one_case(const std::vector<Release>& releases, const Context& context);

// Neighbours are in the same case in every release about them.
Known general(const std::vector<Release>& releases, const Context& context) {
  std::size_t cases = 0;
  for (const auto& [one, count] : releases) cases = std::max(cases, one->cases.size());
  if (cases == 0) return in_one_case(releases, context);
  std::vector<Known> worst;
  for (std::size_t i = 0; i < cases; ++i) {
    std::vector<Release> here = releases;
    for (auto& [one, count] : here) {
      if (one->cases.empty()) continue;
      if (one->cases.size() != cases) throw CannotCheck("releases about different groups of people");
      one = one->cases[i];
    }
    worst.push_back(in_one_case(here, context));
  }
  Known known = known_worst(worst);
  known.releases = releases;
  return known;
}

Known in_one_case(const std::vector<Release>& releases, const Context& context) {
  using Curve = std::function<Ball(const Ball&)>;
  const bool has_pairs = std::all_of(releases.begin(), releases.end(), has_exact_pair);
  const bool has_curves = std::all_of(releases.begin(), releases.end(),
                                      [](const Release& one) { return static_cast<bool>(one.first->renyi); });
  const std::optional<Ball> squares = total_of(releases, [](const Known& known) -> std::optional<Ball> {
    const auto& mu = known.mu ? known.mu : known.dominating_mu;
    return mu ? std::optional(square(*mu)) : std::nullopt;
  });
  const std::optional<Ball> pure = total_of(releases, [](const Known& known) { return known.pure; });
  std::optional<Ball> largest_order;
  for (const auto& [one, count] : releases)
    if (one->largest_order)
      largest_order = largest_order ? min(*largest_order, *one->largest_order) : one->largest_order;
  // Profiles are put on a grid only where what is cheap does not settle it.
  const bool has_losses = has_pairs || context.effort > 0;
  const auto losses = has_losses ? std::make_shared<LossRoute>(releases, context) : nullptr;
  const Curve curve = [releases](const Ball& alpha) {
    Ball sum(0);
    for (const auto& [known, count] : releases) sum = sum + known->renyi(alpha) * Ball(static_cast<double>(count));
    return sum;
  };
  const std::optional<Ball> rho = total_of(releases, [](const Known& known) { return known.rho; });
  Known known{.delta = [=](const Ball& epsilon) {
    if (pure && certainly_at_most(*pure, epsilon)) return Enclosed{Ball(0), Ball(0)};
    Ball least = basic_delta(releases, epsilon);
    if (rho && !has_pairs && !has_curves) least = min(least, known_zcdp(*rho).delta(epsilon).upper);
    if (squares) least = min(least, theta_of_wide(epsilon, sqrt(*squares)));
    if (!has_pairs && has_curves) least = min(least, best_renyi_delta(curve, epsilon, largest_order));
    if (!losses) return Enclosed{least, Ball(0)};
    if (context.is_from_below) return Enclosed{least, losses->lower(epsilon)};
    return Enclosed{min(least, losses->upper(epsilon)), Ball(0)};
  }};
  if (has_curves) known.renyi = curve;
  if (has_pairs && has_curves)
    known.by_renyi = [=](const Ball& epsilon) { return best_renyi_delta(curve, epsilon, largest_order); };
  known.largest_order = largest_order;
  known.pure = pure;
  if (squares) known.dominating_mu = sqrt(*squares);
  known.releases = releases;
  known.group = [releases, context](unsigned long k) {
    std::vector<Release> grouped;
    grouped.reserve(releases.size());
    for (const auto& [one, count] : releases)
      grouped.emplace_back(std::make_shared<const Known>(known_group(*one, k)), count);
    return general(grouped, context);
  };
  return known;
}

unsigned long whole_k(const language::Call& call) {
  const double k = call.number("k");
  if (!is_whole(k, 1.0, kMostReleases)) throw CannotCheck("a count of this size");
  return static_cast<unsigned long>(k);
}

Known composed(const language::Call& call, const Known& before, const Context& context) {
  return known_composition({before}, whole_k(call), context);
}

Known grouped(const language::Call& call, const Known& before, const Context& /*context*/) {
  return known_group(before, whole_k(call));
}

Subjects about_group(const language::Call& call, const Subjects& before) {
  if (before.is_one_place) throw CannotCheck("a group of one person");
  Subjects all = before;
  all.people *= call.number("k");
  return all;
}

constexpr Route kCompositionRoutes[] = {
    {.name = "compose", .stage = composed},
    {.name = "group", .stage = grouped, .about = about_group, .is_group = true},
};

}  // namespace

Known known_composition(const std::vector<Known>& parts, unsigned long times, const Context& context) {
  if (parts.size() == 1 && times == 1) return parts[0];
  const std::vector<Release> releases = releases_of(parts, times);
  const auto squares =
      total_of(releases, [](const Known& one) { return one.mu ? std::optional(square(*one.mu)) : std::nullopt; });
  if (squares) return known_gdp(sqrt(*squares));
  const bool has_pairs = std::all_of(releases.begin(), releases.end(), has_exact_pair);
  const auto rho = total_of(releases, [](const Known& one) { return one.rho; });
  const bool is_attained =
      std::all_of(releases.begin(), releases.end(), [](const Release& one) { return one.first->is_rho_attained; });
  if (rho && !has_pairs && is_attained) return known_zcdp(*rho);
  return general(releases, context);
}

std::span<const Route> composition_routes() { return kCompositionRoutes; }

}  // namespace doeblin::verify
