// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/audit_command.hpp"
#include "cli/completion.hpp"
#include "cli/option_forms.hpp"
#include "cli/option_values.hpp"
#include "cli/predict_command.hpp"
#include "cli/release_command.hpp"
#include "cli/report_command.hpp"
#include "cli/settings_options.hpp"
#include "cli/train_command.hpp"
#include "cli/verify_command.hpp"
#include "commands/answer.hpp"
#include "commands/atomic_file.hpp"
#include "commands/certificate_output.hpp"
#include "commands/comparison_report.hpp"
#include "commands/diffusion_report.hpp"
#include "commands/json_output.hpp"
#include "commands/mix_report.hpp"
#include "commands/people_report.hpp"
#include "commands/progress.hpp"
#include "commands/text_output.hpp"
#include "doeblin/issuing/load.hpp"
#include "doeblin/language/number_list.hpp"
#include "doeblin/language/plan.hpp"
#include "doeblin/language/syntax.hpp"
#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::cli {

using namespace commands;

namespace {

// What the options of one command hold.
struct Options {
  std::string expression;
  std::vector<std::string> epsilons;
  std::vector<std::string> deltas;
  std::vector<std::string> alphas;
  SettingsOptions settings;
  std::string certificate;
  bool json = false;
};

using SharedOptions = std::shared_ptr<Options>;

// The delta of commands that are asked for nothing.
constexpr double kStandardDelta = 1e-5;

std::vector<double> values_at(Quantity quantity, const std::vector<std::string>& texts) {
  return language::parse_values(std::string("--") + names(quantity).argument, texts);
}

std::vector<Question> questions(Quantity quantity, const std::vector<double>& values) {
  std::vector<Question> list;
  list.reserve(values.size());
  for (const double value : values) list.push_back({quantity, value});
  for (const Question& question : list) question.validate();
  return list;
}

// What a command is asked about: an expression with its settings, and the target that a plan may have.
struct Subject {
  Expression expression;
  Settings settings;
  std::optional<double> epsilon = {};
  std::optional<double> delta = {};

  // Where the target asks for this quantity.
  [[nodiscard]] std::optional<double> target_of(Quantity quantity) const {
    return quantity == Quantity::kEpsilon ? delta : quantity == Quantity::kDelta ? epsilon : std::nullopt;
  }
};

// Whether arguments may be open: none, the one to solve for, or any.
enum class Open { kNone, kOne, kAny };

Expression read(const std::string& text, Open open) {
  const auto& operand = certificate::program_in;
  return {open == Open::kNone  ? language::parse(text, operand)
          : open == Open::kOne ? language::parse_with_hole(text, operand)
                               : language::parse_open(text, operand),
          text};
}

// What stands on standard input.
std::string standard_input() {
  // One byte more than is allowed shows that there is too much.
  std::string text(language::kLongestExpression + 1, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::cin.gcount()));
  return text;
}

// The expression as written, what stands on standard input for "-", or what a plan contains.
Subject subject_of(const Options& options, Open open = Open::kNone) {
  const Settings settings = options.settings.settings();
  if (options.expression == "-") return {read(standard_input(), open), settings};
  if (!language::is_plan(options.expression)) return {read(options.expression, open), settings};
  const language::Plan plan = language::read_plan(options.expression, certificate::program_in);
  if (open == Open::kOne && holes_of(plan.program).size() > 1)
    throw InvalidArgument(
        "plan: a second hole; there can be one, but for ornstein_uhlenbeck(theta=?, rho=?, ...) with --radius");
  return {expression_of(plan.program), settings, plan.epsilon, plan.delta};
}

// Computed together, which is faster.
std::vector<Answer> many_deltas(const pipeline::Mechanism& mechanism, const std::vector<Question>& asked,
                                const AccuracyGoal& goal) {
  std::vector<double> epsilons;
  epsilons.reserve(asked.size());
  for (const Question& question : asked) epsilons.push_back(question.argument);
  std::vector<double> lower(asked.size());
  std::vector<double> upper(asked.size());
  static_cast<void>(mechanism.profile().deltas(epsilons, lower, upper));
  std::vector<Answer> all;
  for (std::size_t i = 0; i < asked.size(); ++i)
    all.push_back(answered(mechanism, asked[i], {lower[i], upper[i]}, goal));
  return all;
}

Report evaluate(const Subject& subject, const std::vector<Question>& asked) {
  Report report{subject.expression, pipeline::evaluate(subject.expression.program, subject.settings), {}};
  const pipeline::Mechanism& mechanism = report.pipeline.mechanism();
  const auto is_delta = [](const Question& question) { return question.quantity == Quantity::kDelta; };
  if (!mechanism.profile().traits().costly && std::all_of(asked.begin(), asked.end(), is_delta)) {
    report.answers = many_deltas(mechanism, asked, subject.settings.goal);
    return report;
  }
  Progress progress(asked.size());
  for (const Question& question : asked) {
    report.answers.push_back(answer(mechanism, question, subject.settings.goal));
    progress.finished(report.answers.size());
  }
  return report;
}

int finish(const Report& report, const std::string& text) {
  std::cout << text << (text.ends_with('\n') ? "" : "\n");
  return report.converged() ? kFine : kNotAccurate;
}

CLI::App* add_command(CLI::App& app, const char* name, const char* summary, const char* examples,
                      const SharedOptions& options) {
  CLI::App* command = app.add_subcommand(name, summary);
  command->footer(
      std::string("Examples:\n") + examples +
      "\n\n'doeblin stages' lists what an expression can contain. Several values: 0.5 1 2, or 0.5,1,2, or "
      "a range 0:5:0.1.\nExit codes: 0 fine, 2 bad input, 3 valid but wider than promised, 1 internal error.");
  command
      ->add_option(
          "expression", options->expression,
          "a pipeline, such as 'gaussian(sigma=1) | compose(10)'; - reads it from standard input, and a name that ends "
          "in .toml is a plan")
      ->required()
      ->type_name(kPipeline);
  add_settings(*command, options->settings);
  command->add_flag("--json", options->json, "machine-readable output");
  return command;
}

void add_certificate_option(CLI::App& command, Options& options) {
  command
      .add_option("--certificate", options.certificate,
                  "write the claim with everything it rests on to this file, for 'doeblin verify'")
      ->type_name(kFile);
}

void add_question(CLI::App& app, int& exit_code, const char* name, const char* summary, const char* examples,
                  Quantity quantity, const std::vector<std::string>& standard = {}) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_command(app, name, summary, examples, options);
  auto& texts = quantity == Quantity::kEpsilon ? options->deltas
                : quantity == Quantity::kDelta ? options->epsilons
                                               : options->alphas;
  auto* option = command->add_option(std::string("--") + names(quantity).argument, texts, "where to evaluate");
  const bool is_table = !standard.empty();
  if (is_table) option->default_str(standard[0]);
  if (quantity != Quantity::kRdp && !is_table) add_certificate_option(*command, *options);
  command->callback([=, &texts, &exit_code] {
    const Subject subject = subject_of(*options);
    std::vector<double> values = values_at(quantity, texts.empty() ? standard : texts);
    if (const auto target = subject.target_of(quantity); values.empty() && target) values = {*target};
    if (values.empty())
      throw InvalidArgument(std::string(name) + ": --" + names(quantity).argument +
                            " is missing, need at least one value");
    const Report report = evaluate(subject, questions(quantity, values));
    if (!options->certificate.empty())
      write_certificate(options->certificate, certificate_of(report, subject.settings));
    exit_code = finish(report, options->json ? json_text(report) : text_report(report));
  });
}

void add_explain(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_command(app, "explain", "the derivation: stage by stage, theorem, assumptions, numbers before and after",
                  "  doeblin explain 'laplace(scale=2) | group(3)' --epsilon 1\n"
                  "  doeblin explain 'gaussian(sigma=4) | compose(100)' --delta 1e-6 --json",
                  options);
  command->add_option("--delta", options->deltas, "show epsilon at these deltas (1e-5 when nothing is asked for)");
  command->add_option("--epsilon", options->epsilons, "show delta at these epsilons");
  command->add_option("--alpha", options->alphas, "show the Renyi divergence at these orders");
  command->callback([options, &exit_code] {
    const Subject subject = subject_of(*options);
    std::vector<Question> asked;
    for (const auto& [quantity, texts] : {std::pair(Quantity::kEpsilon, options->deltas),
                                          {Quantity::kDelta, options->epsilons},
                                          {Quantity::kRdp, options->alphas}})
      for (const Question& question : questions(quantity, values_at(quantity, texts))) asked.push_back(question);
    if (asked.empty()) asked = questions(Quantity::kEpsilon, {subject.delta.value_or(kStandardDelta)});
    const Report report = evaluate(subject, asked);
    exit_code = finish(report, options->json ? json_explanation(report) : text_explanation(report));
  });
}

// One number, given once, or else by the target of a plan.
double single_value(const std::string& option, const std::vector<std::string>& texts,
                    const std::optional<double>& target = {}) {
  const std::optional<double> value = texts.empty() ? target : optional_number(option, texts);
  if (!value) throw InvalidArgument(option + ": one value is needed");
  return *value;
}

// What only the calibration of a diffusion needs.
struct DiffusionOptions {
  std::vector<std::string> radius;
  std::vector<std::string> dimension;
  std::vector<std::string> alpha;

  [[nodiscard]] bool is_used() const { return !radius.empty() || !dimension.empty() || !alpha.empty(); }
};

std::string calibrated_diffusion(const Subject& subject, const Options& options, const DiffusionOptions& diffusion) {
  const auto open = pipeline::open_diffusion(subject.expression.program);
  if (!open)
    throw InvalidArgument(
        "calibrate: --radius, --dimension and --alpha are for an expression of the form "
        "ornstein_uhlenbeck(theta=?, rho=?, time=1)");
  if (diffusion.radius.empty())
    throw InvalidArgument("calibrate: --radius is missing, need how large the value can be");
  const bool is_of_plan = options.deltas.empty() && diffusion.alpha.empty();
  const pipeline::DiffusionTarget target{
      .epsilon = single_value("--epsilon", options.epsilons, subject.epsilon),
      .delta = is_of_plan ? subject.delta : optional_number("--delta", options.deltas),
      .alpha = optional_number("--alpha", diffusion.alpha),
      .time = open->time,
      .sensitivity = open->sensitivity,
      .value = {.dimension = optional_number("--dimension", diffusion.dimension).value_or(1.0),
                .radius = single_value("--radius", diffusion.radius)}};
  const pipeline::CalibratedDiffusion found = pipeline::calibrate(target);
  return options.json ? json_diffusion(target, found) + "\n" : text_diffusion(target, found);
}

void add_calibrate(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_command(
      app, "calibrate", "solve for the argument written as '?', on the safe side",
      "  doeblin calibrate 'gaussian(sigma=?) | poisson(rate=0.01) | compose(10000)' --epsilon 1 --delta 1e-5\n"
      "  doeblin calibrate 'laplace(scale=20) | compose(?)' --epsilon 2 --delta 1e-6 --json\n"
      "  doeblin calibrate 'ornstein_uhlenbeck(theta=?, rho=?, time=1)' --epsilon 1 --delta 1e-6 --radius 10 "
      "--dimension 50",
      options);
  command->add_option("--epsilon", options->epsilons, "the epsilon to meet; a plan may name it");
  command->add_option("--delta", options->deltas, "the delta to meet, 0 allowed; a plan may name it");
  const auto diffusion = std::make_shared<DiffusionOptions>();
  command->add_option("--radius", diffusion->radius,
                      "for ornstein_uhlenbeck(theta=?, rho=?, ...): the value lies within this distance of 0");
  command->add_option("--dimension", diffusion->dimension, "and has so many coordinates (1 if left out)");
  command->add_option("--alpha", diffusion->alpha, "and its Renyi divergence of this order is to be epsilon at most");
  command->callback([options, diffusion, &exit_code] {
    const Subject subject = subject_of(*options, diffusion->is_used() ? Open::kAny : Open::kOne);
    if (diffusion->is_used()) {
      std::cout << calibrated_diffusion(subject, *options, *diffusion);
      exit_code = kFine;
      return;
    }
    const pipeline::Unknown unknown = pipeline::unknown_of(subject.expression.program);
    const pipeline::Target target{single_value("--epsilon", options->epsilons, subject.epsilon),
                                  single_value("--delta", options->deltas, subject.delta)};
    Progress progress(0, "evaluations");
    const auto found = pipeline::calibrate(unknown, target, subject.settings,
                                           [&](int done) { progress.finished(static_cast<std::size_t>(done)); });
    const CalibrationReport report{subject.expression, unknown, target, found};
    std::cout << (options->json ? json_calibration(report) + "\n" : text_calibration(report));
    exit_code = kFine;
  });
}

void add_compare(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_command(app, "compare", "every applicable analysis side by side, the best one marked",
                  "  doeblin compare 'gaussian(sigma=1.1) | poisson(rate=256/60000) | compose(14000)' --delta 1e-5\n"
                  "  doeblin compare 'laplace(scale=10) | compose(100)' --epsilon 5 --json",
                  options);
  command->add_option("--delta", options->deltas, "compare epsilon at this delta (1e-5 when nothing is asked for)");
  command->add_option("--epsilon", options->epsilons, "compare delta at this epsilon");
  command->callback([options, &exit_code] {
    if (!options->deltas.empty() && !options->epsilons.empty())
      throw InvalidArgument("compare: --delta and --epsilon, need one of them");
    const Subject subject = subject_of(*options);
    const Question question = options->epsilons.empty()
                                  ? Question{Quantity::kEpsilon, single_value("--delta", options->deltas,
                                                                              subject.delta.value_or(kStandardDelta))}
                                  : Question{Quantity::kDelta, single_value("--epsilon", options->epsilons)};
    question.validate();
    const pipeline::Comparison compared = comparison_report(subject.expression, subject.settings, question);
    std::cout << (options->json ? json_comparison(compared) + "\n" : text_comparison(compared));
    exit_code = kFine;
  });
}

void add_people(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  const auto files = std::make_shared<std::pair<std::string, std::string>>();
  const char* run = "'noisy_sgd(n=1000, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=1, diameter=2)'";
  static const std::string examples = std::string("  doeblin people ") + run + " --delta 1e-6\n  doeblin people " +
                                      run + " --epsilon 1 --csv people.csv --svg people.svg";
  CLI::App* command =
      add_command(app, "people", "the guarantee of every record of an iterative run", examples.c_str(), options);
  command->add_option("--delta", options->deltas, "show epsilon at this delta (1e-5 when nothing is asked for)");
  command->add_option("--epsilon", options->epsilons, "show delta at this epsilon");
  command->add_option("--csv", files->first, "write a line for every record to this file")->type_name(kFile);
  command->add_option("--svg", files->second, "draw the guarantee against the record's number")->type_name(kFile);
  add_certificate_option(*command, *options);
  command->callback([options, files, &exit_code] {
    const Subject subject = subject_of(*options);
    std::optional<double> delta = optional_number("--delta", options->deltas);
    std::optional<double> epsilon = optional_number("--epsilon", options->epsilons);
    if (!delta && !epsilon) delta = subject.delta, epsilon = subject.epsilon;
    if (!delta && !epsilon) delta = kStandardDelta;
    std::vector<Question> asked;
    if (delta) asked.push_back({Quantity::kEpsilon, *delta});
    if (epsilon) asked.push_back({Quantity::kDelta, *epsilon});
    for (const Question& question : asked) question.validate();
    const PeopleReport report = people_report(subject.expression, subject.settings, asked);
    if (!files->first.empty())
      write_atomically("--csv", files->first, [&](std::ostream& out) { write_csv(out, report); });
    if (!files->second.empty())
      write_atomically("--svg", files->second, [&](std::ostream& out) { out << people_svg(report); });
    if (!options->certificate.empty())
      write_certificate(options->certificate, certificate_of(report, subject.settings));
    std::cout << (options->json ? json_people(report) + "\n" : text_people(report));
    exit_code = kFine;
  });
}

void add_mix(CLI::App& app, int& exit_code) {
  struct MixOptions {
    std::string kernel;
    std::string mechanism;
    std::vector<std::string> epsilon{"1"};
    std::vector<std::string> delta{"1e-6"};
    std::vector<std::string> at{"0.1,0.5,1,2"};
    std::vector<std::string> steps{"16"};
    std::vector<std::string> target_epsilon;
    std::vector<std::string> target_delta;
    std::string svg;
    bool json = false;
  };
  const auto options = std::make_shared<MixOptions>();
  CLI::App* command = app.add_subcommand("mix", "coefficients of a Markov kernel and what they do to (epsilon, delta)");
  command->footer(
      "Examples:\n"
      "  doeblin mix channel.csv --epsilon 1 --delta 1e-6\n"
      "  doeblin mix \"lazy_walk('graph.txt') | k_ary_response(k=4, p=0.7)\" --steps 30 --svg mix.svg\n"
      "  doeblin mix 'k_ary_response(k=10, p=0.9)' --mechanism 'gaussian(sigma=1)' --target-epsilon 0.1\n\n"
      "A kernel is a file (CSV, NPY or Matrix Market) or kernels of 'doeblin stages' joined by '|'.\n"
      "Exit codes: 0 fine, 2 bad input, 1 internal error.");
  command->add_option("kernel", options->kernel, "a file, or kernels such as 'k_ary_response(k=4, p=0.7)'")
      ->required()
      ->type_name(kKernel);
  command
      ->add_option("--mechanism", options->mechanism,
                   "what comes before the kernel; a black box with the given epsilon and delta if left out")
      ->type_name(kPipeline);
  command->add_option("--epsilon", options->epsilon, "of the mechanism, and where delta is shown")->default_str("1");
  command->add_option("--delta", options->delta, "of the mechanism, and where epsilon is shown")->default_str("1e-6");
  command->add_option("--at", options->at, "where to show the (gamma, epsilon)-Dobrushin coefficient")
      ->default_str("0.1,0.5,1,2");
  command->add_option("--steps", options->steps, "how many powers of the kernel to tabulate")->default_str("16");
  command->add_option("--target-epsilon", options->target_epsilon, "find how many steps reach this epsilon");
  command->add_option("--target-delta", options->target_delta, "and this delta (else that of --delta)");
  command->add_option("--svg", options->svg, "draw epsilon and delta against steps")->type_name(kFile);
  command->add_flag("--json", options->json, "machine-readable output");
  command->callback([options, &exit_code] {
    const MixReport report = mix_report({.kernel = options->kernel,
                                         .mechanism = options->mechanism,
                                         .epsilon = single_value("--epsilon", options->epsilon),
                                         .delta = single_value("--delta", options->delta),
                                         .curve = language::parse_values("--at", options->at),
                                         .steps = single_value("--steps", options->steps),
                                         .target_epsilon = optional_number("--target-epsilon", options->target_epsilon),
                                         .target_delta = optional_number("--target-delta", options->target_delta)});
    if (!options->svg.empty())
      write_atomically("--svg", options->svg, [&](std::ostream& out) { out << mix_svg(report); });
    std::cout << (options->json ? json_mix(report) + "\n" : text_mix(report));
    exit_code = kFine;
  });
}

void add_progress(CLI::App& command) {
  command.add_flag_callback(
      "--progress", [] { show_progress(ShowProgress::kAlways); },
      "say on standard error how far it is, even where that is no terminal");
}

}  // namespace

void add_commands(CLI::App& app, int& exit_code) {
  add_question(app, exit_code, "epsilon", "the smallest epsilon at a delta",
               "  doeblin epsilon 'gaussian(sigma=2)' --delta 1e-6\n"
               "  doeblin epsilon '(gaussian(sigma=4) | compose(30)) + laplace(scale=10)' --delta 1e-5 1e-8 --json",
               Quantity::kEpsilon);
  add_question(app, exit_code, "delta", "delta at an epsilon",
               "  doeblin delta 'gaussian(sigma=2)' --epsilon 1\n"
               "  doeblin delta 'twice_laplace(1, 2) | group(2)' --epsilon 0:2:0.25",
               Quantity::kDelta);
  add_question(app, exit_code, "profile", "delta over a range of epsilons, as a table",
               "  doeblin profile 'laplace(scale=1)'\n"
               "  doeblin profile 'black_box(1, 1e-6)' --epsilon 0:2:0.1 --json",
               Quantity::kDelta, {"0:5:0.5"});
  add_question(app, exit_code, "rdp", "the Renyi divergence at an order; alpha = inf is the pure-DP level",
               "  doeblin rdp 'laplace(scale=1)' --alpha 2 8 inf\n"
               "  doeblin rdp 'gaussian(sigma=1) | compose(5)' --alpha 1.5:10:0.5",
               Quantity::kRdp);
  add_explain(app, exit_code);
  add_compare(app, exit_code);
  add_calibrate(app, exit_code);
  add_people(app, exit_code);
  add_mix(app, exit_code);
  add_release(app, exit_code);
  add_train(app, exit_code);
  add_predict(app, exit_code);
  add_verify(app, exit_code);
  add_audit(app, exit_code);
  add_report(app, exit_code);
  // What takes an expression or data may take long.
  for (CLI::App* command : app.get_subcommands({})) add_progress(*command);

  CLI::App* stages = app.add_subcommand("stages", "list sources and stages with their parameters");
  stages->footer("Example:\n  doeblin stages");
  stages->callback([] { std::cout << text_stages(); });
  add_completion(app);
}

}  // namespace doeblin::cli
