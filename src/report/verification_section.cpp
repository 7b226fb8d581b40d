// SPDX-License-Identifier: Apache-2.0
#include "report/verification_section.hpp"

#include <algorithm>
#include <cctype>

#include "report/html.hpp"
#include "report/page.hpp"

namespace doeblin::report {
namespace {

// As a shell takes it for one word.
std::string shell_word(const std::string& text) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '/' || c == '-' || c == '_';
  };
  if (!text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string word = text.starts_with('-') ? "'./" : "'";
  for (const char c : text) word += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
  return word + "'";
}

std::string meaning(const char* word, const char* text) {
  return text_element("dt", word) + text_element("dd", text) + "\n";
}

}  // namespace

std::string verification_section(const std::string& file_name) {
  return paragraph(
             "This page is a picture of a certificate, and whoever sends it can change it. The certificate itself can "
             "be checked, without trusting whoever made it:") +
         element("pre", code("doeblin verify " + shell_word(file_name))) + "\n" +
         element(
             "dl",
             "\n" +
                 meaning("VERIFIED",
                         "Every number of the claim was bounded again by an independent route, in arithmetic that "
                         "keeps track of every rounding error, and holds.") +
                 meaning(
                     "REFUTED",
                     "A number is wrong, or the derivation is not the one of this mechanism. Do not use the claim.") +
                 meaning("NOT CHECKED",
                         "No independent route settles it, or another version wrote the file. That says nothing "
                         "against the claim, and nothing for it."),
             "class=\"meanings\"") +
         "\n" +
         paragraph(
             "A file that was changed after it was sealed is not accepted at all. Verifying checks the calculation; "
             "whether the assumptions marked “asserted” are true has to be checked where the data and the code are.");
}

std::string limits_section() {
  constexpr const char* kLimits[] = {
      "It bounds what the output reveals about one person’s data beyond what the rest of the data reveals. What "
      "follows "
      "from everybody else’s data, such as a general pattern, is not covered.",
      "It holds for a mechanism that meets the assumptions above. Nobody can tell from the numbers whether the code "
      "adds "
      "the noise it says it adds, or whether the sensitivity is right.",
      "It is about this release alone. Others about the same people add to it.",
      "A group of people who belong together, such as a family, is protected less than one person.",
      "It does not cover what leaks in other ways: a lost file, a log, the time that a computation takes."};
  std::string items;
  for (const char* limit : kLimits) items += text_element("li", limit) + "\n";
  return element("ul", "\n" + items, "class=\"limits\"") + "\n";
}

}  // namespace doeblin::report
