// SPDX-License-Identifier: Apache-2.0
#include "cli/report_command.hpp"

#include <memory>

#include "cli/option_forms.hpp"
#include "commands/report_page.hpp"
#include "doeblin/io/atomic_file.hpp"

namespace doeblin::cli {

void add_report(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<commands::ReportQuestion>();
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
      ->type_name(kFile);
  command->add_option("-o,--output", options->output, "where the page goes")->required()->type_name(kFile);
  command->add_flag("--no-comparison", options->no_comparison,
                    "leave out the table of analyses, which is computed afresh for a certificate");
  command->callback([options, &exit_code] {
    const std::string page = commands::report_page(*options);
    AtomicFile file("--output", options->output);
    file.write(page);
    file.commit();
    exit_code = 0;
  });
}

}  // namespace doeblin::cli
