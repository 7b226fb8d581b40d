// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/syntax.hpp"

#include <gtest/gtest.h>

namespace doeblin::language {
namespace {

using Kind = Node::Kind;

TEST(Syntax, PrecedenceIsPythons) {
  // a | x + b | y is a | (x + b) | y.
  const Node node = parse_syntax("a(1) | x(1) + b(1) | y(1)");
  ASSERT_EQ(node.kind, Kind::kChain);
  EXPECT_EQ(node.operators, (std::vector<char>{'|', '|'}));
  ASSERT_EQ(node.children[1].kind, Kind::kChain);
  EXPECT_EQ(node.children[1].operators, (std::vector<char>{'+'}));

  const Node product = parse_syntax("1 + 2 * 3 ** 2");
  EXPECT_EQ(product.operators, (std::vector<char>{'+'}));
  EXPECT_EQ(product.children[1].operators, (std::vector<char>{'*'}));
  EXPECT_EQ(product.children[1].children[1].kind, Kind::kPower);
  // Python reads -2 ** 2 as -(2 ** 2).
  EXPECT_EQ(parse_syntax("-2 ** 2").kind, Kind::kNegate);
}

TEST(Syntax, CallsHavePositionalAndKeywordArguments) {
  const Node call = parse_syntax("f(1, 'a b', key = 2.5e-3,)");
  ASSERT_EQ(call.kind, Kind::kCall);
  EXPECT_EQ(call.text, "f");
  ASSERT_EQ(call.children.size(), 3u);
  EXPECT_EQ(call.children[1].text, "a b");
  EXPECT_EQ(call.children[2].keyword, "key");
  EXPECT_EQ(call.children[2].number, 2.5e-3);
  EXPECT_TRUE(parse_syntax("f()").children.empty());
}

TEST(Syntax, WhiteSpaceIsFree) { EXPECT_EQ(parse_syntax(" \t\n f ( 1 ) \r\n").kind, Kind::kCall); }

std::size_t mistake_offset(const std::string& text) {
  try {
    static_cast<void>(parse_syntax(text));
  } catch (const ExpressionError& error) {
    return error.offset();
  }
  return std::string::npos;
}

TEST(Syntax, ErrorsPointAtTheCharacter) {
  EXPECT_EQ(mistake_offset(""), 0u);
  EXPECT_EQ(mistake_offset("   "), 3u);
  EXPECT_EQ(mistake_offset("f(1"), 3u);
  EXPECT_EQ(mistake_offset("f(1))"), 4u);
  EXPECT_EQ(mistake_offset("f(1) | "), 7u);
  EXPECT_EQ(mistake_offset("f(1) $ g"), 5u);
  EXPECT_EQ(mistake_offset("f(1 2)"), 4u);
  EXPECT_EQ(mistake_offset("f('abc"), 2u);
  EXPECT_EQ(mistake_offset("f(1e999)"), 2u);
  EXPECT_EQ(mistake_offset("f(2x)"), 3u);
  EXPECT_EQ(mistake_offset("1 = 2"), 2u);
}

TEST(Syntax, MessageIsOneLineWithColumnAndExcerpt) {
  try {
    static_cast<void>(parse_syntax("f(1) |\n\x01"));
    FAIL();
  } catch (const ExpressionError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_NE(message.find("column 8"), std::string::npos) << message;
    EXPECT_NE(message.find("\\x01"), std::string::npos) << message;
  }
}

TEST(Syntax, SizeAndDepthAreLimited) {
  EXPECT_THROW(static_cast<void>(parse_syntax(std::string(1 << 20, '1'))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(parse_syntax(std::string(10000, '('))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(parse_syntax(std::string(10000, '-') + "1")), InvalidArgument);
  std::string powers = "1";
  for (int i = 0; i < 1000; ++i) powers += "**1";
  EXPECT_THROW(static_cast<void>(parse_syntax(powers)), InvalidArgument);
  std::string stages = "a(1)";
  for (int i = 0; i < 1001; ++i) stages += "|b(1)";
  EXPECT_THROW(static_cast<void>(parse_syntax(stages)), InvalidArgument);
  // A long sum is flat and therefore fine.
  std::string sum = "1";
  for (int i = 0; i < 20000; ++i) sum += "+1";
  EXPECT_EQ(parse_syntax(sum).children.size(), 20001u);
}

TEST(Syntax, AHoleIsAnAtom) {
  const Node call = parse_syntax("f(sigma=?, 2)");
  ASSERT_EQ(call.children.size(), 2u);
  EXPECT_EQ(call.children[0].kind, Node::Kind::kHole);
  EXPECT_EQ(call.children[0].keyword, "sigma");
  EXPECT_EQ(call.children[0].offset, 8u);
}

}  // namespace
}  // namespace doeblin::language
