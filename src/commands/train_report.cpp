// SPDX-License-Identifier: Apache-2.0
#include "commands/train_report.hpp"

#include <fmt/format.h>

#include "commands/json_output.hpp"
#include "commands/text_output.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/text.hpp"

namespace doeblin::commands {
namespace {

std::string neighbours(const TrainReport& report) {
  const training::Split& split = report.asked.split;
  switch (report.guarantee.relation()) {
    case Relation::kSubstitute:
      return split.held_out > 0.0 && !split.is_by_position
                 ? "exchanging one record for another that is not held out either"
                 : "exchanging one record for another";
    case Relation::kZeroOut: return "leaving one record out, its place being kept";
    case Relation::kAddRemove: return "adding or removing one record";
    case Relation::kNeutral: break;
  }
  return "neighbouring data";
}

double private_records(const TrainReport& report) { return report.plan.privacy.n - report.plan.privacy.public_tail; }

std::string people_lines(const TrainReport& report) {
  if (!report.people)
    return report.plan.privacy.order == pipeline::RecordSequence::kPoisson
               ? "  everybody alike: batches are drawn at random\n"
               : "  the others are better protected, but finding out how much would take long\n";
  const PeopleAnswer& answer = report.people->answers[0];
  return fmt::format("  half of the records: <= {}, best protected: <= {}\n", format_up(answer.quantiles({0.5})[0], 4),
                     format_up(answer.best().value.upper(), 4));
}

std::string quality_text(const TrainReport& report, const training::Quality& quality) {
  return report.model.encoding.label.is_class()
             ? fmt::format("accuracy {:.2f} %, mean loss {:.4f}", 100.0 * quality.accuracy, quality.loss)
             : fmt::format("root mean squared error {:.4g}, mean loss {:.4g}", quality.error, quality.loss);
}

std::string measured_lines(const TrainReport& report) {
  if (!report.measured) {
    if (report.asked.split.held_out > 0.0 || !report.asked.test_file.empty())
      return "no test figures: the held out records are not declared public (--test-is-public)\n";
    return "";
  }
  const Measured& measured = *report.measured;
  std::string text =
      fmt::format("{} public test records: {}\n", measured.quality.records, quality_text(report, measured.quality));
  if (measured.without_noise)
    text += fmt::format("  the best model without noise: {}\n", quality_text(report, *measured.without_noise));
  if (measured.least_loss)
    text += fmt::format("  mean loss above the least possible on these records: {:.4f}\n",
                        measured.quality.loss - *measured.least_loss);
  return text;
}

std::string prediction_line(const TrainReport& report) {
  if (!report.predicted_excess)
    return "prediction (I12): none, theory is about one pass over the records in order, with normal noise\n";
  return fmt::format("prediction (I12), for records drawn afresh: expected loss above the least possible <= {}{}\n",
                     format_up(*report.predicted_excess, 4),
                     *report.predicted_excess >= report.plan.privacy.lipschitz * report.plan.privacy.diameter
                         ? " (says nothing)"
                         : "");
}

Json json_quality(const training::Quality& quality, bool is_class) {
  Json json{{"records", quality.records}, {"loss", json_number(quality.loss)}};
  if (is_class)
    json["accuracy"] = quality.accuracy;
  else
    json["root_mean_squared_error"] = json_number(quality.error);
  return json;
}

Json json_people_summary(const TrainReport& report) {
  if (!report.people)
    return {{"alike", report.plan.privacy.order == pipeline::RecordSequence::kPoisson},
            {"worst", json_bracket(report.epsilon)}};
  const PeopleAnswer& answer = report.people->answers[0];
  return {{"worst", json_bracket(answer.worst().value)},
          {"median", json_number(answer.quantiles({0.5})[0])},
          {"best", json_bracket(answer.best().value)}};
}

Json json_run(const TrainReport& report) {
  const training::DescentPlan& plan = report.plan;
  const pipeline::NoisySgd& run = plan.privacy;
  return {{"records", run.n},
          {"private_records", private_records(report)},
          {"dimension", plan.request.dimension},
          {"steps", run.steps()},
          {"tasks", plan.request.tasks},
          {"loss", std::string(training::name(plan.request.loss.kind))},
          {"domain", std::string(training::name(plan.request.domain.kind))},
          {"learning_rate", json_exact(run.learning_rate)},
          {"sigma", json_exact(run.sigma)},
          {"lipschitz", json_exact(run.lipschitz)},
          {"smoothness", json_exact(run.smoothness)},
          {"strong_convexity", json_exact(run.strong_convexity)},
          {"diameter", json_exact(run.diameter)},
          {"rounding", {{"allowed", json_exact(run.rounding)}, {"needed", json_exact(training::rounding_of(plan))}}},
          {"grid", {{"exponent", plan.grid.exponent}, {"noise", json_exact(plan.grid.noise)}}}};
}

void add_claim(Json& json, const TrainReport& report) {
  json["void"] = report.asked.insecure_seed.has_value();
  json["claim"] = guarantee_line(report);
  json["epsilon"] = json_bracket(report.epsilon);
  json["delta"] = report.asked.delta;
  json["people"] = json_people_summary(report);
  json["ordinary_composition"] = report.ordinary ? json_bracket(*report.ordinary) : Json(nullptr);
  json["run"] = json_run(report);
  add_pipeline(json, report.guarantee, language::short_text({.call = call_of(report.plan.privacy)}));
}

}  // namespace

std::string guarantee_line(const TrainReport& report) {
  if (report.asked.insecure_seed) return "VOID, no guarantee: the noise was drawn from a seed";
  return fmt::format("epsilon <= {} at delta = {} for each of {} private records ({})",
                     format_up(report.epsilon.upper()), format_exact(report.asked.delta),
                     format_exact(private_records(report)), neighbours(report));
}

std::string text_train(const TrainReport& report) {
  const pipeline::NoisySgd& run = report.plan.privacy;
  std::string text = guarantee_line(report) + "\n";
  if (!report.asked.insecure_seed) {
    text += people_lines(report);
    if (report.ordinary)
      text += fmt::format("  ordinary composition would report {} for the same run\n",
                          format_up(report.ordinary->upper(), 4));
  }
  text += "\n" + measured_lines(report) + prediction_line(report);
  text += fmt::format(
      "\n{} steps{}, batch {}, learning rate {}, noise sigma {} on the mean gradient\n", run.steps(),
      report.plan.request.tasks > 1.0 ? fmt::format(" for each of {} classes", report.plan.request.tasks) : "",
      format_exact(run.batch), format_exact(run.learning_rate), format_up(run.sigma, 6));
  text += pipeline_summary(report.guarantee) + "\n";
  for (const std::string& file : report.files) text += fmt::format("written: {}\n", file);
  return text;
}

std::string json_train(const TrainReport& report) {
  Json json;
  add_claim(json, report);
  const bool is_class = report.model.encoding.label.is_class();
  json["test"] = nullptr;
  if (report.measured) {
    json["test"] = json_quality(report.measured->quality, is_class);
    json["test"]["least_loss"] =
        report.measured->least_loss ? json_number(*report.measured->least_loss) : Json(nullptr);
    if (report.measured->without_noise)
      json["test"]["without_noise"] = json_quality(*report.measured->without_noise, is_class);
  }
  json["predicted_excess_loss"] = report.predicted_excess ? json_number(*report.predicted_excess) : Json(nullptr);
  json["seconds"] = {{"reading", report.reading_seconds},
                     {"planning", report.planning_seconds},
                     {"training", report.training_seconds}};
  json["files"] = report.files;
  return dumped(json);
}

}  // namespace doeblin::commands
