// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/whole.hpp"
#include "doeblin/diffusion/grid_release.hpp"

namespace doeblin::pipeline {

using language::Call;
using language::Program;

namespace {

constexpr const char* kGaussianCall = "grid_gaussian";
constexpr const char* kLaplaceCall = "grid_laplace";
constexpr std::size_t kColumnArguments = 4;
constexpr std::size_t kStepArguments = 3;
constexpr std::size_t kLongestPath = 10'000;

Program column_program(const GridColumn& column, const char* name, std::size_t number) {
  Program program{.call = {.name = name}};
  auto& arguments = program.call.arguments;
  arguments = {{"exponent", static_cast<double>(column.exponent)},
               {"sensitivity", column.sensitivity},
               {"attained", column.attained},
               {"cells", column.cells}};
  for (std::size_t i = 1; i <= number; ++i) {
    const GridTransition& step = column.path[i - 1];
    arguments.emplace_back(fmt::format("multiplier_{}", i), step.multiplier);
    arguments.emplace_back(fmt::format("noise_{}", i), step.noise);
    arguments.emplace_back(fmt::format("published_{}", i), step.published);
  }
  return program;
}

[[noreturn]] void fail() {
  throw InvalidArgument("program: not a release, need grid_gaussian(...) or grid_laplace(...) for each column");
}

// The number at a place, which must have this name.
double argument(const Call& call, std::size_t place, const std::string& name) {
  const auto& [found, value] = call.arguments[place];
  const auto* number = std::get_if<double>(&value);
  if (found != name || !number) fail();
  return *number;
}

GridColumn column_of(const Call& call, std::size_t number) {
  GridColumn column{.exponent = 0,
                    .sensitivity = argument(call, 1, "sensitivity"),
                    .attained = argument(call, 2, "attained"),
                    .cells = argument(call, 3, "cells"),
                    .path = {}};
  const double exponent = argument(call, 0, "exponent");
  const bool is_valid = is_whole(exponent, -2000.0, 2000.0) && column.cells >= 1.0 && column.attained >= 0.0 &&
                        column.sensitivity >= column.attained && std::isfinite(column.sensitivity);
  if (!is_valid) fail();
  column.exponent = static_cast<int>(exponent);
  for (std::size_t i = 1; i <= number; ++i) {
    const std::size_t place = kColumnArguments + (i - 1) * kStepArguments;
    column.path.push_back({.multiplier = argument(call, place, fmt::format("multiplier_{}", i)),
                           .noise = argument(call, place + 1, fmt::format("noise_{}", i)),
                           .published = argument(call, place + 2, fmt::format("published_{}", i))});
    const GridTransition& step = column.path.back();
    if (!(step.multiplier > 0.0 && step.multiplier <= 1.0 && step.noise >= 0x1p7 && std::isfinite(step.noise) &&
          step.published >= 1.0))
      fail();
  }
  return column;
}

}  // namespace

Program program_of(const GridRelease& release, std::size_t number) {
  const char* name = release.law == LatticeLaw::kGaussian ? kGaussianCall : kLaplaceCall;
  if (release.columns.size() == 1) return column_program(release.columns[0], name, number);
  Program program{.kind = Program::Kind::kSum};
  for (const GridColumn& column : release.columns) program.parts.push_back(column_program(column, name, number));
  return program;
}

GridQuestion grid_release_of(const Program& program) {
  if (program.kind == Program::Kind::kPipe) fail();
  const std::vector<Program> columns =
      program.kind == Program::Kind::kSum ? program.parts : std::vector<Program>{program};
  const std::string& name = columns[0].call.name;
  const std::size_t length = columns[0].call.arguments.size();
  if ((name != kGaussianCall && name != kLaplaceCall) || length < kColumnArguments + kStepArguments ||
      (length - kColumnArguments) % kStepArguments != 0)
    fail();
  GridQuestion question{{.law = name == kGaussianCall ? LatticeLaw::kGaussian : LatticeLaw::kLaplace, .columns = {}},
                        (length - kColumnArguments) / kStepArguments};
  if (question.number > kLongestPath) fail();
  for (const Program& column : columns) {
    if (column.kind != Program::Kind::kCall || column.call.name != name || column.call.arguments.size() != length)
      fail();
    question.release.columns.push_back(column_of(column.call, question.number));
    const GridTransition& first = question.release.columns.back().path[0];
    if (name == kLaplaceCall && (question.number != 1 || first.multiplier != 1.0)) fail();
  }
  return question;
}

}  // namespace doeblin::pipeline
