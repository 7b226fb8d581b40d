// SPDX-License-Identifier: Apache-2.0
#include "cli/train_options.hpp"

#include <fmt/format.h>

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

}  // namespace

void add_run(CLI::App& command, commands::TrainOptions& options) {
  using Texts = commands::TrainOptions::Texts;
  const auto text = [&](const char* name, std::string& value, const char* form, const char* meaning) {
    command.add_option(name, value, meaning)->type_name(form);
  };
  const auto each = [&](const char* name, Texts& texts, const char* form, const char* meaning) {
    command.add_option(name, texts, meaning)->type_size(1)->allow_extra_args(false)->type_name(form);
  };
  text("--format", options.format, "csv|libsvm|npy", "if the name of the file does not tell");
  text("--label", options.question.encoding.label, "COLUMN",
       "what is predicted (npy: the number of the column; the last)");
  text("--classes", options.classes, "'a|b|...'",
       "values of the label (0|1); more than two have a vector of parameters each");
  text("--label-bounds", options.label_bounds, "LOW:HIGH", "for a label that is a number: clipped to this");
  each("--bounds", options.bounds, "COLUMN=LOW:HIGH", "clip to this and map to 0..1; * and ? match many columns");
  each("--categorical", options.categorical, "COLUMN='a|b|*'", "one coordinate for each value; * is all others");
  each("--drop", options.question.encoding.dropped, "COLUMN", "do not use this column");
  each("--features", options.features, "N", "how many features a LIBSVM file has");
  each("--norm", options.norm, "X", "feature vectors longer than this are scaled down to it");
  each("--intercept", options.intercept, "X",
       "a constant last feature, added after that (as large as the norm); 0: none");
  text("--loss", options.loss, "NAME", training::loss_list().c_str());
  each("--loss-width", options.loss_width, "X", width_help().c_str());
  each("--regularisation", options.regularisation, "RHO", "adds RHO |w|^2/2 to the objective (0)");
  text("--domain", options.domain, "NAME", "ball, l1_ball, simplex or box: where the parameters are kept");
  each("--radius", options.radius, "R", "size of the ball, L1 ball or simplex");
  text("--box", options.box, "LOW:HIGH", "bounds of every parameter, for --domain box");
  each("--sigma", options.sigma, "X", "noise on the mean gradient, instead of a target");
  each("--learning-rate", options.learning_rate, "X", "(chosen from public numbers if it is left out)");
  each("--batch", options.batch, "N", "records in one step (1)");
  each("--epochs", options.epochs, "N", "passes over the records (1)");
  text("--order", options.order, "NAME", "fixed, permuted (random, hidden) or poisson (random batches)");
  text("--release", options.release, "NAME", "last state, uniform_stop (a random one) or skip (a random start)");
  text("--noise", options.noise, "NAME", "gaussian, or laplace for a single parameter");
  text("--relation", options.relation, "NAME", "substitute or zero_out (poisson: zero_out)");
  each("--public-tail", options.public_tail, "N", "so many of the last records are public");
}

}  // namespace doeblin::cli
