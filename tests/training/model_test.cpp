// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/model.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "doeblin/core/error.hpp"
#include "support/records.hpp"

namespace doeblin::training {
namespace {

Encoding encoding_of(std::size_t dimension, LabelColumn label) {
  Encoding encoding;
  for (std::size_t j = 0; j < dimension; ++j) encoding.columns.push_back({.name = "x" + std::to_string(j)});
  encoding.label = std::move(label);
  return encoding;
}

class ModelFile : public testing::Test {
 protected:
  ~ModelFile() override { std::filesystem::remove(path); }
  void put(const std::string& text) const { std::ofstream(path) << text; }
  std::string path = (std::filesystem::temp_directory_path() / ("doeblin-model-" + std::to_string(getpid()))).string();
};

TEST_F(ModelFile, ComesBackToTheLastBit) {
  Model model{.loss = {loss_named("smoothed_hinge"), 0.1},
              .encoding = encoding_of(2, {"y", {"a", "b,\"c\"", "d"}, {}})};
  model.encoding.columns.push_back({.name = "colour", .levels = {"red", "*"}});
  model.encoding.columns[0].bounds = Bounds{0.1, 0.3};
  model.encoding.intercept = 1.0 / 3.0;
  model.guarantee = "epsilon <= 1";
  model.parameters = {{0.1, 1e-310, 3.0, -0.0, 5.0}, {1.0 / 3.0, 2e300, 3.0, 4.0, 5.0}, {1.0, 2.0, 3.0, 4.0, 5.0}};
  put(json_of(model));
  const Model found = read_model(path);
  EXPECT_EQ(found.encoding, model.encoding);
  EXPECT_EQ(found.parameters, model.parameters);
  EXPECT_EQ(found.guarantee, model.guarantee);
  EXPECT_EQ(found.loss.kind, model.loss.kind);
  EXPECT_EQ(found.loss.width, model.loss.width);
  Model sparse{.loss = {loss_named("huber"), 2.0}};
  sparse.encoding.numbered = {{3, Bounds{0.0, 2.0}}, {2, {}}};
  sparse.encoding.label.name = "label";
  sparse.encoding.label.bounds = Bounds{-1.0, 4.0};
  sparse.parameters = {{1.0, 2.0, 3.0, 4.0, 5.0}};
  put(json_of(sparse));
  EXPECT_EQ(read_model(path).encoding, sparse.encoding);
}

TEST_F(ModelFile, RefusesEverythingElse) {
  Model model{.encoding = encoding_of(2, {"y", {"0", "1"}, {}})};
  model.parameters = {{0.5, 0.25}};
  const std::string good = json_of(model);
  put(good);
  EXPECT_NO_THROW(static_cast<void>(read_model(path)));
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    put(text.replace(at, from.size(), to));
    EXPECT_THROW(static_cast<void>(read_model(path)), InvalidArgument) << to;
  };
  refused("0.25", "1e999");
  refused("0.25", "null");
  refused("0.25", "0.25, 3");
  refused("0.25", "\"x\"");
  refused("logistic", "squared");
  refused("logistic", "nonsense");
  refused("doeblin model 1", "doeblin model 2");
  refused("\"norm\": 1.0", "\"norm\": -1.0");
  refused("\"0\"", "\"1\"");
  for (const char* text : {"", "{}", "[]", "null", "nonsense", "{\"format\": 3}"}) {
    put(text);
    EXPECT_THROW(static_cast<void>(read_model(path)), InvalidArgument) << text;
  }
  put(std::string(100'000, '['));
  EXPECT_THROW(static_cast<void>(read_model(path)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(read_model("/no/such/file")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(read_model("/")), InvalidArgument);
}

TEST(Model, MeasuresWhatItPredicts) {
  Model model{.encoding = encoding_of(2, {"y", {"no", "yes"}, {}})};
  model.parameters = {{1.0, -1.0}};
  const Records records =
      test::records_of({{{0.9, 0.1}, 1.0}, {{0.1, 0.9}, -1.0}, {{0.9, 0.2}, -1.0}, {{0.0, 0.0}, -1.0}});
  const Quality quality = quality_on(model, records);
  EXPECT_EQ(quality.records, 4.0);
  EXPECT_EQ(quality.accuracy, 0.75);
  const double loss = (2.0 * std::log1p(std::exp(-0.8)) + std::log1p(std::exp(0.7)) + std::log(2.0)) / 4.0;
  EXPECT_NEAR(quality.loss, loss, 1e-15);
  Model classes{.encoding = encoding_of(1, {"y", {"a", "b", "c"}, {}})};
  classes.parameters = {{-1.0}, {0.5}, {1.0}};
  EXPECT_EQ(quality_on(classes, test::records_of({{{1.0}, 2.0}, {{-1.0}, 0.0}, {{1.0}, 1.0}})).accuracy, 2.0 / 3.0);
  Model number{.loss = {loss_named("squared"), 1.0}, .encoding = encoding_of(1, {"y", {}, Bounds{0.0, 9.0}})};
  number.parameters = {{2.0}};
  EXPECT_NEAR(quality_on(number, test::records_of({{{1.0}, 5.0}, {{0.5}, 1.0}})).error, std::sqrt(4.5), 1e-15);
}

TEST(Model, FindsTheOptimumWithoutNoise) {
  // On the line: minimise the mean of (x w - y)^2/2 + rho w^2/2.
  Model model{.loss = {loss_named("squared"), 1.0}, .encoding = encoding_of(1, {"y", {}, Bounds{-9.0, 9.0}})};
  model.parameters = {{0.0}};
  const Records records = test::records_of({{{1.0}, 3.0}, {{0.5}, -1.0}, {{-0.25}, 2.0}});
  const double xx = (1.0 + 0.25 + 0.0625) / 3.0, xy = (3.0 - 0.5 - 0.5) / 3.0;
  EXPECT_NEAR(best_without_noise(model, {DomainKind::kBall, 100.0}, 0.1, records)->parameters[0][0], xy / (xx + 0.1),
              1e-6);
  EXPECT_NEAR(best_without_noise(model, {DomainKind::kBall, 0.5}, 0.1, records)->parameters[0][0], 0.5, 1e-9);
}

}  // namespace
}  // namespace doeblin::training
