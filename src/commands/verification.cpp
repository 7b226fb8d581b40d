// SPDX-License-Identifier: Apache-2.0
#include "commands/verification.hpp"

#include <fmt/format.h>

#include "commands/certified_files.hpp"
#include "commands/json_output.hpp"
#include "commands/progress.hpp"
#include "commands/release_certificate.hpp"
#include "commands/train_certificate.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/issuing/issue.hpp"
#include "doeblin/issuing/reproduction.hpp"
#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::commands {
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
  return pipeline::evaluate(certificate.program, certificate.settings);
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
  if (certificate.format_version < certificate::kFormatVersion) {
    Certificate reworded = certificate;
    reworded.derivation.clear();
    for (const pipeline::Derived& one : pipeline.steps()) reworded.derivation.push_back(one.step);
    if (differences(reworded, pipeline).empty())
      return {kReproduced, Verdict::kNotChecked, "its derivation has the words of format version 1"};
  }
  return {kReproduced, Verdict::kRefuted,
          found.size() == 1 ? found[0] : fmt::format("{} (and {} more)", found[0], found.size() - 1)};
}

}  // namespace

std::vector<Check> verification(const Certificate& certificate) {
  if (!certificate.void_because.empty()) return verify::verify(certificate);
  try {
    require_certified_files(certificate);
  } catch (const InvalidArgument& error) {
    return {{kReproduced, Verdict::kRefuted, error.what()}};
  }
  try {
    // First what knows which numbers make sense at all.
    const pipeline::Pipeline pipeline = evaluated_again(certificate);
    Progress progress(0, "claims");
    std::vector<Check> checks =
        verify::verify(certificate, [&](std::size_t done, std::size_t) { progress.finished(done); });
    // Reasons of the independent route that speak of a file.
    for (Check& check : checks)
      for (const certificate::Input& input : certificate.inputs)
        if (check.reason.find(input.path) != std::string::npos)
          check.reason = without_content(certificate, check.reason);
    checks.push_back(reproduced(certificate, pipeline));
    return checks;
  } catch (const InvalidArgument& error) {
    return {{kReproduced, Verdict::kRefuted, without_content(certificate, error.what())}};
  }
}

std::string text_verification(const std::string& name, const Certificate& certificate, const std::vector<Check>& checks,
                              bool is_verbose) {
  const Verdict verdict = overall(checks);
  std::string text = fmt::format("{}: {}\n\n{}\n\n", name, verify::name(verdict), sentence_of(certificate));
  std::size_t verified = 0;
  for (const Check& check : checks) {
    if (check.verdict == Verdict::kVerified) ++verified;
    if (is_verbose || check.verdict != Verdict::kVerified)
      text += fmt::format("  {:<11}  {}\n               {}\n", verify::name(check.verdict), check.claim, check.reason);
  }
  text += fmt::format("  {} of {} checks passed{}\n", verified, checks.size(),
                      verdict == Verdict::kVerified ? ": upper ends are proven, lower ends are not contradicted" : "");
  return text;
}

std::string json_verification(const Certificate& certificate, const std::vector<Check>& checks) {
  Json json{{"verdict", name(overall(checks))}, {"sentence", sentence_of(certificate)}};
  json["checks"] = Json::array();
  for (const Check& check : checks)
    json["checks"].push_back({{"claim", check.claim}, {"verdict", name(check.verdict)}, {"reason", check.reason}});
  json["version"] = certificate::software_version();
  return dumped(json);
}

}  // namespace doeblin::commands
