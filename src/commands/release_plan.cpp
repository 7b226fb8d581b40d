// SPDX-License-Identifier: Apache-2.0
#include "commands/release_plan.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "commands/progress.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/numerics/solve.hpp"
#include "doeblin/pipeline/calibration.hpp"
#include "doeblin/pipeline/grid_release.hpp"
#include "doeblin/pipeline/number_list.hpp"
#include "doeblin/sampling/csv_release.hpp"

namespace doeblin::commands {
namespace {

using pipeline::asserted;
using pipeline::checked;
using sampling::ColumnLimits;
using sampling::ColumnPlan;

double number_in(const std::string& option, const std::string& text) {
  const std::vector<double> values = pipeline::parse_values(option, {text});
  if (values.size() != 1 || text.find_first_of(":,") != std::string::npos)
    throw InvalidArgument(option, fmt::format("'{}'", text), "one number");
  return values[0];
}

// "column=text", cut at the last '='.
std::pair<std::string, std::string> named(const std::string& option, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InvalidArgument(option, fmt::format("'{}'", text), "the form column=...");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// What is declared about each column that gets noise, in the order of its first mention.
class Declared {
 public:
  ColumnLimits& operator[](const std::string& name) {
    const auto [place, is_new] = places_.try_emplace(name, columns.size());
    if (is_new) columns.push_back(ColumnLimits{.name = name});
    return columns[place->second];
  }
  [[nodiscard]] bool contains(const std::string& name) const { return places_.contains(name); }

  std::vector<ColumnLimits> columns;

 private:
  std::unordered_map<std::string, std::size_t> places_;
};

// With "*" replaced by the names it stands for.
std::vector<ColumnLimits> declared_columns(const ReleaseQuestion& question) {
  Declared all;
  for (const std::string& text : question.bounds) {
    const auto [name, range] = named("--bounds", text);
    const std::size_t colon = range.find(':');
    if (colon == std::string::npos || range.find(':', colon + 1) != std::string::npos)
      throw InvalidArgument("--bounds", fmt::format("'{}'", text), "column=low:high");
    ColumnLimits& one = all[name];
    if (one.bounds) throw InvalidArgument("--bounds", fmt::format("'{}'", text), "one pair of bounds for a column");
    one.bounds = {number_in("--bounds", range.substr(0, colon)), number_in("--bounds", range.substr(colon + 1))};
  }
  for (const std::string& text : question.sensitivities) {
    const auto [name, value] = named("--sensitivity", text);
    ColumnLimits& one = all[name];
    if (one.sensitivity) throw InvalidArgument("--sensitivity", fmt::format("'{}'", text), "one value for a column");
    one.sensitivity = number_in("--sensitivity", value);
  }
  if (all.columns.empty())
    throw InvalidArgument("release: neither --bounds nor --sensitivity, need one of them for a column");
  if (!all.contains("*")) return all.columns;
  if (question.input == "-") throw InvalidArgument("release: the column '*' needs a file, not standard input");
  const ColumnLimits standard = all["*"];
  std::erase_if(all.columns, [](const ColumnLimits& one) { return one.name == "*"; });
  std::unordered_set<std::string> others(question.public_columns.begin(), question.public_columns.end());
  others.insert(question.dropped_columns.begin(), question.dropped_columns.end());
  for (const std::string& name : sampling::csv_columns(question.input)) {
    if (all.contains(name) || others.contains(name)) continue;
    all.columns.push_back(standard);
    all.columns.back().name = name;
  }
  return all.columns;
}

std::vector<ColumnPlan> plans_for(const ReleaseMechanism& mechanism, const std::vector<ColumnLimits>& columns,
                                  const ReleaseQuestion& question) {
  std::vector<ColumnPlan> plans;
  plans.reserve(columns.size());
  for (const ColumnLimits& one : columns)
    plans.push_back(sampling::plan_column(
        one, {.law = mechanism.law, .path = mechanism.path, .rows_per_person = question.rows_per_person}));
  return plans;
}

std::vector<pipeline::Assumption> assumptions_of(const std::vector<ColumnLimits>& columns,
                                                 const ReleaseQuestion& question) {
  const bool has_bounded =
      std::any_of(columns.begin(), columns.end(), [](const ColumnLimits& one) { return one.bounds.has_value(); });
  const bool has_derived =
      std::any_of(columns.begin(), columns.end(), [](const ColumnLimits& one) { return !one.sensitivity; });
  std::vector<pipeline::Assumption> assumptions;
  const double rows = question.rows_per_person.value_or(1.0);
  if (has_derived || question.rows_per_person)
    assumptions.push_back(
        asserted(fmt::format("one person's data is in at most {} row{}", rows, rows == 1.0 ? "" : "s")));
  for (const ColumnLimits& one : columns)
    if (one.sensitivity && assumptions.size() < 8)
      assumptions.push_back(asserted(
          fmt::format("one person moves column {} by at most {} in all", one.name, format_exact(*one.sensitivity))));
  assumptions.push_back(asserted("the number of rows and the public columns are the same for all neighbours"));
  if (has_bounded) assumptions.push_back(checked("values are clipped to the bounds"));
  assumptions.push_back(
      question.insecure_seed
          ? asserted("nobody else ever learns the seed: the noise can be drawn again from it")
          : checked("the noise is drawn exactly from its discrete law, with the system's random numbers"));
  return assumptions;
}

pipeline::Pipeline guarantee_of_release(const ReleaseMechanism& mechanism, const std::vector<ColumnPlan>& plans,
                                        std::size_t number, const std::vector<pipeline::Assumption>& assumptions,
                                        pipeline::ReleaseEnds ends = pipeline::ReleaseEnds::kBoth) {
  GridRelease grid{.law = mechanism.law, .columns = {}};
  for (const ColumnPlan& plan : plans) grid.columns.push_back(plan.grid);
  std::string stage = fmt::format("release({}, columns={}", mechanism.text, plans.size());
  if (!mechanism.times.empty()) stage += fmt::format(", time={}", format_exact(mechanism.times[number - 1]));
  return pipeline::released(grid, number,
                            {.stage = stage + ")", .source = mechanism.source, .assumptions = assumptions}, {}, ends);
}

// The smallest parameter that meets the target, on the safe side, to seven digits.
//
// epsilon falls with the noise, about as a power of it: false position on logarithms, with bisection where a side has
// no finite value or keeps its place.
class Solver {
 public:
  Solver(const OpenMechanism& open, const std::vector<ColumnLimits>& columns, const ReleaseQuestion& question)
      : open_(open), columns_(columns), question_(question), progress_(0, "evaluations") {
    if (!question.epsilon)
      throw InvalidArgument(fmt::format("release: --epsilon is missing, need the target of {}=?", open.parameter));
    pipeline::Target{*question.epsilon, question.delta}.validate();
  }

  ReleaseMechanism solve() {
    Side good = tried(1.0);
    Side bad = good;
    while (!good.meets()) {
      if (good.value > 1e22) fail();
      bad = good;
      good = tried(good.value * 4.0);
    }
    while (bad.meets() && bad.value > 1e-9) {
      good = bad;
      bad = tried(bad.value / 4.0);
    }
    numerics::SameSide side;
    side.moved(true);
    while (good.value - bad.value > 1e-7 * good.value && good.excess < -kCloseEnough) {
      const Side next = tried(between(good, bad, side.is_stuck()));
      side.moved(next.meets());
      (next.meets() ? good : bad) = next;
    }
    return open_.filled(good.value);
  }

 private:
  // An epsilon so close to its target is worth no further evaluation.
  static constexpr double kCloseEnough = 1e-6;

  struct Side {
    double value;
    double excess;  ///< log(epsilon/target)
    [[nodiscard]] bool meets() const { return excess <= 0.0; }
  };

  Side tried(double value) {
    progress_.finished(++count_);
    try {
      const ReleaseMechanism mechanism = open_.filled(value);
      const Bracket epsilon = epsilon_at(guarantee_of_release(mechanism, plans_for(mechanism, columns_, question_), 1,
                                                              {}, pipeline::ReleaseEnds::kUpper),
                                         question_.delta);
      return {value, epsilon.upper() <= *question_.epsilon
                         ? std::min(0.0, std::log(epsilon.upper() / *question_.epsilon))
                         : std::log(epsilon.upper() / *question_.epsilon)};
    } catch (const InvalidArgument& error) {
      if (problem_.empty()) problem_ = error.what();
      return {value, rounding::kInfinity};
    }
  }

  static double between(const Side& good, const Side& bad, bool bisect) {
    const double share = bisect ? 0.5 : numerics::FalsePosition{.lean = 1e-3}.share(bad.excess, good.excess);
    return bad.value * std::pow(good.value / bad.value, share);
  }

  [[noreturn]] void fail() const {
    throw InvalidArgument(fmt::format("release: no {} meets epsilon = {} at delta = {}{}", open_.parameter,
                                      format_exact(*question_.epsilon), format_exact(question_.delta),
                                      problem_.empty() ? "" : " (" + problem_ + ")"));
  }

  const OpenMechanism& open_;
  const std::vector<ColumnLimits>& columns_;
  const ReleaseQuestion& question_;
  Progress progress_;
  std::size_t count_ = 0;
  std::string problem_;
};

void validate(const ReleaseQuestion& question) {
  if (question.output == "-") throw InvalidArgument("--output", "'-'", "the name of a file");
  require(question.delta >= 0.0 && question.delta < 1.0, "--delta", question.delta, "0 <= delta < 1");
  if (question.rows_per_person)
    require_whole("--rows-per-person", *question.rows_per_person, 1.0, 0x1p40, "an integer, 1 <= rows <= 2^40");
  if (question.insecure_seed)
    require_whole("--insecure-seed", *question.insecure_seed, 0.0, 0x1p53, "an integer, 0 <= seed <= 2^53");
}

OpenMechanism mechanism_of(const ReleaseQuestion& question) {
  validate(question);
  OpenMechanism open = parse_mechanism(question.mechanism, question.tiers);
  if (question.epsilon && !open.has_hole)
    throw InvalidArgument("--epsilon", *question.epsilon, "a '?' in the mechanism, of which it is the target");
  return open;
}

ReleasePlan plan_for(const OpenMechanism& open, const std::vector<ColumnLimits>& columns,
                     const ReleaseQuestion& question) {
  return plan_of(open.has_hole ? Solver(open, columns, question).solve() : open.filled(0.0), columns, question);
}

}  // namespace

Bracket epsilon_at(const pipeline::Pipeline& pipeline, double delta) {
  return delta > 0.0 ? pipeline.epsilon(Delta(delta)) : pipeline.rdp(Alpha(rounding::kInfinity));
}

ReleasePlan plan_of(const ReleaseMechanism& mechanism, const std::vector<ColumnLimits>& columns,
                    const ReleaseQuestion& question) {
  const bool is_sensitive =
      std::any_of(columns.begin(), columns.end(), [](const ColumnLimits& one) { return one.sensitivity.has_value(); });
  ReleasePlan plan{.mechanism = mechanism,
                   .columns = plans_for(mechanism, columns, question),
                   .limits = columns,
                   .guarantees = {},
                   .is_about_all_rows = is_sensitive && !question.rows_per_person};
  const std::vector<pipeline::Assumption> assumptions = assumptions_of(columns, question);
  for (std::size_t i = 1; i <= mechanism.path.size(); ++i)
    plan.guarantees.push_back(guarantee_of_release(mechanism, plan.columns, i, assumptions));
  return plan;
}

ReleasePlan plan_release(const ReleaseQuestion& question) {
  const OpenMechanism open = mechanism_of(question);
  return plan_for(open, declared_columns(question), question);
}

ReleasePlan plan_release(const ReleaseQuestion& question, const std::vector<ColumnLimits>& columns) {
  return plan_for(mechanism_of(question), columns, question);
}

}  // namespace doeblin::commands
