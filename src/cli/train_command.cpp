// SPDX-License-Identifier: Apache-2.0
#include "cli/train_command.hpp"

#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/option_forms.hpp"
#include "cli/parallel.hpp"
#include "cli/settings_options.hpp"
#include "cli/train_options.hpp"
#include "commands/process_guard.hpp"
#include "commands/progress.hpp"
#include "commands/together.hpp"
#include "commands/train_report.hpp"
#include "commands/train_run.hpp"
#include "doeblin/training/loss.hpp"

namespace doeblin::cli {

using namespace commands;

namespace {

constexpr const char* kTrainExamples =
    "Examples:\n"
    "  doeblin train people.csv --label y --norm 1 --radius 5 --bounds 'age=0:100' --epsilon 1 --delta 1e-6\n"
    "  doeblin train mail.csv --label spam --bounds '*=0:1' --norm 1 --radius 10 --batch 64 --epochs 20 --epsilon 2 "
    "--test-fraction 0.2 --test-is-public\n"
    "  doeblin train prices.npy --loss ";
// After the name of a loss for numbers.
constexpr const char* kTrainFooter =
    " --label-bounds 0:10 --norm 1 --radius 3 --epsilon 1 --output run\n"
    "  mpirun -n 2 doeblin train big.npy --norm 1 --radius 5 --batch 1024 --epsilon 1\n\n"
    "Writes model.json, certificate.json, people.csv, people.svg and report.txt into the folder of --output, all of\n"
    "them or none. Only the model is meant for others than the owner of the data, with the certificate: people.csv "
    "has\n"
    "the line numbers of records. The states before the last are shown nowhere; with --checkpoint they are saved,\n"
    "encrypted, and the same command goes on where it was stopped.\n"
    "A folder with a model is refused without --force: training twice is two releases, and privacy losses add up.\n"
    "Nothing about the records is estimated: bounds, norms and classes are what you declare.\n"
    "Exit codes: 0 fine, 2 bad input (nothing is written), 130 interrupted, 1 internal error.";

}  // namespace

void add_train(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<TrainOptions>();
  TrainRequest& request = options->request;
  CLI::App* command = app.add_subcommand("train", "private training of a linear model: model, certificate, report");
  command->footer(kTrainExamples + std::string(training::standard_loss(false)->name) + kTrainFooter);
  command->add_option("data", request.data, "records: .csv with a header, .libsvm or .npy; - reads CSV from a pipe")
      ->required()
      ->type_name(kFile);
  const auto text = [&](const char* name, std::string& value, const char* form, const char* meaning) {
    command->add_option(name, value, meaning)->type_name(form);
  };
  const auto each = [&](const char* name, TrainOptions::Texts& texts, const char* form, const char* meaning) {
    command->add_option(name, texts, meaning)->type_size(1)->allow_extra_args(false)->type_name(form);
  };
  add_run(*command, *options);
  each("--epsilon", options->epsilon, "X", "target for the worst private record; the noise is solved for");
  each("--delta", options->delta, "X", "delta of the target (1e-6)");
  each("--test-fraction", options->test_fraction, "X",
       "hold out about this share of the records, chosen by a hash of each");
  text("--split-by", options->split_by, "content|position",
       "hash the content of a record, or its position in the file (content)");
  text("--split-key", request.split.key, "TEXT", "another key, another choice");
  text("--test", request.test_file, kFile, "measure on these records instead");
  command->add_flag("--test-is-public", request.is_test_public, "show figures about the test records");
  command->add_flag("--data-is-public", request.is_data_public, "declare the training records public, for trials");
  command->add_flag("--compare-without-noise", request.compares_without_noise,
                    "show what the best model without noise reaches (public data only)");
  text("--output", request.folder, kFolder, "where the files go (doeblin-run)");
  command->add_flag("--force", request.is_forced,
                    "replace the model of an earlier run: whoever has both learns more than either guarantees");
  text("--certificate", request.certificate, kFile, "write the certificate to this file too");
  text("--checkpoint", request.checkpoint, kFile, "save the run here, encrypted, and go on from it");
  text("--key-file", request.key_file, kFile, "key of the checkpoint, readable by its owner only; made if missing");
  each("--checkpoint-every", options->checkpoint_every, "SECONDS", "how often (30)");
  each("--memory", options->memory, "GIB", "records beyond this go to a nameless scratch file (4)");
  text("--scratch", request.limits.scratch, kFolder, "for that file");
  each("--insecure-seed", options->seed, "N", "draw all noise from a seed, for tests: voids the guarantee");
  add_settings(*command, options->settings);
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "machine-readable output");
  command->callback([options, json, &exit_code] {
    training::Communicator& ranks = communicator();
    // The first one speaks for all.
    if (ranks.rank() != 0) show_progress(ShowProgress::kNever);
    TrainRequest asked;
    together(ranks, [&] { asked = options->asked(); });
    harden_process();
    const TrainOutcome outcome = train_run(asked, ranks);
    if (outcome.is_interrupted) exit_code = kInterrupted;
    if (!outcome.report) return;
    std::cout << (*json ? json_train(*outcome.report) + "\n" : text_train(*outcome.report));
  });
}

}  // namespace doeblin::cli
