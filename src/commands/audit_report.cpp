// SPDX-License-Identifier: Apache-2.0
#include "commands/audit_report.hpp"

#include <cmath>

#include <fmt/format.h>

#include "commands/json_output.hpp"
#include "doeblin/core/format.hpp"

namespace doeblin::commands {
namespace {

using audit::Finding;
using audit::Side;

std::string_view name(Side side) { return side == Side::kFirst ? "first" : "second"; }
Side other(Side side) { return side == Side::kFirst ? Side::kSecond : Side::kFirst; }

// How much of a claim was seen: ", 93% of it".
std::string share_text(double seen, double claimed) {
  if (!(claimed > 0.0) || std::isinf(claimed)) return "";
  return fmt::format(", {:.0f}% of it", std::floor(100.0 * seen / claimed));
}

std::string finding_text(const Finding& finding, const std::string& event) {
  const audit::EventCounts& counts = finding.counts;
  const Side likely = finding.event.likely;
  return fmt::format(
      "  event       {}\n"
      "  seen in     {:.0f} of {:.0f} fresh runs on the {} input: probability >= {}\n"
      "              {:.0f} of {:.0f} on the {} one: probability <= {}\n",
      event, counts.likely_hits, counts.likely_runs, name(likely), format_down(finding.bounds.likely_lower),
      counts.rare_hits, counts.rare_runs, name(other(likely)), format_up(finding.bounds.rare_upper));
}

std::string gaussian_text(const AuditReport& report) {
  const audit::Claim& claim = report.claim;
  const double mu = report.result.mu_lower;
  std::string text = fmt::format("\nas Gaussian DP: mu >= {}", format_down(mu));
  if (claim.mu_upper)
    text += fmt::format("; mu <= {} is claimed{}", format_up(*claim.mu_upper), share_text(mu, *claim.mu_upper));
  text += fmt::format(
      "\n  event       {}\n"
      "  that is     epsilon >= {} at delta = {} if the mechanism is Gaussian DP; a bound for claims of Gaussian DP "
      "only\n",
      text_of(report.result.gaussian->event), format_down(audit::gaussian_epsilon_lower(mu, claim.delta)),
      format_exact(claim.delta));
  return text;
}

// What the verdict rests on: the bound that breaks the claim, if one does.
std::string headline(const AuditReport& report) {
  const audit::Claim& claim = report.claim;
  const double black_box = report.result.epsilon_lower;
  const bool is_gaussian = report.verdict == audit::Verdict::kViolated && !(black_box > claim.epsilon_upper);
  if (is_gaussian && claim.mu_upper)
    return fmt::format("mu >= {}; Gaussian DP with mu <= {} is claimed{}", format_down(report.result.mu_lower),
                       format_up(*claim.mu_upper), share_text(report.result.mu_lower, *claim.mu_upper));
  const double seen = is_gaussian ? audit::gaussian_epsilon_lower(report.result.mu_lower, claim.delta) : black_box;
  return fmt::format("epsilon >= {} at delta = {}{}; epsilon <= {} is claimed{}", format_down(seen),
                     format_exact(claim.delta), is_gaussian ? " as Gaussian DP" : "", format_up(claim.epsilon_upper),
                     share_text(seen, claim.epsilon_upper));
}

Json json_finding(const Finding& finding) {
  Json intervals = Json::array();
  for (const audit::Interval& interval : finding.event.intervals)
    intervals.push_back({json_number(interval.low), json_number(interval.high)});
  const audit::EventCounts& counts = finding.counts;
  return {
      {"likely_on", name(finding.event.likely)},
      {"weights", finding.event.weights},
      {"intervals", intervals},
      {"likely", {{"hits", counts.likely_hits}, {"runs", counts.likely_runs}, {"lower", finding.bounds.likely_lower}}},
      {"rare", {{"hits", counts.rare_hits}, {"runs", counts.rare_runs}, {"upper", finding.bounds.rare_upper}}},
      {"confidence", 1.0 - finding.failure}};
}

}  // namespace

std::string text_audit(const AuditReport& report) {
  std::string text = fmt::format(
      "{}: {}\n\n"
      "  ran         {}{}\n"
      "  claimed by  {}\n",
      name(report.verdict), headline(report), report.subject,
      report.asked.noise_factor == 1.0
          ? ""
          : fmt::format(", with {} times its noise", format_exact(report.asked.noise_factor)),
      report.claimed_by);
  text += finding_text(report.result.black_box, report.event);
  text += fmt::format("  confidence  {}: the share of audits of a true claim that end CONSISTENT, at least\n",
                      format_exact(report.asked.confidence));
  if (report.result.gaussian) text += gaussian_text(report);
  if (report.asked.insecure_seed)
    text += "\nThe runs came from a seed: for tests, the confidence is that of fresh ones.\n";
  return text;
}

std::string json_audit(const AuditReport& report) {
  const audit::Claim& claim = report.claim;
  Json json;
  json["verdict"] = name(report.verdict);
  json["delta"] = claim.delta;
  json["epsilon"] = {{"lower", report.result.epsilon_lower}, {"claimed", json_number(claim.epsilon_upper)}};
  json["claimed_by"] = report.claimed_by;
  json["confidence"] = report.asked.confidence;
  json["runs"] = report.asked.runs;
  json["ran"] = report.subject;
  json["noise_factor"] = report.asked.noise_factor;
  json["event"] = report.event;
  json["black_box"] = json_finding(report.result.black_box);
  if (report.result.gaussian) {
    Json gaussian = json_finding(*report.result.gaussian);
    gaussian["mu"] = {{"lower", report.result.mu_lower}};
    if (claim.mu_upper) gaussian["mu"]["claimed"] = *claim.mu_upper;
    gaussian["epsilon"] = {{"lower", audit::gaussian_epsilon_lower(report.result.mu_lower, claim.delta)}};
    json["gaussian"] = gaussian;
  }
  json["seeded"] = report.asked.insecure_seed.has_value();
  json["version"] = DOEBLIN_VERSION;
  return dumped(json);
}

}  // namespace doeblin::commands
