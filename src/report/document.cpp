// SPDX-License-Identifier: Apache-2.0
#include "doeblin/report/document.hpp"

#include <fmt/format.h>

#include "report/assumption_list.hpp"
#include "report/comparison_section.hpp"
#include "report/derivation_section.hpp"
#include "report/guarantee_section.hpp"
#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/origin_section.hpp"
#include "report/page.hpp"
#include "report/plot_sections.hpp"
#include "report/verification_section.hpp"

namespace doeblin::report {
namespace {

using certificate::Certificate;
using certificate::Kind;

const char* title_of(Kind kind) {
  switch (kind) {
    case Kind::kAnalysis: return "How private is this mechanism?";
    case Kind::kPeople: return "How private is this run, for each person?";
    case Kind::kTraining: return "How private is this model?";
    case Kind::kRelease: return "How private is this release?";
  }
  throw InternalError("broken invariant: unknown kind");
}

std::string analyses_html(const Companions& companions) {
  if (companions.comparison) return comparison_section(*companions.comparison);
  return companions.no_comparison.empty() ? "" : paragraph(companions.no_comparison);
}

std::string best_sentence(const Comparison& comparison) {
  const ComparedAnalysis& best = comparison.analyses[comparison.best()];
  const auto [value, argument] = names(comparison.question.quantity);
  return fmt::format("Of {} analyses, “{}” gives the smallest bound: {} is {}, {}, {}.",
                     count_text(comparison.analyses.size()), best.name, value, bracket_text(best.answer->value, 6),
                     fmt::format("at {} = {}", argument, exact_text(comparison.question.argument)),
                     certificate::neighbours_text(comparison.neighbours.relation, comparison.whose));
}

std::string no_certificate() {
  return paragraph(
             "This page shows a comparison, which nobody can verify. A certificate says what the bound assumes and "
             "derives it step by step; it is made and checked with") +
         element("pre", code("doeblin epsilon EXPRESSION --delta 1e-5 --certificate certificate.json\n"
                             "doeblin verify certificate.json")) +
         "\n";
}

}  // namespace

std::string certificate_page(const Certificate& certificate, const Companions& companions) {
  const bool is_void = !certificate.void_because.empty();
  return html_of(Page{title_of(certificate.kind),
                      fmt::format("Privacy report · {}", name(certificate.kind)),
                      is_void ? "There is no guarantee: " + certificate.void_because + "." : "",
                      {{"guarantee", "The guarantee", guarantee_section(certificate)},
                       {"assumptions", "What it assumes", assumption_summary(certificate.derivation)},
                       {"profile", "Privacy profile", profile_section(certificate)},
                       {"people", "Every person", people_section(certificate)},
                       {"analyses", "Analyses compared", analyses_html(companions)},
                       {"derivation", "Derivation", derivation_section(certificate.derivation)},
                       {"origin", "What it was computed from", origin_section(certificate)},
                       {"verify", "How to verify", verification_section(companions.file_name)},
                       {"limits", "What the number does not promise", limits_section()}},
                      certificate.software_version});
}

std::string comparison_page(const Comparison& comparison) {
  return html_of(Page{"How private is this mechanism?",
                      "Privacy report · comparison of analyses",
                      "",
                      {{"guarantee", "The result", paragraph(best_sentence(comparison), "class=\"verdict\"")},
                       {"analyses", "Analyses compared", comparison_section(comparison)},
                       {"origin", "What it was computed from",
                        text_element("h3", "Mechanism") + element("pre", code(comparison.expression)) + "\n"},
                       {"verify", "How to verify", no_certificate()},
                       {"limits", "What the number does not promise", limits_section()}},
                      comparison.software_version});
}

}  // namespace doeblin::report
