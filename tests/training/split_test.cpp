// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/data_files.hpp"
#include "support/npy.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::training {
namespace {

using test::bytes;
using test::kHugeNorm;
using test::libsvm_request;
using test::message_of;
using test::npy;
using test::npy_request;
using test::npy_shape;
using test::read_data;
using test::TemporaryFile;

std::string numbered_lines(std::size_t count) {
  std::string text = "x,y\n";
  for (std::size_t i = 0; i < count; ++i) text += std::to_string(i) + "," + std::to_string(i % 2) + "\n";
  return text;
}

const EncodingRequest kNumbered{.label = "y", .classes = {"0", "1"}, .norm = kHugeNorm};

std::vector<double> numbers_of(const Records& records) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < records.count(); ++i)
    if (records.contains(i)) numbers.push_back(records.row(i)[0]);
  return numbers;
}

TEST(ReadRecords, ShardsAreThoseOfTheWhole) {
  const TemporaryFile file("a.csv", numbered_lines(1000));
  const ReadOptions options{.split = {.held_out = 0.3}};
  const LabelledData whole = read_data(file.path(), kNumbered, options);
  ASSERT_EQ(whole.train.count() + whole.held_out.count(), 1000u);
  std::size_t kept = 0;
  for (std::size_t first = 0; first < kShards; first += 4) {
    ReadOptions one = options;
    one.shard = {first, 4};
    one.limits.memory = first * 4096;
    const LabelledData part = read_data(file.path(), kNumbered, one);
    EXPECT_EQ(part.train.count(), whole.train.count());
    EXPECT_EQ(part.held_out.count(), whole.held_out.count());
    const auto compare = [&](const Records& mine, const Records& all) {
      for (std::size_t i = 0; i < all.count(); ++i) {
        if (!mine.contains(i)) continue;
        ++kept;
        ASSERT_EQ(mine.row(i)[0], all.row(i)[0]);
        ASSERT_EQ(mine.label(i), all.label(i));
        ASSERT_EQ(mine.line(i), all.line(i));
      }
    };
    compare(part.train, whole.train);
    compare(part.held_out, whole.held_out);
  }
  EXPECT_EQ(kept, 1000u);
}

TEST(ReadRecords, EveryShardRefusesTheSameFile) {
  const TemporaryFile file("bad.csv", numbered_lines(100) + "x,0\n");
  for (std::size_t first = 0; first < kShards; ++first)
    EXPECT_EQ(message_of<InvalidArgument>([&] {
                static_cast<void>(read_data(file.path(), kNumbered, {.shard = {first, 1}}));
              }),
              file.path() + ":102: column 'x' = 'x', need a finite number");
}

TEST(ReadRecords, AFileHoldsTheSameAsMemory) {
  const TemporaryFile file("a.csv", numbered_lines(20'000));
  ReadOptions options;
  options.split = {.held_out = 0.5, .key = "k"};
  const LabelledData two = read_data(file.path(), kNumbered, options);
  options.limits.memory = 20'000;
  const LabelledData one = read_data(file.path(), kNumbered, options);
  EXPECT_TRUE(one.train.is_in_file());
  EXPECT_TRUE(one.held_out.is_in_file());
  EXPECT_FALSE(two.train.is_in_file());
  EXPECT_EQ(numbers_of(one.train), numbers_of(two.train));
  EXPECT_EQ(numbers_of(one.held_out), numbers_of(two.held_out));
}

// Computed by Python: hashlib.blake2b(struct.pack("<Q", len(key)) + key + line, digest_size=32).
TEST(Split, IsTheHashThatIsPromised) {
  const TemporaryFile file("a.csv", numbered_lines(8));
  const auto held = [&](const std::string& key) {
    return numbers_of(read_data(file.path(), kNumbered, {.split = {.held_out = 0.5, .key = key}}).held_out);
  };
  EXPECT_EQ(held(""), (std::vector<double>{0, 1, 4, 5, 6, 7}));
  EXPECT_EQ(held("k"), (std::vector<double>{4, 5, 6, 7}));
}

TEST(Split, HasTheRightFraction) {
  const TemporaryFile file("a.csv", numbered_lines(100'000));
  std::set<double> previous;
  for (const double fraction : {0.0, 1e-3, 0.1, 0.5, 0.9}) {
    const LabelledData data = read_data(file.path(), kNumbered, {.split = {.held_out = fraction, .key = "f"}});
    EXPECT_EQ(data.train.count() + data.held_out.count(), 100'000u);
    EXPECT_NEAR(static_cast<double>(data.held_out.count()), 1e5 * fraction,
                6.0 * std::sqrt(1e5 * fraction * (1.0 - fraction)) + 1e-9);
    // A larger fraction holds out the same records and more.
    const auto numbers = numbers_of(data.held_out);
    const std::set<double> now(numbers.begin(), numbers.end());
    EXPECT_TRUE(std::includes(now.begin(), now.end(), previous.begin(), previous.end()));
    previous = now;
  }
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { static_cast<void>(read_data(file.path(), kNumbered, {.split = {1.0}})); }),
      "held_out = 1, need 0 <= held_out < 1");
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { static_cast<void>(read_data(file.path(), kNumbered, {.split = {-0.1}})); }),
      "held_out = -0.1, need 0 <= held_out < 1");
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { static_cast<void>(read_data(file.path(), kNumbered, {.split = {NAN}})); }),
      "held_out = nan, need 0 <= held_out < 1");
}

TEST(Split, DependsOnNothingButTheRecordAndTheKey) {
  std::vector<std::string> lines;
  for (int i = 0; i < 3000; ++i) lines.push_back(std::to_string(i % 2900) + ",1");
  const auto held = [&](const std::string& name, const std::string& end, const std::string& key) {
    std::string text = "x,y" + end;
    for (const std::string& line : lines) text += line + end;
    const TemporaryFile file(name, text);
    auto numbers = numbers_of(read_data(file.path(), kNumbered, {.split = {.held_out = 0.4, .key = key}}).held_out);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  };
  const auto first = held("a.csv", "\n", "key");
  // Both of two records that are the same.
  for (const double number : first) {
    const auto copies = std::count(first.begin(), first.end(), number);
    EXPECT_EQ(copies, number < 100 ? 2 : 1);
  }
  std::mt19937_64 random(3);
  std::shuffle(lines.begin(), lines.end(), random);
  EXPECT_EQ(held("another.csv", "\n", "key"), first);
  EXPECT_EQ(held("a.csv", "  \r\n", "key"), first);
  EXPECT_EQ(held("a.csv", "\n \n", "key"), first);
  EXPECT_NE(held("a.csv", "\n", "yek"), first);
  EXPECT_NE(held("a.csv", "\n", ""), first);
}

TEST(Split, HoldsOutRowsOfAllFormats) {
  std::string text;
  std::string data;
  for (int i = 0; i < 2000; ++i) {
    text += (i % 2 == 0 ? "1 1:" : "-1 1:") + std::to_string(i) + (i < 1000 ? "\n" : " # comment\n");
    data += bytes<double>({static_cast<double>(i), static_cast<double>(i % 2)});
  }
  const TemporaryFile sparse("a.svm", text);
  const LabelledData lines = read_data(sparse.path(), libsvm_request(), {.split = {.held_out = 0.25}});
  EXPECT_NEAR(static_cast<double>(lines.held_out.count()), 500.0, 120.0);
  const TemporaryFile table("a.npy", npy(npy_shape("<f8", 2000, 2), data));
  const LabelledData rows = read_data(table.path(), npy_request(), {.split = {.held_out = 0.25}});
  EXPECT_NEAR(static_cast<double>(rows.held_out.count()), 500.0, 120.0);
  EXPECT_EQ(rows.train.count() + rows.held_out.count(), 2000u);
  // A comment is no part of the record.
  const TemporaryFile same("b.svm", "1 1:3\n-1 1:4 # x\n1 1:3 # y\n  1 1:3\n");
  for (int key = 0; key < 20; ++key) {
    ReadOptions options{.split = {.held_out = 0.5, .key = std::to_string(key)}};
    DataFile file = DataFile::open(same.path());
    std::size_t held = 0;
    try {
      held = read_records(file, resolve(libsvm_request(), file), options).held_out.count();
    } catch (const InvalidArgument&) {
      continue;
    }
    EXPECT_NE(held, 2u);
  }
}

TEST(Split, MustLeaveRecordsToTrainOn) {
  const TemporaryFile file("a.csv", "x,y\n0,0\n");
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { static_cast<void>(read_data(file.path(), kNumbered, {.split = {0.5}})); }),
      "held_out = 0.5, need a part of " + file.path() + " that leaves records to train on");
}

}  // namespace
}  // namespace doeblin::training
