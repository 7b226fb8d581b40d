// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "commands/answer.hpp"

namespace doeblin::commands {

/// One number for every record.
struct PeopleAnswer {
  Question question;
  std::vector<ForRecords> values;  ///< in increasing order of records

  /// A record with the largest upper end, and one with the smallest.
  [[nodiscard]] const ForRecords& worst() const;
  [[nodiscard]] const ForRecords& best() const;
  /// For each share the smallest number that is an upper bound for this share of the records.
  [[nodiscard]] std::vector<double> quantiles(const std::vector<double>& shares) const;
};

/// What `people` prints.
struct PeopleReport {
  Expression expression;
  pipeline::Pipeline pipeline;
  std::size_t count;
  std::vector<PeopleAnswer> answers;
};

/// Throws InvalidArgument unless the expression ends in an iterative run.
[[nodiscard]] PeopleReport people_report(const Expression& expression, const Settings& settings,
                                         const std::vector<Question>& asked);

/// The same for a run that is known.
[[nodiscard]] PeopleReport people_report(const Expression& expression, const pipeline::Pipeline& pipeline,
                                         const std::vector<Question>& asked);

/// Likewise, or nothing when that would take more than `seconds` of the processor.
[[nodiscard]] std::optional<PeopleReport> people_report_within(const pipeline::Pipeline& pipeline,
                                                               const Expression& expression, const Question& asked,
                                                               double seconds);

/// The shares that are shown: 1, 0.99, ... of the records.
[[nodiscard]] const std::vector<double>& shown_shares();

[[nodiscard]] std::string text_people(const PeopleReport& report);
[[nodiscard]] std::string json_people(const PeopleReport& report);
/// "person,epsilon_lower,epsilon_upper", a line for every record.
void write_csv(std::ostream& out, const PeopleReport& report);
/// Everybody's guarantee as a curve; self-contained, for light and dark pages.
[[nodiscard]] std::string people_svg(const PeopleReport& report);

}  // namespace doeblin::commands
