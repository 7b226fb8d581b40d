// SPDX-License-Identifier: Apache-2.0
#include "iteration/hidden_release.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/composition/stages.hpp"
#include "doeblin/iteration/laplace_iteration.hpp"
#include "doeblin/iteration/published_iteration.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/profile/renyi_to_profile.hpp"
#include "iteration/last_step.hpp"

namespace doeblin::pipeline {
namespace {

using rounding::kInfinity;

const ProfileTraits kSearched = [] {
  ProfileTraits traits;
  traits.tight = false;
  traits.costly = true;
  return traits;
}();

Profile from_log(std::function<double(Epsilon)> log_delta, double loss_bound = kInfinity) {
  ProfileTraits traits = kSearched;
  traits.loss_bound = loss_bound;
  return Profile(
      [log_delta = std::move(log_delta)](Epsilon epsilon) {
        if (std::isinf(epsilon.value())) return Bracket(0.0);
        return Bracket(0.0, std::min(1.0, numerics::exp(Bracket(log_delta(epsilon))).upper()));
      },
      traits);
}

Mechanism gaussian_mechanism(const RunModel& model, const std::vector<Use>& uses, std::size_t released) {
  const IterationAnalysis analysis = model.analysis == RunAnalysis::kShift         ? IterationAnalysis::kShift
                                     : model.analysis == RunAnalysis::kContraction ? IterationAnalysis::kContraction
                                                                                   : IterationAnalysis::kBest;
  const auto release = std::make_shared<const HiddenRelease>(model.run, uses, released, analysis);
  if (!std::isfinite(model.run->diameter)) return exact_mechanism(release->level());
  if (release->level().upper() == 0.0) return Mechanism::perfect();
  const Profile profile([release](Epsilon epsilon) { return release->delta(epsilon); },
                        [release](Delta delta) { return release->epsilon(delta); }, kSearched);
  Mechanism mechanism = dominated_mechanism(gdp_of(Bracket(release->level().upper())), profile);
  const double level = release->level_of_last_step();
  return level > 0.0
             ? std::move(mechanism).with_example(seen_step(level, model.last_batch).with_worst_places(model.last_share))
             : mechanism;
}

PublishedRun published_run(const RunModel& model, const std::vector<Use>& uses, std::size_t released) {
  if (!model.published_reason.empty()) throw InvalidArgument(model.published_reason);
  const NoisyStep& step = model.run->steps.at(1);
  PublishedRun run{.ratio = uses[0].shift / step.noise,
                   .lipschitz = model.published_lipschitz,
                   .later = static_cast<double>(released - uses.back().step)};
  run.epochs = static_cast<double>(uses.size());
  for (std::size_t k = 1; k < uses.size(); ++k) {
    const auto gap = static_cast<double>(uses[k].step - uses[k - 1].step);
    run.period = k == 1 ? gap : std::min(run.period, gap);
  }
  return run;
}

Mechanism zcdp_mechanism(const Zcdp& zcdp) {
  const RenyiCurve curve = at_most(renyi_of(zcdp));
  return Mechanism::of_profile(profile_from_renyi(curve, nothing_attained(), RenyiRule::kTextbook), curve);
}

void require_gaussian(const RunModel& model) {
  if (model.noise != NoiseLaw::kGaussian) throw InvalidArgument("noise", "'laplace'", "'gaussian' for this analysis");
}

Mechanism published_mechanism(const RunModel& model, const std::vector<Use>& uses, std::size_t released) {
  const PublishedRun run = published_run(model, uses, released);
  if (model.analysis == RunAnalysis::kFeldman) {
    require_gaussian(model);
    return zcdp_mechanism(feldman(run));
  }
  if (model.analysis == RunAnalysis::kBalle) {
    require_gaussian(model);
    return zcdp_mechanism(balle(run));
  }
  const double diameter = model.run->diameter;
  if (!std::isfinite(diameter)) throw InvalidArgument("diameter", diameter, "a finite diameter");
  require(run.epochs == 1.0, "uses of a record", run.epochs, "one (a single epoch)");
  const Bracket width = Bracket(diameter) / model.run->steps.at(1).noise;
  const bool is_laplace = model.noise == NoiseLaw::kLaplace;
  const Profile profile = from_log([=](Epsilon epsilon) {
    return is_laplace ? asoodeh_laplace_log_delta(run, width, epsilon) : asoodeh_log_delta(run, width, epsilon);
  });
  return Mechanism::of_profile(profile, unknown_renyi());
}

Mechanism laplace_mechanism(const RunModel& model, const std::vector<Use>& uses, std::size_t released) {
  const auto run = model.run;
  const bool contracts = model.analysis != RunAnalysis::kShift;
  const bool shifts = model.analysis != RunAnalysis::kContraction;
  if (!shifts && !std::isfinite(run->diameter))
    throw InvalidArgument("diameter", run->diameter, "a finite diameter for contraction");
  const RenyiCurve renyi = shifted_renyi(run, uses, released, laplace_divergence);
  HiddenRun unbounded = *run;
  if (!contracts) unbounded.diameter = kInfinity;
  const Profile direct = from_log(
      [unbounded, uses, released](Epsilon epsilon) { return laplace_log_delta(unbounded, uses, released, epsilon); });
  if (!shifts) return Mechanism::of_profile(direct, unknown_renyi());
  const Profile by_renyi = profile_from_renyi(renyi, nothing_attained());
  const Profile both = tightened(direct, by_renyi);
  // Conversions lose their digits next to 0, where delta can only be smaller than at 0.
  const auto delta = [both](Epsilon epsilon) { return min(both.delta(epsilon), both.delta(Epsilon(0.0))); };
  const auto epsilon = [both](Delta level) { return both.epsilon(level); };
  return Mechanism::of_profile(Profile(delta, epsilon, both.traits()), renyi);
}

// As if every state were seen: each use is a release of its own.
Mechanism public_mechanism(const RunModel& model, const std::vector<Use>& uses) {
  if (model.noise == NoiseLaw::kLaplace)
    throw InvalidArgument("noise", "'laplace'",
                          "'gaussian'; for Laplace noise write laplace(scale=..., sensitivity=...) | compose(epochs)");
  Bracket square(0.0);
  for (const Use& use : uses) {
    const Bracket level = published_level(model.run->steps, use);
    square = square + level * level;
  }
  return exact_mechanism(numerics::sqrt(square));
}

}  // namespace

Gdp gdp_of(const Bracket& level) {
  const double middle = level.middle();
  const double spread = std::max(rounding::sub_up(level.upper(), middle), rounding::sub_up(middle, level.lower()));
  return {numerics::Wide(middle, 0.0, level.is_exact() ? 0.0 : spread)};
}

Bracket published_level(const NoisySteps& steps, const Use& use) {
  const Bracket exact = use.shift / steps.at(use.step).noise;
  return use.shift.upper() > 0.0 ? Bracket(exact.lower(), rounding::add_up(exact.upper(), steps.rounding())) : exact;
}

Mechanism exact_mechanism(const Bracket& level) {
  // k records sit at k different places: k mu still bounds them, but need not be attained.
  return Mechanism::of(gdp_of(level)).with_groups_attained(false);
}

Mechanism dominated_mechanism(const Gdp& gdp, const Profile& profile) {
  const auto group = [gdp, profile](double k) {
    const Gdp grouped = doeblin::group(gdp, k);
    return dominated_mechanism(grouped, enclosed(Attained(profile), Dominating(profile_of(grouped))));
  };
  return Mechanism::of_profile(profile, at_most(renyi_of(gdp)))
      .with_gaussian_bound(gdp)
      .with_groups({group, "k people are at least as private as k times the Gaussian level of one"});
}

Mechanism hidden_mechanism(const RunModel& model, const std::vector<Use>& uses, std::size_t released) {
  if (uses.empty()) return Mechanism::perfect();
  switch (model.analysis) {
    case RunAnalysis::kFeldman:
    case RunAnalysis::kBalle:
    case RunAnalysis::kAsoodeh: return published_mechanism(model, uses, released);
    case RunAnalysis::kPublic: return public_mechanism(model, uses);
    default: break;
  }
  return model.noise == NoiseLaw::kLaplace ? laplace_mechanism(model, uses, released)
                                           : gaussian_mechanism(model, uses, released);
}

Mechanism checkpointed_mechanism(const RunModel& model, const std::vector<Use>& uses,
                                 const std::vector<std::size_t>& releases) {
  // Each segment between releases is a run of its own that starts at a public point.
  std::vector<Mechanism> segments;
  std::size_t next = 0;
  for (const std::size_t released : releases) {
    std::vector<Use> within;
    for (; next < uses.size() && uses[next].step <= released; ++next) within.push_back(uses[next]);
    if (!within.empty()) segments.push_back(hidden_mechanism(model, within, released));
  }
  if (segments.empty()) return Mechanism::perfect();
  return segments.size() == 1 ? segments[0] : composed(segments, {}).mechanism;
}

std::string source_of(const RunModel& model) {
  const bool is_bounded = std::isfinite(model.run->diameter);
  const bool is_laplace = model.noise == NoiseLaw::kLaplace;
  switch (model.analysis) {
    case RunAnalysis::kBest: return is_laplace ? "I6, I15, C3" : is_bounded ? "I7" : "I2, I3";
    case RunAnalysis::kShift: return is_laplace ? "I15, C3" : is_bounded ? "I2, I3, I4" : "I2, I3";
    case RunAnalysis::kContraction: return "I6";
    case RunAnalysis::kFeldman:
    case RunAnalysis::kBalle: return "I1, C3";
    case RunAnalysis::kAsoodeh: return "I5";
    case RunAnalysis::kPublic: return "I11, C5";
  }
  throw InternalError("broken invariant: unknown run analysis");
}

std::string statement_of(const RunModel& model) {
  const bool is_bounded = std::isfinite(model.run->diameter);
  switch (model.analysis) {
    case RunAnalysis::kBest:
      if (model.noise == NoiseLaw::kLaplace)
        return "the better of contraction step by step and equal shifts under the cover of the noise";
      return is_bounded ? "the best split of the run into shifts under the cover of the noise and blocks that contract"
                        : "optimal shifts under the cover of every later step's noise: exactly mu-GDP, attained by "
                          "maps with these constants";
    case RunAnalysis::kShift: return "optimal shifts under the cover of every later step's noise";
    case RunAnalysis::kContraction: return "every later step contracts the divergence on the bounded domain";
    case RunAnalysis::kFeldman: return "[FMTT18] Theorem 23 (35 for epochs, corrected), converted by the textbook rule";
    case RunAnalysis::kBalle: return "[BBGG19] Theorem 5, converted by the textbook rule";
    case RunAnalysis::kAsoodeh: return "[ADC20] Theorem 4 (3 for Laplace noise)";
    case RunAnalysis::kPublic: return "as if every state were released: each use of the record is a Gaussian mechanism";
  }
  throw InternalError("broken invariant: unknown run analysis");
}

}  // namespace doeblin::pipeline
