// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/schedule_file.hpp"

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::language {
namespace {

using test::message_of;
using test::TemporaryFile;

TEST(ScheduleFile, ColumnsInAnyOrder) {
  const TemporaryFile file("schedule.csv", "# a comment\nbatch, learning_rate\n\n2,0.5\r\n3, 0.25\n");
  const Schedule schedule = read_schedule(file.path());
  EXPECT_EQ(schedule.batch, (std::vector<double>{2, 3}));
  EXPECT_EQ(schedule.learning_rate, (std::vector<double>{0.5, 0.25}));
  EXPECT_TRUE(schedule.sigma.empty());
}

TEST(ScheduleFile, MistakesHaveALine) {
  const auto message = [](const std::string& content) {
    const TemporaryFile file("bad.csv", content);
    return message_of<InvalidArgument>([&] { static_cast<void>(read_schedule(file.path())); });
  };
  EXPECT_NE(message("learning_rat\n0.5\n").find(":1: column 'learning_rat'"), std::string::npos);
  EXPECT_NE(message("sigma,sigma\n1,1\n").find(":1: column 'sigma' comes twice"), std::string::npos);
  EXPECT_NE(message("sigma\n1\nx\n").find(":3: column 1 = 'x'"), std::string::npos);
  EXPECT_NE(message("sigma\n1\nnan\n").find(":3: column 1 = 'nan'"), std::string::npos);
  EXPECT_NE(message("sigma,batch\n1\n").find(":2: 1 values, need 2"), std::string::npos);
  EXPECT_NE(message("sigma\n1,2\n").find(":2: 2 values, need 1"), std::string::npos);
  EXPECT_NE(message("sigma\n").find("at least one step"), std::string::npos);
  EXPECT_NE(message("").find("at least one step"), std::string::npos);
  EXPECT_NE(message(std::string(5000, 'a')).find(":1: line too long"), std::string::npos);
  EXPECT_NE(message_of<InvalidArgument>([] { static_cast<void>(read_schedule("/nowhere")); }).find("existing"),
            std::string::npos);
}

}  // namespace
}  // namespace doeblin::language
