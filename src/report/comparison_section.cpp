// SPDX-License-Identifier: Apache-2.0
#include "report/comparison_section.hpp"

#include <cmath>

#include <fmt/format.h>

#include "report/comparison_chart.hpp"
#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/page.hpp"

namespace doeblin::report {
namespace {

// Descriptions name a paper in brackets where an analysis is as published.
bool is_published(const ComparedAnalysis& analysis) {
  return analysis.description.find('[') != std::string::npos ||
         analysis.description.find("textbook") != std::string::npos;
}

// How many times the best bound this one is.
std::string ratio_text(double upper, double best) {
  if (upper == best) return "1";
  if (std::isinf(upper)) return "infinity";
  return best > 0.0 ? times_text(upper / best) : "";
}

std::string tag(const char* text) { return " " + text_element("span", text, "class=\"tag\""); }

// The name, and below it how it is done or why it is not.
std::string analysis_html(const ComparedAnalysis& one, bool is_best) {
  std::string html = escaped(one.name) + (is_best ? tag("best") : "") + (is_published(one) ? tag("published") : "") +
                     text_element("div", one.description, "class=\"how\"");
  if (!one.answer) html += text_element("div", "Does not apply: " + one.reason, "class=\"how\"");
  if (one.answer && !one.answer->converged && !one.answer->is_open())
    html += text_element("div", "Wider than promised.", "class=\"how\"");
  return html;
}

std::vector<std::string> row_of(const Comparison& comparison, std::size_t i) {
  const ComparedAnalysis& one = comparison.analyses[i];
  const std::string name = analysis_html(one, i == comparison.best());
  if (!one.answer) return {name, "–", "–", "–"};
  const Bracket& value = one.answer->value;
  return {name, upper_text(value.upper(), 6),
          ratio_text(value.upper(), comparison.analyses[comparison.best()].answer->value.upper()),
          lower_text(value.lower(), 6)};
}

}  // namespace

std::string question_text(const Comparison& comparison) {
  const auto [value, argument] = names(comparison.question.quantity);
  return fmt::format("{} at {} = {}", value, argument, exact_text(comparison.question.argument));
}

std::string comparison_section(const Comparison& comparison) {
  Table table{"Each analysis: " + question_text(comparison),
              {"analysis", "at most", "× the best", "at least"},
              {},
              {false, true, true, true},
              {comparison.best()}};
  for (std::size_t i = 0; i < comparison.analyses.size(); ++i) table.rows.push_back(row_of(comparison, i));
  return paragraph(
             "Every analysis that applies proves a bound for the same mechanism, and all of them are right; the "
             "smallest is the one to use.") +
         comparison_chart(comparison) + html_of(table);
}

}  // namespace doeblin::report
