// SPDX-License-Identifier: Apache-2.0
#include "commands/people_report.hpp"

#include <algorithm>
#include <ctime>
#include <ostream>

#include <fmt/format.h>

#include "commands/json_output.hpp"
#include "commands/process_guard.hpp"
#include "commands/progress.hpp"
#include "commands/text_output.hpp"
#include "doeblin/core/format.hpp"

namespace doeblin::commands {
namespace {

constexpr std::size_t kMostPeople = 20'000'000;

bool is_better(const ForRecords& a, const ForRecords& b) { return a.value.upper() < b.value.upper(); }

std::string who(const ForRecords& one) {
  return one.first == one.last ? fmt::format("record {}", one.first)
                               : fmt::format("records {} to {}", one.first, one.last);
}

}  // namespace

const ForRecords& PeopleAnswer::worst() const {
  const ForRecords& first = *std::max_element(values.begin(), values.end(), is_better);
  // Of equals the last record, if it is one of them: nothing follows it.
  return is_better(values.back(), first) ? first : values.back();
}

const ForRecords& PeopleAnswer::best() const { return *std::min_element(values.begin(), values.end(), is_better); }

std::vector<double> PeopleAnswer::quantiles(const std::vector<double>& shares) const {
  struct Counted {
    double upper;
    double records;
  };
  std::vector<Counted> sorted;
  sorted.reserve(values.size());
  double total = 0.0;
  for (const ForRecords& one : values) {
    sorted.push_back({one.value.upper(), static_cast<double>(one.last - one.first + 1)});
    total += sorted.back().records;
  }
  std::sort(sorted.begin(), sorted.end(), [](const Counted& a, const Counted& b) { return a.upper < b.upper; });
  std::vector<double> result;
  for (const double share : shares) {
    double below = 0.0;
    std::size_t k = 0;
    while (k + 1 < sorted.size() && below + sorted[k].records < share * total) below += sorted[k++].records;
    result.push_back(sorted[k].upper);
  }
  return result;
}

const std::vector<double>& shown_shares() {
  static const std::vector<double> shares = {1.0, 0.99, 0.95, 0.9, 0.75, 0.5, 0.25, 0.1};
  return shares;
}

PeopleReport people_report(const Expression& expression, const Settings& settings, const std::vector<Question>& asked) {
  return people_report(expression, pipeline::evaluate(expression.program, settings), asked);
}

PeopleReport people_report(const Expression& expression, const pipeline::Pipeline& pipeline,
                           const std::vector<Question>& asked) {
  PeopleReport report{expression, pipeline, 0, {}};
  const auto people = report.pipeline.mechanism().people();
  if (!people)
    throw InvalidArgument(
        "people: the expression does not end in a run whose records differ, such as noisy_sgd(...) without person(i)");
  report.count = people->count();
  require(report.count <= kMostPeople, "n", static_cast<double>(report.count),
          "at most 2e7 private records for people");
  for (const Question& question : asked) {
    Progress progress(report.count);
    const auto tell = [&](std::size_t done) { progress.finished(done); };
    report.answers.push_back({question, question.quantity == Quantity::kEpsilon
                                            ? people->epsilons(Delta(question.argument), tell)
                                            : people->deltas(Epsilon(question.argument), tell)});
  }
  return report;
}

std::optional<PeopleReport> people_report_within(const pipeline::Pipeline& pipeline, const Expression& expression,
                                                 const Question& asked, double seconds) {
  const auto people = pipeline.mechanism().people();
  if (!people || people->count() > kMostPeople) return std::nullopt;
  struct OutOfTime {};
  // Of the processor: on a busy machine the answer is the same.
  const std::clock_t start = std::clock();
  Progress progress(people->count(), "people");
  const auto tell = [&](std::size_t done) {
    if (static_cast<double>(std::clock() - start) > seconds * CLOCKS_PER_SEC) throw OutOfTime{};
    StopsOnSignals::throw_if_asked();
    progress.finished(done);
  };
  try {
    return PeopleReport{
        expression, pipeline, people->count(), {{asked, people->epsilons(Delta(asked.argument), tell)}}};
  } catch (const OutOfTime&) {
    return std::nullopt;
  }
}

std::string text_people(const PeopleReport& report) {
  std::string text = fmt::format("{} records, each with a guarantee of its own\n", report.count);
  for (const PeopleAnswer& answer : report.answers) {
    const auto [value, argument] = names(answer.question.quantity);
    text += fmt::format("\n{} at {} = {}\n", value, argument, format_exact(answer.question.argument));
    const std::vector<double> quantiles = answer.quantiles(shown_shares());
    for (std::size_t k = 0; k < quantiles.size(); ++k)
      text += fmt::format("  {:>4}% of the records   <= {}\n", shown_shares()[k] * 100.0, format_up(quantiles[k]));
    text += fmt::format("  worst  {:<22} <= {}\n  best   {:<22} <= {}\n", who(answer.worst()),
                        format_up(answer.worst().value.upper()), who(answer.best()),
                        format_up(answer.best().value.upper()));
  }
  return text + pipeline_summary(report.pipeline);
}

std::string json_people(const PeopleReport& report) {
  Json json;
  json["records"] = report.count;
  json["answers"] = Json::array();
  for (const PeopleAnswer& answer : report.answers) {
    const auto [value, argument] = names(answer.question.quantity);
    const auto described = [name = value](const ForRecords& one) {
      return Json{{"first", one.first}, {"last", one.last}, {name, json_bracket(one.value)}};
    };
    Json one;
    one["quantity"] = value;
    one[argument] = json_number(answer.question.argument);
    one["worst"] = described(answer.worst());
    one["best"] = described(answer.best());
    one["quantiles"] = Json::array();
    const std::vector<double> quantiles = answer.quantiles(shown_shares());
    for (std::size_t k = 0; k < quantiles.size(); ++k)
      one["quantiles"].push_back({{"share", shown_shares()[k]}, {value, json_number(quantiles[k])}});
    json["answers"].push_back(one);
  }
  add_pipeline(json, report.pipeline, report.expression.text);
  return dumped(json);
}

void write_csv(std::ostream& out, const PeopleReport& report) {
  std::string line = "person";
  for (const PeopleAnswer& answer : report.answers) {
    const auto [value, argument] = names(answer.question.quantity);
    line += fmt::format(",{0}_lower,{0}_upper", value);
  }
  out << line << '\n';
  std::vector<std::size_t> at(report.answers.size(), 0);
  for (std::size_t person = 1; person <= report.count; ++person) {
    line = std::to_string(person);
    for (std::size_t k = 0; k < at.size(); ++k) {
      const std::vector<ForRecords>& values = report.answers[k].values;
      while (values[at[k]].last < person) ++at[k];
      const Bracket& value = values[at[k]].value;
      line += fmt::format(",{},{}", value.lower(), value.upper());
    }
    line += '\n';
    out << line;
  }
}

}  // namespace doeblin::commands
