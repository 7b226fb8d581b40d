// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/checkpoint.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/records.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::training {
namespace {

namespace fs = std::filesystem;

class CheckpointTest : public testing::Test {
 protected:
  CheckpointTest() { fs::create_directories(folder); }
  ~CheckpointTest() override { fs::remove_all(folder); }
  [[nodiscard]] std::string path(const char* name) const { return (folder / name).string(); }
  [[nodiscard]] std::string bytes(const char* name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void put(const char* name, const std::string& text, int mode = 0600) const {
    std::ofstream(path(name), std::ios::binary) << text;
    chmod(path(name).c_str(), static_cast<mode_t>(mode));
  }

  fs::path folder = fs::temp_directory_path() / ("doeblin-checkpoint-" + std::to_string(getpid()));
  Checkpoint some{
      .run = {1, 2, 3},
      .finished = {{0.1, -0.2, 0.3}},
      .state = {
          .step = 7, .parameter = {1.5, -2.25, 1e-300}, .chosen = {4.0, 5.0, 6.0}, .moment = 3, .order = {9, 8, 7}}};
  CheckpointKey key{{1, 2, 3, 4}};
};

TEST_F(CheckpointTest, ComesBackAsItWas) {
  EXPECT_FALSE(read_checkpoint(path("c"), some.run, key));
  write_checkpoint(path("c"), some, key);
  const auto found = read_checkpoint(path("c"), some.run, key);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->finished, some.finished);
  EXPECT_EQ(found->state.step, 7u);
  EXPECT_EQ(found->state.moment, 3u);
  EXPECT_EQ(found->state.parameter, some.state.parameter);
  EXPECT_EQ(found->state.chosen, some.state.chosen);
  EXPECT_EQ(found->state.order, some.state.order);
}

TEST_F(CheckpointTest, ShowsNothingOfTheState) {
  write_checkpoint(path("c"), some, key);
  const std::string first = bytes("c");
  for (const double x : {1.5, -2.25, 0.1, 4.0}) {
    char raw[sizeof(x)];
    std::memcpy(raw, &x, sizeof(x));
    EXPECT_EQ(first.find(std::string(raw, sizeof(raw))), std::string::npos);
  }
  // The same state again looks different.
  write_checkpoint(path("c"), some, key);
  EXPECT_NE(bytes("c"), first);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}), 1);
}

TEST_F(CheckpointTest, RefusesOtherKeysChangesAndRuns) {
  write_checkpoint(path("c"), some, key);
  EXPECT_THROW(static_cast<void>(read_checkpoint(path("c"), some.run, CheckpointKey({5}))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(read_checkpoint(path("c"), {4, 5}, key)), InvalidArgument);
  const std::string good = bytes("c");
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    put("d", changed);
    EXPECT_THROW(static_cast<void>(read_checkpoint(path("d"), some.run, key)), InvalidArgument) << i;
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{30}, good.size() - 1}) {
    put("d", good.substr(0, length));
    EXPECT_THROW(static_cast<void>(read_checkpoint(path("d"), some.run, key)), InvalidArgument) << length;
  }
  EXPECT_THROW(static_cast<void>(read_checkpoint(folder.string(), some.run, key)), InvalidArgument);
}

TEST_F(CheckpointTest, KeysComeFromPrivateFiles) {
  const CheckpointKey made = CheckpointKey::from_file(path("k"));
  struct stat status {};
  ASSERT_EQ(stat(path("k").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_EQ(CheckpointKey::from_file(path("k")).bytes(), made.bytes());
  EXPECT_NE(CheckpointKey::from_file(path("k2")).bytes(), made.bytes());
  for (const int mode : {0640, 0604, 0666}) {
    chmod(path("k").c_str(), static_cast<mode_t>(mode));
    EXPECT_THROW(static_cast<void>(CheckpointKey::from_file(path("k"))), InvalidArgument) << mode;
  }
  put("short", "abcd\n");
  put("long", std::string(66, 'a') + "\n");
  put("letters", std::string(64, 'x') + "\n");
  put("empty", "");
  for (const char* name : {"short", "long", "letters", "empty"})
    EXPECT_THROW(static_cast<void>(CheckpointKey::from_file(path(name))), InvalidArgument) << name;
  EXPECT_THROW(static_cast<void>(CheckpointKey::from_file(folder.string())), InvalidArgument);
  EXPECT_THROW(static_cast<void>(CheckpointKey::from_file(path("no/such/folder"))), InvalidArgument);
  put("plain", std::string(62, '0') + "2a");
  EXPECT_EQ(CheckpointKey::from_file(path("plain")).bytes()[31], 0x2a);
}

TEST_F(CheckpointTest, KeysComeFromTheEnvironment) {
  constexpr const char* kVariable = "DOEBLIN_TEST_KEY";
  unsetenv(kVariable);
  EXPECT_FALSE(CheckpointKey::from_environment(kVariable));
  setenv(kVariable, (std::string(62, '0') + "2a").c_str(), 1);
  EXPECT_EQ(CheckpointKey::from_environment(kVariable)->bytes()[31], 0x2a);
  setenv(kVariable, "secret", 1);
  try {
    static_cast<void>(CheckpointKey::from_environment(kVariable));
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos);
  }
}

TEST(RunIdentity, DependsOnTheRunAndEveryRecord) {
  const auto examples = test::random_examples(40, 3, 1);
  const RunIdentity same = identity_of("run", test::records_of(examples));
  EXPECT_EQ(identity_of("run", test::records_of(examples)), same);
  EXPECT_NE(identity_of("other", test::records_of(examples)), same);
  for (const std::size_t i : {0, 17, 39}) {
    auto changed = examples;
    changed[i].features[1] += 1e-9;
    EXPECT_NE(identity_of("run", test::records_of(changed)), same);
    changed = examples;
    changed[i].label = -changed[i].label;
    EXPECT_NE(identity_of("run", test::records_of(changed)), same);
  }
  auto swapped = examples;
  std::swap(swapped[3], swapped[4]);
  EXPECT_NE(identity_of("run", test::records_of(swapped)), same);
}

}  // namespace
}  // namespace doeblin::training
