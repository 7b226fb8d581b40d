// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/continuation.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "doeblin/language/schema.hpp"

namespace doeblin::language {
namespace {

using Texts = std::vector<std::string>;

Texts words(std::string_view text, Written written = Written::kPipeline) { return continuation(text, written).words; }

bool offers(std::string_view text, const std::string& word) {
  const Texts all = words(text);
  return std::find(all.begin(), all.end(), word) != all.end();
}

TEST(Continuation, APipelineBeginsWithASourceAndGoesOnWithStages) {
  EXPECT_EQ(words("gaus"), Texts{"gaussian("});
  EXPECT_EQ(words("gaussian(1) | comp"), Texts{"compose("});
  EXPECT_EQ(words("gaussian(1) + lap"), Texts{"laplace("});
  EXPECT_EQ(words("(gaussian(1) | compose(2)) + (lap"), Texts{"laplace("});
  EXPECT_TRUE(words("gaussian(1) | gaus").empty());
  EXPECT_TRUE(words("gaussian(1) ").empty());
  for (const Schema& schema : schemas()) EXPECT_EQ(offers("", schema.name + "("), schema.is_source()) << schema.name;
}

TEST(Continuation, KernelsStandAlone) {
  EXPECT_EQ(words("k_", Written::kKernels), Texts{"k_ary_response("});
  EXPECT_EQ(words("doeblin(0.1) | lazy", Written::kKernels), Texts{"lazy_walk("});
  EXPECT_TRUE(words("gaus", Written::kKernels).empty());
}

TEST(Continuation, ParametersThatAreNotGivenYet) {
  EXPECT_EQ(words("gaussian("), (Texts{"sigma=", "sensitivity="}));
  EXPECT_EQ(words("gaussian(sigma=2, s"), Texts{"sensitivity="});
  EXPECT_EQ(words("gaussian(2, s"), Texts{"sensitivity="});
  EXPECT_TRUE(words("gaussian(sigma=2").empty());
  EXPECT_TRUE(words("no_such_source(s").empty());
  EXPECT_EQ(continuation("gaussian(sigma=2, s").kept, std::string("gaussian(sigma=2, ").size());
}

TEST(Continuation, WordsOfAChoice) {
  EXPECT_EQ(words("gaussian(1) | poisson(rate=0.1, relation="), (Texts{"add_remove", "substitute"}));
  EXPECT_EQ(words("gaussian(1) | poisson(rate=0.1, relation='s"), Texts{"substitute"});
  EXPECT_FALSE(offers("noisy_sgd(relation=", ""));
}

TEST(Continuation, FilesInQuotes) {
  for (const char* text :
       {"finite('", "finite(\"data/m", "black_box(1) | kernel(file='", "finite('a.csv', adjacency='b"})
    EXPECT_TRUE(continuation(text).is_file) << text;
  EXPECT_EQ(continuation("finite('data/m").kept, std::string("finite('").size());
  EXPECT_FALSE(continuation("finite('a.csv'").is_file);
  EXPECT_FALSE(continuation("gaussian('").is_file);
}

TEST(Continuation, NoTextIsTooStrange) {
  for (const char* text : {"))))", "((((|", "[[,=", "'", "=,=,(", "finite(((", "gaussian(1,2,3,4,", "\x01\xff(="})
    EXPECT_LE(continuation(text).kept, std::string(text).size()) << text;
}

}  // namespace
}  // namespace doeblin::language
