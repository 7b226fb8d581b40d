// SPDX-License-Identifier: Apache-2.0
#include "report/html.hpp"

#include <cstddef>
#include <cstdint>

namespace doeblin::report {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool is_valid = false;
};

// How many bytes follow the first one, or -1.
int followers_of(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xC2 && first <= 0xDF) return 1;
  if (first >= 0xE0 && first <= 0xEF) return 2;
  if (first >= 0xF0 && first <= 0xF4) return 3;
  return -1;
}

// Neither longer than needed, nor half of a pair, nor beyond Unicode.
bool is_scalar(std::uint32_t code, int followers) {
  constexpr std::uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  return code >= kLeast[followers] && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
}

Character character_at(std::string_view text, std::size_t i) {
  const auto first = static_cast<unsigned char>(text[i]);
  const int followers = followers_of(first);
  if (followers < 0) return {};
  if (followers == 0) return {first, 1, true};
  std::uint32_t code = first & (0x3FU >> followers);
  for (int k = 1; k <= followers; ++k) {
    const std::size_t at = i + static_cast<std::size_t>(k);
    if (at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (static_cast<unsigned char>(text[at]) & 0x3FU);
  }
  if (!is_scalar(code, followers)) return {};
  return {code, static_cast<std::size_t>(followers) + 1, true};
}

// Controls, marks without width and of direction, and what Unicode promises never to use.
bool is_unseen(std::uint32_t c) {
  if (c < 0x20) return c != '\n' && c != '\t';
  return (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFDD0 && c <= 0xFDEF) ||
         (c & 0xFFFEU) == 0xFFFEU || (c >= 0xE0000 && c <= 0xE0FFF);
}

const char* entity_of(std::uint32_t code) {
  switch (code) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return nullptr;
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Character c = character_at(text, i);
    if (!c.is_valid || is_unseen(c.code))
      safe += kReplacement;
    else if (const char* entity = entity_of(c.code))
      safe += entity;
    else
      safe += text.substr(i, c.bytes);
    i += c.bytes;
  }
  return safe;
}

std::string element(std::string_view tag, std::string_view content, std::string_view attributes) {
  std::string html = "<";
  html += tag;
  if (!attributes.empty()) (html += ' ') += attributes;
  (html += '>') += content;
  ((html += "</") += tag) += '>';
  return html;
}

std::string text_element(std::string_view tag, std::string_view text, std::string_view attributes) {
  return element(tag, escaped(text), attributes);
}

}  // namespace doeblin::report
