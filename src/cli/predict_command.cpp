// SPDX-License-Identifier: Apache-2.0
#include "cli/predict_command.hpp"

#include <memory>

#include "cli/option_forms.hpp"
#include "commands/predictions.hpp"
#include "commands/process_guard.hpp"

namespace doeblin::cli {

void add_predict(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<commands::PredictQuestion>();
  CLI::App* command = app.add_subcommand("predict", "predictions of a trained model for new records");
  command->footer(
      "Example:\n  doeblin predict doeblin-run/model.json new.csv --output predictions.csv\n\n"
      "Records are read just as in training; a column for the label may be missing. Predictions tell nothing about "
      "the\n"
      "training records beyond what the model does: they need no further noise.\n"
      "Exit codes: 0 fine, 2 bad input, 1 internal error.");
  command->add_option("model", options->model, "model.json, as train wrote it")->required()->type_name(kFile);
  command->add_option("data", options->data, "records: .csv with a header, .libsvm or .npy; - reads CSV from a pipe")
      ->required()
      ->type_name(kFile);
  command->add_option("--format", options->format, "if the name of the file does not tell")
      ->type_name("csv|libsvm|npy");
  command->add_option("--output", options->output, "where the predictions go (standard output)")->type_name(kFile);
  command->callback([options, &exit_code] {
    commands::harden_process();
    commands::predict(*options);
    exit_code = 0;
  });
}

}  // namespace doeblin::cli
