// SPDX-License-Identifier: Apache-2.0
#include "expression.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "commands/settings.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/issuing/load.hpp"
#include "doeblin/language/plan.hpp"
#include "doeblin/mixing/kernel_file.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "doeblin/profile/finite.hpp"

namespace doeblin::python {
namespace {

using language::Argument;
using language::Object;
using language::Program;
using language::Schema;

// Stands for an argument that calibrate() solves for.
struct Open {};

Settings settings_from(nb::handle accountant, nb::handle width) {
  return commands::settings_of(text_of("accountant", accountant),
                               width.is_none() ? std::nullopt : std::optional(number_of("width", width)));
}

// An argument as Python gives it; `where` is what errors call it.
Argument argument_of(const language::Parameter& parameter, const nb::object& value, const std::string& where) {
  if (nb::isinstance<Open>(value)) {
    if (parameter.is_text()) fail_type(where, value, "a text");
    return language::Hole{};
  }
  if (parameter.is_text()) return text_of(where, value);
  if (parameter.may_change && nb::isinstance<nb::list>(value)) return nb::cast<std::vector<double>>(value);
  return number_of(where, value);
}

// A call with all of its arguments, in the order of the schema.
Expression call(const std::string& name, const nb::tuple& arguments) {
  const Schema* const schema = language::find_schema(name);
  if (schema == nullptr) throw InvalidArgument("name", "'" + printable(name) + "'", "a source or a stage");
  ensure(arguments.size() == schema->parameters.size(), "every argument is there");
  Program program{.call = {.name = name}};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const language::Parameter& parameter = schema->parameters[i];
    program.call.arguments.emplace_back(parameter.name,
                                        argument_of(parameter, arguments[i], name + ": " + parameter.name));
  }
  const std::vector<language::ArgumentPlace> open = holes_of(program);
  if (open.size() > 1)
    throw InvalidArgument(name + ": " + open[0].parameter + " and " + open[1].parameter +
                          " are both open, need one of them");
  if (!open.empty() && !schema->parameter(open[0].parameter)->monotone)
    throw InvalidArgument(open[0].parameter + " of " + name +
                          " cannot be solved for: the guarantee is not monotone in it");
  return Expression(std::move(program));
}

// A call that is given by something in memory.
Expression call_with(const char* name, const char* parameter, Object object,
                     std::vector<std::pair<std::string, Argument>> others) {
  others.emplace_back(parameter, std::move(object));
  return Expression({.call = call_of(*language::find_schema(name), others)});
}

nb::tuple plan(const std::string& path) {
  const language::Plan read = language::read_plan(path, certificate::program_in);
  return nb::make_tuple(read.name, Expression(read.program), read.epsilon, read.delta);
}

std::string size_text(std::size_t rows, std::size_t columns) { return fmt::format("<{} x {} array>", rows, columns); }

FiniteKernel::RowPlace row_place(const std::string& parameter) {
  return [parameter](std::size_t row) { return fmt::format("{}: row {}: ", parameter, row); };
}

Expression kernel_expression(FiniteKernel matrix, const nb::object& steps) {
  const std::string text = size_text(matrix.states(), matrix.outputs());
  return call_with("kernel", "file", Object(std::make_shared<const FiniteKernel>(std::move(matrix)), text),
                   {{"steps", number_of("kernel: steps", steps)}});
}

// Errors that begin with the function's name.
template <typename Work>
Expression within(const char* name, const Work& work) {
  try {
    return work();
  } catch (const InvalidArgument& error) {
    if (std::string_view(error.what()).starts_with(name)) throw;
    throw error.within(name);
  }
}

Expression dense_kernel(const Doubles& values, const nb::object& steps) {
  const std::size_t rows = values.shape(0);
  const std::size_t columns = values.shape(1);
  require(rows * columns <= FiniteKernel::kMostDense, "kernel: entries", static_cast<double>(rows * columns),
          "at most 2^26 of a dense array");
  std::vector<double> copy(values.data(), values.data() + values.size());
  return kernel_expression(FiniteKernel::dense(rows, columns, std::move(copy), row_place("kernel")), steps);
}

using Indices = nb::ndarray<const std::int64_t, nb::c_contig, nb::device::cpu, nb::ndim<1>>;

Expression sparse_kernel(std::size_t rows, std::size_t columns, const Indices& row, const Indices& column,
                         const Doubles& values, const nb::object& steps) {
  require(values.size() <= FiniteKernel::kMostSparse, "kernel: entries", static_cast<double>(values.size()),
          "at most 5e7 of a sparse array");
  require(rows <= UINT32_MAX && columns <= UINT32_MAX, "kernel: states", static_cast<double>(rows),
          "less than 2^32 states");
  ensure(row.size() == values.size() && column.size() == values.size(), "as many indices as values");
  std::vector<FiniteKernel::Entry> entries;
  entries.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    entries.push_back(
        {static_cast<std::uint32_t>(row.data()[i]), static_cast<std::uint32_t>(column.data()[i]), values.data()[i]});
  return kernel_expression(FiniteKernel::sparse(rows, columns, std::move(entries), row_place("kernel")), steps);
}

Expression walk(const Doubles& edges, const nb::object& laziness, const nb::object& steps) {
  const std::size_t width = edges.shape(1);
  double largest = -1.0;
  std::vector<Edge> list;
  for (std::size_t i = 0; i < edges.shape(0); ++i) {
    const double* const edge = edges.data() + i * width;
    for (int end = 0; end < 2; ++end)
      require_whole("lazy_walk: node", edge[end], 0.0, 0x1p31 - 1.0, "a whole number from 0");
    largest = std::max({largest, edge[0], edge[1]});
    list.push_back(
        {static_cast<std::uint32_t>(edge[0]), static_cast<std::uint32_t>(edge[1]), width == 3 ? edge[2] : 1.0});
  }
  const std::string text = fmt::format("<{} edges>", list.size());
  io::Graph graph{static_cast<std::size_t>(largest + 1.0), std::move(list)};
  return call_with(
      "lazy_walk", "file", Object(std::make_shared<const io::Graph>(std::move(graph)), text),
      {{"laziness", number_of("lazy_walk: laziness", laziness)}, {"steps", number_of("lazy_walk: steps", steps)}});
}

Expression finite(const Doubles& values, const std::optional<Indices>& first, const std::optional<Indices>& second) {
  const std::size_t rows = values.shape(0);
  const std::size_t columns = values.shape(1);
  std::vector<std::vector<double>> matrix;
  for (std::size_t i = 0; i < rows; ++i)
    matrix.emplace_back(values.data() + i * columns, values.data() + (i + 1) * columns);
  std::vector<FiniteMechanism::Pair> pairs;
  if (first)
    for (std::size_t i = 0; i < first->size(); ++i) {
      for (const std::int64_t row : {first->data()[i], second->data()[i]})
        require(row >= 0 && row < static_cast<std::int64_t>(rows), "finite: adjacency", static_cast<double>(row),
                "a row of the array, from 0");
      pairs.emplace_back(first->data()[i], second->data()[i]);
    }
  // One evaluation visits every pair and output.
  const double terms = (first ? static_cast<double>(pairs.size()) : 0.5 * static_cast<double>(rows * (rows - 1))) *
                       static_cast<double>(columns);
  require(terms <= 2e7, "finite: rows", static_cast<double>(rows), "fewer rows, or fewer neighbours (adjacency)");
  return call_with("finite", "file",
                   Object(std::make_shared<const FiniteMechanism>(matrix, pairs), size_text(rows, columns)), {});
}

SteepnessShape::Bend bend_of(const std::string& name) {
  if (name == "decreasing") return SteepnessShape::Bend::kDecreasing;
  if (name == "convex") return SteepnessShape::Bend::kConvex;
  if (name == "log_convex") return SteepnessShape::Bend::kLogConvex;
  throw InvalidArgument("diffusion: bend", "'" + printable(name) + "'", "decreasing, convex or log_convex");
}

// A Python function that may be copied, called and forgotten without holding the interpreter's lock.
std::function<double(double)> unlocked(const nb::callable& function, const char* parameter) {
  const std::shared_ptr<nb::callable> shared(new nb::callable(function), [](nb::callable* last) {
    const nb::gil_scoped_acquire lock;
    delete last;
  });
  return [shared, parameter](double at) {
    const nb::gil_scoped_acquire lock;
    return number_of(parameter, (*shared)(at));
  };
}

Expression diffusion(const nb::callable& kappa, const nb::object& time, const nb::object& bend, const nb::object& rate,
                     const nb::object& power, const nb::object& relative_error, const nb::object& relative_width) {
  // The expression language has no words for it, and so no schema.
  const auto process = std::make_shared<const pipeline::GeneralDiffusion>(pipeline::GeneralDiffusion{
      .kappa = steepness_of(unlocked(kappa, "kappa"), number_of("relative_error", relative_error)),
      .shape = {.bend = bend_of(text_of("bend", bend)),
                .rate = number_of("rate", rate),
                .power = number_of("power", power)},
      .options = {.relative_width = number_of("relative_width", relative_width)}});
  return Expression({.call = {.name = "diffusion",
                              .arguments = {{"kappa", Object(process, "<function>")},
                                            {"time", number_of("diffusion: time", time)}}}});
}

nb::list definitions() {
  nb::list all;
  for (const Schema& schema : language::schemas()) {
    nb::list parameters;
    for (const language::Parameter& parameter : schema.parameters) {
      nb::object standard = nb::none();
      if (parameter.standard)
        standard = parameter.is_text() ? nb::cast(std::get<std::string>(*parameter.standard))
                                       : nb::cast(std::get<double>(*parameter.standard));
      nb::dict one;
      one["name"] = parameter.name;
      one["meaning"] = parameter.meaning;
      one["required"] = !parameter.standard.has_value();
      one["default"] = standard;
      one["is_text"] = parameter.is_text();
      one["type"] = std::string(language::name(parameter.type));
      one["choices"] = parameter.choices;
      one["may_change"] = parameter.may_change;
      one["can_be_solved_for"] = parameter.monotone.has_value();
      one["low"] = parameter.monotone ? nb::cast(parameter.monotone->low) : nb::none();
      one["high"] = parameter.monotone ? nb::cast(parameter.monotone->high) : nb::none();
      parameters.append(one);
    }
    nb::dict one;
    one["name"] = schema.name;
    one["kind"] = schema.is_source() ? "source" : schema.is_kernel() ? "kernel" : "stage";
    one["summary"] = schema.summary;
    one["example"] = schema.example;
    one["signature"] = schema.signature();
    one["parameters"] = parameters;
    all.append(one);
  }
  return all;
}

}  // namespace

namespace {

// What `under` can change.
bool is_same(const Settings& a, const Settings& b) {
  return a.accountant == b.accountant && a.goal.epsilon_width == b.goal.epsilon_width &&
         a.goal.epsilon_relative_width == b.goal.epsilon_relative_width &&
         a.goal.large_epsilon == b.goal.large_epsilon && a.goal.delta_width == b.goal.delta_width;
}

bool is_usual(const Settings& settings) { return is_same(settings, {}); }

// A program as plain values: (name, ((parameter, value), ...)), or ("|" or "+", parts).
nb::object values_of(const Program& program) {
  nb::list parts;
  if (program.kind != Program::Kind::kCall) {
    for (const Program& part : program.parts) parts.append(values_of(part));
    return nb::make_tuple(program.kind == Program::Kind::kPipe ? "|" : "+", nb::tuple(parts));
  }
  for (const auto& [name, value] : program.call.arguments) {
    if (std::holds_alternative<Object>(value))
      throw InvalidArgument(brief_text(program.call) +
                            ": the expression language has no words for it; use a file instead");
    const auto* const number = std::get_if<double>(&value);
    const auto* const text = std::get_if<std::string>(&value);
    const auto* const list = std::get_if<std::vector<double>>(&value);
    parts.append(nb::make_tuple(name, number != nullptr ? nb::cast(*number)
                                      : text != nullptr ? nb::cast(*text)
                                      : list != nullptr ? nb::cast(*list)
                                                        : nb::none()));
  }
  return nb::make_tuple(program.call.name, nb::tuple(parts));
}

Program program_from(const nb::tuple& values) {
  const auto name = nb::cast<std::string>(values[0]);
  const auto parts = nb::cast<nb::tuple>(values[1]);
  Program program;
  if (name == "|" || name == "+") {
    program.kind = name == "|" ? Program::Kind::kPipe : Program::Kind::kSum;
    for (const nb::handle part : parts) program.parts.push_back(program_from(nb::cast<nb::tuple>(part)));
    return program;
  }
  program.call.name = name;
  for (const nb::handle part : parts) {
    const auto argument = nb::cast<nb::tuple>(part);
    const nb::object value = argument[1];
    program.call.arguments.emplace_back(nb::cast<std::string>(argument[0]),
                                        value.is_none()                  ? Argument(language::Hole{})
                                        : nb::isinstance<nb::str>(value) ? Argument(nb::cast<std::string>(value))
                                        : nb::isinstance<nb::list>(value)
                                            ? Argument(nb::cast<std::vector<double>>(value))
                                            : Argument(nb::cast<double>(value)));
  }
  return program;
}

// Everything that makes it again: the program and the settings.
nb::tuple state_of(const Expression& self) {
  const Settings& settings = self.settings();
  return nb::make_tuple(values_of(self.program()), static_cast<int>(settings.accountant), settings.goal.epsilon_width,
                        settings.goal.epsilon_relative_width, settings.goal.large_epsilon, settings.goal.delta_width);
}

Expression restored(const nb::tuple& program, int accountant, double epsilon_width, double epsilon_relative_width,
                    double large_epsilon, double delta_width) {
  Settings settings;
  settings.accountant = static_cast<Accountant>(accountant);
  settings.goal = {epsilon_width, epsilon_relative_width, large_epsilon, delta_width};
  return Expression(program_from(program), settings);
}

}  // namespace

Expression::Expression(Program program, const Settings& settings) : program_(std::move(program)), settings_(settings) {
  if (holes_of(program_).empty()) part_ = pipeline::evaluate_part(program_, settings_);
}

Expression::Expression(Program program, const Settings& settings, pipeline::Part part)
    : program_(std::move(program)), settings_(settings), part_(std::move(part)) {}

std::string Expression::text() const { return has_words(program_) ? text_of(program_) : brief_text(program_); }

bool Expression::is_kernel() const { return part_ && std::holds_alternative<pipeline::Kernel>(*part_); }
bool Expression::is_pipeline() const { return part_ && std::holds_alternative<pipeline::Pipeline>(*part_); }

const pipeline::Pipeline& Expression::pipeline() const {
  if (!part_) throw InvalidArgument(text() + ": an argument is open, which is for calibrate");
  if (const auto* found = std::get_if<pipeline::Pipeline>(&*part_)) return *found;
  throw InvalidArgument(text() + ": a stage needs a source before it, as in gaussian(sigma=1) | ...");
}

const pipeline::Kernel& Expression::kernel() const {
  if (!is_kernel()) throw InvalidArgument(text() + ": kernels only are needed, such as k_ary_response(k=4, p=0.7)");
  return std::get<pipeline::Kernel>(*part_);
}

Expression Expression::operator|(const Expression& stage) const {
  Program both = piped(program_, stage.program_);
  // Several stages at once are applied one after another. A stage was made under the usual settings.
  if (!part_ || !stage.part_ || stage.program_.kind == Program::Kind::kPipe || !is_usual(settings_))
    return Expression(std::move(both), settings_);
  return Expression(std::move(both), settings_, pipeline::piped(*part_, *stage.part_, settings_));
}

Expression Expression::operator+(const Expression& other) const {
  if (!is_usual(settings_) && !is_usual(other.settings_) && !is_same(settings_, other.settings_))
    throw InvalidArgument("+: the two sides are analysed in different ways, need (a + b).under(...)");
  return Expression(added(program_, other.program_), is_usual(settings_) ? other.settings_ : settings_);
}

void bind_expressions(nb::module_& module) {
  // It can be an argument and nothing else: a text of it would be rubbish.
  const auto no_text = [](const Open&) -> std::string { throw nb::type_error("the number is not known yet"); };
  nb::class_<Open>(module, "Open")
      .def(nb::init<>())
      .def("__str__", no_text)
      .def("__format__", [no_text](const Open& self, nb::handle) { return no_text(self); });
  nb::class_<Expression> expression(module, "Expression");
  expression.def("__or__", &Expression::operator|)
      .def("__add__", &Expression::operator+)
      .def_prop_ro("text", &Expression::text)
      .def_prop_ro("program", [](const Expression& self) { return language::text_of(self.program()); })
      .def_prop_ro("state", &state_of)
      .def_prop_ro("is_open", &Expression::is_open)
      .def_prop_ro("is_kernel", &Expression::is_kernel)
      .def_prop_ro("is_pipeline", &Expression::is_pipeline)
      .def_prop_ro("relation", [](const Expression& self) { return std::string(name(self.pipeline().relation())); })
      .def_prop_ro("whose", [](const Expression& self) { return whose_data(self.pipeline().neighbours()); })
      .def(
          "under",
          [](const Expression& self, nb::handle accountant, nb::handle width) {
            return self.under(settings_from(accountant, width));
          },
          nb::arg().none(), nb::arg().none())
      .def(
          "as_calibrated",
          [](const Expression& self, nb::handle accountant, nb::handle width) {
            // As narrow as it was when the target was found to be met.
            Settings settings = settings_from(accountant, width);
            settings.goal.delta_width = std::min(settings.goal.delta_width, pipeline::CalibrationSearch{}.delta_width);
            return self.under(settings);
          },
          nb::arg().none(), nb::arg().none());
  bind_queries(expression);
  bind_reports(module, expression);

  // None gets as far as the error that names the parameter.
  const auto any = [] { return nb::arg().none(); };
  module.def("call", &call);
  module.def("parse",
             [](const Text& text) { return Expression(language::parse(text.bytes, certificate::program_in)); });
  module.def("load", [](const std::string& path) { return Expression(certificate::program_in(path)); });
  module.def("parse_kernel", [](const Text& text) { return Expression(language::parse_kernels(text.bytes)); });
  module.def("restored", &restored);
  module.def("plan", [](const Text& path) { return plan(path.bytes); });
  module.def(
      "dense_kernel",
      [](const Doubles& values, const nb::object& steps) {
        return within("kernel", [&] { return dense_kernel(values, steps); });
      },
      nb::arg(), any());
  module.def(
      "sparse_kernel",
      [](std::size_t rows, std::size_t columns, const Indices& row, const Indices& column, const Doubles& values,
         const nb::object& steps) {
        return within("kernel", [&] { return sparse_kernel(rows, columns, row, column, values, steps); });
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), any());
  module.def(
      "walk",
      [](const Doubles& edges, const nb::object& laziness, const nb::object& steps) {
        return within("lazy_walk", [&] { return walk(edges, laziness, steps); });
      },
      nb::arg(), any(), any());
  module.def(
      "finite",
      [](const Doubles& values, const std::optional<Indices>& first, const std::optional<Indices>& second) {
        return within("finite", [&] { return finite(values, first, second); });
      },
      nb::arg(), any(), any());
  module.def("diffusion", &diffusion, nb::arg(), any(), any(), any(), any(), any(), any());
  module.def("definitions", &definitions);
}

}  // namespace doeblin::python
