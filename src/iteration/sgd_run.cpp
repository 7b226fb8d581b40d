// SPDX-License-Identifier: Apache-2.0
#include "iteration/sgd_run.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/composition/stages.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/iteration/everybody.hpp"
#include "doeblin/iteration/gradient_step.hpp"
#include "doeblin/iteration/published_iteration.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/theta.hpp"
#include "iteration/last_step.hpp"
#include "iteration/run_mixture.hpp"

namespace doeblin::pipeline {
namespace {

// People whose guarantees are found one by one when there is no faster way; the others get that of a worse one.
constexpr std::size_t kSinglePeople = 256;
// How many groups of records are examined for the worst one.
constexpr std::size_t kMostExamined = 512;
// Steps times uses of a record, up to which every record is looked at.
constexpr double kMostWork = 3e7;
// Uses of several people together, up to which they are looked at as one.
constexpr double kMostJointUses = 1e5;

double constant_at(const std::vector<double>& list, double standard, std::size_t t) {
  return list.empty() ? standard : list[t];
}

GradientStep step_at(const NoisySgd& run, std::size_t t) {
  return {constant_at(run.schedule.learning_rate, run.learning_rate, t), constant_at(run.schedule.sigma, run.sigma, t),
          constant_at(run.schedule.lipschitz, run.lipschitz, t), constant_at(run.schedule.batch, run.batch, t)};
}

NoisySteps steps_of(const NoisySgd& run) {
  const auto noisy_step = [&](const GradientStep& step) {
    return NoisyStep{gradient_lipschitz(step.learning_rate, run.smoothness, run.strong_convexity), step.noise()};
  };
  const double rounding = rounding::mul_up(run.rounding, run.joint_scale().upper());
  if (run.schedule.empty()) return {noisy_step(step_at(run, 0)), run.steps(), rounding};
  std::vector<NoisyStep> steps;
  steps.reserve(run.steps());
  for (std::size_t t = 0; t < run.steps(); ++t) {
    const GradientStep step = step_at(run, t);
    try {
      step.validate();
    } catch (const InvalidArgument& error) {
      throw error.within(fmt::format("schedule, step {}", t + 1));
    }
    steps.push_back(noisy_step(step));
  }
  return NoisySteps(std::move(steps), rounding);
}

RecordOrder order_of(const NoisySgd& run) {
  const auto n = static_cast<std::size_t>(run.n);
  if (run.schedule.empty())
    return {n, static_cast<std::size_t>(run.batch), run.steps(),
            step_at(run, 0).shift(run.relation) * run.joint_scale()};
  std::vector<std::size_t> batches;
  std::vector<Bracket> shifts;
  for (std::size_t t = 0; t < run.steps(); ++t) {
    const GradientStep step = step_at(run, t);
    batches.push_back(static_cast<std::size_t>(step.batch));
    shifts.push_back(step.shift(run.relation));
  }
  return {n, batches, std::move(shifts)};
}

RunModel model_of(const NoisySgd& run, const Settings& settings) {
  const double diameter = rounding::mul_up(run.diameter, run.joint_scale().upper());
  RunModel model{.run = std::make_shared<const HiddenRun>(HiddenRun{steps_of(run), diameter, run.linear_share()}),
                 .noise = run.noise,
                 .analysis = settings.run_analysis.value_or(run.analysis),
                 .is_left_out = run.relation != Relation::kSubstitute};
  if (run.schedule.empty()) {
    model.last_batch = run.batch;
    model.last_share = rounding::div_down(run.batch, run.n);
  }
  if (!run.schedule.empty()) {
    model.published_reason = "schedule: constants that change, need the same at every step";
    return model;
  }
  if (run.rounding > 0.0) {
    model.published_reason = InvalidArgument("rounding", run.rounding, "0 for the published analyses").what();
    return model;
  }
  try {
    if (model.analysis == RunAnalysis::kFeldman)
      model.published_lipschitz = gradient_lipschitz(run.learning_rate, run.smoothness, 0.0).upper();
    else if (model.analysis == RunAnalysis::kBalle || model.analysis == RunAnalysis::kAsoodeh)
      model.published_lipschitz = published_lipschitz(run.learning_rate, run.smoothness, run.strong_convexity);
  } catch (const InvalidArgument& error) {
    model.published_reason = error.what();
  }
  return model;
}

// The same upper ends; nobody is known to be as badly off.
Mechanism unattained(const Mechanism& bound) {
  const Profile profile = enclosed(Attained(nothing_attained()), Dominating(bound.profile()));
  if (bound.gaussian()) return dominated_mechanism(*bound.gaussian(), profile);
  return Mechanism(bound).as_bound(Attained(nothing_attained()), Attained(unknown_renyi()));
}

bool has_pass(const RunModel& model) {
  return model.noise == NoiseLaw::kGaussian &&
         (model.analysis == RunAnalysis::kBest || model.analysis == RunAnalysis::kShift ||
          model.analysis == RunAnalysis::kContraction);
}

}  // namespace

Neighbours neighbours_of(const NoisySgd& run) {
  return {.relation = run.relation,
          .size = run.n,
          .public_tail = run.public_tail,
          .is_of_worst_place = run.order == RecordSequence::kFixed};
}

SgdRun::SgdRun(const NoisySgd& parameters, const Settings& settings)
    : parameters_(parameters),
      settings_(settings),
      private_(static_cast<std::size_t>(parameters.n - parameters.public_tail)) {
  parameters.validate();
  model_ = model_of(parameters, settings);
  order_ = order_of(parameters);
  releases_ = parameters.checkpoints;
  if (releases_.empty() || releases_.back() != parameters.steps()) releases_.push_back(parameters.steps());
}

bool SgdRun::is_plain() const {
  return parameters_.order == RecordSequence::kFixed && parameters_.output == RunOutput::kLast && releases_.size() == 1;
}

Bracket SgdRun::local_level() const {
  Bracket worst(0.0);
  const std::size_t count = parameters_.schedule.empty() ? 1 : parameters_.steps();
  for (std::size_t t = 0; t < count; ++t) {
    worst =
        max(worst, published_level(model_.run->steps, {t + 1, step_at(parameters_, t).shift(parameters_.relation)}));
  }
  return worst;
}

// Every task is a run of its own on the same records (I13), or a part of this one (I21), whose domain is a product of
// domains and not the ball or interval of the same diameter that might attain the bound.
Mechanism SgdRun::finished(Mechanism mechanism) const {
  if (parameters_.draws_are_shared && std::isfinite(parameters_.diameter)) mechanism = unattained(mechanism);
  if (is_composed()) mechanism = applied(compose(parameters_.tasks, settings_), mechanism).mechanism;
  return std::move(mechanism).about(neighbours_of(parameters_)).with_hidden_choice(parameters_.hidden_choice());
}

bool SgdRun::is_composed() const { return parameters_.tasks > 1.0 && !parameters_.draws_are_shared; }

Bracket SgdRun::skip_probability(std::size_t i) const {
  const auto steps = static_cast<double>(parameters_.steps());
  const auto step = static_cast<double>(order_->last_use(i));
  const double starts = std::floor(steps / 2.0) + 1.0;
  return step >= starts ? Bracket(1.0) : Bracket(step) / starts;
}

// T is uniform: the runs that stop before the record is used do not depend on it (I8).
Mechanism SgdRun::stopped(std::size_t i) const {
  const std::vector<Use> uses = order_->uses(i);
  if (model_.analysis == RunAnalysis::kBalle)
    throw InvalidArgument("output", "'uniform_stop'", "'last' for this analysis");
  const std::size_t first = uses[0].step;
  const std::size_t count = parameters_.steps() - first + 1;
  // Everybody in a batch of their own, and the run stops after any of these.
  const PlacesOfPeople places = [n = parameters_.n, batch = parameters_.batch](double k) {
    const Bracket some = Bracket(std::min(k, n / batch)) * batch / n;
    return CountWeights{{1.0 - some, some}, 0.0, some};
  };
  return with_hidden_place(mixture_mechanism(
                               model_, uses, [first](std::size_t r) { return first + r; }, count,
                               static_cast<double>(parameters_.steps()), true),
                           places);
}

// The uses of a record that is no better protected than any other, when all steps are alike and none expands: as many
// uses as anybody has, as close together as anybody's, and as few steps after them.
std::vector<Use> SgdRun::canonical_uses() const {
  const std::size_t n = order_->records();
  const auto batch = static_cast<std::size_t>(parameters_.batch);
  std::vector<Use> uses = order_->uses(1);
  if (n % batch != 0)
    for (std::size_t k = 1; k < uses.size(); ++k) uses[k].step = uses[k - 1].step + n / batch;
  return uses;
}

// The place of a record is uniform (I10). Every step uses `batch` records, so at most batch (k+1) of them have k or
// fewer steps after their last use: in the order of later steps, record j (from 0) has at least j/batch of them.
Mechanism SgdRun::permuted() const {
  if (!model_.run->steps.is_homogeneous() || !model_.run->steps.never_expands())
    throw InvalidArgument("order", "'permuted'", "the same constants at every step, and learning_rate <= 2/smoothness");
  const std::vector<Use> uses = canonical_uses();
  // The canonical pattern may leave no room for all of the later steps: fewer of them only make the bound larger.
  const auto released = [last = uses.back().step, batch = static_cast<std::size_t>(parameters_.batch),
                         steps = parameters_.steps()](std::size_t j) { return std::min(last + j / batch, steps); };
  const PlacesOfPeople places = [n = parameters_.n, batch = parameters_.batch](double k) {
    return hypergeometric_weights(n, batch, std::min(k, n), 0.0);
  };
  return with_hidden_place(mixture_mechanism(model_, uses, released, order_->records(), parameters_.n, false), places);
}

// Whatever is drawn, a record is in the released step as often as in any other.
Mechanism SgdRun::with_hidden_place(Mechanism mechanism, const PlacesOfPeople& places) const {
  const HiddenRun& run = *model_.run;
  const bool has_example =
      std::isfinite(run.diameter) && model_.noise == NoiseLaw::kGaussian && parameters_.schedule.empty();
  const double level = has_example ? rounding::mul_down(run.share_in_many_dimensions, local_level().lower()) : 0.0;
  if (!(level > 0.0)) return mechanism;
  return std::move(mechanism).with_example(
      seen_step_at_rate(level, Bracket(parameters_.batch) / parameters_.n, places).with_worst_places(1.0));
}

Mechanism SgdRun::record(std::size_t i) const {
  if (is_published() && releases_.size() > 1)
    throw InvalidArgument("checkpoints", static_cast<double>(releases_[0]), "none for this analysis");
  const std::vector<Use> uses = order_->uses(i);
  if (parameters_.order == RecordSequence::kPermuted) return permuted();
  if (uses.empty()) return Mechanism::perfect();
  if (parameters_.output == RunOutput::kUniformStop) return stopped(i);
  Mechanism mechanism = releases_.size() > 1 ? checkpointed_mechanism(model_, uses, releases_)
                                             : hidden_mechanism(model_, uses, parameters_.steps());
  if (parameters_.output != RunOutput::kSkip) return mechanism;
  const Bracket used = skip_probability(i);
  if (used.lower() == 1.0) return mechanism;
  return Mechanism::of_profile(weighted(mechanism.profile(), used), at_most(mechanism.renyi()))
      .with_gaussian_bound(mechanism.gaussian_bound());
}

bool SgdRun::has_joint_uses() const {
  const NoisySteps& steps = model_.run->steps;
  return has_pass(model_) && steps.is_homogeneous() && steps.never_expands() && releases_.size() == 1;
}

// Where no step expands, a use may as well come later: what is later is moved by more, and hidden by less. So the worst k
// people are those who are used last, together (I3).
Mechanism SgdRun::with_joint_uses(Mechanism mechanism) const {
  if (!has_joint_uses() || parameters_.output == RunOutput::kUniformStop) return mechanism;
  const auto group = [run = *this, one = mechanism](double k) {
    const double people = std::min(k, static_cast<double>(run.private_));
    Mechanism by_rule = one.group(k);
    if (people * run.parameters_.epochs > kMostJointUses) return by_rule;
    Mechanism joint = unattained(run.latest(people));
    if (!by_rule.gaussian_bound() || !joint.gaussian_bound()) {
      const Profile better = tightened(joint.profile(), by_rule.profile());
      return std::move(joint).with_profile(better);
    }
    return joint.gaussian_bound()->mu.hi < by_rule.gaussian_bound()->mu.hi ? joint : by_rule;
  };
  GroupRule rule{group, "the k people who are used last, every step moved by as many of them as it uses", false, "I3"};
  // Without a projection linear maps attain the level.
  if (mechanism.gaussian())
    rule.reached = [run = *this](double k) {
      return run.latest(std::min({k, static_cast<double>(run.private_), kMostJointUses / run.parameters_.epochs}));
    };
  return std::move(mechanism).with_groups(std::move(rule));
}

// The k private records whose last uses are the latest, at once.
Mechanism SgdRun::latest(double people) const {
  const std::vector<Use> uses =
      order_->latest_uses(private_, static_cast<std::size_t>(std::max(1.0, std::floor(people))));
  return hidden_mechanism(model_, uses, parameters_.steps());
}

// Whoever is sampled comes to any place: the order of those who were drawn is random, whatever is released (I22).
Mechanism SgdRun::with_random_places(Mechanism mechanism) const {
  const bool is_known = has_joint_uses() && model_.analysis == RunAnalysis::kBest &&
                        parameters_.order == RecordSequence::kFixed && parameters_.relation == Relation::kSubstitute &&
                        parameters_.tasks == 1.0 && parameters_.public_tail == 0.0;
  if (!is_known) return mechanism;
  return std::move(mechanism).with_random_order([run = *this] {
    Neighbours about = neighbours_of(run.parameters_);
    about.is_of_worst_place = false;
    return run.with_joint_uses(run.permuted()).about(std::move(about));
  });
}

bool SgdRun::all_alike() const {
  const std::size_t n = order_->records();
  const auto batch = static_cast<std::size_t>(parameters_.batch);
  return model_.run->steps.is_homogeneous() && n % batch == 0 && (parameters_.steps() * batch) % n == 0;
}

bool SgdRun::is_published() const {
  return model_.analysis == RunAnalysis::kFeldman || model_.analysis == RunAnalysis::kBalle ||
         model_.analysis == RunAnalysis::kAsoodeh;
}

Mechanism SgdRun::worst_of_fixed_order() const {
  if (releases_.size() == 1) {
    // Of records with the same pattern of uses the one with the fewest steps after it is the worst.
    if (all_alike()) return record(private_);
    const NoisySteps& steps = model_.run->steps;
    if (steps.is_homogeneous() && steps.never_expands()) {
      const std::size_t latest = order_->latest_use(private_);
      if (latest == 0) return Mechanism::perfect();
      const std::vector<Use> uses = canonical_uses();
      Mechanism bound = hidden_mechanism(model_, uses, uses.back().step + (parameters_.steps() - latest));
      // No record need be as bad as that; where they are few enough, the worst one is found.
      const double work = static_cast<double>(parameters_.steps()) * static_cast<double>(uses.size());
      const bool is_searched = model_.noise == NoiseLaw::kGaussian && work <= kMostWork && !is_published();
      if (is_searched && bound.gaussian()) return worst_of_all();
      if (is_searched && bound.gaussian_bound()) {
        const Profile searched = tightened(worst_of_all().profile(), bound.profile());
        return std::move(bound).with_profile(searched);
      }
      return unattained(bound);
    }
  }
  if (model_.noise != NoiseLaw::kGaussian)
    throw InvalidArgument("batch", parameters_.batch, "a divisor of n, for Laplace noise and maps that expand");
  return worst_of_all();
}

// The Gaussian level of a record: by shifting, or if everything is seen.
double SgdRun::level_of(std::size_t i) const {
  const std::vector<Use> uses = order_->uses(i);
  Bracket square(0.0);
  std::size_t next = 0;
  for (const std::size_t released : releases_) {
    std::vector<Use> within;
    for (; next < uses.size() && uses[next].step <= released; ++next) within.push_back(uses[next]);
    if (within.empty()) continue;
    const Bracket level = shift_level(model_.run->steps, within, model_.run->diameter, released);
    square = square + level * level;
  }
  if (model_.analysis == RunAnalysis::kPublic) {
    square = Bracket(0.0);
    for (const Use& use : uses) {
      const Bracket level = published_level(model_.run->steps, use);
      square = square + level * level;
    }
  }
  return numerics::sqrt(square).upper();
}

// In decreasing order of the Gaussian levels, until the rest is certainly better.
Mechanism SgdRun::worst_of_all() const {
  const auto steps = static_cast<double>(parameters_.steps());
  require(steps <= kMostWork, "steps", steps, "at most 3e7 where every record must be looked at");
  struct Candidate {
    double level;
    std::size_t record;
  };
  std::vector<Candidate> candidates;
  for (std::size_t first = 1; first <= private_; first = order_->last_alike(first) + 1)
    candidates.push_back({level_of(first), first});
  const std::size_t examined = std::min(candidates.size(), kMostExamined);
  const auto is_worse = [](const Candidate& a, const Candidate& b) { return a.level > b.level; };
  const auto next = std::min(examined + 1, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(next), candidates.end(),
                    is_worse);
  Mechanism first = record(candidates[0].record);
  // A Gaussian level decides alone.
  if (candidates.size() == 1) return first;
  if (first.gaussian()) {
    const double lower = enclose(first.gaussian()->mu).lower();
    return exact_mechanism({std::min(lower, candidates[0].level), candidates[0].level});
  }
  const auto parts = std::make_shared<std::vector<Mechanism>>();
  std::vector<double> levels;
  for (std::size_t k = 0; k < examined; ++k) {
    parts->push_back(record(candidates[k].record));
    levels.push_back(candidates[k].level);
  }
  const double rest = examined < candidates.size() ? candidates[examined].level : 0.0;
  const auto delta = [parts, levels, rest](Epsilon epsilon) {
    Bracket worst(0.0);
    for (std::size_t k = 0; k < parts->size(); ++k) {
      if (numerics::theta(epsilon.value(), numerics::Wide(levels[k])).upper() <= worst.upper()) return worst;
      worst = max(worst, (*parts)[k].profile().delta(epsilon));
    }
    const double others = rest > 0.0 ? numerics::theta(epsilon.value(), numerics::Wide(rest)).upper() : 0.0;
    return Bracket(worst.lower(), std::max(worst.upper(), others));
  };
  ProfileTraits traits;
  traits.tight = false;
  traits.costly = true;
  Mechanism worst = dominated_mechanism(gdp_of(Bracket(candidates[0].level)), Profile(delta, traits));
  for (const auto& example : parts->front().examples()) worst = std::move(worst).with_example(*example);
  return worst;
}

Mechanism SgdRun::worst_place() const {
  switch (parameters_.output) {
    case RunOutput::kLast: return worst_of_fixed_order();
    // More stopping times reach the first record than any other (I8); the last one is never skipped (I9).
    case RunOutput::kUniformStop: return stopped(1);
    case RunOutput::kSkip: return record(private_);
  }
  throw InternalError("broken invariant: unknown output");
}

Mechanism SgdRun::worst() const {
  if (parameters_.order == RecordSequence::kPermuted) return finished(with_joint_uses(permuted()));
  return with_random_places(finished(with_joint_uses(worst_place())));
}

Evaluated SgdRun::person(double i) const {
  require_whole("i", i, 1.0, static_cast<double>(private_),
                fmt::format("an integer, 1 <= i <= {}{}", private_,
                            parameters_.public_tail > 0.0 ? " (the others are public)" : ""));
  const auto index = static_cast<std::size_t>(i);
  const std::vector<Use> uses = order_->uses(index);
  std::string when = "any place in the order, each as likely";
  if (parameters_.order == RecordSequence::kFixed)
    when = uses.empty() ? "never used"
                        : fmt::format("used {}, the last time {} steps before the end",
                                      uses.size() == 1 ? "once" : fmt::format("{} times", uses.size()),
                                      parameters_.steps() - uses.back().step);
  return {finished(record(index)),
          {.source = source_of(model_),
           .statement = fmt::format("the guarantee of record {}: {}", index, when),
           .assumptions = {asserted(parameters_.order == RecordSequence::kPermuted
                                        ? "the record's place in the order is not known"
                                        : "the record's place in the data is fixed beforehand")},
           .is_hidden_run = true}};
}

IterationAnalysis SgdRun::pass_analysis() const {
  return model_.analysis == RunAnalysis::kShift         ? IterationAnalysis::kShift
         : model_.analysis == RunAnalysis::kContraction ? IterationAnalysis::kContraction
                                                        : IterationAnalysis::kBest;
}

namespace {

// How the guarantee changes with the index of the record.
enum class Trend { kBetter, kWorse, kUnknown };

// Records one by one; where there are many and a trend is known, some of them, and the others get the bound of the next
// worse one.
std::vector<ForRecords> one_by_one(const RecordOrder& order, std::size_t records, Trend trend,
                                   const std::function<Bracket(std::size_t)>& value, const PeopleProgress& progress) {
  std::vector<ForRecords> groups;
  for (std::size_t first = 1; first <= records;) {
    const std::size_t last = std::min(order.last_alike(first), records);
    groups.push_back({first, last, Bracket(0.0)});
    first = last + 1;
  }
  const std::size_t count = groups.size();
  const std::size_t stride = trend == Trend::kUnknown ? 1 : (count + kSinglePeople - 1) / kSinglePeople;
  const bool improves = trend == Trend::kBetter;
  std::size_t done = 0;
  Bracket worse(0.0);
  for (std::size_t k = 0; k < count; k += stride) {
    Bracket bound = value(groups[improves ? k : count - 1 - k].first);
    // Sums of many terms have a width of their own; the trend is exact.
    if (k > 0 && trend != Trend::kUnknown) bound = min(bound, worse);
    worse = bound;
    for (std::size_t j = k; j < std::min(count, k + stride); ++j) {
      ForRecords& group = groups[improves ? j : count - 1 - j];
      group.value = Bracket(j == k ? bound.lower() : 0.0, bound.upper());
      done += group.last - group.first + 1;
    }
    progress(done);
  }
  return groups;
}

}  // namespace

namespace {

Trend trend_of(const NoisySgd& run, bool all_alike) {
  if (!all_alike || !run.checkpoints.empty()) return Trend::kUnknown;
  return run.output == RunOutput::kUniformStop ? Trend::kBetter : Trend::kWorse;
}

}  // namespace

std::vector<ForRecords> SgdRun::epsilons(Delta delta, const PeopleProgress& progress) const {
  const auto single = [&](std::size_t i) { return finished(record(i)).profile().epsilon(delta); };
  if (parameters_.order == RecordSequence::kPermuted) return {{1, private_, single(1)}};
  if (is_plain() && has_pass(model_) && !is_composed())
    return doeblin::epsilons(model_.run, *order_, private_, delta, pass_analysis(), progress);
  return one_by_one(*order_, private_, trend_of(parameters_, all_alike()), single, progress);
}

std::vector<ForRecords> SgdRun::deltas(Epsilon epsilon, const PeopleProgress& progress) const {
  const auto single = [&](std::size_t i) { return finished(record(i)).profile().delta(epsilon); };
  if (parameters_.order == RecordSequence::kPermuted) return {{1, private_, single(1)}};
  if (is_plain() && has_pass(model_) && !is_composed())
    return doeblin::deltas(model_.run, *order_, private_, epsilon, pass_analysis(), progress);
  return one_by_one(*order_, private_, trend_of(parameters_, all_alike()), single, progress);
}

}  // namespace doeblin::pipeline
