// SPDX-License-Identifier: Apache-2.0
#include "cli/audit_command.hpp"

#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/option_forms.hpp"
#include "cli/option_values.hpp"
#include "cli/train_options.hpp"
#include "commands/audit_report.hpp"
#include "commands/process_guard.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/core/whole.hpp"

namespace doeblin::cli {

using namespace commands;

namespace {

constexpr int kViolated = 1;
// Trainings and programs take longer than a draw.
constexpr double kManyRuns = 1e6;
constexpr double kFewRuns = 1e4;

using Texts = std::vector<std::string>;

// As they stand on the command line.
struct AuditOptions {
  AuditRequest request;
  TrainOptions train;
  /// The options of the run, to see which of them are there.
  const CLI::App* train_group = nullptr;
  Texts epsilon, delta, runs, confidence, noise_factor, runs_per_call, timeout, canary, seed;
  bool json = false;
};

double whole(const std::string& option, const Texts& texts, double standard) {
  const double value = optional_number(option, texts).value_or(standard);
  require_whole(option, value, 0.0, 1e9, "a whole number up to 1e9");
  return value;
}

// One of the three things that can be run.
void check_subject(const AuditOptions& options) {
  const AuditRequest& request = options.request;
  const bool is_training = !options.train.request.data.empty();
  const bool has_expression = !request.expression.empty();
  const int count = (has_expression ? 1 : 0) + (request.command.empty() ? 0 : 1) + (is_training ? 1 : 0);
  if (count > 1) throw InvalidArgument("audit: one of an expression, --command and --train is needed, not several");
  if (count == 0 && request.certificate.empty())
    throw InvalidArgument("audit: nothing to run; an expression, --command, --train or --certificate is needed");
  const auto only_with = [](bool is_given, bool fits, const char* option, const char* with) {
    if (is_given && !fits) throw InvalidArgument(std::string(option) + ": only with " + with);
  };
  const bool is_command = !request.command.empty();
  only_with(!request.inputs.empty(), is_command, "--inputs", "--command");
  only_with(!options.runs_per_call.empty(), is_command, "--runs-per-call", "--command");
  only_with(!options.timeout.empty(), is_command, "--timeout", "--command");
  only_with(request.has_labels, is_command, "--labels", "--command");
  for (const CLI::Option* option : options.train_group->get_options())
    only_with(option->count() > 0, is_training, option->get_name().c_str(), "--train");
  only_with(!options.canary.empty(), is_training, "--canary", "--train");
  only_with(!options.noise_factor.empty(), !is_command && !is_training, "--noise-factor", "an expression");
  if (!request.certificate.empty() && is_training)
    throw InvalidArgument("--certificate: not with --train, whose claim is that of the run itself");
  if (!request.certificate.empty() && !options.epsilon.empty())
    throw InvalidArgument("--epsilon: not with --certificate, which has claims of its own");
}

AuditRequest request_of(const AuditOptions& options) {
  check_subject(options);
  AuditRequest request = options.request;
  request.epsilon = optional_number("--epsilon", options.epsilon);
  request.delta = optional_number("--delta", options.delta);
  const bool is_training = !options.train.request.data.empty();
  const bool is_slow = is_training || !request.command.empty();
  request.runs = static_cast<std::uint64_t>(whole("--runs", options.runs, is_slow ? kFewRuns : kManyRuns));
  request.confidence = optional_number("--confidence", options.confidence).value_or(request.confidence);
  request.noise_factor = optional_number("--noise-factor", options.noise_factor).value_or(1.0);
  request.runs_per_call = static_cast<std::size_t>(whole("--runs-per-call", options.runs_per_call, 1.0));
  request.timeout = optional_number("--timeout", options.timeout).value_or(request.timeout);
  request.canary = static_cast<std::size_t>(whole("--canary", options.canary, 0.0));
  if (!options.seed.empty())
    request.insecure_seed = static_cast<std::uint64_t>(whole("--insecure-seed", options.seed, 0.0));
  if (!is_training) return request;
  TrainOptions train = options.train;
  train.epsilon = options.epsilon;
  train.delta = options.delta;
  request.train = train.asked();
  request.epsilon = std::nullopt;
  return request;
}

constexpr const char* kAuditFooter =
    "Examples:\n"
    "  doeblin audit 'gaussian(sigma=1)' --delta 1e-2\n"
    "  doeblin audit 'laplace(scale=1)' --delta 0 --noise-factor 0.8\n"
    "  doeblin audit 'noisy_sgd(n=20, learning_rate=0.5, sigma=1, lipschitz=1, smoothness=2) | person(15)'\n"
    "  doeblin audit --certificate run/certificate.json\n"
    "  doeblin audit --command './noisy_count {input}' --inputs with.csv without.csv --epsilon 1 --delta 1e-3\n"
    "  doeblin audit --train people.csv --label y --bounds '*=0:1' --norm 1 --radius 5 --sigma 0.5 --runs 4000\n\n"
    "Runs the mechanism on two neighbouring inputs, learns from half of the runs which outputs give them away, and\n"
    "counts those in the other half. What is found is a lower bound on epsilon: CONSISTENT is no proof of privacy,\n"
    "VIOLATED is one of the contrary, up to the confidence. The output is about the mechanism and not about data: of\n"
    "--train and --command, it tells what those reveal.\n"
    "A program prints its output as numbers on one line, separated by blanks or commas; {input} is the path of an\n"
    "input and {seed}, if it stands there, a number that differs from call to call.\n"
    "Exit codes: 0 CONSISTENT, 1 VIOLATED, 2 bad input, 130 interrupted.";

}  // namespace

void add_audit(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<AuditOptions>();
  AuditRequest& request = options->request;
  CLI::App* command = app.add_subcommand("audit", "empirical lower bounds on epsilon, against what is claimed");
  command->footer(kAuditFooter);
  command
      ->add_option("expression", request.expression,
                   "a mechanism that can be run, such as 'gaussian(sigma=1)', or a plan")
      ->type_name(kPipeline);
  const auto each = [&](const char* name, Texts& texts, const char* form, const char* meaning) {
    command->add_option(name, texts, meaning)->type_size(1)->allow_extra_args(false)->type_name(form);
  };
  command->add_option("--command", request.command, "a program, instead of an expression")->type_name("'PROG {input}'");
  command->add_option("--inputs", request.inputs, "two neighbouring inputs for it")->type_size(2)->type_name(kFile);
  each("--runs-per-call", options->runs_per_call, "K", "independent outputs that one call prints, a line each (1)");
  each("--timeout", options->timeout, "SECONDS", "after which a call is given up (60)");
  command->add_flag("--labels", request.has_labels, "the program prints words, not numbers");
  command->add_option("--train", options->train.request.data, "train on these records, with a canary among them")
      ->type_name(kFile);
  each("--canary", options->canary, "N", "which record becomes the canary (the last private one)");
  each("--epsilon", options->epsilon, "X", "what is claimed, if not by the expression; the target of --train");
  each("--delta", options->delta, "X", "the delta of the claim (0.01, or that of the certificate; --train 1e-6)");
  command->add_option("--certificate", request.certificate, "audit the claim of this certificate")->type_name(kFile);
  command->add_flag("--gaussian", request.is_gaussian,
                    "the claim is one of Gaussian DP, which can be tested at any delta");
  each("--runs", options->runs, "N", "in all, half on each input (1e6; 1e4 for --command and --train)");
  each("--confidence", options->confidence, "X", "how rarely a true claim may be called VIOLATED (0.999)");
  each("--noise-factor", options->noise_factor, "F", "run with F times the noise: a broken mechanism, to be caught");
  each("--insecure-seed", options->seed, "N", "draw from a seed, for tests");
  command->add_flag("--json", options->json, "machine-readable output");
  CLI::App* group = command->add_option_group("With --train", "as for 'doeblin train'");
  add_run(*group, options->train);
  options->train_group = group;
  command->callback([options, &exit_code] {
    const AuditRequest asked = request_of(*options);
    harden_process();
    const std::optional<AuditReport> report = audit_run(asked);
    if (!report) {
      std::cerr << "doeblin: interrupted\n";
      exit_code = kInterrupted;
      return;
    }
    std::cout << (options->json ? json_audit(*report) + "\n" : text_audit(*report));
    exit_code = report->verdict == audit::Verdict::kConsistent ? kFine : kViolated;
  });
}

}  // namespace doeblin::cli
