// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "doeblin/core/error.hpp"

/// Values and what people call them.
namespace doeblin {

template <typename Value>
struct Word {
  std::string_view word;
  Value value;
  /// For lists of what there is.
  std::string_view meaning = {};
};

/// A table of values with one word each: the only place where the two meet.
template <typename Value, std::size_t count>
class Words {
 public:
  constexpr explicit Words(const std::array<Word<Value>, count>& all) : all_(all) {}

  [[nodiscard]] constexpr auto begin() const { return all_.begin(); }
  [[nodiscard]] constexpr auto end() const { return all_.end(); }
  [[nodiscard]] static constexpr std::size_t size() { return count; }

  [[nodiscard]] constexpr std::string_view word_of(Value value) const {
    for (const Word<Value>& one : all_)
      if (one.value == value) return one.word;
    throw InternalError("broken invariant: a value without a word");
  }

  /// Nothing for other words.
  [[nodiscard]] constexpr std::optional<Value> value_of(std::string_view word) const {
    for (const Word<Value>& one : all_)
      if (one.word == word) return one.value;
    return std::nullopt;
  }

  /// "a, b or c"; `last` stands before the last word, `quote` around each.
  [[nodiscard]] std::string listed(std::string_view last = " or ", std::string_view quote = "") const {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) text += i + 1 < count ? ", " : last;
      text.append(quote).append(all_[i].word).append(quote);
    }
    return text;
  }

  /// Some of them, in this order.
  template <std::size_t few>
  [[nodiscard]] constexpr Words<Value, few> only(const Value (&values)[few]) const {
    std::array<Word<Value>, few> some{};
    for (std::size_t i = 0; i < few; ++i) some[i] = {word_of(values[i]), values[i]};
    return Words<Value, few>(some);
  }

 private:
  std::array<Word<Value>, count> all_;
};

/// For example words<Relation>({{"add_remove", Relation::kAddRemove}, {"substitute", Relation::kSubstitute}}).
template <typename Value, std::size_t count>
[[nodiscard]] constexpr Words<Value, count> words(const Word<Value> (&list)[count]) {
  return Words<Value, count>(std::to_array(list));
}

}  // namespace doeblin
