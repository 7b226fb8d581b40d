// SPDX-License-Identifier: Apache-2.0
#include "commands/report_page.hpp"

#include <filesystem>

#include "commands/certified_files.hpp"
#include "commands/comparison_report.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/io/input_file.hpp"
#include "doeblin/report/document.hpp"

namespace doeblin::commands {
namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20U;

// The question that the certificate answers first, put to every analysis.
pipeline::Comparison comparison_for(const certificate::Certificate& certificate) {
  if (certificate.claims.empty()) throw InvalidArgument("nothing is claimed");
  const certificate::Claim& claim = certificate.claims[0];
  const Question question{claim.is_epsilon ? Quantity::kEpsilon : Quantity::kDelta, claim.at};
  question.validate();
  pipeline::Comparison comparison =
      comparison_report(expression_of(certificate.program), certificate.settings, question);
  // Both enclose the same number.
  const Bracket& now = comparison.analyses[0].answer->value;
  if (now.lower() > claim.value.upper() || now.upper() < claim.value.lower())
    throw InvalidArgument("the program gets another number now, from the same files");
  return comparison;
}

report::Companions companions_of(const std::string& name, const certificate::Certificate& certificate,
                                 bool no_comparison) {
  report::Companions companions{.file_name = std::filesystem::path(name).filename().string()};
  if (no_comparison || !certificate.void_because.empty()) return companions;
  constexpr const char* kNotCompared = "Other analyses are not compared here: ";
  try {
    require_certified_files(certificate);
  } catch (const InvalidArgument& error) {
    companions.no_comparison = std::string(kNotCompared) + error.what();
    return companions;
  }
  try {
    companions.comparison = comparison_for(certificate);
  } catch (const InvalidArgument& error) {
    companions.no_comparison = kNotCompared + without_content(certificate, error.what());
  }
  return companions;
}

void require_two_files(const ReportQuestion& question) {
  std::error_code ignored;
  if (std::filesystem::equivalent(question.input, question.output, ignored))
    throw InvalidArgument(
        Sentence{Option{"output"}, ": " + question.output + ", need another file than the one that is read"});
}

}  // namespace

std::string comparison_report_page(const std::string& name, const std::string& json) {
  return report::comparison_page(report::read_comparison(name, json));
}

std::string certificate_report_page(const std::string& name, const std::string& certificate, bool no_comparison) {
  const certificate::Certificate read = certificate::read_certificate(name, certificate);
  return report::certificate_page(read, companions_of(name, read, no_comparison));
}

std::string report_page(const ReportQuestion& question) {
  require_two_files(question);
  const std::string text = io::read_whole(question.input, kMostBytes, "input");
  if (report::is_comparison(text)) return comparison_report_page(question.input, text);
  const certificate::Certificate certificate = certificate::read_certificate(question.input, text);
  std::error_code ignored;
  for (const certificate::Input& input : certificate.inputs)
    if (std::filesystem::equivalent(input.path, question.output, ignored))
      throw InvalidArgument(
          Sentence{Option{"output"}, ": " + question.output + ", need another file than those of the certificate"});
  return report::certificate_page(certificate, companions_of(question.input, certificate, question.no_comparison));
}

}  // namespace doeblin::commands
