// SPDX-License-Identifier: Apache-2.0
#include "report/assumption_list.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/page.hpp"

namespace doeblin::report {
namespace {

std::vector<Assumption> distinct(const std::vector<Step>& derivation, bool is_checked) {
  std::vector<Assumption> all;
  for (const Step& step : derivation)
    for (const Assumption& one : step.assumptions) {
      const bool is_known =
          std::any_of(all.begin(), all.end(), [&](const Assumption& other) { return other.text == one.text; });
      if (one.checked == is_checked && !is_known) all.push_back(one);
    }
  return all;
}

std::string item(const Assumption& assumption) {
  const char* name = assumption.checked ? "checked" : "asserted";
  const char* sign = assumption.checked ? "✓" : "!";
  return element("li",
                 fmt::format("<span class=\"status {0}\"><span aria-hidden=\"true\">{1}</span>{0}</span>", name, sign) +
                     text_element("span", assumption.text)) +
         "\n";
}

}  // namespace

std::string assumption_list(const std::vector<Assumption>& assumptions) {
  std::string items;
  for (const Assumption& one : assumptions) items += item(one);
  return items.empty() ? "" : element("ul", "\n" + items, "class=\"assumptions\"") + "\n";
}

std::string assumption_summary(const std::vector<Step>& derivation) {
  const std::string asserted = assumption_list(distinct(derivation, false));
  const std::string checked = assumption_list(distinct(derivation, true));
  std::string html;
  if (!asserted.empty())
    html += text_element("h3", "Somebody has to vouch for") +
            paragraph(
                "Nothing in the calculation shows whether these are so. If one of them is not, there is no guarantee.",
                "class=\"soft\"") +
            asserted;
  if (!checked.empty()) html += text_element("h3", "Checked by the program") + checked;
  return html;
}

}  // namespace doeblin::report
