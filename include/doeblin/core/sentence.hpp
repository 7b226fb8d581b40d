// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace doeblin {

/// A parameter of a request: `test_fraction`, which the command line writes --test-fraction.
struct Option {
  std::string_view name;
};

/// A text that names options, and knows where: each reader sees them as he writes them.
class Sentence {
 public:
  Sentence() = default;
  // Texts are sentences that name no option.
  Sentence(std::string text) : text_(std::move(text)) {}
  Sentence(std::string_view text) : text_(text) {}
  Sentence(const char* text) : text_(text) {}
  Sentence(Option option) : text_(option.name), options_{{0, option.name.size()}} {}
  Sentence(std::initializer_list<Sentence> parts);

  /// Options under their own names.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  /// Options as `spelling` writes their names.
  [[nodiscard]] std::string spelled(const std::function<std::string(std::string_view)>& spelling) const;

  /// The same without line breaks and other control characters, which become '?'.
  [[nodiscard]] Sentence one_line() const;

 private:
  /// A part of the text that is the name of an option.
  struct Place {
    std::size_t begin;
    std::size_t size;
  };

  std::string text_;
  std::vector<Place> options_;
};

}  // namespace doeblin
