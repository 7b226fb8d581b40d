// SPDX-License-Identifier: Apache-2.0
#include "report/origin_section.hpp"

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/page.hpp"

namespace doeblin::report {
namespace {

using certificate::Certificate;

const char* accountant_text(Accountant accountant) {
  switch (accountant) {
    case Accountant::kAuto: return "chosen by the program";
    case Accountant::kPld: return "privacy-loss distributions";
    case Accountant::kRenyi: return "Renyi divergences";
    case Accountant::kBasic: return "epsilons and deltas add";
  }
  throw InternalError("broken invariant: unknown accountant");
}

std::string value_text(const language::Argument& value) {
  return std::holds_alternative<double>(value) ? exact_text(std::get<double>(value)) : std::get<std::string>(value);
}

bool is_known(const language::Program& program) {
  return program.kind != language::Program::Kind::kCall || !program.call.name.empty();
}

std::string program_text(const language::Program& program) {
  return has_words(program) ? text_of(program) : brief_text(program);
}

std::string expression_html(const Certificate& certificate) {
  if (!is_known(certificate.program)) return {};
  return text_element("h3", "Mechanism") + element("pre", code(program_text(certificate.program))) + "\n";
}

std::string inputs_html(const std::vector<certificate::Input>& inputs) {
  if (inputs.empty()) return {};
  Table table{"Files that the mechanism names", {"file", "SHA-256"}, {}, {false, false}};
  for (const certificate::Input& input : inputs)
    table.rows.push_back({escaped(input.path), text_element("code", input.sha256, "class=\"hash\"")});
  return text_element("h3", "Inputs") + html_of(table);
}

std::string details_html(const Certificate& certificate) {
  Table table{"Facts about what was run", {"fact", "value"}, {}, {false, false}};
  table.rows.push_back({"composition", accountant_text(certificate.settings.accountant)});
  for (const certificate::Detail& detail : certificate.details)
    table.rows.push_back({escaped(detail.name), escaped(value_text(detail.value))});
  return text_element("h3", "Details") + html_of(table);
}

}  // namespace

std::string origin_section(const Certificate& certificate) {
  return expression_html(certificate) + inputs_html(certificate.inputs) + details_html(certificate);
}

}  // namespace doeblin::report
