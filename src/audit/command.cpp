// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/command.hpp"

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "audit/child_process.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"

namespace doeblin::audit {
namespace {

constexpr std::string_view kInput = "{input}";
constexpr std::string_view kSeed = "{seed}";

std::string quoted(const std::string& path) {
  std::string text = "'";
  for (const char c : path) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string filled(const std::string& command, std::string_view place, const std::string& value) {
  std::string text;
  std::size_t begin = 0;
  for (std::size_t found; (found = command.find(place, begin)) != std::string::npos; begin = found + place.size())
    text += command.substr(begin, found - begin) + value;
  return text + command.substr(begin);
}

// Where {input} stands inside quotes or behind a backslash: there the quotes around a path would end the others, and
// the shell would run what the path says.
bool has_quoted_input(std::string_view command) {
  char quote = '\0';
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote != '\0' && command.substr(i).starts_with(kInput)) return true;
    if (c == '\\' && quote != '\'') {
      if (command.substr(++i).starts_with(kInput)) return true;
    } else if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"' || c == '`')) {
      quote = c;
    }
  }
  return false;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

[[noreturn]] void fail(const Sentence& problem) { throw InvalidArgument(Sentence{Option{"command"}, ": ", problem}); }

// Throws unless the program ended as it should.
void check(const ChildResult& result, double timeout) {
  using End = ChildResult::End;
  const std::string said =
      result.errors.empty() ? "" : fmt::format(": {}", printable(trimmed(first_line(result.errors))));
  switch (result.end) {
    case End::kTimedOut: fail({fmt::format("the program took longer than {} s (", timeout), Option{"timeout"}, ")"});
    case End::kTooLong: fail("the program printed more than 256 MiB");
    case End::kStopped: fail("stopped");
    case End::kSignalled: fail(fmt::format("the program was ended by signal {}{}", result.code, said));
    case End::kExited:
      if (result.code != 0) fail(fmt::format("the program failed with exit code {}{}", result.code, said));
  }
}

std::vector<double> numbers_of(std::string_view line) {
  std::vector<double> numbers;
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    while (at != end && std::strchr(" \t,\r", *at) != nullptr) ++at;
    if (at == end) return numbers;
    if (*at == '+') ++at;
    double number = 0.0;
    const auto [next, error] = fast_float::from_chars(at, end, number);
    const bool is_whole = error == std::errc() && (next == end || std::strchr(" \t,\r", *next) != nullptr);
    if (!is_whole || !std::isfinite(number))
      fail({fmt::format("the program printed '{}', need finite numbers (words: ", printable(line)), Option{"labels"},
            ")"});
    numbers.push_back(number);
    at = next;
  }
}

// Categories as numbers: the same whatever the order in which they come.
class Labels {
 public:
  double number_of(std::string_view label) {
    // FNV-1a; 53 bits of it tell any labels apart that a program could print.
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : label) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    const auto number = static_cast<double>(hash >> 11U);
    const std::lock_guard guard(lock_);
    const auto [found, is_new] = names_.emplace(number, label);
    ensure(is_new || found->second == label, "labels have different numbers");
    return number;
  }
  [[nodiscard]] std::string name_of(double number) {
    const std::lock_guard guard(lock_);
    return fmt::format("'{}'", printable(names_.at(number)));
  }

 private:
  std::mutex lock_;
  std::map<double, std::string> names_;
};

// The first `count` lines, of at most `most`.
Outputs outputs_of(std::string_view text, std::size_t count, std::size_t most, Labels* labels) {
  Outputs outputs{0};
  std::size_t lines = 0;
  while (!text.empty()) {
    const std::string_view line = trimmed(first_line(text));
    text.remove_prefix(std::min(text.size(), first_line(text).size() + 1));
    if (line.empty()) continue;
    // What is never looked at may be what leaks.
    if (lines == most)
      fail({fmt::format("the program printed more than {} line{}, need one for each output (", most,
                        most == 1 ? "" : "s"),
            Option{"runs_per_call"}, ")"});
    if (lines++ >= count) continue;
    const std::vector<double> row = labels != nullptr ? std::vector{labels->number_of(line)} : numbers_of(line);
    if (lines == 1) outputs.dimension = row.size();
    if (row.size() != outputs.dimension)
      fail(fmt::format("the program printed {} numbers and then {}, need outputs of one length", outputs.dimension,
                       row.size()));
    outputs.values.insert(outputs.values.end(), row.begin(), row.end());
  }
  if (lines < count)
    fail(lines == 0 ? Sentence("the program printed no output")
                    : Sentence{fmt::format("the program printed {} outputs, need {} (", lines, count),
                               Option{"runs_per_call"}, ")"});
  return outputs;
}

}  // namespace

void CommandOptions::validate() const {
  if (command.find(kInput) == std::string::npos)
    throw InvalidArgument(Option{"command"}, fmt::format("'{}'", printable(command)),
                          "{input} where the input belongs");
  if (has_quoted_input(command))
    throw InvalidArgument(Option{"command"}, fmt::format("'{}'", printable(command)),
                          "{input} outside of quotes: it is quoted when it is filled in");
  if (first.empty() || second.empty())
    throw InvalidArgument(
        Sentence{Option{"inputs"}, ": missing; two neighbouring inputs, as in ", Option{"inputs"}, " a.csv b.csv"});
  require(runs_per_call >= 1 && runs_per_call <= 10'000'000, Option{"runs_per_call"},
          static_cast<double>(runs_per_call), "1 to 1e7");
  require(timeout > 0.0 && timeout <= 1e6, Option{"timeout"}, timeout, "0 < seconds <= 1e6");
}

Subject command_subject(const CommandOptions& options) {
  options.validate();
  const auto labels = std::make_shared<Labels>();
  Subject subject{.name = options.command,
                  .run =
                      [options, labels](Side side, std::uint64_t stream, std::size_t count) {
                        const std::string& input = side == Side::kFirst ? options.first : options.second;
                        const std::uint64_t seed = options.source.stream(stream).next() >> 11U;
                        // The seed first: a path may contain anything.
                        const std::string command =
                            filled(filled(options.command, kSeed, std::to_string(seed)), kInput, quoted(input));
                        const ChildResult result = run_child(command, {options.timeout, options.stop});
                        check(result, options.timeout);
                        return outputs_of(result.output, count,
                                          std::max(count, static_cast<std::size_t>(options.runs_per_call)),
                                          options.is_categorical ? labels.get() : nullptr);
                      },
                  .block = options.runs_per_call,
                  .is_categorical = options.is_categorical};
  if (options.is_categorical) subject.category = [labels](double number) { return labels->name_of(number); };
  return subject;
}

}  // namespace doeblin::audit
