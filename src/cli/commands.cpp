// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"

#include <iostream>
#include <memory>

#include "cli/answer.hpp"
#include "cli/completion.hpp"
#include "cli/json_output.hpp"
#include "cli/progress.hpp"
#include "cli/settings_options.hpp"
#include "cli/text_output.hpp"
#include "doeblin/pipeline/number_list.hpp"
#include "doeblin/pipeline/expression.hpp"
#include "doeblin/pipeline/syntax.hpp"

namespace doeblin::cli {
namespace {

// What the options of one command hold.
struct Options {
  std::string expression;
  std::vector<std::string> epsilons;
  std::vector<std::string> deltas;
  std::vector<std::string> alphas;
  SettingsOptions settings;
  bool json = false;
};

using SharedOptions = std::shared_ptr<Options>;

std::vector<Question> questions(Quantity quantity, const std::vector<std::string>& texts) {
  std::vector<Question> list;
  for (const double value : pipeline::parse_values(std::string("--") + names(quantity).argument, texts))
    list.push_back({quantity, value});
  for (const Question& question : list) validate(question);
  return list;
}

// The expression as written, or for "-" what stands on standard input.
std::string expression_text(const Options& options) {
  if (options.expression != "-") return options.expression;
  // One byte more than is allowed shows that there is too much.
  std::string text(pipeline::kLongestExpression + 1, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::cin.gcount()));
  return text;
}

Report evaluate(const Options& options, const std::vector<Question>& asked) {
  const std::string expression = expression_text(options);
  Report report{expression, pipeline::parse(expression, options.settings.settings()), {}};
  Progress progress(asked.size());
  for (const Question& question : asked) {
    report.answers.push_back(answer(report.pipeline.guarantee(), question));
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
      ->add_option("expression", options->expression,
                   "a pipeline, such as 'gaussian(sigma=1) | compose(10)'; - reads it from standard input")
      ->required();
  options->settings.add_to(*command);
  command->add_flag("--json", options->json, "machine-readable output");
  return command;
}

void add_question(CLI::App& app, int& exit_code, const char* name, const char* summary, const char* examples,
                  Quantity quantity, const char* standard) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_command(app, name, summary, examples, options);
  auto& texts = quantity == Quantity::kEpsilon ? options->deltas
                : quantity == Quantity::kDelta ? options->epsilons
                                               : options->alphas;
  auto* option = command->add_option(std::string("--") + names(quantity).argument, texts, "where to evaluate");
  const bool is_table = standard[0] != '\0';
  if (is_table) option->default_str(standard);
  command->callback([=, &texts, &exit_code] {
    if (texts.empty() && !is_table)
      throw InvalidArgument(std::string(name) + ": --" + names(quantity).argument +
                            " is missing, need at least one value");
    if (texts.empty()) texts = {standard};
    const Report report = evaluate(*options, questions(quantity, texts));
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
    if (options->deltas.empty() && options->epsilons.empty() && options->alphas.empty()) options->deltas = {"1e-5"};
    std::vector<Question> asked = questions(Quantity::kEpsilon, options->deltas);
    for (const Question& question : questions(Quantity::kDelta, options->epsilons)) asked.push_back(question);
    for (const Question& question : questions(Quantity::kRdp, options->alphas)) asked.push_back(question);
    const Report report = evaluate(*options, asked);
    exit_code = finish(report, options->json ? json_explanation(report) : text_explanation(report));
  });
}

// One number, given once.
double single_value(const std::string& option, const std::vector<std::string>& texts) {
  const std::vector<double> values = pipeline::parse_values(option, texts);
  if (values.size() != 1) throw InvalidArgument(option + ": one value is needed");
  return values[0];
}

void add_calibrate(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_command(
      app, "calibrate", "solve for the argument written as '?', on the safe side",
      "  doeblin calibrate 'gaussian(sigma=?) | poisson(rate=0.01) | compose(10000)' --epsilon 1 --delta 1e-5\n"
      "  doeblin calibrate 'laplace(scale=20) | compose(?)' --epsilon 2 --delta 1e-6 --json",
      options);
  command->add_option("--epsilon", options->epsilons, "the epsilon to meet")->required();
  command->add_option("--delta", options->deltas, "the delta to meet, 0 allowed")->required();
  command->callback([options, &exit_code] {
    const std::string expression = expression_text(*options);
    const pipeline::ExpressionWithHole open(expression);
    const pipeline::Target target{single_value("--epsilon", options->epsilons),
                                  single_value("--delta", options->deltas)};
    Progress progress(0);
    const auto found = pipeline::calibrate(open, target, options->settings.settings(),
                                           [&](int done) { progress.finished(static_cast<std::size_t>(done)); });
    const CalibrationReport report{expression, open, target, found};
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
    if (options->deltas.empty() && options->epsilons.empty()) options->deltas = {"1e-5"};
    const bool is_epsilon = options->epsilons.empty();
    const Question question{
        is_epsilon ? Quantity::kEpsilon : Quantity::kDelta,
        is_epsilon ? single_value("--delta", options->deltas) : single_value("--epsilon", options->epsilons)};
    validate(question);
    const std::string expression = expression_text(*options);
    const auto compared = pipeline::compare(expression, options->settings.settings());
    Progress progress(compared.size());
    ComparisonReport report{expression, compared[0].pipeline->relation(), question, {}};
    for (const auto& one : compared) {
      ComparisonRow row{one.analysis, std::nullopt, one.reason};
      if (one.pipeline) row.answer = answer(one.pipeline->guarantee(), question);
      report.rows.push_back(row);
      progress.finished(report.rows.size());
    }
    std::cout << (options->json ? json_comparison(report) + "\n" : text_comparison(report));
    exit_code = kFine;
  });
}

}  // namespace

void add_commands(CLI::App& app, int& exit_code) {
  add_question(app, exit_code, "epsilon", "the smallest epsilon at a delta",
               "  doeblin epsilon 'gaussian(sigma=2)' --delta 1e-6\n"
               "  doeblin epsilon '(gaussian(sigma=4) | compose(30)) + laplace(scale=10)' --delta 1e-5 1e-8 --json",
               Quantity::kEpsilon, "");
  add_question(app, exit_code, "delta", "delta at an epsilon",
               "  doeblin delta 'gaussian(sigma=2)' --epsilon 1\n"
               "  doeblin delta 'twice_laplace(1, 2) | group(2)' --epsilon 0:2:0.25",
               Quantity::kDelta, "");
  add_question(app, exit_code, "profile", "delta over a range of epsilons, as a table",
               "  doeblin profile 'laplace(scale=1)'\n"
               "  doeblin profile 'black_box(1, 1e-6)' --epsilon 0:2:0.1 --json",
               Quantity::kDelta, "0:5:0.5");
  add_question(app, exit_code, "rdp", "the Renyi divergence at an order; alpha = inf is the pure-DP level",
               "  doeblin rdp 'laplace(scale=1)' --alpha 2 8 inf\n"
               "  doeblin rdp 'gaussian(sigma=1) | compose(5)' --alpha 1.5:10:0.5",
               Quantity::kRdp, "");
  add_explain(app, exit_code);
  add_compare(app, exit_code);
  add_calibrate(app, exit_code);

  CLI::App* stages = app.add_subcommand("stages", "list sources and stages with their parameters");
  stages->footer("Example:\n  doeblin stages");
  stages->callback([] { std::cout << text_stages(); });
  add_completion(app);
}

}  // namespace doeblin::cli
