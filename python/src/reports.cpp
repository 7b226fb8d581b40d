// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "commands/certificate_output.hpp"
#include "commands/comparison_report.hpp"
#include "commands/diffusion_report.hpp"
#include "commands/json_output.hpp"
#include "commands/mix_report.hpp"
#include "commands/people_report.hpp"
#include "commands/progress.hpp"
#include "commands/report_page.hpp"
#include "commands/settings.hpp"
#include "commands/text_output.hpp"
#include "commands/verification.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/issuing/load.hpp"
#include "doeblin/pipeline/diffusion_calibration.hpp"
#include "expression.hpp"
#include "interrupt.hpp"

namespace doeblin::python {
namespace {

using pipeline::Quantity;
using pipeline::Question;

// What a command prints: as JSON, and for people.
nb::tuple printed(const std::string& json, const std::string& text) { return nb::make_tuple(json, text); }

std::vector<Question> questions(const Options& options) {
  std::vector<Question> asked;
  for (const double delta : options.numbers("delta")) asked.push_back({Quantity::kEpsilon, delta});
  for (const double epsilon : options.numbers("epsilon")) asked.push_back({Quantity::kDelta, epsilon});
  for (const double alpha : options.numbers("alpha")) asked.push_back({Quantity::kRdp, alpha});
  for (const Question& question : asked) question.validate();
  return asked;
}

commands::Report report_of(const Expression& self, const std::vector<Question>& asked) {
  commands::Report report{self.written(), self.pipeline(), {}};
  commands::Progress progress(asked.size());
  for (const Question& question : asked) {
    report.answers.push_back(answer(report.pipeline.mechanism(), question, self.settings().goal));
    progress.finished(report.answers.size());
  }
  return report;
}

nb::tuple explain(const Expression& self, const nb::dict& values) {
  const std::vector<Question> asked = questions(Options(values));
  std::string json, text;
  {
    const nb::gil_scoped_release unlocked;
    const commands::Report report = report_of(self, asked);
    json = commands::json_explanation(report);
    text = commands::text_explanation(report);
  }
  return printed(json, text);
}

nb::tuple compare(const Expression& self, const nb::dict& values) {
  const std::vector<Question> asked = questions(Options(values));
  static_cast<void>(self.pipeline());
  std::string json, text;
  {
    const nb::gil_scoped_release unlocked;
    const pipeline::Comparison compared =
        commands::comparison_report(self.written(), self.settings(), asked.at(0), throw_if_interrupted);
    json = commands::json_comparison(compared);
    text = commands::text_comparison(compared);
  }
  return printed(json, text);
}

// (json, text, first record, last record, lower, upper): one entry for each range of records that are alike.
nb::tuple people(const Expression& self, const nb::dict& values) {
  const std::vector<Question> asked = questions(Options(values));
  std::string json, text, svg;
  std::vector<std::uint64_t> first, last;
  std::vector<double> lower, upper;
  {
    const nb::gil_scoped_release unlocked;
    const commands::PeopleReport report = commands::people_report(self.written(), self.pipeline(), asked);
    json = json_people(report);
    text = text_people(report);
    svg = people_svg(report);
    for (const ForRecords& some : report.answers.at(0).values) {
      first.push_back(some.first), last.push_back(some.last);
      lower.push_back(some.value.lower()), upper.push_back(some.value.upper());
    }
  }
  return nb::make_tuple(json, text, svg, first, last, lower, upper);
}

// The certificate as text.
std::string certificate(const Expression& self, const nb::dict& values, bool is_about_people) {
  const std::vector<Question> asked = questions(Options(values));
  // About the files as they are now.
  const Expression fresh(self.program(), self.settings());
  const nb::gil_scoped_release unlocked;
  if (is_about_people)
    return certificate::text_of(
        certificate_of(commands::people_report(fresh.written(), fresh.pipeline(), asked), fresh.settings()));
  return certificate::text_of(certificate_of(report_of(fresh, asked), fresh.settings()));
}

pipeline::Calibrated solved(const pipeline::Unknown& unknown, const pipeline::Target& target, const Settings& settings,
                            const pipeline::CalibrationSearch& search) {
  commands::Progress progress(0, "evaluations");
  return pipeline::calibrate(
      unknown, target, settings,
      [&](int done) {
        throw_if_interrupted();
        progress.finished(static_cast<std::size_t>(done));
      },
      search);
}

// (json, text, value).
nb::tuple calibrate(const commands::Expression& expression, const pipeline::Unknown& unknown, const Options& options) {
  const pipeline::Target target{options.number("epsilon").value(), options.number("delta").value()};
  const Settings settings = commands::settings_of(options.text("accountant", "auto"), options.number("width"));
  const pipeline::CalibrationSearch search{.guess = options.number("guess", 1.0)};
  std::string json, text;
  double value = 0.0;
  {
    const nb::gil_scoped_release unlocked;
    const commands::CalibrationReport report{expression, unknown, target, solved(unknown, target, settings, search)};
    json = commands::json_calibration(report);
    text = commands::text_calibration(report);
    value = report.found.value;
  }
  return nb::make_tuple(json, text, value);
}

nb::tuple calibrate_expression(const Expression& self, const nb::dict& values) {
  return calibrate(self.written(), pipeline::unknown_of(self.program()), Options(values));
}

// (json, text, value), and the expression with the value in its hole.
nb::tuple calibrate_text(const Text& expression, const nb::dict& values) {
  const language::Program program = language::parse_with_hole(expression.bytes, certificate::program_in);
  const nb::tuple found = calibrate({program, expression.bytes}, pipeline::unknown_of(program), Options(values));
  return nb::make_tuple(found, Expression(filled(program, nb::cast<double>(found[2]))));
}

// A Python function from a number to a pipeline.
nb::tuple calibrate_function(const nb::callable& function, const nb::dict& values) {
  const Options options(values);
  const language::Monotone domain{.larger_is_safer = options.flag("larger_is_safer"),
                                  .low = options.number("low", 0.0),
                                  .high = options.number("high", rounding::kInfinity),
                                  .is_integer = options.flag("integer")};
  require(domain.low >= 0.0 && domain.low < domain.high, "calibrate: low", domain.low, "0 <= low < high");
  // Called under the lock; what it returns is evaluated without it.
  const pipeline::Unknown unknown{"", "value", domain, [&](double value) {
                                    const nb::gil_scoped_acquire lock;
                                    const nb::object built = function(value);
                                    return nb::cast<const Expression&>(built).program();
                                  }};
  return calibrate({{}, "<function>"}, unknown, options);
}

nb::tuple calibrate_diffusion(const nb::dict& values) {
  const Options options(values);
  const pipeline::DiffusionTarget target{
      .epsilon = options.number("epsilon").value(),
      .delta = options.number("delta"),
      .alpha = options.number("alpha"),
      .time = options.number("time", 1.0),
      .sensitivity = options.number("sensitivity", 1.0),
      .value = {.dimension = options.number("dimension", 1.0), .radius = options.number("radius").value()}};
  const pipeline::CalibratedDiffusion found = pipeline::calibrate(target);
  return printed(commands::json_diffusion(target, found), commands::text_diffusion(target, found));
}

nb::object open_diffusion(const Text& expression) {
  const auto open = pipeline::open_diffusion(language::parse_open(expression.bytes));
  return open ? nb::object(nb::make_tuple(open->time, open->sensitivity)) : nb::none();
}

nb::tuple mix(const Expression& kernel, const std::optional<Expression>& mechanism, const nb::dict& values) {
  const Options options(values);
  commands::MixQuestion question{.kernel = kernel.text(),
                                 .mechanism = mechanism ? mechanism->text() : "",
                                 .epsilon = options.number("epsilon", 1.0),
                                 .delta = options.number("delta", 1e-6),
                                 .curve = options.numbers("at"),
                                 .steps = options.number("steps", 16.0),
                                 .target_epsilon = options.number("target_epsilon"),
                                 .target_delta = options.number("target_delta")};
  question.validate();
  const pipeline::Kernel& given = kernel.kernel();
  const pipeline::Pipeline before = mechanism ? mechanism->pipeline() : commands::mechanism_before(question);
  std::string json, text, svg;
  {
    const nb::gil_scoped_release unlocked;
    const commands::MixReport report = commands::mix_report(question, given, before);
    json = json_mix(report);
    text = text_mix(report);
    svg = mix_svg(report);
  }
  return nb::make_tuple(json, text, svg);
}

// (json, text)
nb::tuple verify(const Text& name, const Text& text, bool is_verbose) {
  const certificate::Certificate certificate = certificate::read_certificate(name.bytes, text.bytes);
  std::string json, shown;
  {
    const nb::gil_scoped_release unlocked;
    const std::vector<verify::Check> checks = commands::verification(certificate);
    json = commands::json_verification(certificate, checks);
    shown = commands::text_verification(name.bytes, certificate, checks, is_verbose);
  }
  return printed(json, shown);
}

std::string certificate_page(const Text& name, const Text& text, bool no_comparison) {
  const nb::gil_scoped_release unlocked;
  return commands::certificate_report_page(name.bytes, text.bytes, no_comparison);
}

std::string sentence(const Text& name, const Text& text) {
  return sentence_of(certificate::read_certificate(name.bytes, text.bytes));
}

}  // namespace

void bind_reports(nb::module_& module, nb::class_<Expression>& expression) {
  expression.def("explain", &explain)
      .def("compare", &compare)
      .def("people", &people)
      .def("certificate", &certificate)
      .def("calibrate", &calibrate_expression)
      .def_prop_ro("summary", [](const Expression& self) { return commands::pipeline_summary(self.pipeline()); })
      .def_prop_ro("steps", [](const Expression& self) {
        Json json;
        commands::add_pipeline(json, self.pipeline(), self.text());
        return dumped(json);
      });
  module.def("calibrate_text", &calibrate_text);
  module.def("calibrate_function", &calibrate_function);
  module.def("calibrate_diffusion", &calibrate_diffusion);
  module.def("open_diffusion", &open_diffusion);
  module.def("mix", &mix, nb::arg(), nb::arg().none(), nb::arg());
  module.def("verify", &verify);
  module.def("certificate_page", &certificate_page);
  module.def("comparison_page", [](const Text& name, const Text& json) {
    return commands::comparison_report_page(name.bytes, json.bytes);
  });
  module.def("sentence", &sentence);
  // None: where there is a terminal.
  module.def(
      "show_progress",
      [](std::optional<bool> shown) {
        using commands::ShowProgress;
        commands::show_progress(!shown   ? ShowProgress::kOnTerminal
                                : *shown ? ShowProgress::kAlways
                                         : ShowProgress::kNever);
      },
      nb::arg().none());
  module.def("report_page", [](const Text& input, const Text& output, bool no_comparison) {
    const nb::gil_scoped_release unlocked;
    return commands::report_page({input.bytes, output.bytes, no_comparison});
  });
}

}  // namespace doeblin::python
