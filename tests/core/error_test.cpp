// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/error.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace doeblin {
namespace {

TEST(Error, NamesParameterValueAndConstraint) {
  EXPECT_STREQ(InvalidArgument("sigma", -1.5, "sigma > 0").what(), "sigma = -1.5, need sigma > 0");
  EXPECT_STREQ(InvalidArgument("file", "'x'", "a file").within("finite").what(), "finite: file = 'x', need a file");
}

TEST(Error, MessagesAreOneLine) {
  EXPECT_STREQ(InvalidArgument("file", "'a\nb\rc'", "a name").what(), "file = 'a?b?c', need a name");
}

TEST(Error, RequireRejectsNaN) {
  const double nan = std::nan("");
  EXPECT_THROW(require(nan > 0.0, "sigma", nan, "sigma > 0"), InvalidArgument);
  EXPECT_NO_THROW(require(1.0 > 0.0, "sigma", 1.0, "sigma > 0"));
}

TEST(Error, EnsureIsOnInEveryBuild) {
  EXPECT_THROW(ensure(false, "x"), InternalError);
  EXPECT_NO_THROW(ensure(true, "x"));
}

}  // namespace
}  // namespace doeblin
