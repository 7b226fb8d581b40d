// SPDX-License-Identifier: Apache-2.0
#include "commands/train_request.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/core/words.hpp"
#include "doeblin/training/loss.hpp"

namespace doeblin::commands {
namespace {

template <typename Kind, std::size_t count>
Kind chosen(Option option, const Words<Kind, count>& choices, const std::string& text) {
  if (const auto found = choices.value_of(text)) return *found;
  throw InvalidArgument(option, fmt::format("'{}'", text.substr(0, 40)), "one of " + choices.listed(", "));
}

constexpr auto kSplits = words<bool>({{"content", false}, {"position", true}});

void require_count_of(Option option, double value) {
  require_whole(option, value, 0.0, 0x1p53, "a whole number from 0 to 2^53");
}

std::vector<std::string_view> losses_with_width() {
  std::vector<std::string_view> names;
  for (const training::LossDefinition& one : training::losses())
    if (!one.width_meaning.empty()) names.push_back(one.name);
  std::sort(names.begin(), names.end());
  return names;
}

void require_order(Option option, const training::Bounds& bounds) {
  if (!(bounds.low < bounds.high))
    throw InvalidArgument(Sentence{option, ": low"}, bounds.low, fmt::format("low < high = {}", bounds.high));
}

void complete_encoding(TrainRequest& asked) {
  training::EncodingRequest& encoding = asked.encoding;
  if (encoding.label_bounds && !encoding.classes.empty())
    throw InvalidArgument(Option{"label_bounds"}, {"with ", Option{"classes"}}, "one of them: a number or a class");
  if (encoding.label_bounds) require_order(Option{"label_bounds"}, *encoding.label_bounds);
  for (const training::PatternBounds& one : encoding.bounds) require_order(Option{"bounds"}, one.bounds);
  if (!asked.norm)
    throw InvalidArgument(
        Sentence{Option{"norm"},
                 ": missing; feature vectors are scaled down to this norm, which the guarantee rests on and which must "
                 "be declared without looking at the data"});
  encoding.norm = *asked.norm;
  encoding.intercept = asked.intercept.value_or(encoding.norm);
  const bool is_classification = asked.run.loss.is_classification();
  if (is_classification && encoding.classes.empty() && !encoding.label_bounds) encoding.classes = {"0", "1"};
  if (!is_classification && !encoding.label_bounds)
    throw InvalidArgument(
        Sentence{Option{"label_bounds"}, ": missing; labels are clipped to them, which the guarantee rests on"});
}

void complete_domain(TrainRequest& asked) {
  training::Domain& domain = asked.run.domain;
  const bool is_box = domain.kind == training::DomainKind::kBox;
  if (is_box != asked.box.has_value())
    throw InvalidArgument(Option{"box"},
                          asked.box ? fmt::format("'{}:{}'", asked.box->low, asked.box->high) : std::string("missing"),
                          {"LOW:HIGH with ", Option{"domain"}, " box, and only there"});
  if (is_box) {
    require_order(Option{"box"}, *asked.box);
    domain.low = asked.box->low, domain.high = asked.box->high;
  }
  if (is_box && asked.radius)
    throw InvalidArgument(Sentence{Option{"radius"}, ": not with ", Option{"domain"}, " box"});
  if (!is_box && !asked.radius)
    throw InvalidArgument(Sentence{
        Option{"radius"}, ": missing; parameters are kept within this distance of 0, which the guarantee rests on"});
  domain.size = asked.radius.value_or(1.0);
}

void complete_run(TrainRequest& asked) {
  training::DescentRequest& run = asked.run;
  if (asked.loss_width && !run.loss.has_width())
    throw InvalidArgument(Option{"loss_width"}, *asked.loss_width,
                          fmt::format("a loss with a width: {}", fmt::join(losses_with_width(), " or ")));
  run.loss.width = asked.loss_width.value_or(run.loss.kind->standard_width);
  complete_domain(asked);
  if (asked.learning_rate) {
    require(*asked.learning_rate > 0.0 && std::isfinite(*asked.learning_rate), Option{"learning_rate"},
            *asked.learning_rate, "0 < learning rate < infinity");
    run.learning_rate = *asked.learning_rate;
  }
  require_count_of(Option{"batch"}, run.batch);
  require_count_of(Option{"epochs"}, run.epochs);
  require_count_of(Option{"public_tail"}, run.public_tail);
}

void check_target(const TrainRequest& asked) {
  if (asked.epsilon && asked.sigma)
    throw InvalidArgument(Sentence{Option{"sigma"}, ": not together with ", Option{"epsilon"}});
  if (!asked.epsilon && !asked.sigma)
    throw InvalidArgument(
        Sentence{Option{"epsilon"}, ": missing; the target, or ", Option{"sigma"}, " for a given noise"});
  require(asked.delta > 0.0 && asked.delta < 1.0, Option{"delta"}, asked.delta, "0 < delta < 1");
}

void check_test(const TrainRequest& asked) {
  const double held_out = asked.split.held_out;
  require(held_out >= 0.0 && held_out < 1.0, Option{"test_fraction"}, held_out, "0 <= share < 1");
  const bool has_test = held_out > 0.0 || !asked.test_file.empty();
  if (asked.is_test_public && !has_test)
    throw InvalidArgument(
        Sentence{Option{"test_is_public"}, ": only with ", Option{"test"}, " or ", Option{"test_fraction"}});
  if (held_out > 0.0 && !asked.test_file.empty())
    throw InvalidArgument(Option{"test"}, {"with ", Option{"test_fraction"}}, "one of them");
  if (asked.compares_without_noise && !(asked.is_data_public && asked.is_test_public))
    throw InvalidArgument(Sentence{Option{"compare_without_noise"}, ": only for data that is public: ",
                                   Option{"data_is_public"}, " ", Option{"test_is_public"}});
}

void complete_storage(TrainRequest& asked) {
  if (asked.checkpoint.empty() && !asked.key_file.empty())
    throw InvalidArgument(Sentence{Option{"key_file"}, ": only with ", Option{"checkpoint"}});
  require(asked.checkpoint_seconds >= 0.0, Option{"checkpoint_every"}, asked.checkpoint_seconds, "0 or more seconds");
  if (!asked.memory) return;
  require(*asked.memory >= 0.0 && *asked.memory <= 1e6, Option{"memory"}, *asked.memory, "0 to 1e6 GiB");
  asked.limits.memory = static_cast<std::uint64_t>(*asked.memory * 0x1p30);
}

}  // namespace

TrainRequest completed(const TrainRequest& asked) {
  TrainRequest result = asked;
  complete_run(result);
  complete_encoding(result);
  check_target(result);
  check_test(result);
  complete_storage(result);
  return result;
}

pipeline::RecordSequence order_named(const std::string& text) {
  return chosen(Option{"order"}, pipeline::kRecordSequences, text);
}
pipeline::RunOutput output_named(const std::string& text) {
  return chosen(Option{"release"}, pipeline::kRunOutputs, text);
}
pipeline::NoiseLaw noise_named(const std::string& text) { return chosen(Option{"noise"}, pipeline::kNoiseLaws, text); }
Relation relation_named(const std::string& text) { return chosen(Option{"relation"}, pipeline::kRunRelations, text); }
bool is_split_by_position(const std::string& text) { return chosen(Option{"split_by"}, kSplits, text); }

}  // namespace doeblin::commands
