// SPDX-License-Identifier: Apache-2.0
#include "cli/release_command.hpp"

#include <iostream>
#include <memory>

#include "cli/option_forms.hpp"
#include "cli/option_values.hpp"
#include "cli/release_columns.hpp"
#include "commands/process_guard.hpp"
#include "commands/release_certificate.hpp"
#include "commands/release_report.hpp"
#include "doeblin/language/number_list.hpp"

namespace doeblin::cli {

using namespace commands;

namespace {

struct ReleaseOptions {
  ReleaseRequest request;
  std::string mechanism;
  std::vector<std::string> bounds;
  std::vector<std::string> sensitivities;
  std::vector<std::string> tiers;
  std::vector<std::string> rows;
  std::vector<std::string> epsilon;
  std::vector<std::string> delta;
  std::vector<std::string> seed;
  std::string certificate;
  bool json = false;
};

}  // namespace

void add_release(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ReleaseOptions>();
  ReleaseRequest& request = options->request;
  CLI::App* command = app.add_subcommand("release", "noisy release of the numbers in a CSV file, with its guarantee");
  command->footer(
      "Examples:\n"
      "  doeblin release survey.csv --output noisy.csv --mechanism 'gaussian(sigma=2)' --bounds age=0:120 --drop name\n"
      "  doeblin release sums.csv --output noisy.csv --mechanism 'laplace(scale=?)' --epsilon 1 "
      "--sensitivity visits=3 --rows-per-person 12 --public month\n"
      "  doeblin release survey.csv --output noisy.csv --mechanism brownian --tiers 1,4,16 --bounds '*=0:1'\n\n"
      "Every column must be declared: --bounds, --sensitivity, --public or --drop. Noise parameters are in units of a\n"
      "column's sensitivity, which is the width of its bounds unless it is given: sigma = 2 adds noise of twice that.\n"
      "ornstein_uhlenbeck pulls to the middle of the bounds, or to 0 without bounds.\n"
      "With --tiers, noisy.csv becomes noisy.tier1.csv, noisy.tier2.csv, ..., one for each time.\n"
      "Files that are there already are refused without --force: releasing twice is two releases, and losses add up.\n"
      "Exit codes: 0 fine, 2 bad input (then no file is written), 1 internal error.");
  command->add_option("input", request.input, "a CSV file with a header; - reads standard input")
      ->required()
      ->type_name(kFile);
  command->add_option("--output", request.output, "where the release goes")->required()->type_name(kFile);
  command
      ->add_option("--mechanism", options->mechanism,
                   "gaussian(sigma), laplace(scale), brownian(time) or ornstein_uhlenbeck(theta, rho, time); a '?' is "
                   "solved for")
      ->required()
      ->type_name(kPipeline);
  const auto each = [&](const char* name, std::vector<std::string>& texts, const char* form, const char* meaning) {
    command->add_option(name, texts, meaning)->type_size(1)->allow_extra_args(false)->type_name(form);
  };
  each("--bounds", options->bounds, "COLUMN=LOW:HIGH", "clip values to this; the column * is every other column");
  each("--sensitivity", options->sensitivities, "COLUMN=X",
       "one person moves the whole column by at most X (Euclidean; for laplace the sum)");
  each("--public", request.public_columns, "COLUMN", "copy this column as it is");
  each("--drop", request.dropped_columns, "COLUMN", "leave this column out");
  each("--tiers", options->tiers, "TIMES", "several releases from one path, as in 1,4,16");
  each("--rows-per-person", options->rows, "N",
       "in how many rows one person's data is, at most (1; for a sensitivity any number up to 2^24)");
  each("--epsilon", options->epsilon, "X", "the target of a '?'");
  each("--delta", options->delta, "X", "the delta of the target, and where epsilon is shown (1e-6; 0 for laplace)");
  command->add_flag("--strict", request.is_strict, "refuse values outside the bounds instead of clipping them");
  command->add_flag("--force", request.is_forced,
                    "replace files of an earlier release: whoever has both learns more than either guarantees");
  each("--insecure-seed", options->seed, "N", "draw the noise from a seed, for tests: voids the guarantee");
  command
      ->add_option("--certificate", options->certificate,
                   "write the claim with everything it rests on, for 'doeblin verify'; with --tiers one for each")
      ->type_name(kFile);
  command->add_flag("--json", options->json, "machine-readable output");
  command->callback([options, &exit_code] {
    ReleaseRequest asked = options->request;
    asked.columns = release_columns(options->bounds, options->sensitivities);
    if (!options->tiers.empty()) asked.tiers = language::parse_values("--tiers", options->tiers);
    asked.mechanism = parse_mechanism(options->mechanism, !asked.tiers.empty());
    asked.rows_per_person = optional_number("--rows-per-person", options->rows);
    asked.epsilon = optional_number("--epsilon", options->epsilon);
    asked.delta = optional_number("--delta", options->delta).value_or(standard_delta(asked.mechanism));
    asked.insecure_seed = optional_number("--insecure-seed", options->seed);
    harden_process();
    if (!options->certificate.empty()) require_room_for_certificate(options->certificate, asked);
    const ReleaseReport report = release_report(asked);
    if (!options->certificate.empty()) write_certificates(options->certificate, report);
    std::cout << (options->json ? json_release(report) + "\n" : text_release(report));
    std::cerr << private_notes(report);
    exit_code = 0;
  });
}

}  // namespace doeblin::cli
