// SPDX-License-Identifier: Apache-2.0
#include "report/derivation_section.hpp"

#include "report/assumption_list.hpp"
#include "report/html.hpp"
#include "report/page.hpp"

namespace doeblin::report {
namespace {

std::string step_html(const Step& step) {
  std::string heading = code(step.stage);
  if (!step.source.empty()) heading += " " + text_element("span", step.source, "class=\"tag\"");
  std::string html = element("p", heading, "class=\"stage\"") + "\n";
  if (!step.statement.empty()) html += paragraph(step.statement);
  return element("li", "\n" + html + assumption_list(step.assumptions)) + "\n";
}

}  // namespace

std::string derivation_section(const std::vector<Step>& derivation) {
  if (derivation.empty()) return {};
  std::string steps;
  for (const Step& step : derivation) steps += step_html(step);
  return paragraph(
             "Step by step, from the noise to the claim. The letters and numbers, such as P1, name the theorem in "
             "doeblin's catalogue.") +
         element("ol", "\n" + steps, "class=\"steps\"") + "\n";
}

}  // namespace doeblin::report
