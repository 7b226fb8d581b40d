// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "commands/audit_report.hpp"
#include "commands/predictions.hpp"
#include "commands/settings.hpp"
#include "commands/train_certificate.hpp"
#include "commands/train_report.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "expression.hpp"
#include "interrupt.hpp"

namespace doeblin::python {
namespace {

using commands::TrainRequest;

// (low, high)
training::Bounds bounds_of(std::string_view parameter, nb::handle pair) {
  const auto ends = nb::cast<nb::tuple>(pair);
  return {number_of(parameter, ends[0]), number_of(parameter, ends[1])};
}

std::optional<training::Bounds> bounds_of(const Options& options, const char* name) {
  return options.has(name) ? std::optional(bounds_of(name, options.find(name))) : std::nullopt;
}

// Pairs of a column, or a pattern, and what is said about it, in their order.
template <typename Work>
void for_each_column(const Options& options, const char* name, const Work& work) {
  if (!options.has(name)) return;
  for (const nb::handle one : nb::cast<nb::list>(options.find(name))) {
    const auto pair = nb::cast<nb::tuple>(one);
    work(text_of(name, pair[0]), pair[1]);
  }
}

training::EncodingRequest encoding_of(const Options& options) {
  training::EncodingRequest encoding{.label = options.text("label"),
                                     .classes = options.texts("classes"),
                                     .label_bounds = bounds_of(options, "label_bounds"),
                                     .dropped = options.texts("drop"),
                                     .features = options.count("features").value_or(0)};
  for_each_column(options, "bounds", [&](std::string pattern, nb::handle pair) {
    encoding.bounds.push_back({std::move(pattern), bounds_of("bounds", pair)});
  });
  for_each_column(options, "categorical", [&](std::string name, nb::handle levels) {
    training::Categories column{std::move(name), {}};
    for (const nb::handle level : levels) column.levels.push_back(text_of("categorical", level));
    encoding.categorical.push_back(std::move(column));
  });
  return encoding;
}

training::DescentRequest run_of(const Options& options) {
  training::DescentRequest run;
  run.loss.kind = training::loss_named(options.text("loss", std::string(training::standard_loss()->name)));
  run.domain.kind = training::domain_named(options.text("domain", "ball"));
  run.regularisation = options.number("regularisation", run.regularisation);
  run.batch = options.number("batch", run.batch);
  run.epochs = options.number("epochs", run.epochs);
  run.public_tail = options.number("public_tail", run.public_tail);
  run.order = commands::order_named(options.text("order", "fixed"));
  run.output = commands::output_named(options.text("release", "last"));
  run.noise = commands::noise_named(options.text("noise", "gaussian"));
  const std::string relation = options.text("relation");
  if (!relation.empty()) run.relation = commands::relation_named(relation);
  return run;
}

// Everything that says what is run on which records.
TrainRequest request_of(const Options& options) {
  TrainRequest request;
  request.data = options.text("data");
  if (const std::string format = options.text("format"); !format.empty())
    request.format = training::format_named(format);
  request.run = run_of(options);
  request.loss_width = options.number("loss_width");
  request.box = bounds_of(options, "box");
  request.radius = options.number("radius");
  request.learning_rate = options.number("learning_rate");
  request.encoding = encoding_of(options);
  request.norm = options.number("norm");
  request.intercept = options.number("intercept");
  request.epsilon = options.number("epsilon");
  request.sigma = options.number("sigma");
  request.delta = options.number("delta", request.delta);
  request.split.held_out = options.number("test_fraction", request.split.held_out);
  request.split.is_by_position = commands::is_split_by_position(options.text("split_by", "content"));
  request.split.key = options.text("split_key");
  request.test_file = options.text("test");
  request.is_test_public = options.flag("test_is_public");
  request.is_data_public = options.flag("data_is_public");
  request.compares_without_noise = options.flag("compare_without_noise");
  request.folder = options.text("output");
  request.is_forced = options.flag("force");
  request.certificate = options.text("certificate");
  request.checkpoint = options.text("checkpoint");
  request.key_file = options.text("key_file");
  request.checkpoint_seconds = options.number("checkpoint_every", request.checkpoint_seconds);
  request.memory = options.number("memory");
  request.limits.scratch = options.text("scratch");
  request.insecure_seed = options.count("insecure_seed");
  request.settings = commands::settings_of(options.text("accountant", "auto"), options.number("width"));
  return request;
}

// Records in memory: features row by row, and their labels.
training::Table table_of(const Doubles& features, const std::optional<Doubles>& labels) {
  return {.name = "X",
          .rows = features.shape(0),
          .columns = features.shape(1),
          .features = features.data(),
          .labels = labels ? labels->data() : nullptr};
}

TrainRequest request_of(const nb::dict& values, const std::optional<Doubles>& features,
                        const std::optional<Doubles>& labels) {
  TrainRequest request = request_of(Options(values));
  if (features) request.table = table_of(*features, labels);
  return request;
}

// (json, text, certificate, model)
nb::tuple train(const nb::dict& values, const std::optional<Doubles>& features, const std::optional<Doubles>& labels) {
  const TrainRequest request = request_of(values, features, labels);
  std::string json, text, certificate, model;
  // From the beginning: reading and planning may take long too.
  run_until_interrupted([&] {
    const commands::TrainOutcome outcome = commands::train_run(request, training::alone());
    if (!outcome.report) return;
    json = json_train(*outcome.report);
    text = text_train(*outcome.report);
    certificate = certificate::text_of(certificate_of(*outcome.report));
    model = json_of(outcome.report->model);
  });
  return nb::make_tuple(json, text, certificate, model);
}

// (json, text)
nb::tuple audit_training(const nb::dict& values, const std::optional<Doubles>& features,
                         const std::optional<Doubles>& labels, const nb::dict& audited) {
  const Options options(audited);
  commands::AuditRequest request;
  request.train = request_of(values, features, labels);
  request.canary = static_cast<std::size_t>(options.count("canary").value_or(0));
  request.runs = options.count("runs").value_or(10'000);
  request.confidence = options.number("confidence", request.confidence);
  request.is_gaussian = options.flag("gaussian");
  request.insecure_seed = options.count("insecure_seed");
  std::string json, text;
  run_until_interrupted([&] {
    if (const std::optional<commands::AuditReport> report = commands::audit_run(request)) {
      json = json_audit(*report);
      text = text_audit(*report);
    }
  });
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
