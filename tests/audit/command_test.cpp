// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/command.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::audit {
namespace {

using test::message_of;

CommandOptions options_for(const std::string& command) {
  return {.command = command, .first = "first", .second = "second", .source = sampling::RandomSource::insecure(1)};
}

Outputs once(CommandOptions options, std::size_t count = 1, Side side = Side::kFirst) {
  options.runs_per_call = count;
  return command_subject(options).run(side, 7, count);
}

std::string refusal(const CommandOptions& options, std::size_t count = 1) {
  return message_of<InvalidArgument>([&] { static_cast<void>(once(options, count)); });
}

TEST(Command, ReadsNumbersFromLines) {
  EXPECT_EQ(once(options_for("printf '1.5 -2,3e4\\n' # {input}")).values, (std::vector{1.5, -2.0, 3e4}));
  EXPECT_EQ(once(options_for("printf '\\n 1, +2 \\r\\n\\n3 4' # {input}"), 2).values,
            (std::vector{1.0, 2.0, 3.0, 4.0}));
  // To the last line, however many fit into a pipe.
  EXPECT_EQ(once(options_for("seq 100000 # {input}"), 100000).values.back(), 100000.0);
  // A call may make more runs than are needed, but not more than were announced: a line nobody looks at may leak.
  CommandOptions three = options_for("printf '1\\n2\\n3\\n' # {input}");
  EXPECT_EQ(refusal(three, 2),
            "command: the program printed more than 2 lines, need one for each output (runs_per_call)");
  three.runs_per_call = 3;
  EXPECT_EQ(command_subject(three).run(Side::kFirst, 7, 2).values, (std::vector{1.0, 2.0}));
}

TEST(Command, PutsThePathInQuotes) {
  const test::TemporaryFile first("it's a $(file) \"name\"", "17\n");
  CommandOptions options = options_for("cat {input}");
  options.first = first.path();
  options.second = "/dev/null";
  EXPECT_EQ(once(options).values, (std::vector{17.0}));
  EXPECT_EQ(message_of<InvalidArgument>([&] { static_cast<void>(once(options, 1, Side::kSecond)); }),
            "command: the program printed no output");
}

TEST(Command, SeedsDifferFromCallToCall) {
  const Subject subject = command_subject(options_for("echo {seed} # {input}"));
  const double one = subject.run(Side::kFirst, 1, 1).values[0];
  EXPECT_EQ(subject.run(Side::kFirst, 1, 1).values[0], one);
  EXPECT_NE(subject.run(Side::kFirst, 2, 1).values[0], one);
  EXPECT_LT(one, 0x1p53);
}

TEST(Command, LabelsAreWholeLines) {
  CommandOptions options = options_for("printf 'yes sir\\nno\\nyes sir\\n' # {input}");
  options.is_categorical = true;
  options.runs_per_call = 3;
  const Subject subject = command_subject(options);
  const Outputs outputs = subject.run(Side::kFirst, 1, 3);
  EXPECT_EQ(outputs.values[0], outputs.values[2]);
  EXPECT_NE(outputs.values[0], outputs.values[1]);
  EXPECT_EQ(subject.category(outputs.values[0]), "'yes sir'");
  EXPECT_TRUE(subject.is_categorical);
}

TEST(Command, MistakesGetOneLine) {
  EXPECT_EQ(refusal(options_for("exit 3 # {input}")), "command: the program failed with exit code 3");
  EXPECT_EQ(refusal(options_for("echo no such thing >&2; echo again >&2; exit 1 # {input}")),
            "command: the program failed with exit code 1: no such thing");
  EXPECT_EQ(refusal(options_for("kill -9 $$ # {input}")), "command: the program was ended by signal 9");
  EXPECT_EQ(refusal(options_for("true # {input}")), "command: the program printed no output");
  EXPECT_EQ(refusal(options_for("echo 1 # {input}"), 2),
            "command: the program printed 1 outputs, need 2 (runs_per_call)");
  for (const char* text : {"yes", "1 x", "1;2", "nan", "inf", "1e999", "0x10", "1-2"})
    EXPECT_EQ(refusal(options_for(std::string("echo '") + text + "' # {input}")),
              std::string("command: the program printed '") + text + "', need finite numbers (words: labels)");
  EXPECT_EQ(refusal(options_for("printf '1\\n2 3\\n' # {input}"), 2),
            "command: the program printed 1 numbers and then 2, need outputs of one length");
  EXPECT_EQ(refusal(options_for("echo 1")), "command = 'echo 1', need {input} where the input belongs");
}

TEST(Command, APathInsideOfQuotesIsRefused) {
  for (const char* command : {"cat '{input}'", "cat \"{input}\"", "sh -c 'cat {input}'", "echo \\'a '{input}'",
                              "echo `cat {input}`", "cat \\{input}", "echo \"it's\" '{input}'", "echo \"\\\"{input}\""})
    EXPECT_EQ(refusal(options_for(command)),
              std::string("command = '") + command +
                  "', need {input} outside of quotes: it is quoted when it is filled in");
  for (const char* command :
       {"echo '1' # {input}", "echo \"1\" # {input}", "echo 1 # \\' {input}", "echo 1 # \"'\" {input}",
        "echo 1 # '\"' {input}", "echo 1 # '\\' {input}", "echo '{seed}' # {input}"})
    EXPECT_EQ(refusal(options_for(command)), "nothing was thrown") << command;
}

TEST(Command, GivesUpWhatTakesTooLong) {
  CommandOptions options = options_for("echo 1; sleep 60 # {input}");
  options.timeout = 0.2;
  EXPECT_EQ(refusal(options), "command: the program took longer than 0.2 s (timeout)");
  // The same for what closes its output, or starts something that does not.
  options.command = "exec >&- 2>&-; sleep 60 # {input}";
  EXPECT_EQ(refusal(options), "command: the program took longer than 0.2 s (timeout)");
}

TEST(Command, IsEndedWhenWeAre) {
  std::atomic<bool> stop{true};
  CommandOptions options = options_for("sleep 60 # {input}");
  options.stop = &stop;
  EXPECT_EQ(refusal(options), "command: stopped");
}

TEST(Command, RefusesOptionsThatMakeNoSense) {
  CommandOptions options = options_for("cat {input}");
  options.timeout = 0.0;
  EXPECT_THROW(options.validate(), InvalidArgument);
  options.timeout = 1.0;
  options.runs_per_call = 0;
  EXPECT_THROW(options.validate(), InvalidArgument);
  options.runs_per_call = 1;
  options.second = "";
  EXPECT_THROW(options.validate(), InvalidArgument);
}

TEST(Command, IsAudited) {
  // Randomised response in a shell: the answer is true when the seed is not a multiple of 4.
  const CommandOptions options =
      options_for("t=$(( {seed} % 4 != 0 )); if [ {input} = first ]; then echo $t; else echo $(( 1 - t )); fi");
  const auto result = audit(command_subject(options), {.runs = 600, .failure = 0.05});
  EXPECT_LE(result->epsilon_lower, std::log(3.0));
  EXPECT_GE(result->epsilon_lower, 0.3);
}

}  // namespace
}  // namespace doeblin::audit
