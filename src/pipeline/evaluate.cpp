// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/evaluate.hpp"

#include <optional>
#include <vector>

#include "doeblin/composition/stages.hpp"
#include "pipeline/parts.hpp"

namespace doeblin::pipeline {
namespace {

Part part_of(const Call& call, const Settings& settings) {
  const AnyMaker maker = maker_of(call.name);
  try {
    return std::visit([&](const auto& one) -> Part { return made(one, call, settings); }, maker);
  } catch (const InvalidArgument& error) {
    throw error.within(call.name);
  }
}

const std::optional<Program>& program_of(const Part& part) {
  const auto* const kernel = std::get_if<Kernel>(&part);
  return kernel != nullptr ? kernel->program : std::get<Stage>(part).program;
}

// What a stage, or the first of several, is called.
std::string name_of(const Part& part) {
  const std::optional<Program>& program = program_of(part);
  if (!program) return "|";
  const Program* first = &*program;
  while (!first->parts.empty()) first = &first->parts[0];
  return first->call.name;
}

Stage stage_of(const Part& part, const Settings& settings) {
  const auto* const kernel = std::get_if<Kernel>(&part);
  return kernel != nullptr ? mixing(*kernel, settings) : std::get<Stage>(part);
}

// Stages in a row, to be used after a source.
Stage in_a_row(const Stage& first, const Stage& second) {
  Stage both{.about = [=](const Neighbours& before) { return second.about(first.about(before)); },
             .apply = [=](const Mechanism& before) { return applied(second, applied(first, before).mechanism); }};
  if (first.program && second.program) both.program = language::piped(*first.program, *second.program);
  return both;
}

}  // namespace

Part piped(Part left, const Part& right, const Settings& settings) {
  if (std::holds_alternative<Pipeline>(right))
    throw InvalidArgument("|: a stage is needed on its right; pipelines compose with '+'");
  try {
    if (auto* pipeline = std::get_if<Pipeline>(&left)) return std::move(*pipeline) | stage_of(right, settings);
    if (std::holds_alternative<Kernel>(left) && std::holds_alternative<Kernel>(right))
      return followed_by(std::get<Kernel>(left), std::get<Kernel>(right));
  } catch (const InvalidArgument& error) {
    throw error.within(name_of(right));
  }
  return in_a_row(stage_of(left, settings), stage_of(right, settings));
}

Part evaluate_part(const Program& program, const Settings& settings) {
  if (program.kind == Program::Kind::kCall) return part_of(program.call, settings);
  if (program.kind == Program::Kind::kPipe) {
    Part result = evaluate_part(program.parts[0], settings);
    for (std::size_t i = 1; i < program.parts.size(); ++i)
      result = piped(std::move(result), evaluate_part(program.parts[i], settings), settings);
    return result;
  }
  std::vector<Pipeline> parts;
  for (const Program& part : program.parts) {
    Part one = evaluate_part(part, settings);
    if (!std::holds_alternative<Pipeline>(one)) throw InvalidArgument("+: pipelines are needed on both sides");
    parts.push_back(std::get<Pipeline>(std::move(one)));
  }
  try {
    return sum(std::move(parts), settings);
  } catch (const InvalidArgument& error) {
    throw error.within("+");
  }
}

Pipeline evaluate(const Program& program, const Settings& settings) {
  Part whole = evaluate_part(program, settings);
  if (auto* pipeline = std::get_if<Pipeline>(&whole)) return std::move(*pipeline);
  throw InvalidArgument(brief_text(program) + ": a stage needs a source before it, as in gaussian(sigma=1) | ...");
}

Kernel evaluate_kernels(const Program& program) {
  Part whole = evaluate_part(program);
  if (auto* kernel = std::get_if<Kernel>(&whole)) return std::move(*kernel);
  throw InvalidArgument(brief_text(program) + ": kernels only are needed, such as k_ary_response(k=4, p=0.7)");
}

Monotone domain_of(const Call& call, std::string_view parameter) {
  const Parameter* const open = language::find_schema(call.name)->parameter(parameter);
  ensure(open != nullptr && open->monotone.has_value(), "the parameter can be solved for");
  const AnyMaker maker = maker_of(call.name);
  const auto& limits = std::visit(
      [](const auto& one) -> const auto& { return one.limits; }, maker);
  if (!limits) return *open->monotone;
  Call lowest = call;
  for (auto& [name, value] : lowest.arguments)
    if (name == parameter) value = open->monotone->low;
  return limits(*open, lowest);
}

}  // namespace doeblin::pipeline
