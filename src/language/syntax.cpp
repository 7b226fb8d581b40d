// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/syntax.hpp"

#include <cmath>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

namespace doeblin::language {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// What stands at the offset, short and printable.
std::string excerpt(std::string_view expression, std::size_t offset) {
  if (offset >= expression.size()) return "the end";
  std::string shown;
  for (std::size_t i = offset; i < expression.size() && shown.size() < 16; ++i) {
    const char c = expression[i];
    if (i > offset && (is_space(c) || c == '|')) break;
    if (c < 0x20 || c > 0x7e) {
      if (shown.empty()) shown = fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      break;
    }
    shown += c;
  }
  return "'" + shown + "'";
}

class Parser {
 public:
  explicit Parser(std::string_view expression) : expression_(expression) {}

  Node whole() {
    skip_space();
    if (at_end()) fail("the expression is empty");
    Node node = pipeline();
    if (!at_end()) fail(peek() == ')' ? "unmatched ')'" : "expected an operator here");
    return node;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { throw ExpressionError(expression_, position_, problem); }

  [[nodiscard]] bool at_end() const { return position_ >= expression_.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return position_ + ahead < expression_.size() ? expression_[position_ + ahead] : '\0';
  }
  void skip_space() {
    while (!at_end() && is_space(peek())) ++position_;
  }
  bool accept(char c) {
    if (at_end() || peek() != c) return false;
    ++position_;
    skip_space();
    return true;
  }

  // Counts nesting for as long as it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kDeepestNesting)
        parser_.fail(fmt::format("nested deeper than {} levels", kDeepestNesting));
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  template <typename Operand, typename IsOperator>
  Node chain(const Operand& operand, const IsOperator& is_operator) {
    Node first = operand();
    if (!is_operator()) return first;
    Node node{.kind = Node::Kind::kChain, .offset = first.offset};
    node.children.push_back(std::move(first));
    while (is_operator()) {
      if (peek() == '|' && ++stages_ > kMostStages) fail(fmt::format("more than {} stages", kMostStages));
      node.operators.push_back(peek());
      node.operator_offsets.push_back(position_);
      ++position_;
      skip_space();
      node.children.push_back(operand());
    }
    return node;
  }

  Node pipeline() {
    const Level level(*this);
    return chain([this] { return sum(); }, [this] { return peek() == '|'; });
  }
  Node sum() {
    return chain([this] { return product(); }, [this] { return peek() == '+' || peek() == '-'; });
  }
  Node product() {
    return chain([this] { return unary(); }, [this] { return (peek() == '*' && peek(1) != '*') || peek() == '/'; });
  }

  Node unary() {
    const Level level(*this);
    const std::size_t start = position_;
    if (accept('+')) return unary();
    if (accept('-')) {
      Node node{.kind = Node::Kind::kNegate, .offset = start};
      node.children.push_back(unary());
      return node;
    }
    Node base = atom();
    if (!(peek() == '*' && peek(1) == '*')) return base;
    position_ += 2;
    skip_space();
    Node node{.kind = Node::Kind::kPower, .offset = base.offset};
    node.children.push_back(std::move(base));
    node.children.push_back(unary());
    return node;
  }

  Node atom() {
    if (at_end()) fail("the expression ends where a value is expected");
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (is_letter(c)) return name_or_call();
    if (c == '\'' || c == '"') return text();
    if (c == '?') return hole();
    if (c == '[') return list();
    if (!accept('(')) fail("expected a source, a stage or a number");
    Node inner = pipeline();
    if (!accept(')')) fail("expected ')'");
    return inner;
  }

  Node number() {
    Node node{.kind = Node::Kind::kNumber, .offset = position_};
    const char* begin = expression_.data() + position_;
    const auto parsed = fast_float::from_chars(begin, expression_.data() + expression_.size(), node.number);
    if (parsed.ec != std::errc() || !std::isfinite(node.number)) fail("not a number that a double can hold");
    node.text.assign(begin, parsed.ptr);
    position_ += static_cast<std::size_t>(parsed.ptr - begin);
    if (is_letter(peek())) fail("expected an operator between a number and a name");
    skip_space();
    return node;
  }

  Node hole() {
    Node node{.kind = Node::Kind::kHole, .offset = position_};
    static_cast<void>(accept('?'));
    return node;
  }

  Node list() {
    const Level level(*this);
    Node node{.kind = Node::Kind::kList, .offset = position_};
    static_cast<void>(accept('['));
    while (!accept(']')) {
      node.children.push_back(sum());
      if (accept(',')) continue;
      if (!accept(']')) fail("expected ',' or ']'");
      break;
    }
    return node;
  }

  Node text() {
    Node node{.kind = Node::Kind::kText, .offset = position_};
    const auto end = expression_.find(peek(), position_ + 1);
    if (end == std::string_view::npos) fail("the quote is not closed");
    node.text = expression_.substr(position_ + 1, end - position_ - 1);
    position_ = end + 1;
    skip_space();
    return node;
  }

  std::string identifier() {
    const std::size_t start = position_;
    while (is_letter(peek()) || is_digit(peek())) ++position_;
    std::string name(expression_.substr(start, position_ - start));
    skip_space();
    return name;
  }

  Node name_or_call() {
    Node node{.kind = Node::Kind::kName, .offset = position_};
    node.text = identifier();
    if (!accept('(')) return node;
    node.kind = Node::Kind::kCall;
    while (!accept(')')) {
      node.children.push_back(argument());
      if (accept(',')) continue;
      if (!accept(')')) fail("expected ',' or ')'");
      break;
    }
    return node;
  }

  Node argument() {
    const std::size_t start = position_;
    if (is_letter(peek())) {
      const std::string name = identifier();
      if (peek() == '=') {
        ++position_;
        skip_space();
        Node value = pipeline();
        value.keyword = name;
        value.keyword_offset = start;
        return value;
      }
      position_ = start;
    }
    return pipeline();
  }

  std::string_view expression_;
  std::size_t position_ = 0;
  int depth_ = 0;
  int stages_ = 0;
};

}  // namespace

ExpressionError::ExpressionError(std::string_view expression, std::size_t offset, const Sentence& problem)
    : InvalidArgument(Sentence{fmt::format("column {}, at {}: ", offset + 1, excerpt(expression, offset)), problem}),
      offset_(offset) {}

Node parse_syntax(std::string_view expression) {
  if (expression.size() > kLongestExpression)
    throw InvalidArgument(fmt::format("expression: longer than {} bytes", kLongestExpression));
  return Parser(expression).whole();
}

}  // namespace doeblin::language
