// SPDX-License-Identifier: Apache-2.0
#include "verify/mechanism/renyi.hpp"

#include "verify/tables.hpp"

namespace doeblin::verify {
namespace {

// The table has the smallest epsilon at a delta: there the largest delta is the delta.
TEST(VerifiedRenyi, OneOrderMatchesTheTable) {
  std::size_t checked = 0;
  for (const auto& row : doeblin::test::read_table("renyi_conversion.csv")) {
    if (!(row["truth_up"] > 0.0) || row["truth_up"] > 1e4 || row["delta"] < 1e-200) continue;
    ++checked;
    const Ball at(row["truth_up"]);
    const Ball below(row["truth_down"] * (1.0 - 1e-9));
    const Ball delta(row["delta"]);
    EXPECT_TRUE(certainly_less(renyi_delta(Ball(row["alpha"]), Ball(row["rho"]), at), delta * Ball(1.0 + 1e-9)))
        << row.text;
    EXPECT_TRUE(certainly_less(delta, renyi_delta(Ball(row["alpha"]), Ball(row["rho"]), below))) << row.text;
  }
  EXPECT_GT(checked, 100u);
}

TEST(VerifiedRenyi, TheBestOrderBeatsEveryOther) {
  const auto curve = [](const Ball& alpha) { return alpha * Ball(0.05); };
  for (const double epsilon : {0.0, 0.1, 1.0, 3.0}) {
    const Ball best = best_renyi_delta(curve, Ball(epsilon));
    for (const double alpha : {1.001, 1.5, 4.0, 16.0, 100.0})
      EXPECT_LE(best.upper(), renyi_delta(Ball(alpha), curve(Ball(alpha)), Ball(epsilon)).upper() * (1.0 + 1e-9));
    // The Gaussian mechanism has this curve.
    EXPECT_GE(best.upper(), theta(Ball(epsilon), sqrt(Ball(0.1))).lower());
  }
}

}  // namespace
}  // namespace doeblin::verify
