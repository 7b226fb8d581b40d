// SPDX-License-Identifier: Apache-2.0
#include "cli/verify_command.hpp"

#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/json_output.hpp"
#include "cli/progress.hpp"
#include "cli/release_certificate.hpp"
#include "cli/train_certificate.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/certificate/issue.hpp"
#include "doeblin/certificate/reproduction.hpp"
#include "doeblin/pipeline/expression.hpp"
#include "doeblin/verify/verify.hpp"

namespace doeblin::cli {
namespace {

using certificate::Certificate;
using verify::Check;
using verify::Verdict;

// What the certificate is about, evaluated again as it was when it was written.
// Errors   InvalidArgument when there is no such thing
pipeline::Pipeline evaluated_again(const Certificate& certificate) {
  switch (certificate.kind) {
    case certificate::Kind::kTraining: return planned_again(certificate);
    case certificate::Kind::kRelease: return released_again(certificate);
    case certificate::Kind::kAnalysis:
    case certificate::Kind::kPeople: break;
  }
  return pipeline::parse(pipeline::text_of(certificate.program), certificate.settings);
}

constexpr const char* kReproduced = "the derivation, and the same numbers when computed as they were";

// Everything that is not a number to be proven: the text, the files, and whether this software says the same.
Check reproduced(const Certificate& certificate, const pipeline::Pipeline& pipeline) {
  if (certificate.software_version != certificate::software_version())
    return {kReproduced, Verdict::kNotChecked,
            fmt::format("written by version {}, and this is {}", certificate.software_version,
                        certificate::software_version())};
  const std::vector<std::string> found = differences(certificate, pipeline);
  if (found.empty()) return {kReproduced, Verdict::kVerified, "no difference"};
  return {kReproduced, Verdict::kRefuted,
          found.size() == 1 ? found[0] : fmt::format("{} (and {} more)", found[0], found.size() - 1)};
}

std::vector<Check> all_checks(const Certificate& certificate) {
  if (!certificate.void_because.empty()) return verify::verify(certificate);
  try {
    // First what knows which numbers make sense at all.
    const pipeline::Pipeline pipeline = evaluated_again(certificate);
    Progress progress(0, "claims");
    std::vector<Check> checks =
        verify::verify(certificate, [&](std::size_t done, std::size_t) { progress.finished(done); });
    checks.push_back(reproduced(certificate, pipeline));
    return checks;
  } catch (const InvalidArgument& error) {
    return {{kReproduced, Verdict::kRefuted, error.what()}};
  }
}

std::string text_of(const std::string& path, const Certificate& certificate, const std::vector<Check>& checks,
                    bool is_verbose) {
  const Verdict verdict = overall(checks);
  std::string text = fmt::format("{}: {}\n\n{}\n\n", path, name(verdict), sentence_of(certificate));
  std::size_t verified = 0;
  for (const Check& check : checks) {
    if (check.verdict == Verdict::kVerified) ++verified;
    if (is_verbose || check.verdict != Verdict::kVerified)
      text += fmt::format("  {:<11}  {}\n               {}\n", name(check.verdict), check.claim, check.reason);
  }
  text += fmt::format("  {} of {} checks passed: upper ends are proven, lower ends are not contradicted\n", verified,
                      checks.size());
  return text;
}

std::string json_text(const Certificate& certificate, const std::vector<Check>& checks) {
  nlohmann::ordered_json json{{"verdict", name(overall(checks))}, {"sentence", sentence_of(certificate)}};
  json["checks"] = nlohmann::ordered_json::array();
  for (const Check& check : checks)
    json["checks"].push_back({{"claim", check.claim}, {"verdict", name(check.verdict)}, {"reason", check.reason}});
  json["version"] = certificate::software_version();
  return dumped(json);
}

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
  command->add_option("certificate", options->path, "what --certificate wrote")->required();
  command->add_flag("--verbose", options->is_verbose, "show every check, not only those that fail");
  command->add_flag("--json", options->json, "machine-readable output");
  command->callback([options, &exit_code] {
    const Certificate certificate = certificate::read_certificate_file(options->path);
    const std::vector<Check> checks = all_checks(certificate);
    std::cout << (options->json ? json_text(certificate, checks) + "\n"
                                : text_of(options->path, certificate, checks, options->is_verbose));
    exit_code = exit_code_of(overall(checks));
  });
}

}  // namespace doeblin::cli
