// SPDX-License-Identifier: Apache-2.0
#include "cli/train_options.hpp"

#include <fmt/format.h>

#include "cli/option_forms.hpp"
#include "cli/option_values.hpp"
#include "doeblin/training/loss.hpp"

namespace doeblin::cli {
namespace {

std::string width_help() {
  std::string text;
  for (const training::LossDefinition& one : training::losses())
    if (!one.width_meaning.empty())
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", or ", one.width_meaning, one.standard_width);
  return text;
}

std::string loss_names() {
  std::string text;
  for (const training::LossDefinition& one : training::losses())
    text += (text.empty() ? "" : "|") + std::string(one.name);
  return text;
}

void read_encoding(const TrainOptions& options, training::EncodingRequest& encoding) {
  if (!options.label_bounds.empty()) encoding.label_bounds = parse_bounds("--label-bounds", options.label_bounds);
  if (!options.classes.empty()) encoding.classes = parse_names("--classes", options.classes);
  for (const std::string& text : options.bounds) encoding.bounds.push_back(parse_pattern_bounds("--bounds", text));
  for (const std::string& text : options.categorical)
    encoding.categorical.push_back(parse_categories("--categorical", text));
  encoding.features = static_cast<std::size_t>(optional_whole("--features", options.features).value_or(0.0));
}

void read_run(const TrainOptions& options, training::DescentRequest& run) {
  run.loss.kind = training::loss_named(options.loss);
  run.domain.kind = training::domain_named(options.domain);
  run.regularisation = optional_number("--regularisation", options.regularisation).value_or(run.regularisation);
  run.batch = optional_number("--batch", options.batch).value_or(run.batch);
  run.epochs = optional_number("--epochs", options.epochs).value_or(run.epochs);
  run.public_tail = optional_number("--public-tail", options.public_tail).value_or(run.public_tail);
  run.order = commands::order_named(options.order);
  run.output = commands::output_named(options.release);
  run.noise = commands::noise_named(options.noise);
  if (!options.relation.empty()) run.relation = commands::relation_named(options.relation);
}

}  // namespace

commands::TrainRequest TrainOptions::asked() const {
  commands::TrainRequest result = request;
  if (!format.empty()) result.format = training::format_named(format);
  read_run(*this, result.run);
  result.loss_width = optional_number("--loss-width", loss_width);
  if (!box.empty()) result.box = parse_bounds("--box", box);
  result.radius = optional_number("--radius", radius);
  result.learning_rate = optional_number("--learning-rate", learning_rate);
  read_encoding(*this, result.encoding);
  result.norm = optional_number("--norm", norm);
  result.intercept = optional_number("--intercept", intercept);
  result.epsilon = optional_number("--epsilon", epsilon);
  result.sigma = optional_number("--sigma", sigma);
  result.delta = optional_number("--delta", delta).value_or(result.delta);
  result.split.held_out = optional_number("--test-fraction", test_fraction).value_or(result.split.held_out);
  result.split.is_by_position = commands::is_split_by_position(split_by);
  result.checkpoint_seconds =
      optional_number("--checkpoint-every", checkpoint_every).value_or(result.checkpoint_seconds);
  result.memory = optional_number("--memory", memory);
  if (const auto number = optional_whole("--insecure-seed", seed))
    result.insecure_seed = static_cast<std::uint64_t>(*number);
  result.settings = settings.settings();
  return result;
}

void add_run(CLI::App& command, TrainOptions& options) {
  using Texts = TrainOptions::Texts;
  const auto text = [&](const char* name, std::string& value, const std::string& form, const char* meaning) {
    command.add_option(name, value, meaning)->type_name(form);
  };
  const auto each = [&](const char* name, Texts& texts, const char* form, const char* meaning) {
    command.add_option(name, texts, meaning)->type_size(1)->allow_extra_args(false)->type_name(form);
  };
  text("--format", options.format, "csv|libsvm|npy", "if the name of the file does not tell");
  text("--label", options.request.encoding.label, "COLUMN",
       "what is predicted (npy: the number of the column; the last)");
  text("--classes", options.classes, "'a|b|...'",
       "values of the label (0|1); more than two have a vector of parameters each");
  text("--label-bounds", options.label_bounds, "LOW:HIGH", "for a label that is a number: clipped to this");
  each("--bounds", options.bounds, "COLUMN=LOW:HIGH", "clip to this and map to 0..1; * and ? match many columns");
  each("--categorical", options.categorical, "COLUMN='a|b|*'", "one coordinate for each value; * is all others");
  each("--drop", options.request.encoding.dropped, "COLUMN", "do not use this column");
  each("--features", options.features, "N", "how many features a LIBSVM file has");
  each("--norm", options.norm, "X", "feature vectors longer than this are scaled down to it");
  each("--intercept", options.intercept, "X",
       "a constant last feature, added after that (as large as the norm); 0: none");
  text("--loss", options.loss, loss_names(), training::loss_list().c_str());
  each("--loss-width", options.loss_width, "X", width_help().c_str());
  each("--regularisation", options.regularisation, "RHO", "adds RHO |w|^2/2 to the objective (0)");
  text("--domain", options.domain, "ball|l1_ball|simplex|box", "where the parameters are kept");
  each("--radius", options.radius, "R", "size of the ball, L1 ball or simplex");
  text("--box", options.box, "LOW:HIGH", "bounds of every parameter, for --domain box");
  each("--sigma", options.sigma, "X", "noise on the mean gradient, instead of a target");
  each("--learning-rate", options.learning_rate, "X", "(chosen from public numbers if it is left out)");
  each("--batch", options.batch, "N", "records in one step (1)");
  each("--epochs", options.epochs, "N", "passes over the records (1)");
  text("--order", options.order, one_of(pipeline::kRecordSequences),
       "fixed, permuted (random, hidden) or poisson (random batches)");
  text("--release", options.release, one_of(pipeline::kRunOutputs),
       "last state, uniform_stop (a random one) or skip (a random start)");
  text("--noise", options.noise, one_of(pipeline::kNoiseLaws), "gaussian, or laplace for a single parameter");
  text("--relation", options.relation, one_of(pipeline::kRunRelations), "substitute or zero_out (poisson: zero_out)");
  each("--public-tail", options.public_tail, "N", "so many of the last records are public");
}

}  // namespace doeblin::cli
