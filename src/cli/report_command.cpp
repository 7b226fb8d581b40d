// SPDX-License-Identifier: Apache-2.0
#include "cli/report_command.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "cli/comparison_report.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/core/atomic_file.hpp"
#include "doeblin/report/document.hpp"

namespace doeblin::cli {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

struct ReportOptions {
  std::string input;
  std::string output;
  bool no_comparison = false;
};

std::string text_of_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw InvalidArgument(path + ": need a file, not a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InvalidArgument(path + ": cannot be read");
  // One byte more than is allowed shows that there is too much.
  std::string text;
  char block[1 << 16];
  while (text.size() <= kMostBytes && (file.read(block, sizeof block), file.gcount() > 0))
    text.append(block, static_cast<std::size_t>(file.gcount()));
  if (file.bad()) throw InvalidArgument(path + ": cannot be read");
  if (text.size() > kMostBytes) throw InvalidArgument(path + ": need at most 64 MiB");
  return text;
}

report::Comparison comparison_of(const ComparisonReport& compared) {
  report::Comparison comparison{DOEBLIN_VERSION,
                                compared.expression,
                                compared.relation,
                                compared.question.quantity == Quantity::kEpsilon,
                                compared.question.argument,
                                {},
                                compared.best()};
  for (const ComparisonRow& row : compared.rows)
    comparison.analyses.push_back({row.analysis.name, row.analysis.description,
                                   row.answer ? std::optional(row.answer->value) : std::nullopt,
                                   !row.answer || row.answer->converged, row.reason});
  return comparison;
}

// The question that the certificate answers first, put to every analysis.
report::Comparison comparison_for(const certificate::Certificate& certificate) {
  if (certificate.claims.empty()) throw InvalidArgument("nothing is claimed");
  const certificate::Claim& claim = certificate.claims[0];
  const Question question{claim.is_epsilon ? Quantity::kEpsilon : Quantity::kDelta, claim.at};
  validate(question);
  report::Comparison comparison =
      comparison_of(comparison_report(pipeline::text_of(certificate.program), certificate.settings, question));
  // Both enclose the same number.
  const Bracket& now = *comparison.analyses[0].value;
  if (now.lower() > claim.value.upper() || now.upper() < claim.value.lower())
    throw InvalidArgument("the program gets another number now; has a file changed that the mechanism names?");
  return comparison;
}

report::Companions companions_of(const certificate::Certificate& certificate, const ReportOptions& options) {
  report::Companions companions{.file_name = std::filesystem::path(options.input).filename().string()};
  if (options.no_comparison || !certificate.void_because.empty()) return companions;
  try {
    companions.comparison = comparison_for(certificate);
  } catch (const InvalidArgument& error) {
    companions.no_comparison = std::string("Other analyses are not compared here: ") + error.what();
  }
  return companions;
}

std::string page_of(const ReportOptions& options) {
  const std::string text = text_of_file(options.input);
  if (report::is_comparison(text)) return report::comparison_page(report::read_comparison(options.input, text));
  const certificate::Certificate certificate = certificate::read_certificate(options.input, text);
  std::error_code ignored;
  for (const certificate::Input& input : certificate.inputs)
    if (std::filesystem::equivalent(input.path, options.output, ignored))
      throw InvalidArgument("--output: " + options.output + ", need another file than those of the certificate");
  return report::certificate_page(certificate, companions_of(certificate, options));
}

void require_two_files(const ReportOptions& options) {
  std::error_code ignored;
  if (std::filesystem::equivalent(options.input, options.output, ignored))
    throw InvalidArgument("--output: " + options.output + ", need another file than the one that is read");
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand("report", "a certificate or a comparison as one HTML page, with plots");
  command->footer(
      "Examples:\n"
      "  doeblin epsilon 'gaussian(sigma=2) | compose(10)' --delta 1e-6 --certificate certificate.json\n"
      "  doeblin report certificate.json -o report.html\n"
      "  doeblin compare 'gaussian(sigma=2) | compose(10)' --delta 1e-6 --json > comparison.json\n"
      "  doeblin report comparison.json -o report.html\n\n"
      "The page loads nothing and runs nothing: it can be mailed, archived and printed.\n"
      "Exit codes: 0 fine, 2 bad input, 1 internal error.");
  command->add_option("file", options->input, "a certificate, or what 'doeblin compare --json' printed")
      ->required()
      ->type_name("FILE");
  command->add_option("-o,--output", options->output, "where the page goes")->required()->type_name("FILE");
  command->add_flag("--no-comparison", options->no_comparison,
                    "leave out the table of analyses, which is computed afresh for a certificate");
  command->callback([options, &exit_code] {
    require_two_files(*options);
    const std::string page = page_of(*options);
    AtomicFile file("--output", options->output);
    file.write(page);
    file.commit();
    exit_code = 0;
  });
}

}  // namespace doeblin::cli
