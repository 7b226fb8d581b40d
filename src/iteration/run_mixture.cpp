// SPDX-License-Identifier: Apache-2.0
#include "iteration/run_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <unordered_map>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/monotone_sum.hpp"
#include "doeblin/numerics/solve.hpp"
#include "doeblin/numerics/theta.hpp"
#include "doeblin/profile/renyi_to_profile.hpp"
#include "iteration/random_place.hpp"

namespace doeblin::pipeline {
namespace {

using rounding::kInfinity;

// Averages are taken to this relative width, from at most so many of their terms.
constexpr double kAverageWidth = 1e-5;
constexpr std::size_t kMostTerms = 3000;
constexpr double kSearchedAverageWidth = 1e-3;
constexpr std::size_t kMostSearchedTerms = 400;
// Where each term is a conversion from Renyi divergences.
constexpr double kConvertedAverageWidth = 1e-2;
constexpr std::size_t kMostConvertedTerms = 48;
// Where the average is sampled thousands of times for a composition.
constexpr double kSampledAverageWidth = 1e-4;
constexpr std::size_t kMostSampledTerms = 500;
// Beyond this nothing is private, and nothing is worth a transform.
constexpr double kLargestComposedLevel = 100.0;

// Delta of the r-th part of a mixture; parts get better with r.
using DeltaOfPart = std::function<Bracket(std::size_t, Epsilon)>;

// An epsilon at most `high`, which is known to meet the level, that is within 1e-7 of the smallest one that does: false
// position on the log of delta, with a bisection where it stalls.
double largest_needed(const std::function<Bracket(Epsilon)>& delta, double level, double high) {
  const auto excess = [&](double epsilon) { return std::log(delta(Epsilon(epsilon)).upper()) - std::log(level); };
  double low = 0.0;
  double at_low = excess(low);
  if (at_low <= 0.0) return 0.0;
  double at_high = excess(high);
  int stalled = 0;
  for (int i = 0; i < 80 && high - low > 1e-7 * high; ++i) {
    const double share =
        stalled >= 2 ? 0.5 : numerics::FalsePosition{.least = 0.02, .most = 0.98}.share(at_low, at_high);
    const double next = low + share * (high - low);
    const double value = excess(next);
    const double width = high - low;
    if (value <= 0.0)
      high = next, at_high = value;
    else
      low = next, at_low = value;
    stalled = high - low > 0.5 * width ? stalled + 1 : 0;
  }
  return high;
}

// How closely a sum is enclosed.
struct Averaging {
  double width;
  std::size_t most_terms;
  bool is_costly;
};

// (delta_0 + ... + delta_{count-1})/total: the profile of a mixture (C6). `first` is the epsilon of its worst part.
Profile averaged(DeltaOfPart part, std::size_t count, double total, bool is_attained, const Averaging& averaging,
                 std::function<double(Delta)> first) {
  const auto delta = [=, part = std::move(part)](Epsilon epsilon) {
    if (std::isinf(epsilon.value())) return Bracket(0.0);
    const auto term = [&](std::size_t r) { return part(r, epsilon); };
    const Bracket mean =
        clamp(numerics::monotone_sum(term, count, averaging.width, averaging.most_terms) / total, 0.0, 1.0);
    return Bracket(is_attained ? mean.lower() : 0.0, mean.upper());
  };
  ProfileTraits traits;
  traits.tight = false;
  traits.costly = averaging.is_costly;
  // Every evaluation is a sum: seven digits of epsilon are enough.
  const auto epsilon = [delta, is_attained, first = std::move(first)](Delta level) {
    if (is_attained) return numerics::first_at_most([&](double x) { return delta(Epsilon(x)); }, level.value(), 1e-7);
    return Bracket(0.0, largest_needed(delta, level.value(), first(level)));
  };
  return Profile(delta, epsilon, traits);
}

// The parts as releases of one person after r later steps. Gaussian levels are remembered: the same few are asked for
// at every epsilon.
DeltaOfPart delta_after(const RunModel& model, const std::vector<Use>& uses,
                        std::function<std::size_t(std::size_t)> released, bool by_level, double negligible) {
  struct Levels {
    std::mutex lock;
    std::unordered_map<std::size_t, Bracket> of;
  };
  const auto levels = std::make_shared<Levels>();
  const auto level_at = [=](std::size_t step) {
    {
      const std::lock_guard guard(levels->lock);
      if (const auto found = levels->of.find(step); found != levels->of.end()) return found->second;
    }
    const Bracket level = shift_level(model.run->steps, uses, model.run->diameter, step);
    const std::lock_guard guard(levels->lock);
    return levels->of.emplace(step, level).first->second;
  };
  const auto by_shift = [=](std::size_t step, Epsilon epsilon) {
    const Bracket level = level_at(step);
    return Bracket(numerics::theta(epsilon.value(), numerics::Wide(level.lower())).lower(),
                   numerics::theta(epsilon.value(), numerics::Wide(level.upper())).upper());
  };
  if (by_level)
    return
        [=, released = std::move(released)](std::size_t r, Epsilon epsilon) { return by_shift(released(r), epsilon); };
  const bool can_shift = model.noise == NoiseLaw::kGaussian && model.analysis == RunAnalysis::kBest;
  return [=, released = std::move(released)](std::size_t r, Epsilon epsilon) {
    // Where shifting alone leaves next to nothing of the first part, blocks are not worth a search.
    if (can_shift && r > 0) {
      const Bracket value = by_shift(released(r), epsilon);
      if (value.upper() <= negligible * by_shift(released(0), epsilon).upper()) return Bracket(0.0, value.upper());
    }
    return hidden_mechanism(model, uses, released(r)).profile().delta(epsilon);
  };
}

// log[(total - count)/total + (1/total) sum_r e^{(alpha-1) D_r}]/(alpha - 1): Renyi divergences of a mixture (C6),
// whose other parts do not depend on the person.
RenyiCurve averaged_renyi(std::function<RenyiCurve(std::size_t)> part, std::size_t count, double total,
                          std::size_t most_terms) {
  const double largest_order = part(0).traits().largest_order;
  const auto curve = [=, part = std::move(part)](Alpha alpha) {
    if (std::isinf(alpha.value())) return part(0).at(alpha);
    const Bracket s = Bracket(alpha.value()) - 1.0;
    // e^{s D_r} = e^{s D_0} e^{s (D_r - D_0)}, so that nothing overflows; the excess over 1 is summed where it is
    // small.
    // The worst part bounds the mixture, and its largest loss bounds every order.
    const double first = std::min(part(0).at(alpha).upper(), part(0).at(Alpha(kInfinity)).upper());
    if (!std::isfinite(first)) return Bracket(0.0, kInfinity);
    const bool is_small = (s * first).upper() < 1.0;
    const auto term = [&](std::size_t r) {
      const double divergence = std::min(part(r).at(alpha).upper(), first);
      const Bracket value =
          is_small ? numerics::expm1(s * divergence) : numerics::exp(s * (Bracket(divergence) - first));
      return Bracket(std::max(0.0, value.lower()), value.upper());
    };
    const Bracket sum = numerics::monotone_sum(term, count, kAverageWidth, most_terms) / total;
    if (is_small) return Bracket(0.0, std::min(first, (numerics::log1p(sum) / s).upper()));
    const Bracket rest = numerics::exp(-(s * first)) * ((Bracket(total) - static_cast<double>(count)) / total);
    return Bracket(0.0, std::clamp(((numerics::log(sum + rest) + s * first) / s).upper(), 0.0, first));
  };
  return RenyiCurve(curve, {.largest_order = largest_order, .tight = false, .single_pair = false});
}

// Steps after the last use that are looked at one by one; beyond them classes of places grow by an eighth.
constexpr std::size_t kSingleSteps = 16;

// Places in a random order by the number of steps after the last use, the worst first.
PlaceClasses place_classes(const RunModel& model, const std::vector<Use>& uses,
                           const std::function<std::size_t(std::size_t)>& released, std::size_t count) {
  PlaceClasses classes;
  std::vector<std::size_t> positions;
  const std::size_t last_use = uses.back().step;
  for (std::size_t first = 0; first < count;) {
    const std::size_t later = released(first) - last_use;
    const std::size_t next = later + (later < kSingleSteps ? 1 : later / 8);
    const auto is_inside = [&](std::size_t j) { return released(j) - last_use < next; };
    const std::size_t end =
        numerics::narrowed<std::size_t>({.safe = first, .unsafe = count}, is_inside, numerics::WholeHalving{}).unsafe;
    classes.weights.push_back(static_cast<double>(end - first) / static_cast<double>(count));
    positions.push_back(later);
    first = end;
  }
  const HiddenTail tail = tail_of(model.run, uses, released(count - 1));
  classes.worst = [level = tail.start_level(positions[0])](Epsilon epsilon) {
    return numerics::theta(epsilon.value(), numerics::Wide(level)).upper();
  };
  StopLevels levels;
  if (std::isfinite(model.run->diameter))
    levels = levels_at(tail, positions);
  else
    for (const std::size_t later : positions) levels.starts.push_back(tail.start_level(later));
  classes.deltas = [levels](Epsilon epsilon) {
    std::vector<double> values;
    if (levels.blocks.empty())
      for (const double level : levels.starts)
        values.push_back(numerics::theta(epsilon.value(), numerics::Wide(level)).upper());
    else
      for (const double value : log_deltas(levels, epsilon))
        values.push_back(std::min(1.0, numerics::exp(Bracket(value)).upper()));
    return values;
  };
  return classes;
}

// The average, or what is known of a place that nothing tells (I22), where that is less.
Profile at_random_place(const Profile& average, const std::function<double(Epsilon)>& hidden,
                        const PlaceClasses& places, const Profile& at_worst) {
  const auto delta = [=](Epsilon epsilon) {
    if (std::isinf(epsilon.value())) return Bracket(0.0);
    const double upper = hidden(epsilon);
    // The average is more than its first term.
    if (upper <= places.weights[0] * places.worst(epsilon)) return Bracket(0.0, upper);
    return Bracket(0.0, std::min(upper, average.delta(epsilon).upper()));
  };
  const auto epsilon = [delta, at_worst](Delta level) {
    return Bracket(0.0, largest_needed(delta, level.value(), at_worst.epsilon(level).upper()));
  };
  return Profile(delta, epsilon, average.traits());
}

}  // namespace

Profile weighted(const Profile& profile, const Bracket& weight) {
  return Profile([=](Epsilon epsilon) { return clamp(weight * profile.delta(epsilon), 0.0, 1.0); },
                 [=](Delta delta) {
                   const double low = rounding::div_down(delta.value(), weight.upper());
                   const double high = rounding::div_up(delta.value(), weight.lower());
                   const double upper =
                       low >= 1.0 ? 0.0 : profile.epsilon(Delta(std::max(low, rounding::kSmallest))).upper();
                   const double lower = high >= 1.0 ? 0.0 : profile.epsilon(Delta(high)).lower();
                   return Bracket(std::min(lower, upper), upper);
                 },
                 {.tight = profile.traits().tight, .costly = profile.traits().costly});
}

Mechanism mixture_mechanism(const RunModel& model, const std::vector<Use>& uses,
                            const std::function<std::size_t(std::size_t)>& released, std::size_t count, double total,
                            bool shows_its_end) {
  const auto part = [model, uses, released](std::size_t r) { return hidden_mechanism(model, uses, released(r)); };
  const Mechanism first = part(0);
  const RenyiCurve renyi = averaged_renyi([part](std::size_t r) { return part(r).renyi(); }, count, total,
                                          model.noise == NoiseLaw::kLaplace ? kMostConvertedTerms : kMostTerms);
  if (model.analysis == RunAnalysis::kFeldman || model.analysis == RunAnalysis::kBalle) {
    return Mechanism::of_profile(profile_from_renyi(renyi, nothing_attained(), RenyiRule::kTextbook), renyi);
  }
  // Maps that tell when the run stopped attain the average; a hidden order is not told by anything.
  const bool is_attained = first.gaussian() && shows_its_end;
  const bool is_shift = first.gaussian() && model.analysis != RunAnalysis::kPublic;
  const bool is_costly = first.profile().traits().costly;
  const auto profile_by = [&](bool by_level, const Averaging& averaging) {
    const double negligible = 1e-6 / static_cast<double>(count);
    return averaged(delta_after(model, uses, released, by_level, negligible), count, total, is_attained, averaging,
                    [profile = first.profile()](Delta delta) { return profile.epsilon(delta).upper(); });
  };
  Averaging averaging{kAverageWidth, kMostTerms, false};
  if (is_costly) averaging = {kSearchedAverageWidth, kMostSearchedTerms, true};
  if (model.noise == NoiseLaw::kLaplace) averaging = {kConvertedAverageWidth, kMostConvertedTerms, true};
  const Profile average = profile_by(is_shift, averaging);
  const auto& level = first.gaussian_bound();
  const bool has_level = level && level->mu.hi < kLargestComposedLevel;
  if (!has_level || model.analysis == RunAnalysis::kPublic) return Mechanism::of_profile(average, renyi);
  // For compositions, which ask thousands of times: by shifting alone.
  const Profile by_level = profile_by(true, {kSampledAverageWidth, kMostSampledTerms, false});
  if (shows_its_end || model.analysis != RunAnalysis::kBest || model.is_left_out)
    return Mechanism::of_profile(average, renyi)
        .with_laws({.dominating = Dominating(LossPair::symmetric_of(by_level))});
  const PlaceClasses classes = place_classes(model, uses, released, count);
  const auto hidden = random_place_delta(classes);
  const auto improved = [&](const Profile& profile) {
    return at_random_place(profile, hidden, classes, first.profile());
  };
  return Mechanism::of_dominating(improved(average), renyi, universal_pair(improved(by_level)));
}

}  // namespace doeblin::pipeline
