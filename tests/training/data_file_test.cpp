// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/data_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/data_files.hpp"
#include "support/npy.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::training {
namespace {

using test::bytes;
using test::indexed;
using test::kHugeNorm;
using test::libsvm_request;
using test::message_of;
using test::npy;
using test::npy_shape;
using test::TemporaryFile;

TEST(DataFile, TheNameSaysTheFormat) {
  EXPECT_EQ(format_of("a.csv"), DataFormat::kCsv);
  EXPECT_EQ(format_of("-"), DataFormat::kCsv);
  EXPECT_EQ(format_of("a.b/c.libsvm"), DataFormat::kLibsvm);
  EXPECT_EQ(format_of("a.svm"), DataFormat::kLibsvm);
  EXPECT_EQ(format_of("a.svmlight"), DataFormat::kLibsvm);
  EXPECT_EQ(format_of("a.npy"), DataFormat::kNpy);
  EXPECT_EQ(message_of<InvalidArgument>([] { static_cast<void>(format_of("a.txt")); }),
            "input = 'a.txt', need a name that ends in .csv, .libsvm, .svm, .svmlight or .npy, or a format");
  for (const DataFormat format : {DataFormat::kCsv, DataFormat::kLibsvm, DataFormat::kNpy})
    EXPECT_EQ(format_named(name(format)), format);
  EXPECT_EQ(message_of<InvalidArgument>([] { static_cast<void>(format_named("tsv")); }),
            "format = 'tsv', need csv, libsvm or npy");
  const TemporaryFile file("data.txt", "x,y\n1,no\n");
  EXPECT_EQ(DataFile::open(file.path(), DataFormat::kCsv).columns(), (std::vector<std::string>{"x", "y"}));
}

TEST(DataFile, RefusesWhatIsNoFile) {
  const auto refusal_of = [](const std::string& path, DataFormat format) {
    return message_of<InvalidArgument>([&] { static_cast<void>(DataFile::open(path, format)); });
  };
  for (const DataFormat format : {DataFormat::kCsv, DataFormat::kLibsvm}) {
    EXPECT_EQ(refusal_of("/missing/a", format),
              "input = '/missing/a', need a file that can be read (No such file or directory)");
    EXPECT_EQ(refusal_of("/tmp", format), "input = '/tmp', need a file, not a folder");
  }
  EXPECT_EQ(refusal_of("/missing/a", DataFormat::kNpy), "input = '/missing/a', need an existing regular file");
  EXPECT_EQ(refusal_of("/tmp", DataFormat::kNpy), "input = '/tmp', need an existing regular file");
  EXPECT_EQ(refusal_of("-", DataFormat::kNpy), "input = '-', need an existing regular file");
  if (geteuid() == 0) return;
  const TemporaryFile file("secret.csv", "x,y\n1,no\n");
  std::filesystem::permissions(file.path(), std::filesystem::perms::none);
  EXPECT_NE(refusal_of(file.path(), DataFormat::kCsv).find("(Permission denied)"), std::string::npos);
  EXPECT_NE(refusal_of(file.path(), DataFormat::kNpy).find("need a file that can be read"), std::string::npos);
}

struct Seen {
  std::uint64_t line;
  std::vector<double> features;
  std::optional<double> label;
};

std::vector<Seen> predicted(const std::string& path, const Encoding& encoding, bool needs_label = false) {
  std::vector<Seen> all;
  DataFile file = DataFile::open(path);
  for_each_record(file, encoding, {.needs_label = needs_label}, [&](const EncodedRecord& record) {
    Seen seen{record.line, {record.features.begin(), record.features.end()}, record.label};
    if (encoding.is_sparse()) {
      seen.features.assign(encoding.dimension(), 0.0);
      for (const auto& [index, value] : indexed(record.sparse)) seen.features[index] = value;
    }
    all.push_back(std::move(seen));
  });
  return all;
}

TEST(ForEachRecord, LabelsAreOptionalInCsvFiles) {
  const Encoding encoding{
      .columns = {{.name = "a"}, {.name = "b"}}, .label = {.name = "y", .classes = {"0", "1"}}, .norm = kHugeNorm};
  // Columns in another order, more of them, and no label.
  const TemporaryFile without("a.csv", "b,id,a\n1,x,2\n3,,4\n");
  auto all = predicted(without.path(), encoding);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].features, (std::vector<double>{2.0, 1.0}));
  EXPECT_EQ(all[1].features, (std::vector<double>{4.0, 3.0}));
  EXPECT_EQ(all[1].line, 3u);
  EXPECT_EQ(all[0].label, std::nullopt);
  const TemporaryFile with("b.csv", "a,b,y\n1,2,1\n3,4,?\n5,6,\n");
  all = predicted(with.path(), encoding);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].label, 1.0);
  EXPECT_EQ(all[1].label, std::nullopt);
  EXPECT_EQ(all[2].label, std::nullopt);
  EXPECT_EQ(message_of<InvalidArgument>([&] { predicted(with.path(), encoding, true); }),
            with.path() + ":3: column 'y' = '?', need one of '0', '1'");
  EXPECT_EQ(message_of<InvalidArgument>([&] { predicted(without.path(), encoding, true); }),
            without.path() + ":1: there is no column 'y'");
  const TemporaryFile empty("c.csv", "a,b\n");
  EXPECT_EQ(message_of<InvalidArgument>([&] { predicted(empty.path(), encoding); }),
            empty.path() + ": no records, need at least one");
}

TEST(ForEachRecord, ABlankLineOfOneColumnIsAMissingValue) {
  const Encoding encoding{.columns = {{.name = "a"}}, .label = {.name = "y", .classes = {"0", "1"}}, .norm = kHugeNorm};
  const TemporaryFile file("a.csv", "a\n1\n\n2\n");
  EXPECT_EQ(message_of<InvalidArgument>([&] { predicted(file.path(), encoding); }),
            file.path() + ":3: column 'a' = '', need a finite number");
}

TEST(ForEachRecord, LabelsAreOptionalInLibsvmFiles) {
  const Encoding encoding{.numbered = {{.count = 3}},
                          .label = {.name = "label", .classes = {"-1", "1"}},
                          .norm = kHugeNorm,
                          .intercept = 1.0};
  const TemporaryFile file("a.svm", "1:2 3:4\n-1 2:5\n0 1:1\n");
  const auto all = predicted(file.path(), encoding);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].features, (std::vector<double>{2.0, 0.0, 4.0, 1.0}));
  EXPECT_EQ(all[1].features, (std::vector<double>{0.0, 5.0, 0.0, 1.0}));
  EXPECT_EQ(all[0].label, std::nullopt);
  EXPECT_EQ(all[1].label, -1.0);
  EXPECT_EQ(all[2].label, std::nullopt);
  // Files of other formats do not fit.
  const TemporaryFile csv("a.csv", "a,b\n1,2\n");
  EXPECT_EQ(message_of<InvalidArgument>([&] { predicted(csv.path(), encoding); }),
            csv.path() + ": columns with names, need a LIBSVM file for this encoding");
  const TemporaryFile table("a.npy", npy(npy_shape("<f8", 1, 3), bytes<double>({1.0, 2.0, 3.0})));
  EXPECT_EQ(message_of<InvalidArgument>([&] { predicted(table.path(), encoding); }),
            table.path() + ": columns with names, need a LIBSVM file for this encoding");
  const Encoding named{.columns = {{.name = "a"}}, .label = {.name = "y", .classes = {"0", "1"}}};
  EXPECT_EQ(message_of<InvalidArgument>([&] { predicted(file.path(), named); }),
            file.path() + ": a LIBSVM file, need one whose columns have names for this encoding");
}

TEST(ForEachRecord, LabelsAreOptionalInNpyFiles) {
  // The label was the second of three columns.
  const Encoding encoding{
      .columns = {{.name = "1"}, {.name = "3"}}, .label = {.name = "2", .classes = {"0", "1"}}, .norm = kHugeNorm};
  const TemporaryFile without("a.npy", npy(npy_shape("<f8", 2, 2), bytes<double>({5.0, 6.0, 7.0, 8.0})));
  auto all = predicted(without.path(), encoding);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].features, (std::vector<double>{5.0, 6.0}));
  EXPECT_EQ(all[1].features, (std::vector<double>{7.0, 8.0}));
  EXPECT_EQ(all[1].label, std::nullopt);
  const TemporaryFile with("b.npy", npy(npy_shape("<f8", 1, 3), bytes<double>({5.0, 1.0, 6.0})));
  all = predicted(with.path(), encoding);
  EXPECT_EQ(all[0].features, (std::vector<double>{5.0, 6.0}));
  EXPECT_EQ(all[0].label, 1.0);
  const TemporaryFile wide("c.npy", npy(npy_shape("<f8", 1, 4), bytes<double>({5.0, 1.0, 6.0, 7.0})));
  const std::string need = " columns, need 3: 2 features and the label";
  EXPECT_EQ(message_of<InvalidArgument>([&] { predicted(wide.path(), encoding); }), wide.path() + ": 4" + need);
  EXPECT_EQ(message_of<InvalidArgument>([&] { predicted(without.path(), encoding, true); }),
            without.path() + ": 2" + need);
  const Encoding named{.columns = {{.name = "a"}, {.name = "b"}}, .label = {.name = "y", .classes = {"0", "1"}}};
  EXPECT_EQ(message_of<InvalidArgument>([&] { predicted(without.path(), named); }),
            without.path() + ":1: there is no column 'a'");
  // A label with a name and features with numbers.
  const Encoding mixed{
      .columns = {{.name = "1"}, {.name = "2"}}, .label = {.name = "y", .classes = {"0", "1"}}, .norm = kHugeNorm};
  EXPECT_EQ(predicted(without.path(), mixed)[1].features, (std::vector<double>{7.0, 8.0}));
  all = predicted(with.path(), mixed);
  EXPECT_EQ(all[0].features, (std::vector<double>{5.0, 1.0}));
  EXPECT_EQ(all[0].label, std::nullopt);
}

TEST(ForEachRecord, StandardInputIsReadOnce) {
  const auto from = [](int descriptor, DataFormat format, const EncodingRequest& request) {
    const int before = dup(STDIN_FILENO);
    dup2(descriptor, STDIN_FILENO);
    close(descriptor);
    DataFile file = DataFile::open("-", format);
    const std::uint64_t total = file.bytes_total();
    const LabelledData data = read_records(file, resolve(request, file));
    EXPECT_EQ(file.name(), "standard input");
    dup2(before, STDIN_FILENO);
    close(before);
    EXPECT_EQ(data.train.count(), 2u);
    EXPECT_EQ(data.train.label(1), 1.0);
    return total;
  };
  const TemporaryFile csv("a.csv", "x,y\n1,no\n2,yes\n");
  const EncodingRequest request{.label = "y", .classes = {"no", "yes"}};
  EXPECT_EQ(from(open(csv.path().c_str(), O_RDONLY), DataFormat::kCsv, request), 15u);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "-1 1:1\n1 2:1\n", 13), 13);
  close(ends[1]);
  EXPECT_EQ(from(ends[0], DataFormat::kLibsvm, libsvm_request()), 0u);
}

TEST(ForEachRecord, ReportsProgress) {
  std::string text = "x,y\n";
  for (int i = 0; i < 500'000; ++i) text += "1.25,no\n";
  const TemporaryFile file("a.csv", text);
  DataFile data = DataFile::open(file.path());
  std::vector<std::uint64_t> done;
  static_cast<void>(read_records(data, resolve({.label = "y", .classes = {"no", "yes"}}, data),
                                 {.progress = [&](std::uint64_t bytes_done, std::uint64_t bytes_total) {
                                   EXPECT_EQ(bytes_total, text.size());
                                   done.push_back(bytes_done);
                                 }}));
  EXPECT_GE(done.size(), 3u);
  EXPECT_LE(done.size(), 20u);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), text.size());
}

// The same rows from a file and from memory: the same records, and the same ones held out.
TEST(DataFile, ATableIsReadAsAnNpyFileIs) {
  const std::vector<double> features = {2.0, 3.0, 5.0, 7.0, 0.5, 0.25};
  const std::vector<double> labels = {1.0, 0.0, 1.0};
  const test::TemporaryFile file(
      "a.npy",
      test::npy(test::npy_shape("<f8", 3, 3), test::bytes<double>({2.0, 3.0, 1.0, 5.0, 7.0, 0.0, 0.5, 0.25, 1.0})));
  ReadOptions options;
  options.split = {.held_out = 0.5, .key = "k"};
  DataFile from_file = DataFile::open(file.path());
  DataFile from_memory =
      DataFile::of({.name = "X", .rows = 3, .columns = 2, .features = features.data(), .labels = labels.data()});
  EXPECT_EQ(from_memory.columns(), from_file.columns());
  EXPECT_EQ(from_memory.name(), "X");
  const Encoding encoding = resolve(test::npy_request(), from_file);
  EXPECT_EQ(resolve(test::npy_request(), from_memory), encoding);
  const LabelledData a = read_records(from_file, encoding, options);
  const LabelledData b = read_records(from_memory, encoding, options);
  EXPECT_EQ(from_memory.bytes_done(), from_memory.bytes_total());
  ASSERT_EQ(a.train.count(), b.train.count());
  ASSERT_EQ(a.held_out.count(), b.held_out.count());
  for (std::size_t i = 0; i < a.train.count(); ++i) {
    EXPECT_EQ(test::dense_row(a.train, i), test::dense_row(b.train, i));
    EXPECT_EQ(a.train.label(i), b.train.label(i));
    EXPECT_EQ(a.train.line(i), b.train.line(i));
  }
}

TEST(DataFile, ATableWithoutLabelsCanBePredicted) {
  const std::vector<double> features = {2.0, 3.0, 5.0, std::nan("")};
  const std::vector<double> labels = {1.0, 0.0};
  DataFile with =
      DataFile::of({.name = "X", .rows = 2, .columns = 2, .features = features.data(), .labels = labels.data()});
  const Encoding encoding = resolve(test::npy_request(), with);
  DataFile without = DataFile::of({.name = "X", .rows = 1, .columns = 2, .features = features.data()});
  int count = 0;
  for_each_record(without, encoding, {.needs_label = false}, [&](const EncodedRecord& record) {
    EXPECT_FALSE(record.label);
    ++count;
  });
  EXPECT_EQ(count, 1);
  EXPECT_THROW(static_cast<void>(read_records(with, encoding)), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::training
