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
#include "doeblin/pipeline/expression.hpp"
#include "doeblin/pipeline/plan.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "doeblin/profile/finite.hpp"

namespace doeblin::python {
namespace {

using pipeline::Call;
using pipeline::Definition;

// Stands for an argument that calibrate() solves for.
struct Open {};

// Lists by name, or None.
std::shared_ptr<const pipeline::Schedule> schedule_of(const nb::object& given) {
  if (given.is_none()) return nullptr;
  const nb::dict lists = nb::cast<nb::dict>(given);
  auto constants = std::make_shared<pipeline::Schedule>();
  const auto list = [&](const char* key, std::vector<double>& values) {
    if (lists.contains(key)) values = nb::cast<std::vector<double>>(lists[key]);
  };
  list("learning_rate", constants->learning_rate);
  list("sigma", constants->sigma);
  list("lipschitz", constants->lipschitz);
  list("batch", constants->batch);
  return constants;
}

pipeline::Settings settings_from(nb::handle accountant, nb::handle width) {
  return commands::settings_of(text_of("accountant", accountant),
                               width.is_none() ? std::nullopt : std::optional(number_of("width", width)));
}

// A call with all of its arguments, in the order of the definition.
Expression call(const std::string& name, const nb::tuple& arguments, const nb::object& schedule) {
  const Definition* const definition = pipeline::find_definition(name);
  if (definition == nullptr) throw InvalidArgument("name", "'" + printable(name) + "'", "a source or a stage");
  ensure(arguments.size() == definition->parameters.size(), "every argument is there");
  Call built{.name = name};
  std::string open;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const pipeline::Parameter& parameter = definition->parameters[i];
    const nb::object value = arguments[i];
    const std::string where = name + ": " + parameter.name;
    if (nb::isinstance<Open>(value)) {
      if (parameter.is_text) fail_type(where, value, "a text");
      if (!open.empty())
        throw InvalidArgument(name + ": " + open + " and " + parameter.name + " are both open, need one of them");
      open = parameter.name;
      built.arguments.emplace_back(parameter.name, parameter.monotone ? parameter.monotone->low : 0.0);
    } else if (parameter.is_text) {
      built.arguments.emplace_back(parameter.name, text_of(where, value));
    } else {
      built.arguments.emplace_back(parameter.name, number_of(where, value));
    }
  }
  return Expression(Term::call(std::move(built), schedule_of(schedule), open));
}

// The words of a program as terms.
SharedTerm term_of(const pipeline::Program& program, const std::shared_ptr<const pipeline::Schedule>& schedule) {
  if (program.kind == pipeline::Program::Kind::kCall)
    return Term::call(program.call, program.call.name == "noisy_sgd" ? schedule : nullptr);
  SharedTerm term = term_of(program.parts[0], schedule);
  for (std::size_t i = 1; i < program.parts.size(); ++i) {
    const SharedTerm part = term_of(program.parts[i], schedule);
    term = program.kind == pipeline::Program::Kind::kSum ? Term::sum(term, part) : Term::pipe(term, part);
  }
  return term;
}

Expression parsed_stage(const std::string& text) { return Expression(term_of(pipeline::program_of(text), nullptr)); }

Expression parsed(const std::string& text) {
  // The parser knows the column of a mistake.
  static_cast<void>(pipeline::parse(text));
  return parsed_stage(text);
}

Expression parsed_kernel(const std::string& text) {
  static_cast<void>(pipeline::parse_kernel(text));
  return parsed_stage(text);
}

nb::tuple plan(const std::string& path) {
  const pipeline::Plan read = pipeline::read_plan(path);
  return nb::make_tuple(read.name, Expression(term_of(pipeline::program_of(read.expression), read.schedule)),
                        read.epsilon, read.delta);
}

std::string size_text(std::size_t rows, std::size_t columns) { return fmt::format("<{} x {} array>", rows, columns); }

FiniteKernel::RowPlace row_place(const std::string& parameter) {
  return [parameter](std::size_t row) { return fmt::format("{}: row {}: ", parameter, row); };
}

Expression kernel_expression(FiniteKernel matrix, const std::string& name, double steps) {
  const std::string text = fmt::format("{}, steps={})", name, steps);
  const pipeline::Kernel kernel = pipeline::kernel(matrix, text, steps);
  return Expression(Term::unwritten(text, [kernel]() -> Made { return kernel; }));
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
  return kernel_expression(FiniteKernel::dense(rows, columns, std::move(copy), row_place("kernel")),
                           "kernel(" + size_text(rows, columns), number_of("kernel: steps", steps));
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
  return kernel_expression(FiniteKernel::sparse(rows, columns, std::move(entries), row_place("kernel")),
                           "kernel(" + size_text(rows, columns), number_of("kernel: steps", steps));
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
  const double lazy = number_of("lazy_walk: laziness", laziness);
  return kernel_expression(doeblin::lazy_walk(static_cast<std::size_t>(largest + 1.0), list, lazy),
                           fmt::format("lazy_walk(<{} edges>, laziness={}", list.size(), lazy),
                           number_of("lazy_walk: steps", steps));
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
  const std::string text = "finite(" + size_text(rows, columns) + ")";
  const pipeline::Pipeline made = pipeline::finite(FiniteMechanism(matrix, pairs), text);
  return Expression(Term::unwritten(text, [made]() -> Made { return made; }));
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
  const double now = number_of("diffusion: time", time);
  const pipeline::Pipeline made = [&] {
    try {
      return pipeline::diffusion(
          steepness_of(unlocked(kappa, "kappa"), number_of("relative_error", relative_error)), now,
          {.bend = bend_of(text_of("bend", bend)), .rate = number_of("rate", rate), .power = number_of("power", power)},
          {.relative_width = number_of("relative_width", relative_width)});
    } catch (const InvalidArgument& error) {
      throw error.within("diffusion");
    }
  }();
  return Expression(
      Term::unwritten(fmt::format("diffusion(<function>, time={})", now), [made]() -> Made { return made; }));
}

nb::list definitions() {
  nb::list all;
  for (const Definition& definition : pipeline::definitions()) {
    nb::list parameters;
    for (const pipeline::Parameter& parameter : definition.parameters) {
      nb::object standard = nb::none();
      if (parameter.standard)
        standard = parameter.is_text ? nb::cast(std::get<std::string>(*parameter.standard))
                                     : nb::cast(std::get<double>(*parameter.standard));
      nb::dict one;
      one["name"] = parameter.name;
      one["meaning"] = parameter.meaning;
      one["required"] = !parameter.standard.has_value();
      one["default"] = standard;
      one["is_text"] = parameter.is_text;
      one["can_be_solved_for"] = parameter.monotone.has_value();
      parameters.append(one);
    }
    nb::dict one;
    one["name"] = definition.name;
    one["kind"] = definition.is_source() ? "source" : definition.is_kernel() ? "kernel" : "stage";
    one["summary"] = definition.summary;
    one["example"] = definition.example;
    one["signature"] = definition.signature();
    one["parameters"] = parameters;
    all.append(one);
  }
  return all;
}

}  // namespace

namespace {

// What `under` can change.
bool is_same(const pipeline::Settings& a, const pipeline::Settings& b) {
  return a.accountant == b.accountant && a.goal.epsilon_width == b.goal.epsilon_width &&
         a.goal.epsilon_relative_width == b.goal.epsilon_relative_width &&
         a.goal.large_epsilon == b.goal.large_epsilon && a.goal.delta_width == b.goal.delta_width;
}

bool is_usual(const pipeline::Settings& settings) { return is_same(settings, {}); }

// Everything that makes it again: the program, the arrays of its run, and the settings.
nb::tuple state_of(const Expression& self) {
  const pipeline::Settings settings = self.settings_of_program();
  nb::object lists = nb::none();
  if (settings.schedule) {
    nb::dict all;
    const pipeline::Schedule& schedule = *settings.schedule;
    const std::pair<const char*, const std::vector<double>*> named[] = {{"learning_rate", &schedule.learning_rate},
                                                                        {"sigma", &schedule.sigma},
                                                                        {"lipschitz", &schedule.lipschitz},
                                                                        {"batch", &schedule.batch}};
    for (const auto& [name, values] : named)
      if (!values->empty()) all[name] = *values;
    lists = all;
  }
  return nb::make_tuple(pipeline::text_of(self.program()), lists, static_cast<int>(settings.accountant),
                        settings.goal.epsilon_width, settings.goal.epsilon_relative_width, settings.goal.large_epsilon,
                        settings.goal.delta_width);
}

Expression restored(const Text& program, const nb::object& lists, int accountant, double epsilon_width,
                    double epsilon_relative_width, double large_epsilon, double delta_width) {
  pipeline::Settings settings;
  settings.accountant = static_cast<pipeline::Accountant>(accountant);
  settings.goal = {epsilon_width, epsilon_relative_width, large_epsilon, delta_width};
  return Expression(term_of(pipeline::program_of(program.bytes), schedule_of(lists)), settings);
}

}  // namespace

Expression::Expression(SharedTerm term, const pipeline::Settings& settings)
    : term_(std::move(term)), settings_(settings) {
  if (!term_->is_open()) made_ = term_->evaluated(settings_);
}

Expression::Expression(SharedTerm term, const pipeline::Settings& settings, Made made)
    : term_(std::move(term)), settings_(settings), made_(std::move(made)) {}

bool Expression::is_kernel() const { return made_ && std::holds_alternative<pipeline::Kernel>(*made_); }
bool Expression::is_pipeline() const { return made_ && std::holds_alternative<pipeline::Pipeline>(*made_); }

const pipeline::Pipeline& Expression::pipeline() const {
  if (!made_) throw InvalidArgument(text() + ": an argument is open, which is for calibrate");
  if (const auto* found = std::get_if<pipeline::Pipeline>(&*made_)) return *found;
  throw InvalidArgument(text() + ": a stage needs a source before it, as in gaussian(sigma=1) | ...");
}

const pipeline::Kernel& Expression::kernel() const {
  if (!is_kernel()) throw InvalidArgument(text() + ": kernels only are needed, such as k_ary_response(k=4, p=0.7)");
  return std::get<pipeline::Kernel>(*made_);
}

Expression Expression::operator|(const Expression& stage) const {
  SharedTerm both = Term::pipe(term_, stage.term_);
  // Several stages at once are applied one after another. A stage was made under the usual settings.
  if (!made_ || !stage.made_ || stage.term_->is_chain() || !is_usual(settings_))
    return Expression(std::move(both), settings_);
  return Expression(std::move(both), settings_, piped(*made_, *stage.made_, settings_));
}

Expression Expression::operator+(const Expression& other) const {
  if (!is_usual(settings_) && !is_usual(other.settings_) && !is_same(settings_, other.settings_))
    throw InvalidArgument("+: the two sides are analysed in different ways, need (a + b).under(...)");
  return Expression(Term::sum(term_, other.term_), is_usual(settings_) ? other.settings_ : settings_);
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
      .def_prop_ro(
          "program",
          [](const Expression& self) {
            if (self.settings_of_program().schedule)
              throw InvalidArgument("noisy_sgd: arrays of constants, which the expression language has no words for");
            return pipeline::text_of(self.program());
          })
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
            pipeline::Settings settings = settings_from(accountant, width);
            settings.goal.delta_width = std::min(settings.goal.delta_width, pipeline::CalibrationSearch{}.delta_width);
            return self.under(settings);
          },
          nb::arg().none(), nb::arg().none());
  bind_queries(expression);
  bind_reports(module, expression);

  // None gets as far as the error that names the parameter.
  const auto any = [] { return nb::arg().none(); };
  module.def("call", &call, nb::arg(), nb::arg(), any());
  module.def("parse", [](const Text& text) { return parsed(text.bytes); });
  module.def("parse_kernel", [](const Text& text) { return parsed_kernel(text.bytes); });
  module.def("restored", &restored, nb::arg(), any(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg());
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
