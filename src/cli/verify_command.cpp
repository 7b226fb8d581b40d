// SPDX-License-Identifier: Apache-2.0
#include "cli/verify_command.hpp"

#include <iostream>
#include <memory>

#include "cli/option_forms.hpp"
#include "commands/verification.hpp"
#include "doeblin/certificate/certificate_file.hpp"

namespace doeblin::cli {
namespace {

using verify::Verdict;

int exit_code_of(Verdict verdict) { return verdict == Verdict::kVerified ? 0 : verdict == Verdict::kRefuted ? 1 : 3; }

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  struct Options {
    std::string path;
    bool is_verbose = false;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("verify", "compute a certificate again by an independent route");
  command->footer(
      "Examples:\n"
      "  doeblin epsilon 'gaussian(sigma=2) | compose(10)' --delta 1e-6 --certificate claim.json\n"
      "  doeblin verify claim.json\n"
      "  doeblin verify doeblin-run/certificate.json --verbose\n\n"
      "Every number is bounded again in ball arithmetic, by code that shares nothing with what wrote it; the text is\n"
      "compared with what this version writes. Files that the expression names are read from where it names them.\n"
      "Exit codes: 0 VERIFIED, 1 REFUTED, 3 NOT CHECKED (no independent route, or another version), 2 not a "
      "certificate.");
  command->add_option("certificate", options->path, "what --certificate wrote")->required()->type_name(kFile);
  command->add_flag("--verbose", options->is_verbose, "show every check, not only those that fail");
  command->add_flag("--json", options->json, "machine-readable output");
  command->callback([options, &exit_code] {
    const certificate::Certificate certificate = certificate::read_certificate_file(options->path);
    const std::vector<verify::Check> checks = commands::verification(certificate);
    std::cout << (options->json ? commands::json_verification(certificate, checks) + "\n"
                                : commands::text_verification(options->path, certificate, checks, options->is_verbose));
    exit_code = exit_code_of(overall(checks));
  });
}

}  // namespace doeblin::cli
