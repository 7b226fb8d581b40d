// SPDX-License-Identifier: Apache-2.0
#include "report/html.hpp"

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin::report {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

TEST(Html, MarkupIsEscaped) {
  EXPECT_EQ(escaped("<script>alert(1)</script>"), "&lt;script&gt;alert(1)&lt;/script&gt;");
  EXPECT_EQ(escaped(R"(" onload='x' & &amp;)"), "&quot; onload=&#39;x&#39; &amp; &amp;amp;");
  EXPECT_EQ(escaped(""), "");
}

TEST(Html, TextOfAnyLanguageStays) {
  const std::string text = "naïve ε ≤ 10⁻⁵ Wahrscheinlichkeit 確率 \xF0\x9F\x8E\xB2\n\tend";
  EXPECT_EQ(escaped(text), text);
}

TEST(Html, ControlsAndMarksOfDirectionAreReplaced) {
  EXPECT_EQ(escaped(std::string_view("a\0b", 3)), std::string("a") + kReplacement + "b");
  // NUL to US, DEL, C1 controls, soft hyphen, zero width, right-to-left override, isolates, byte order mark,
  // noncharacter.
  for (const char* unseen :
       {"\x01", "\x08", "\x0B", "\r", "\x1B", "\x7F", "\xC2\x80", "\xC2\x9F", "\xC2\xAD", "\xE2\x80\x8B",
        "\xE2\x80\x8F", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xEF\xBB\xBF", "\xEF\xBF\xBE", "\xF3\xA0\x80\x81"})
    EXPECT_EQ(escaped(unseen), kReplacement) << unseen;
}

TEST(Html, WhatIsNotUtf8IsReplacedByteByByte) {
  EXPECT_EQ(escaped("\x80"), kReplacement);
  EXPECT_EQ(escaped("\xFF<"), std::string(kReplacement) + "&lt;");
  // Cut short, with the next tag intact.
  EXPECT_EQ(escaped("\xE2\x82<b>"), std::string(kReplacement) + kReplacement + "&lt;b&gt;");
  // Too long a form of '<', half of a pair, and beyond Unicode.
  for (const char* bad :
       {"\xC0\xBC", "\xE0\x80\xBC", "\xF0\x80\x80\xBC", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF8\x88"}) {
    const std::string safe = escaped(bad);
    EXPECT_EQ(safe.find_first_not_of(kReplacement), std::string::npos) << bad;
    EXPECT_EQ(safe.size(), 3 * std::string(bad).size());
  }
}

RC_GTEST_PROP(Html, AnyBytesGiveTextWithoutMarkup, (std::string bytes)) {
  const std::string safe = escaped(bytes);
  RC_ASSERT(safe.find_first_of("<>\"'") == std::string::npos);
  // Escaping again changes nothing but the ampersands: whatever came out was valid.
  std::string again = escaped(safe);
  for (std::size_t at; (at = again.find("&amp;")) != std::string::npos;) again.replace(at, 5, "\x01");
  for (char& c : again)
    if (c == '\x01') c = '&';
  RC_ASSERT(again == safe);
}

TEST(Html, Elements) {
  EXPECT_EQ(element("p", "<b>x</b>"), "<p><b>x</b></p>");
  EXPECT_EQ(text_element("p", "<b>", "class=\"x\""), "<p class=\"x\">&lt;b&gt;</p>");
}

}  // namespace
}  // namespace doeblin::report
