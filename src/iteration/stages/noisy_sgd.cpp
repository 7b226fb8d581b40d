// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/noisy_sgd.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/composition/stages.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/iteration/gradient_step.hpp"
#include "doeblin/iteration/hidden_sampling.hpp"
#include "doeblin/iteration/sgd_utility.hpp"
#include "doeblin/language/program.hpp"
#include "doeblin/language/schedule_file.hpp"
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "iteration/last_step.hpp"
#include "iteration/sgd_run.hpp"
#include "iteration/stages/run_arguments.hpp"

namespace doeblin::pipeline {
namespace {

constexpr auto kDraws = words<bool>({{"fresh", false}, {"shared", true}});

std::vector<Assumption> assumptions_of(const NoisySgd& run, RunAnalysis analysis) {
  std::vector<Assumption> all;
  if (run.schedule.learning_rate.empty() && run.order != RecordSequence::kPoisson) {
    const double c = gradient_lipschitz(run.learning_rate, run.smoothness, run.strong_convexity).upper();
    all.push_back(checked(
        fmt::format("one step without the noise is {}-Lipschitz: max(|1 - eta rho|, |1 - eta beta|)", format_up(c))));
  }
  all.push_back(checked("strong_convexity <= smoothness, batch <= n"));
  all.push_back(asserted(fmt::format(
      "every loss is convex and {}-smooth, with gradients of at most {} on the domain", format_exact(run.smoothness),
      run.schedule.lipschitz.empty() ? format_exact(run.lipschitz) : "the scheduled norm")));
  if (run.strong_convexity > 0.0 && run.order == RecordSequence::kPoisson)
    all.push_back(
        asserted(fmt::format("a regulariser that does not depend on the data, {}-strongly convex by itself, is "
                             "part of every step, whatever the batch",
                             format_exact(run.strong_convexity))));
  else if (run.strong_convexity > 0.0)
    all.push_back(
        asserted(fmt::format("the losses with their regulariser are {}-strongly convex; the regulariser does not "
                             "depend on the data",
                             format_exact(run.strong_convexity))));
  if (std::isfinite(run.diameter))
    all.push_back(
        asserted(fmt::format("every step projects onto one convex set of diameter {}", format_exact(run.diameter))));
  if (analysis != RunAnalysis::kPublic)
    all.push_back(asserted(run.checkpoints.empty() ? "no state but the released one is ever seen"
                                                   : "no state but the checkpoints and the last one is ever seen"));
  all.push_back(asserted(run.noise == NoiseLaw::kGaussian
                             ? "every step adds a fresh exact normal draw to every coordinate"
                             : "the parameter is a number; every step adds a fresh exact Laplace draw"));
  if (run.rounding > 0.0)
    all.push_back(asserted(fmt::format("computing a step moves two runs apart by at most {} times its noise",
                                       format_exact(run.rounding))));
  if (run.order == RecordSequence::kPermuted)
    all.push_back(asserted("the order of the records is uniformly random, the same in every epoch, and stays hidden"));
  if (run.order == RecordSequence::kPoisson)
    all.push_back(
        asserted("every batch takes each record independently, stays hidden, and the sum of its gradients is "
                 "divided by `batch`, whatever its size"));
  if (run.output != RunOutput::kLast) all.push_back(asserted("the random number of steps stays hidden"));
  if (run.tasks > 1.0 && !run.hidden_choice().empty()) {
    const char* shared = "drawn once, for all tasks together";
    const char* fresh =
        "drawn afresh for every task, independently of the other tasks (draws='shared' is for one that serves them "
        "all)";
    all.push_back(asserted(fmt::format("{} is {}", run.hidden_choice(), run.draws_are_shared ? shared : fresh)));
  }
  return all;
}

std::string tasks_note(const NoisySgd& run) {
  if (!run.draws_are_shared || run.tasks == 1.0) return "";
  return fmt::format("; the {} tasks are one run that a record moves sqrt({}) times as far (I21)",
                     format_exact(run.tasks), format_exact(run.tasks));
}

// More than an average is known of the places in a random order.
bool hides_its_place(const NoisySgd& run, RunAnalysis analysis) {
  return run.order == RecordSequence::kPermuted && run.noise == NoiseLaw::kGaussian &&
         run.relation == Relation::kSubstitute && analysis == RunAnalysis::kBest;
}

std::string output_note(const NoisySgd& run, RunAnalysis analysis) {
  if (hides_its_place(run, analysis))
    return "; averaged over the places in the order (I10), of which nothing tells (I22)";
  if (run.order == RecordSequence::kPermuted) return "; averaged over the places in the order (I10)";
  if (run.output == RunOutput::kUniformStop) return "; averaged over the stopping times (I8)";
  if (run.output == RunOutput::kSkip) return "; times the probability that the record is not skipped (I9)";
  return "";
}

std::string extra_sources(const NoisySgd& run, RunAnalysis analysis) {
  std::string text;
  if (run.order == RecordSequence::kPermuted) text += ", I10";
  if (hides_its_place(run, analysis)) text += ", I22";
  if (run.output == RunOutput::kUniformStop) text += ", I8";
  if (run.output == RunOutput::kSkip) text += ", I9";
  if (!run.checkpoints.empty()) text += ", I11";
  if (run.public_tail > 0.0) text += ", I12";
  if (run.tasks > 1.0) text += run.draws_are_shared ? ", I21" : ", I13";
  return text + ", I14";
}

std::string local_note(const NoisySgd& run, const Bracket& level) {
  if (run.noise == NoiseLaw::kLaplace)
    return fmt::format("; local guarantee, whoever sees one step (I14): epsilon <= {}", format_up(level.upper()));
  return fmt::format("; local guarantee, whoever sees one step (I14): {}-GDP", format_up(level.upper()));
}

// What [FMTT18] predicts about the loss, where its conditions hold (I12).
std::string utility_note(const NoisySgd& run) {
  if (run.dimension == 0.0 || !std::isfinite(run.diameter) || run.epochs != 1.0 || !run.schedule.empty() ||
      run.noise != NoiseLaw::kGaussian || run.order == RecordSequence::kPoisson)
    return "";
  const SgdUtility utility{.steps = std::ceil(run.n / run.batch),
                           .learning_rate = run.learning_rate,
                           .sigma = run.sigma,
                           .lipschitz = run.lipschitz,
                           .diameter = run.diameter,
                           .dimension = run.dimension};
  const double bound = run.output == RunOutput::kLast          ? last_iterate_excess(utility)
                       : run.output == RunOutput::kUniformStop ? random_stop_excess(utility)
                                                               : skip_excess(utility);
  return fmt::format("; prediction (I12), for records drawn afresh: expected excess loss <= {}{}", format_up(bound, 4),
                     bound >= run.lipschitz * run.diameter ? " (says nothing)" : "");
}

Derived hidden_run(const Call& call, const NoisySgd& run, const Settings& settings) {
  const auto people = std::make_shared<const SgdRun>(run, settings);
  const RunModel& model = people->model();
  Step line{.stage = analysed_text(call, model.analysis),
            .source = source_of(model) + extra_sources(run, model.analysis),
            .statement = statement_of(model) + output_note(run, model.analysis) + tasks_note(run) +
                         local_note(run, people->local_level()) + utility_note(run),
            .assumptions = assumptions_of(run, model.analysis),
            .is_hidden_run = true};
  const auto worst = [people] {
    try {
      return people->worst();
    } catch (const InvalidArgument& error) {
      throw error.within("noisy_sgd");
    }
  };
  return {std::move(line), neighbours_of(run), people, worst};
}

// The sum of the gradients is divided by the expected size of a batch, so a batch that is k times as large has k times
// the curvature; only the regulariser, which gives the strong convexity, is always there. A step is |1 - eta rho|-
// Lipschitz as long as eta (rho + (beta - rho) |B|/b) <= 2 - eta rho.
Bracket sampled_lipschitz(const NoisySgd& run) {
  return gradient_lipschitz(run.learning_rate, run.strong_convexity, run.strong_convexity);
}

// A bound on the probability that some batch is larger than that: T Pr[Bin(n, q) > k] by Chernoff's inequality,
// Pr <= exp(-n KL(k/n || q)).
struct BatchLimit {
  double largest;  // records in a batch that the Lipschitz constant allows
  double failure;  // the probability that some batch has more
};

BatchLimit batch_limit(const NoisySgd& run) {
  const Bracket curvature = Bracket(run.smoothness) - run.strong_convexity;
  if (curvature.upper() <= 0.0) return {run.n, 0.0};
  const double room = rounding::sub_down(2.0, (Bracket(2.0) * run.learning_rate * run.strong_convexity).upper());
  const double largest =
      rounding::mul_down(run.batch, rounding::div_down(room, (Bracket(run.learning_rate) * curvature).upper()));
  if (largest >= run.n) return {run.n, 0.0};
  const Bracket share = Bracket(std::max(0.0, largest)) / run.n;
  const Bracket rate = Bracket(run.batch) / run.n;
  double log_tail = 0.0;
  if (share.lower() > rate.upper()) {
    const Bracket divergence =
        share * numerics::log(share / rate) + (1.0 - share) * numerics::log((1.0 - share) / (1.0 - rate));
    log_tail = rounding::mul_up(-run.n, std::max(0.0, divergence.lower()));
  }
  return {largest,
          std::min(1.0, rounding::mul_up(static_cast<double>(run.steps()), numerics::exp(Bracket(log_tail)).upper()))};
}

// Poisson batches (I18): everybody is alike.
Evaluated sampled_run(const Call& call, const NoisySgd& run, const Settings& settings) {
  const RunAnalysis analysis = settings.run_analysis.value_or(run.analysis);
  if (analysis != RunAnalysis::kBest && analysis != RunAnalysis::kPublic)
    throw InvalidArgument("analysis", fmt::format("'{}'", name(analysis)), "'best' or 'public' with order='poisson'");
  if (!run.schedule.empty() || run.output != RunOutput::kLast || run.noise != NoiseLaw::kGaussian ||
      !run.checkpoints.empty() || run.public_tail > 0.0)
    throw InvalidArgument("order", "'poisson'",
                          "output='last', noise='gaussian', no schedule, no checkpoints, no public tail");
  const GradientStep step{run.learning_rate, run.sigma, run.lipschitz, run.batch};
  const Bracket noise = step.noise();
  const bool is_public = analysis == RunAnalysis::kPublic;
  const BatchLimit limit = batch_limit(run);
  // Without a record, sums are made in another order: where that is counted, something moves after all.
  if (run.lipschitz == 0.0 && run.rounding > 0.0 && run.relation == Relation::kAddRemove)
    throw InvalidArgument("rounding", run.rounding, "0 where gradients are 0 and records may be missing");
  if (run.lipschitz == 0.0)
    return {Mechanism::perfect().about(neighbours_of(run)),
            {.stage = analysed_text(call, analysis),
             .source = "I18",
             .statement = "no record moves anything",
             .assumptions = assumptions_of(run, analysis),
             .is_hidden_run = true}};
  const Bracket scale = run.joint_scale();
  const double diameter = rounding::mul_up(run.diameter, scale.upper());
  const SampledRun sampled{.jump = step.shift(run.relation) * scale / noise,
                           .lipschitz = sampled_lipschitz(run),
                           .diameter = is_public ? rounding::kInfinity : rounding::div_up(diameter, noise.lower()),
                           .rate = std::min(1.0, rounding::div_up(run.batch, run.n)),
                           .steps = static_cast<double>(run.steps()),
                           .rounding = rounding::mul_up(run.rounding, scale.upper()),
                           .is_public = is_public,
                           .failure = limit.failure};
  Mechanism mechanism = Mechanism::of_profile(hidden_sampling_profile(sampled, settings.goal), unknown_renyi());
  // Exchanged for a record that does not move, a record moves half as far.
  const double jump = (run.relation == Relation::kSubstitute ? sampled.jump / 2.0 : sampled.jump).lower();
  const double level = rounding::mul_down(run.linear_share(), jump);
  const Bracket rate = Bracket(run.batch) / run.n;
  if (std::isfinite(run.diameter) && !run.draws_are_shared && level > 0.0)
    mechanism = std::move(mechanism).with_example(
        seen_step_at_rate(level, rate, [rate](double k) { return binomial_weights(rate, k, 0.0); }));
  if (run.tasks > 1.0 && !run.draws_are_shared) mechanism = applied(compose(run.tasks, settings), mechanism).mechanism;
  mechanism = std::move(mechanism).about(neighbours_of(run)).with_hidden_choice(run.hidden_choice());
  std::vector<Assumption> assumptions = assumptions_of(run, analysis);
  if (!is_public)
    assumptions.insert(assumptions.begin(),
                       checked(fmt::format("one step without the noise is {}-Lipschitz unless a batch has more than {} "
                                           "records; the chance of that, {}, is charged to delta where it matters",
                                           format_up(sampled.lipschitz.upper()), format_down(limit.largest, 4),
                                           format_up(limit.failure, 3))));
  return {
      std::move(mechanism),
      {.stage = analysed_text(call, analysis),
       .source = is_public ? "I11, S7, C5, I14" : "I18, C5, I14",
       .statement = (is_public ? std::string("as if every state were released: the composition of the sampled steps")
                               : std::string("shifts in the last steps, composed with the sampling of the batches")) +
                    tasks_note(run) + local_note(run, step.shift(run.relation) / noise),
       .assumptions = std::move(assumptions),
       .is_hidden_run = true}};
}

Derived known_run(const Call& call, const NoisySgd& run, const Settings& settings) {
  run.validate();
  if (run.order == RecordSequence::kPoisson) return sampled_run(call, run, settings);
  return hidden_run(call, run, settings);
}

}  // namespace

Call call_of(const NoisySgd& run) {
  const auto constant = [](double value, const std::vector<double>& list) {
    return list.empty() ? language::Argument(value) : language::Argument(list);
  };
  return call_of("noisy_sgd", {{"n", run.n},
                               {"learning_rate", constant(run.learning_rate, run.schedule.learning_rate)},
                               {"sigma", constant(run.sigma, run.schedule.sigma)},
                               {"lipschitz", constant(run.lipschitz, run.schedule.lipschitz)},
                               {"smoothness", run.smoothness},
                               {"strong_convexity", run.strong_convexity},
                               {"diameter", run.diameter},
                               {"batch", constant(run.batch, run.schedule.batch)},
                               {"epochs", run.epochs},
                               {"order", std::string(kRecordSequences.word_of(run.order))},
                               {"output", std::string(kRunOutputs.word_of(run.output))},
                               {"noise", std::string(kNoiseLaws.word_of(run.noise))},
                               {"relation", std::string(run.relation == Relation::kZeroOut ? "zero_out" : "")},
                               {"public_tail", run.public_tail},
                               {"tasks", run.tasks},
                               {"analysis", std::string(name(run.analysis))},
                               {"checkpoints", steps_text(run.checkpoints)},
                               {"rounding", run.rounding},
                               {"dimension", run.dimension},
                               {"draws", std::string(kDraws.word_of(run.draws_are_shared))}});
}

Pipeline noisy_sgd(const NoisySgd& run, const Settings& settings) {
  run.validate();
  const Call call = call_of(run);
  return {{.call = call}, known_run(call, run, settings)};
}

NoisySgd noisy_sgd_of(const Call& a) {
  NoisySgd run;
  // One constant, or one for each step.
  const auto read = [&a](const char* parameter, double& constant, std::vector<double>& list) {
    if (const auto* const given = a.list(parameter))
      list = *given, constant = given->at(0);
    else
      constant = a.number(parameter);
  };
  run.n = a.number("n");
  read("learning_rate", run.learning_rate, run.schedule.learning_rate);
  read("sigma", run.sigma, run.schedule.sigma);
  read("lipschitz", run.lipschitz, run.schedule.lipschitz);
  run.smoothness = a.number("smoothness");
  run.strong_convexity = a.number("strong_convexity");
  run.diameter = a.number("diameter");
  read("batch", run.batch, run.schedule.batch);
  run.epochs = a.number("epochs");
  run.order = chosen("order", kRecordSequences, a.text("order"));
  run.output = chosen("output", kRunOutputs, a.text("output"));
  run.noise = chosen("noise", kNoiseLaws, a.text("noise"));
  // Poisson batches are about adding or removing a record.
  const std::string& relation = a.text("relation");
  run.relation = relation.empty()
                     ? (run.order == RecordSequence::kPoisson ? Relation::kAddRemove : Relation::kSubstitute)
                     : chosen("relation", kRunRelations, relation);
  run.public_tail = a.number("public_tail");
  run.tasks = a.number("tasks");
  run.draws_are_shared = chosen("draws", kDraws, a.text("draws"));
  run.analysis = run_analysis_named(a.text("analysis"));
  run.checkpoints = step_list("checkpoints", a.text("checkpoints"));
  run.rounding = a.number("rounding");
  run.dimension = a.number("dimension");
  if (a.text("schedule").empty()) return run;
  if (!run.schedule.empty())
    throw InvalidArgument("schedule", "'" + a.text("schedule") + "'", "a file or lists, not both");
  run.schedule = language::read_schedule(a.text("schedule"));
  return run;
}

SourceMaker noisy_sgd_maker() {
  return {[](const Call& a, const Settings& settings) { return known_run(a, noisy_sgd_of(a), settings); },
          [](const Parameter& parameter, const Call& a) {
            Monotone domain = *parameter.monotone;
            const auto* const batches = a.list("batch");
            const double batch =
                batches != nullptr ? *std::max_element(batches->begin(), batches->end()) : a.number("batch");
            if (parameter.name == "public_tail") domain.high = a.number("n") - 1.0;
            if (parameter.name == "n") domain.low = std::max({1.0, batch, a.number("public_tail") + 1.0});
            if (parameter.name == "epochs")
              domain.high = std::max(1.0, std::min(1e7, std::floor(1e9 * batch / a.number("n"))));
            if (parameter.name == "learning_rate")
              domain.high = 2.0 / (a.number("smoothness") + a.number("strong_convexity")) * (1.0 - 1e-15);
            return domain;
          }};
}

}  // namespace doeblin::pipeline
