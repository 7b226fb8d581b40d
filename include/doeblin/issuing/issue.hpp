// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "doeblin/certificate/certificate.hpp"
#include "doeblin/mechanism/pipeline.hpp"

namespace doeblin::certificate {

/// The version of this software, as certificates name it.
[[nodiscard]] std::string_view software_version();

/// What is to be certified: a pipeline with the program that it was made from, and what was asked about it.
struct Subject {
  const pipeline::Pipeline& pipeline;
  language::Program program;
  Settings settings = {};
  std::vector<Claim> claims = {};
};

/// Called with how many points of the curve are done.
using CurveProgress = std::function<void(std::size_t)>;

/// The certificate, with the curve and the hashes of the files that the program names.
[[nodiscard]] Certificate issue(
    Kind kind, const Subject& subject, const CurveProgress& progress = [](std::size_t) {});

/// The files that a program names, with their hashes.
/// Errors   InvalidArgument when one cannot be read
[[nodiscard]] std::vector<Input> inputs_of(const language::Program& program);

/// Where the curve is evaluated: from 0 to twice the largest epsilon that is spoken of, fewer points where one takes
/// long.
[[nodiscard]] std::vector<double> curve_epsilons(const std::vector<Claim>& claims, bool is_costly);

/// Everybody's guarantee, with at most kMostPoints points. Domain: values of all records in increasing order.
[[nodiscard]] PeopleClaim people_claim(bool is_epsilon, double at, const std::vector<ForRecords>& values);

inline constexpr std::size_t kMostPoints = 33;

}  // namespace doeblin::certificate
