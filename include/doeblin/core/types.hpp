// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "doeblin/core/bracket.hpp"
#include "doeblin/core/words.hpp"

namespace doeblin {

/// A privacy level in nats, epsilon >= 0; infinity is allowed.
class Epsilon {
 public:
  explicit Epsilon(double value) : value_(value) { require(value >= 0.0, "epsilon", value, "epsilon >= 0"); }
  [[nodiscard]] double value() const { return value_; }

 private:
  double value_;
};

/// A failure probability to ask for, 0 < delta <= 1. (What comes out as an answer is a Bracket and may be 0.)
class Delta {
 public:
  explicit Delta(double value) : value_(value) {
    require(value > 0.0 && value <= 1.0, "delta", value, "0 < delta <= 1");
  }
  [[nodiscard]] double value() const { return value_; }

 private:
  double value_;
};

/// The order of a Renyi divergence, alpha > 1; infinity asks for the largest privacy loss.
class Alpha {
 public:
  explicit Alpha(double value) : value_(value) { require(value > 1.0, "alpha", value, "alpha > 1"); }
  [[nodiscard]] double value() const { return value_; }

 private:
  double value_;
};

/// What "neighbouring datasets" means. A source is neutral: its sensitivity refers to whatever relation the caller
/// has in mind, until a stage fixes one.
enum class Relation { kNeutral, kAddRemove, kSubstitute, kZeroOut };

inline constexpr auto kRelations = words<Relation>({{"neutral", Relation::kNeutral},
                                                    {"add_remove", Relation::kAddRemove},
                                                    {"substitute", Relation::kSubstitute},
                                                    {"zero_out", Relation::kZeroOut}});

[[nodiscard]] std::string_view name(Relation relation);

/// The relation under which two mechanisms can be combined: neutral gives way, different ones throw InvalidArgument.
[[nodiscard]] Relation common_relation(Relation first, Relation second);

}  // namespace doeblin
