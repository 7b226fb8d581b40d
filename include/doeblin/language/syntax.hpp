// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "doeblin/core/error.hpp"

/// The grammar of the expression language. Precedence is Python's:
///
///     pipeline := sum ('|' sum)*
///     sum      := product (('+' | '-') product)*
///     product  := unary (('*' | '/') unary)*
///     unary    := ('+' | '-') unary | power
///     power    := atom ('**' unary)?
///     atom     := number | text | name | name '(' arguments ')' | '(' pipeline ')' | '?' | '[' list ']'
///     list     := sum (',' sum)*
///     argument := pipeline | name '=' pipeline
namespace doeblin::language {

/// A mistake at one place of an expression: "column 12, at 'poison': ...".
class ExpressionError : public InvalidArgument {
 public:
  ExpressionError(std::string_view expression, std::size_t offset, const Sentence& problem);
  /// Bytes before the mistake.
  [[nodiscard]] std::size_t offset() const { return offset_; }

 private:
  std::size_t offset_;
};

/// A node of the syntax tree. Chains of one precedence are flat, so the depth of the tree is that of the parentheses.
struct Node {
  enum class Kind { kNumber, kText, kName, kCall, kChain, kPower, kNegate, kHole, kList };
  Kind kind;
  std::size_t offset;        ///< Where it starts in the expression.
  double number = 0.0;       ///< kNumber: the nearest double
  std::string text = {};     ///< kText, kName, kCall: the text or name; kNumber: as it is written
  std::string keyword = {};  ///< Set when the node is a keyword argument.
  std::size_t keyword_offset = 0;
  std::vector<Node> children = {};   ///< Operands, arguments or elements.
  std::vector<char> operators = {};  ///< kChain: between children[i] and children[i+1].
  std::vector<std::size_t> operator_offsets = {};
};

inline constexpr std::size_t kLongestExpression = 65536;
inline constexpr int kDeepestNesting = 64;
/// '|' operators in one expression: each adds a layer of evaluation.
inline constexpr int kMostStages = 1000;

/// Throws ExpressionError; never crashes, whatever the bytes.
[[nodiscard]] Node parse_syntax(std::string_view expression);

}  // namespace doeblin::language
