// SPDX-License-Identifier: Apache-2.0
#include "cli/train_command.hpp"

#include <cmath>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "cli/data_options.hpp"
#include "cli/parallel.hpp"
#include "cli/settings_options.hpp"
#include "cli/train_report.hpp"
#include "doeblin/core/error.hpp"

namespace doeblin::cli {
namespace {

constexpr int kInterrupted = 130;

using Texts = std::vector<std::string>;

// As they stand on the command line.
struct TrainOptions {
  TrainQuestion question;
  std::string split_by = "content", format, loss = "logistic", domain = "ball", order = "fixed", release = "last",
              noise = "gaussian", relation;
  std::string classes, label_bounds, box;
  Texts loss_width, bounds, categorical, features, norm, intercept, radius, regularisation, learning_rate, batch,
      epochs, public_tail, epsilon, delta, sigma, test_fraction, checkpoint_every, memory, seed;
  SettingsOptions settings;
  bool json = false;
};

template <typename Kind>
struct Word {
  const char* text;
  Kind kind;
};

template <typename Kind, std::size_t count>
Kind word(const char* option, const std::string& text, const Word<Kind> (&words)[count]) {
  std::string all;
  for (const Word<Kind>& one : words) {
    if (one.text == text) return one.kind;
    all += (all.empty() ? "" : ", ") + std::string(one.text);
  }
  throw InvalidArgument(option, fmt::format("'{}'", text.substr(0, 40)), "one of " + all);
}

constexpr Word<pipeline::RecordSequence> kOrders[] = {{"fixed", pipeline::RecordSequence::kFixed},
                                                      {"permuted", pipeline::RecordSequence::kPermuted},
                                                      {"poisson", pipeline::RecordSequence::kPoisson}};
constexpr Word<pipeline::RunOutput> kReleases[] = {{"last", pipeline::RunOutput::kLast},
                                                   {"uniform_stop", pipeline::RunOutput::kUniformStop},
                                                   {"skip", pipeline::RunOutput::kSkip}};
constexpr Word<pipeline::NoiseLaw> kNoises[] = {{"gaussian", pipeline::NoiseLaw::kGaussian},
                                                {"laplace", pipeline::NoiseLaw::kLaplace}};
constexpr Word<Relation> kRelations[] = {
    {"substitute", Relation::kSubstitute}, {"zero_out", Relation::kZeroOut}, {"add_remove", Relation::kAddRemove}};

constexpr Word<bool> kSplits[] = {{"content", false}, {"position", true}};

double whole(const std::string& option, const Texts& texts, double standard) {
  const double value = optional_number(option, texts).value_or(standard);
  require(value >= 0.0 && value <= 0x1p53 && value == std::floor(value), option, value,
          "a whole number from 0 to 2^53");
  return value;
}

training::EncodingRequest encoding_of(const TrainOptions& options) {
  training::EncodingRequest request = options.question.encoding;
  if (!options.label_bounds.empty() && !options.classes.empty())
    throw InvalidArgument("--label-bounds", "with --classes", "one of them: a number or a class");
  if (!options.label_bounds.empty()) request.label_bounds = parse_bounds("--label-bounds", options.label_bounds);
  if (!options.classes.empty()) request.classes = parse_names("--classes", options.classes);
  for (const std::string& text : options.bounds) request.bounds.push_back(parse_pattern_bounds("--bounds", text));
  for (const std::string& text : options.categorical)
    request.categorical.push_back(parse_categories("--categorical", text));
  request.features = static_cast<std::size_t>(whole("--features", options.features, 0.0));
  const auto norm = optional_number("--norm", options.norm);
  if (!norm)
    throw InvalidArgument(
        "--norm: missing; feature vectors are scaled down to this norm, which the guarantee rests on and which must be "
        "declared without looking at the data");
  request.norm = *norm;
  request.intercept = optional_number("--intercept", options.intercept).value_or(request.norm);
  return request;
}

training::Domain domain_of(const TrainOptions& options) {
  training::Domain domain;
  domain.kind = training::domain_named(options.domain);
  const bool is_box = domain.kind == training::DomainKind::kBox;
  if (is_box != !options.box.empty())
    throw InvalidArgument("--box", options.box.empty() ? "missing" : "'" + options.box.substr(0, 40) + "'",
                          "LOW:HIGH with --domain box, and only there");
  if (is_box) {
    const training::Bounds bounds = parse_bounds("--box", options.box);
    domain.low = bounds.low, domain.high = bounds.high;
  }
  const auto radius = optional_number("--radius", options.radius);
  if (is_box == radius.has_value())
    throw InvalidArgument(is_box ? "--radius: not with --domain box"
                                 : "--radius: missing; parameters are kept within this distance of 0, which the "
                                   "guarantee rests on");
  domain.size = radius.value_or(1.0);
  return domain;
}

training::DescentRequest run_of(const TrainOptions& options) {
  training::DescentRequest run;
  run.loss.kind = training::loss_named(options.loss);
  const auto width = optional_number("--loss-width", options.loss_width);
  if (width && !run.loss.has_width())
    throw InvalidArgument("--loss-width", *width, "a loss with a width: huber or smoothed_hinge");
  run.loss.width = width.value_or(run.loss.kind == training::LossKind::kHuber ? 1.0 : 0.5);
  run.domain = domain_of(options);
  run.regularisation = optional_number("--regularisation", options.regularisation).value_or(0.0);
  if (const auto rate = optional_number("--learning-rate", options.learning_rate)) {
    require(*rate > 0.0 && std::isfinite(*rate), "--learning-rate", *rate, "0 < learning rate < infinity");
    run.learning_rate = *rate;
  }
  run.batch = whole("--batch", options.batch, 1.0);
  run.epochs = whole("--epochs", options.epochs, 1.0);
  run.public_tail = whole("--public-tail", options.public_tail, 0.0);
  run.order = word("--order", options.order, kOrders);
  run.output = word("--release", options.release, kReleases);
  run.noise = word("--noise", options.noise, kNoises);
  if (!options.relation.empty()) run.relation = word("--relation", options.relation, kRelations);
  return run;
}

TrainQuestion question_of(const TrainOptions& options) {
  TrainQuestion question = options.question;
  if (!options.format.empty()) question.format = training::format_named(options.format);
  question.run = run_of(options);
  question.encoding = encoding_of(options);
  if (question.run.loss.is_classification() && question.encoding.classes.empty() && !question.encoding.label_bounds)
    question.encoding.classes = {"0", "1"};
  if (!question.run.loss.is_classification() && !question.encoding.label_bounds)
    throw InvalidArgument("--label-bounds: missing; labels are clipped to them, which the guarantee rests on");
  question.epsilon = optional_number("--epsilon", options.epsilon);
  question.sigma = optional_number("--sigma", options.sigma);
  question.delta = optional_number("--delta", options.delta).value_or(question.delta);
  if (question.epsilon.has_value() == question.sigma.has_value())
    throw InvalidArgument(question.epsilon ? "--sigma: not together with --epsilon"
                                           : "--epsilon: missing; the target, or --sigma for a given noise");
  require(question.delta > 0.0 && question.delta < 1.0, "--delta", question.delta, "0 < delta < 1");
  question.split.held_out = optional_number("--test-fraction", options.test_fraction).value_or(0.0);
  require(question.split.held_out >= 0.0 && question.split.held_out < 1.0, "--test-fraction", question.split.held_out,
          "0 <= share < 1");
  const bool has_test = question.split.held_out > 0.0 || !question.test_file.empty();
  if (question.is_test_public && !has_test)
    throw InvalidArgument("--test-is-public: only with --test or --test-fraction");
  question.split.is_by_position = word("--split-by", options.split_by, kSplits);
  if (question.split.held_out > 0.0 && !question.test_file.empty())
    throw InvalidArgument("--test", "with --test-fraction", "one of them");
  if (question.compares_without_noise && !(question.is_data_public && question.is_test_public))
    throw InvalidArgument("--compare-without-noise: only for data that is public: --data-is-public --test-is-public");
  if (question.checkpoint.empty() && !question.key_file.empty())
    throw InvalidArgument("--key-file: only with --checkpoint");
  question.checkpoint_seconds =
      optional_number("--checkpoint-every", options.checkpoint_every).value_or(question.checkpoint_seconds);
  require(question.checkpoint_seconds >= 0.0, "--checkpoint-every", question.checkpoint_seconds, "0 or more seconds");
  if (const auto memory = optional_number("--memory", options.memory)) {
    require(*memory >= 0.0 && *memory <= 1e6, "--memory", *memory, "0 to 1e6 GiB");
    question.limits.memory = static_cast<std::uint64_t>(*memory * 0x1p30);
  }
  if (!options.seed.empty())
    question.insecure_seed = static_cast<std::uint64_t>(whole("--insecure-seed", options.seed, 0.0));
  question.settings = options.settings.settings();
  return question;
}

constexpr const char* kFooter =
    "Examples:\n"
    "  doeblin train people.csv --label y --norm 1 --radius 5 --bounds 'age=0:100' --epsilon 1 --delta 1e-6\n"
    "  doeblin train mail.csv --label spam --bounds '*=0:1' --norm 1 --radius 10 --batch 64 --epochs 20 --epsilon 2 "
    "--test-fraction 0.2 --test-is-public\n"
    "  doeblin train prices.npy --loss huber --label-bounds 0:10 --norm 1 --radius 3 --epsilon 1 --output run\n"
    "  mpirun -n 2 doeblin train big.npy --norm 1 --radius 5 --batch 1024 --epsilon 1\n\n"
    "Writes model.json, certificate.json, people.csv, people.svg and report.txt into the folder of --output, all of\n"
    "them or none. Only the model is meant for others than the owner of the data, with the certificate: people.csv "
    "has\n"
    "the line numbers of records. The states before the last are shown nowhere; with --checkpoint they are saved,\n"
    "encrypted, and the same command goes on where it was stopped.\n"
    "Nothing about the records is estimated: bounds, norms and classes are what you declare.\n"
    "Exit codes: 0 fine, 2 bad input (nothing is written), 130 interrupted, 1 internal error.";

}  // namespace

void add_train(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<TrainOptions>();
  TrainQuestion& question = options->question;
  CLI::App* command = app.add_subcommand("train", "private training of a linear model: model, certificate, report");
  command->footer(kFooter);
  command->add_option("data", question.data, "records: .csv with a header, .libsvm or .npy; - reads CSV from a pipe")
      ->required();
  const auto text = [&](const char* name, std::string& value, const char* form, const char* meaning) {
    command->add_option(name, value, meaning)->type_name(form);
  };
  const auto each = [&](const char* name, Texts& texts, const char* form, const char* meaning) {
    command->add_option(name, texts, meaning)->type_size(1)->allow_extra_args(false)->type_name(form);
  };
  text("--format", options->format, "csv|libsvm|npy", "if the name of the file does not tell");
  text("--label", question.encoding.label, "COLUMN", "what is predicted (npy: the number of the column; the last)");
  text("--classes", options->classes, "'a|b|...'",
       "values of the label (0|1); more than two have a vector of parameters each");
  text("--label-bounds", options->label_bounds, "LOW:HIGH", "for a label that is a number: clipped to this");
  each("--bounds", options->bounds, "COLUMN=LOW:HIGH", "clip to this and map to 0..1; * and ? match many columns");
  each("--categorical", options->categorical, "COLUMN='a|b|*'", "one coordinate for each value; * is all others");
  each("--drop", question.encoding.dropped, "COLUMN", "do not use this column");
  each("--features", options->features, "N", "how many features a LIBSVM file has");
  each("--norm", options->norm, "X", "feature vectors longer than this are scaled down to it");
  each("--intercept", options->intercept, "X",
       "a constant last feature, added after that (as large as the norm); 0: none");
  text("--loss", options->loss, "NAME", "logistic, smoothed_hinge, huber or squared");
  each("--loss-width", options->loss_width, "X", "of the smoothing (0.5), or where huber becomes linear (1)");
  each("--regularisation", options->regularisation, "RHO", "adds RHO |w|^2/2 to the objective (0)");
  text("--domain", options->domain, "NAME", "ball, l1_ball, simplex or box: where the parameters are kept");
  each("--radius", options->radius, "R", "size of the ball, L1 ball or simplex");
  text("--box", options->box, "LOW:HIGH", "bounds of every parameter, for --domain box");
  each("--epsilon", options->epsilon, "X", "target for the worst private record; the noise is solved for");
  each("--delta", options->delta, "X", "delta of the target (1e-6)");
  each("--sigma", options->sigma, "X", "noise on the mean gradient, instead of a target");
  each("--learning-rate", options->learning_rate, "X", "(chosen from public numbers if it is left out)");
  each("--batch", options->batch, "N", "records in one step (1)");
  each("--epochs", options->epochs, "N", "passes over the records (1)");
  text("--order", options->order, "NAME", "fixed, permuted (random, hidden) or poisson (random batches)");
  text("--release", options->release, "NAME", "last state, uniform_stop (a random one) or skip (a random start)");
  text("--noise", options->noise, "NAME", "gaussian, or laplace for a single parameter");
  text("--relation", options->relation, "NAME", "substitute or zero_out (poisson: zero_out)");
  each("--public-tail", options->public_tail, "N", "so many of the last records are public");
  each("--test-fraction", options->test_fraction, "X",
       "hold out about this share of the records, chosen by a hash of each");
  text("--split-by", options->split_by, "NAME", "hash the content of a record, or its position in the file (content)");
  text("--split-key", question.split.key, "TEXT", "another key, another choice");
  text("--test", question.test_file, "FILE", "measure on these records instead");
  command->add_flag("--test-is-public", question.is_test_public, "show figures about the test records");
  command->add_flag("--data-is-public", question.is_data_public, "declare the training records public, for trials");
  command->add_flag("--compare-without-noise", question.compares_without_noise,
                    "show what the best model without noise reaches (public data only)");
  text("--output", question.folder, "FOLDER", "where the files go (doeblin-run)");
  text("--checkpoint", question.checkpoint, "FILE", "save the run here, encrypted, and go on from it");
  text("--key-file", question.key_file, "FILE", "key of the checkpoint, readable by its owner only; made if missing");
  each("--checkpoint-every", options->checkpoint_every, "SECONDS", "how often (30)");
  each("--memory", options->memory, "GIB", "records beyond this go to a nameless scratch file (4)");
  text("--scratch", question.limits.scratch, "FOLDER", "for that file");
  each("--insecure-seed", options->seed, "N", "draw all noise from a seed, for tests: voids the guarantee");
  options->settings.add_to(*command);
  command->add_flag("--json", options->json, "machine-readable output");
  command->callback([options, &exit_code] {
    training::Communicator& ranks = communicator();
    TrainQuestion asked;
    together(ranks, [&] { asked = question_of(*options); });
    const TrainOutcome outcome = train_run(asked, ranks);
    if (outcome.is_interrupted) exit_code = kInterrupted;
    if (!outcome.report) return;
    std::cout << (options->json ? json_train(*outcome.report) + "\n" : text_train(*outcome.report));
  });
}

}  // namespace doeblin::cli
