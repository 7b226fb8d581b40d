// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "commands/audit_report.hpp"
#include "commands/predictions.hpp"
#include "commands/process_guard.hpp"
#include "commands/train_certificate.hpp"
#include "commands/train_options.hpp"
#include "commands/train_report.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/core/format.hpp"
#include "expression.hpp"

namespace doeblin::python {
namespace {

using commands::TrainOptions;

// A number as an option is written, if there is one.
TrainOptions::Texts written(const Options& options, const char* name) {
  const std::optional<double> value = options.number(name);
  return value ? TrainOptions::Texts{format_exact(*value)} : TrainOptions::Texts{};
}

// Everything that says what is run on which records.
TrainOptions options_of(const Options& options) {
  TrainOptions result;
  commands::TrainQuestion& question = result.question;
  question.data = options.text("data");
  question.encoding.label = options.text("label");
  question.encoding.dropped = options.texts("drop");
  question.split.key = options.text("split_key");
  question.test_file = options.text("test");
  question.is_test_public = options.flag("test_is_public");
  question.is_data_public = options.flag("data_is_public");
  question.compares_without_noise = options.flag("compare_without_noise");
  question.folder = options.text("output");
  question.is_forced = options.flag("force");
  question.certificate = options.text("certificate");
  question.checkpoint = options.text("checkpoint");
  question.key_file = options.text("key_file");
  question.limits.scratch = options.text("scratch");
  result.split_by = options.text("split_by", result.split_by);
  result.format = options.text("format");
  result.loss = options.text("loss", result.loss);
  result.domain = options.text("domain", result.domain);
  result.order = options.text("order", result.order);
  result.release = options.text("release", result.release);
  result.noise = options.text("noise", result.noise);
  result.relation = options.text("relation");
  result.classes = options.text("classes");
  result.label_bounds = options.text("label_bounds");
  result.box = options.text("box");
  result.bounds = options.texts("bounds");
  result.categorical = options.texts("categorical");
  const std::pair<const char*, TrainOptions::Texts*> numbers[] = {{"loss_width", &result.loss_width},
                                                                  {"features", &result.features},
                                                                  {"norm", &result.norm},
                                                                  {"intercept", &result.intercept},
                                                                  {"radius", &result.radius},
                                                                  {"regularisation", &result.regularisation},
                                                                  {"learning_rate", &result.learning_rate},
                                                                  {"batch", &result.batch},
                                                                  {"epochs", &result.epochs},
                                                                  {"public_tail", &result.public_tail},
                                                                  {"epsilon", &result.epsilon},
                                                                  {"delta", &result.delta},
                                                                  {"sigma", &result.sigma},
                                                                  {"test_fraction", &result.test_fraction},
                                                                  {"checkpoint_every", &result.checkpoint_every},
                                                                  {"memory", &result.memory},
                                                                  {"insecure_seed", &result.seed}};
  for (const auto& [name, texts] : numbers) *texts = written(options, name);
  result.settings.accountant = options.text("accountant", result.settings.accountant);
  if (const auto width = options.number("width")) result.settings.width = format_exact(*width);
  return result;
}

// Records in memory: features row by row, and their labels.
training::Table table_of(const Doubles& features, const std::optional<Doubles>& labels) {
  return {.name = "X",
          .rows = features.shape(0),
          .columns = features.shape(1),
          .features = features.data(),
          .labels = labels ? labels->data() : nullptr};
}

commands::TrainQuestion question_of(const nb::dict& values, const std::optional<Doubles>& features,
                                    const std::optional<Doubles>& labels) {
  commands::TrainQuestion question = options_of(Options(values)).asked();
  if (features) question.table = table_of(*features, labels);
  return question;
}

// (json, text, certificate, model), or None when it was interrupted: also by a Ctrl-C too late to end the run early.
nb::object train(const nb::dict& values, const std::optional<Doubles>& features, const std::optional<Doubles>& labels) {
  const commands::TrainQuestion question = question_of(values, features, labels);
  std::string json, text, certificate, model;
  {
    const nb::gil_scoped_release unlocked;
    // From the beginning: reading and planning may take long too. Python's own handlers stay, but for Ctrl-C.
    const commands::StopsOnSignals signals(commands::StopsOnSignals::Which::kInterrupt);
    const commands::TrainOutcome outcome = commands::train_run(question, training::alone());
    if (outcome.report) {
      json = json_train(*outcome.report);
      text = text_train(*outcome.report);
      certificate = certificate::text_of(certificate_of(*outcome.report));
      model = json_of(outcome.report->model);
    }
  }
  if (json.empty() || commands::StopsOnSignals::asked()) return nb::none();
  return nb::make_tuple(json, text, certificate, model);
}

// (json, text, violated), or None when it was interrupted.
nb::object audit_training(const nb::dict& values, const std::optional<Doubles>& features,
                          const std::optional<Doubles>& labels, const nb::dict& audited) {
  const Options options(audited);
  commands::AuditQuestion question;
  question.train = question_of(values, features, labels);
  question.canary = static_cast<std::size_t>(options.count("canary").value_or(0));
  question.runs = options.count("runs").value_or(10'000);
  question.confidence = options.number("confidence", question.confidence);
  question.is_gaussian = options.flag("gaussian");
  question.insecure_seed = options.count("insecure_seed");
  std::string json, text;
  {
    const nb::gil_scoped_release unlocked;
    const commands::StopsOnSignals signals(commands::StopsOnSignals::Which::kInterrupt);
    if (const std::optional<commands::AuditReport> report = commands::audit_run(question)) {
      json = json_audit(*report);
      text = text_audit(*report);
    }
  }
  if (json.empty() || commands::StopsOnSignals::asked()) return nb::none();
  return nb::make_tuple(json, text);
}

/// A model that was read, ready to predict.
struct Predictor {
  training::Model model;

  // One column for each vector of parameters, in row-major order.
  void scores(const Doubles& features, const Output& values) const {
    const std::size_t width = model.parameters.size();
    ensure(values.size() == features.shape(0) * width, "room for every score");
    const nb::gil_scoped_release unlocked;
    training::DataFile rows = training::DataFile::of(table_of(features, std::nullopt));
    std::vector<double> predictions;
    double* next = values.data();
    training::for_each_record(rows, model.encoding, {.needs_label = false}, [&](const training::EncodedRecord& record) {
      model.predictions(record, predictions);
      next = std::copy(predictions.begin(), predictions.end(), next);
    });
  }

  // Scores of two classes become chances of the second.
  void chances(const Output& values) const {
    ensure(model.loss.has_chance(), "a loss with chances");
    const nb::gil_scoped_release unlocked;
    std::transform(values.data(), values.data() + values.size(), values.data(), model.loss.kind->chance);
  }
};

}  // namespace

void bind_training(nb::module_& module) {
  const auto any = [] { return nb::arg().none(); };
  module.def("train", &train, nb::arg(), any(), any());
  module.def("audit_training", &audit_training, nb::arg(), any(), any(), nb::arg());
  module.def("losses", [] {
    nb::list all;
    for (const training::LossDefinition& one : training::losses())
      all.append(nb::make_tuple(std::string(one.name), one.is_classification, one.chance != nullptr));
    return all;
  });
  nb::class_<Predictor>(module, "Predictor")
      .def("__init__", [](Predictor* self, const Text& name,
                          const Text& text) { new (self) Predictor{training::model_of(name.bytes, text.bytes)}; })
      .def("scores", &Predictor::scores)
      .def_prop_ro("outputs", [](const Predictor& self) { return self.model.parameters.size(); })
      .def_prop_ro("classes", [](const Predictor& self) { return self.model.encoding.label.classes; })
      .def_prop_ro("is_class", [](const Predictor& self) { return self.model.encoding.label.is_class(); })
      .def_prop_ro("has_chance", [](const Predictor& self) { return self.model.loss.has_chance(); })
      .def("chances", &Predictor::chances)
      .def_prop_ro("features", [](const Predictor& self) { return self.model.encoding.features(); })
      .def_prop_ro("guarantee", [](const Predictor& self) { return self.model.guarantee; })
      .def_prop_ro("parameters", [](const Predictor& self) { return self.model.parameters; });
  module.def("predict_file", [](const Text& model, const Text& data, const Text& format, const Text& output) {
    const nb::gil_scoped_release unlocked;
    commands::predict({model.bytes, data.bytes, format.bytes, output.bytes});
  });
}

}  // namespace doeblin::python
