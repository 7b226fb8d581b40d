// SPDX-License-Identifier: Apache-2.0
#include "commands/train_options.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "commands/data_options.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/core/words.hpp"

namespace doeblin::commands {
namespace {

template <typename Kind, std::size_t count>
Kind chosen(const char* option, const Words<Kind, count>& choices, const std::string& text) {
  if (const auto found = choices.value_of(text)) return *found;
  throw InvalidArgument(option, fmt::format("'{}'", text.substr(0, 40)), "one of " + choices.listed(", "));
}

constexpr auto kSplits = words<bool>({{"content", false}, {"position", true}});

double whole(const std::string& option, const TrainOptions::Texts& texts, double standard) {
  const double value = optional_number(option, texts).value_or(standard);
  require_whole(option, value, 0.0, 0x1p53, "a whole number from 0 to 2^53");
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

std::vector<std::string_view> losses_with_width() {
  std::vector<std::string_view> names;
  for (const training::LossDefinition& one : training::losses())
    if (!one.width_meaning.empty()) names.push_back(one.name);
  std::sort(names.begin(), names.end());
  return names;
}

training::DescentRequest run_of(const TrainOptions& options) {
  training::DescentRequest run;
  run.loss.kind = training::loss_named(options.loss);
  const auto width = optional_number("--loss-width", options.loss_width);
  if (width && !run.loss.has_width())
    throw InvalidArgument("--loss-width", *width,
                          fmt::format("a loss with a width: {}", fmt::join(losses_with_width(), " or ")));
  run.loss.width = width.value_or(run.loss.kind->standard_width);
  run.domain = domain_of(options);
  run.regularisation = optional_number("--regularisation", options.regularisation).value_or(0.0);
  if (const auto rate = optional_number("--learning-rate", options.learning_rate)) {
    require(*rate > 0.0 && std::isfinite(*rate), "--learning-rate", *rate, "0 < learning rate < infinity");
    run.learning_rate = *rate;
  }
  run.batch = whole("--batch", options.batch, 1.0);
  run.epochs = whole("--epochs", options.epochs, 1.0);
  run.public_tail = whole("--public-tail", options.public_tail, 0.0);
  run.order = chosen("--order", pipeline::kRecordSequences, options.order);
  run.output = chosen("--release", pipeline::kRunOutputs, options.release);
  run.noise = chosen("--noise", pipeline::kNoiseLaws, options.noise);
  if (!options.relation.empty()) run.relation = chosen("--relation", pipeline::kRunRelations, options.relation);
  return run;
}

}  // namespace

TrainQuestion TrainOptions::asked() const {
  TrainQuestion result = question;
  if (!format.empty()) result.format = training::format_named(format);
  result.run = run_of(*this);
  result.encoding = encoding_of(*this);
  if (result.run.loss.is_classification() && result.encoding.classes.empty() && !result.encoding.label_bounds)
    result.encoding.classes = {"0", "1"};
  if (!result.run.loss.is_classification() && !result.encoding.label_bounds)
    throw InvalidArgument("--label-bounds: missing; labels are clipped to them, which the guarantee rests on");
  result.epsilon = optional_number("--epsilon", epsilon);
  result.sigma = optional_number("--sigma", sigma);
  result.delta = optional_number("--delta", delta).value_or(result.delta);
  if (result.epsilon.has_value() == result.sigma.has_value())
    throw InvalidArgument(result.epsilon ? "--sigma: not together with --epsilon"
                                         : "--epsilon: missing; the target, or --sigma for a given noise");
  require(result.delta > 0.0 && result.delta < 1.0, "--delta", result.delta, "0 < delta < 1");
  result.split.held_out = optional_number("--test-fraction", test_fraction).value_or(0.0);
  require(result.split.held_out >= 0.0 && result.split.held_out < 1.0, "--test-fraction", result.split.held_out,
          "0 <= share < 1");
  const bool has_test = result.split.held_out > 0.0 || !result.test_file.empty();
  if (result.is_test_public && !has_test)
    throw InvalidArgument("--test-is-public: only with --test or --test-fraction");
  result.split.is_by_position = chosen("--split-by", kSplits, split_by);
  if (result.split.held_out > 0.0 && !result.test_file.empty())
    throw InvalidArgument("--test", "with --test-fraction", "one of them");
  if (result.compares_without_noise && !(result.is_data_public && result.is_test_public))
    throw InvalidArgument("--compare-without-noise: only for data that is public: --data-is-public --test-is-public");
  if (result.checkpoint.empty() && !result.key_file.empty())
    throw InvalidArgument("--key-file: only with --checkpoint");
  result.checkpoint_seconds =
      optional_number("--checkpoint-every", checkpoint_every).value_or(result.checkpoint_seconds);
  require(result.checkpoint_seconds >= 0.0, "--checkpoint-every", result.checkpoint_seconds, "0 or more seconds");
  if (const auto gibibytes = optional_number("--memory", memory)) {
    require(*gibibytes >= 0.0 && *gibibytes <= 1e6, "--memory", *gibibytes, "0 to 1e6 GiB");
    result.limits.memory = static_cast<std::uint64_t>(*gibibytes * 0x1p30);
  }
  if (!seed.empty()) result.insecure_seed = static_cast<std::uint64_t>(whole("--insecure-seed", seed, 0.0));
  result.settings = settings.settings();
  return result;
}

}  // namespace doeblin::commands
