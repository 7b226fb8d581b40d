// SPDX-License-Identifier: Apache-2.0
#include "doeblin/issuing/issue.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/certificate/sha256.hpp"
#include "doeblin/language/schema.hpp"

namespace doeblin::certificate {
namespace {

constexpr int kCurvePoints = 12;
constexpr int kCostlyCurvePoints = 8;

bool names_file(const language::Call& call, const std::string& parameter) {
  const language::Schema* const schema = language::find_schema(call.name);
  const language::Parameter* const known = schema != nullptr ? schema->parameter(parameter) : nullptr;
  return known != nullptr && known->type == language::Type::kFile;
}

void add_inputs(const language::Program& program, std::vector<Input>& inputs) {
  for (const language::Program& part : program.parts) add_inputs(part, inputs);
  for (const auto& [parameter, value] : program.call.arguments) {
    const auto* path = std::get_if<std::string>(&value);
    if (!path || path->empty() || !names_file(program.call, parameter)) continue;
    const auto is_same = [&](const Input& input) { return input.path == *path; };
    if (std::none_of(inputs.begin(), inputs.end(), is_same))
      inputs.push_back({*path, sha256_of_file(parameter, *path)});
  }
}

}  // namespace

std::vector<Input> inputs_of(const language::Program& program) {
  std::vector<Input> inputs;
  add_inputs(program, inputs);
  return inputs;
}

std::string_view software_version() { return DOEBLIN_VERSION; }

std::vector<double> curve_epsilons(const std::vector<Claim>& claims, bool is_costly) {
  double largest = 0.0;
  for (const Claim& claim : claims) {
    const double epsilon = claim.is_epsilon ? claim.value.upper() : claim.at;
    if (std::isfinite(epsilon)) largest = std::max(largest, epsilon);
  }
  if (largest == 0.0) largest = 1.0;
  const int count = is_costly ? kCostlyCurvePoints : kCurvePoints;
  const int half = count / 2;
  std::vector<double> epsilons;
  // Whole steps of half the count up to the largest, which is one of them exactly.
  for (int k = 0; k <= count; ++k) epsilons.push_back(largest * (static_cast<double>(k) / half));
  return epsilons;
}

Certificate issue(Kind kind, const Subject& subject, const CurveProgress& progress) {
  const pipeline::Mechanism& mechanism = subject.pipeline.mechanism();
  Certificate certificate{.software_version = std::string(software_version()),
                          .kind = kind,
                          .relation = subject.pipeline.relation(),
                          .claims = subject.claims,
                          .program = subject.program,
                          .settings = subject.settings};
  for (const double epsilon : curve_epsilons(subject.claims, mechanism.profile().traits().costly)) {
    certificate.curve.push_back({epsilon, mechanism.profile().delta(Epsilon(epsilon))});
    progress(certificate.curve.size());
  }
  for (const pipeline::Derived& one : subject.pipeline.steps()) certificate.derivation.push_back(one.step);
  certificate.inputs = inputs_of(subject.program);
  return certificate;
}

PeopleClaim people_claim(bool is_epsilon, double at, const std::vector<ForRecords>& values) {
  ensure(!values.empty(), "a run with records");
  const auto is_better = [](const ForRecords& a, const ForRecords& b) { return a.value.upper() < b.value.upper(); };
  const ForRecords& worst = *std::max_element(values.begin(), values.end(), is_better);
  const ForRecords& best = *std::min_element(values.begin(), values.end(), is_better);
  PeopleClaim people{.is_epsilon = is_epsilon,
                     .at = at,
                     .count = values.back().last,
                     .worst = {worst.last, worst.value},
                     .best = {best.first, best.value}};
  std::vector<const ForRecords*> sorted;
  sorted.reserve(values.size());
  for (const ForRecords& one : values) sorted.push_back(&one);
  std::sort(sorted.begin(), sorted.end(), [&](auto* a, auto* b) { return is_better(*a, *b); });
  double below = 0.0;
  for (const ForRecords* one : sorted) {
    people.median = one->value.upper();
    below += static_cast<double>(one->last - one->first + 1);
    if (2.0 * below >= static_cast<double>(people.count)) break;
  }
  const std::size_t steps = std::min(people.count, kMostPoints) - 1;
  std::size_t group = 0;
  for (std::size_t k = 0; k <= steps; ++k) {
    const std::size_t record =
        1 + (steps == 0 ? 0
                        : static_cast<std::size_t>(std::llround(static_cast<double>(people.count - 1) *
                                                                static_cast<double>(k) / static_cast<double>(steps))));
    while (values[group].last < record) ++group;
    people.points.push_back({record, values[group].value});
  }
  return people;
}

}  // namespace doeblin::certificate
