// SPDX-License-Identifier: Apache-2.0
#include "report/guarantee_section.hpp"

#include <cmath>

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/page.hpp"

namespace doeblin::report {
namespace {

using certificate::Certificate;
using certificate::Claim;

struct Card {
  std::string name;
  std::string figure;
  bool is_number;
  std::string note;
};

std::string html_of(const Card& card) {
  return element("div", text_element("dt", card.name) +
                            text_element("dd", card.figure, card.is_number ? "class=\"figure\"" : "class=\"words\"") +
                            (card.note.empty() ? "" : text_element("dd", card.note, "class=\"soft\""))) +
         "\n";
}

std::string html_of(const std::vector<Card>& cards) {
  std::string all;
  for (const Card& card : cards) all += html_of(card);
  return element("dl", "\n" + all, "class=\"cards\"") + "\n";
}

// The one that the sentence is about.
const Claim* main_claim(const std::vector<Claim>& claims) {
  for (const Claim& claim : claims)
    if (std::isfinite(claim.is_epsilon ? claim.value.upper() : claim.at)) return &claim;
  return nullptr;
}

Card epsilon_card(const Claim& claim) {
  const double epsilon = claim.is_epsilon ? claim.value.upper() : claim.at;
  const std::string factor = factor_text(epsilon);
  return {"epsilon", claim.is_epsilon ? "≤ " + upper_text(epsilon) : exact_text(epsilon), true,
          factor.empty() ? "too large to protect anybody by itself"
                         : fmt::format("nothing becomes more than {} times as likely", factor)};
}

Card delta_card(const Claim& claim) {
  const double delta = claim.is_epsilon ? claim.at : claim.value.upper();
  const std::string chance = chance_text(delta);
  const char* note = delta == 0.0 ? "without exception" : delta < 1e-15 ? "in practice never" : "on top of that";
  return {"delta", claim.is_epsilon ? exact_text(delta) : "≤ " + upper_text(delta), true,
          chance.empty() ? note : "on top of that, a chance of " + chance};
}

Card protected_card(const Certificate& certificate) {
  const char* who = certificate.relation == Relation::kAddRemove    ? "Whoever is in the data or not"
                    : certificate.relation == Relation::kSubstitute ? "Whoever is in the data"
                    : certificate.relation == Relation::kZeroOut    ? "Whoever is in the data or left blank"
                                                                    : "Whoever the sensitivity covers";
  std::string note = "the guarantee holds " + certificate::neighbours_text(certificate);
  if (certificate.people) note += fmt::format("; for each of {} records", count_text(certificate.people->count));
  return {"who is protected", who, false, note};
}

Card tightness_card(const Claim& claim) {
  const std::string value(value_name(claim.is_epsilon));
  if (claim.value.is_exact()) return {"how tight", "exact", false, "the bound is attained: no proof can give less"};
  if (claim.value.lower() <= 0.0)
    return {"how tight", "an upper bound", false,
            "the true " + value + " may be smaller; how much smaller is not known"};
  const double gap = claim.value.relative_width();
  const std::string words = gap <= 1e-3  ? "to less than 0.1 %"
                            : gap <= 0.1 ? "to " + upper_text(100.0 * gap, 2) + " %"
                                         : "a bracket";
  return {"how tight", words, false,
          fmt::format("the true {} lies between {} and {}", value, lower_text(claim.value.lower(), 6),
                      upper_text(claim.value.upper(), 6))};
}

// "0 .. 1.2" as two columns.
std::string claims_table(const std::vector<Claim>& claims) {
  if (claims.size() < 2) return {};
  Table table{"Every claim; an upper end is a guarantee",
              {"quantity", "at", "at least", "at most"},
              {},
              {false, false, true, true}};
  for (const Claim& claim : claims)
    table.rows.push_back({std::string(value_name(claim.is_epsilon)),
                          fmt::format("{} = {}", argument_name(claim.is_epsilon), exact_text(claim.at)),
                          lower_text(claim.value.lower(), 6), upper_text(claim.value.upper(), 6)});
  return report::html_of(table);
}

}  // namespace

std::string guarantee_section(const Certificate& certificate) {
  if (!certificate.void_because.empty())
    return paragraph(
        "There is none. The rest of this page shows what was computed and why, for those who test or "
        "repeat the run; none of its numbers protects anybody.",
        "class=\"verdict none\"");
  std::string html = paragraph(certificate::sentence_of(certificate), "class=\"verdict\"");
  if (const Claim* claim = main_claim(certificate.claims))
    html += html_of({epsilon_card(*claim), delta_card(*claim), protected_card(certificate), tightness_card(*claim)});
  return html + claims_table(certificate.claims);
}

}  // namespace doeblin::report
