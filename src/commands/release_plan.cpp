// SPDX-License-Identifier: Apache-2.0
#include "commands/release_plan.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "commands/progress.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/diffusion/grid_release.hpp"
#include "doeblin/numerics/solve.hpp"
#include "doeblin/pipeline/calibration.hpp"
#include "doeblin/sampling/csv_release.hpp"

namespace doeblin::commands {
namespace {

using sampling::ColumnLimits;
using sampling::ColumnPlan;

// With "*" replaced by the names it stands for.
std::vector<ColumnLimits> declared_columns(const ReleaseRequest& asked) {
  if (asked.columns.empty())
    throw InvalidArgument(Sentence{"release: neither ", Option{"bounds"}, " nor ", Option{"sensitivity"},
                                   ", need one of them for a column"});
  const auto standard =
      std::find_if(asked.columns.begin(), asked.columns.end(), [](const ColumnLimits& one) { return one.name == "*"; });
  if (standard == asked.columns.end()) return asked.columns;
  if (asked.input == "-") throw InvalidArgument("release: the column '*' needs a file, not standard input");
  std::vector<ColumnLimits> all;
  std::unordered_set<std::string> known(asked.public_columns.begin(), asked.public_columns.end());
  known.insert(asked.dropped_columns.begin(), asked.dropped_columns.end());
  for (const ColumnLimits& one : asked.columns) {
    known.insert(one.name);
    if (one.name != "*") all.push_back(one);
  }
  for (const std::string& name : sampling::csv_columns(asked.input)) {
    if (known.contains(name)) continue;
    all.push_back(*standard);
    all.back().name = name;
  }
  return all;
}

std::vector<ColumnPlan> plans_for(const ReleaseMechanism& mechanism, const std::vector<ColumnLimits>& columns,
                                  const ReleaseRequest& asked) {
  std::vector<ColumnPlan> plans;
  plans.reserve(columns.size());
  for (const ColumnLimits& one : columns)
    plans.push_back(sampling::plan_column(
        one, {.law = mechanism.law, .path = mechanism.path, .rows_per_person = asked.rows_per_person}));
  return plans;
}

std::vector<Assumption> assumptions_of(const std::vector<ColumnLimits>& columns, const ReleaseRequest& asked) {
  const bool has_bounded =
      std::any_of(columns.begin(), columns.end(), [](const ColumnLimits& one) { return one.bounds.has_value(); });
  const bool has_derived =
      std::any_of(columns.begin(), columns.end(), [](const ColumnLimits& one) { return !one.sensitivity; });
  std::vector<Assumption> assumptions;
  const double rows = asked.rows_per_person.value_or(1.0);
  if (has_derived || asked.rows_per_person)
    assumptions.push_back(
        asserted(fmt::format("one person's data is in at most {} row{}", rows, rows == 1.0 ? "" : "s")));
  for (const ColumnLimits& one : columns)
    if (one.sensitivity && assumptions.size() < 8)
      assumptions.push_back(asserted(
          fmt::format("one person moves column {} by at most {} in all", one.name, format_exact(*one.sensitivity))));
  assumptions.push_back(asserted("the number of rows and the public columns are the same for all neighbours"));
  if (has_bounded) assumptions.push_back(checked("values are clipped to the bounds"));
  assumptions.push_back(
      asked.insecure_seed
          ? asserted("nobody else ever learns the seed: the noise can be drawn again from it")
          : checked("the noise is drawn exactly from its discrete law, with the system's random numbers"));
  return assumptions;
}

pipeline::Pipeline guarantee_of_release(const ReleaseMechanism& mechanism, const std::vector<ColumnPlan>& plans,
                                        std::size_t number, const std::vector<Assumption>& assumptions,
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
  Solver(const OpenMechanism& open, const std::vector<ColumnLimits>& columns, const ReleaseRequest& asked)
      : open_(open), columns_(columns), question_(asked), progress_(0, "evaluations") {
    if (!asked.epsilon)
      throw InvalidArgument(Sentence{"release: ", Option{"epsilon"},
                                     fmt::format(" is missing, need the target of {}=?", open.parameter)});
    pipeline::Target{*asked.epsilon, asked.delta}.validate();
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
  const ReleaseRequest& question_;
  Progress progress_;
  std::size_t count_ = 0;
  std::string problem_;
};

void validate(const ReleaseRequest& asked) {
  if (asked.output == "-") throw InvalidArgument(Option{"output"}, "'-'", "the name of a file");
  require(asked.delta >= 0.0 && asked.delta < 1.0, Option{"delta"}, asked.delta, "0 <= delta < 1");
  if (asked.rows_per_person)
    require_whole(Option{"rows_per_person"}, *asked.rows_per_person, 1.0, 0x1p40, "an integer, 1 <= rows <= 2^40");
  if (asked.insecure_seed)
    require_whole(Option{"insecure_seed"}, *asked.insecure_seed, 0.0, 0x1p53, "an integer, 0 <= seed <= 2^53");
}

OpenMechanism mechanism_of(const ReleaseRequest& asked) {
  validate(asked);
  OpenMechanism open = open_mechanism(asked.mechanism, asked.tiers);
  if (asked.epsilon && !open.has_hole)
    throw InvalidArgument(Option{"epsilon"}, *asked.epsilon, "a '?' in the mechanism, of which it is the target");
  return open;
}

ReleasePlan plan_for(const OpenMechanism& open, const std::vector<ColumnLimits>& columns, const ReleaseRequest& asked) {
  return plan_of(open.has_hole ? Solver(open, columns, asked).solve() : open.filled(0.0), columns, asked);
}

}  // namespace

Bracket epsilon_at(const pipeline::Pipeline& pipeline, double delta) {
  return delta > 0.0 ? pipeline.epsilon(Delta(delta)) : pipeline.rdp(Alpha(rounding::kInfinity));
}

ReleasePlan plan_of(const ReleaseMechanism& mechanism, const std::vector<ColumnLimits>& columns,
                    const ReleaseRequest& asked) {
  const bool is_sensitive =
      std::any_of(columns.begin(), columns.end(), [](const ColumnLimits& one) { return one.sensitivity.has_value(); });
  ReleasePlan plan{.mechanism = mechanism,
                   .columns = plans_for(mechanism, columns, asked),
                   .limits = columns,
                   .guarantees = {},
                   .is_about_all_rows = is_sensitive && !asked.rows_per_person};
  const std::vector<Assumption> assumptions = assumptions_of(columns, asked);
  for (std::size_t i = 1; i <= mechanism.path.size(); ++i)
    plan.guarantees.push_back(guarantee_of_release(mechanism, plan.columns, i, assumptions));
  return plan;
}

ReleasePlan plan_release(const ReleaseRequest& asked) {
  const OpenMechanism open = mechanism_of(asked);
  return plan_for(open, declared_columns(asked), asked);
}

ReleasePlan plan_release(const ReleaseRequest& asked, const std::vector<ColumnLimits>& columns) {
  return plan_for(mechanism_of(asked), columns, asked);
}

}  // namespace doeblin::commands
