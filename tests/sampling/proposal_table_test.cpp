// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/proposal_table.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin::sampling {
namespace {

double exponent(const ProposalTable& table, double z) {
  return table.law() == LatticeLaw::kGaussian ? z / table.parameter() * (z / table.parameter()) / 2.0
                                              : z / table.parameter();
}

double chance(const ProposalTable& table, const ProposalTable::Candidate& one) {
  return one.is_second_zero() ? 0.0 : one.factor * std::exp(-exponent(table, static_cast<double>(one.magnitude)));
}

// The exact law of what is kept, by going through every combination of the bits that choose a candidate.
std::map<std::int64_t, double> law_of(const ProposalTable& table, int offset_bits) {
  std::map<std::int64_t, double> law;
  double total = 0.0;
  for (std::uint64_t slot = 0; slot < ProposalTable::kSlots; ++slot)
    for (std::uint64_t sign = 0; sign < 2; ++sign)
      for (std::uint64_t offset = 0; offset < std::uint64_t{1} << offset_bits; ++offset) {
        const std::uint64_t first = slot | sign << 11 | offset << 12;
        const bool is_tail = slot == ProposalTable::kSlots - 1;
        for (std::uint64_t stretch = 0; stretch < (is_tail ? 60u : 1u); ++stretch)
          for (std::uint64_t place = 0; place < (is_tail ? ProposalTable::kStretch : 1u); ++place) {
            const bool is_far = stretch >= ProposalTable::kStretchBits;
            const std::uint64_t second =
                (is_far ? 0 : std::uint64_t{1} << stretch) | place << ProposalTable::kStretchBits;
            const double weight =
                is_tail ? std::ldexp(1.0 / ProposalTable::kStretch, -static_cast<int>(stretch) - 1) : 1.0;
            ProposalTable::Candidate one = table.candidate(first, second);
            EXPECT_EQ(one.is_far(), is_far);
            if (is_far) one = table.moved_to(one, static_cast<std::uint32_t>(stretch));
            EXPECT_EQ(one.is_tail, is_tail);
            const double kept = weight * chance(table, one);
            law[one.value()] += kept;
            total += kept;
          }
      }
  for (auto& entry : law) entry.second /= total;
  return law;
}

void check_law(LatticeLaw law, const std::string& file, const std::string& parameter) {
  int checked = 0;
  std::map<double, std::map<std::int64_t, double>> laws;
  for (const test::Row& row : test::read_table(file)) {
    const double value = row[parameter];
    if (value > 2000.0) continue;
    if (!laws.contains(value)) {
      const int offset_bits = std::max(0, std::ilogb(value) - 4);
      laws[value] = law_of(ProposalTable(law, value), offset_bits);
    }
    const double truth = row["truth_up"];
    if (truth < 1e-290) continue;
    for (const double sign : {1.0, -1.0}) {
      const double got = laws[value].at(static_cast<std::int64_t>(sign * row["k"]));
      EXPECT_NEAR(got / truth, 1.0, 1e-12) << row.text;
    }
    ++checked;
  }
  EXPECT_GT(checked, 150);
}

// The first 20 probabilities and the tail to 8 sigma (16 scales), exactly.
TEST(ProposalTable, KeepsTheDiscreteGaussian) {
  check_law(LatticeLaw::kGaussian, "discrete_gaussian_pmf.csv", "sigma");
}

TEST(ProposalTable, KeepsTheDiscreteLaplace) { check_law(LatticeLaw::kLaplace, "discrete_laplace_pmf.csv", "scale"); }

// The envelope: no chance above 1, at the first offset of every block, where it is largest, and along the tail.
RC_GTEST_PROP(ProposalTable, ChancesAreProbabilities, ()) {
  const auto law = *rc::gen::element(LatticeLaw::kGaussian, LatticeLaw::kLaplace);
  const double raw = test::log_uniform(0x1p-9, 0x1p47);
  const double parameter = *rc::gen::element(raw, std::exp2(std::floor(std::log2(raw))),
                                             std::nextafter(std::exp2(std::floor(std::log2(raw))), 0.0));
  const ProposalTable table(law, parameter);
  for (std::uint64_t slot = 0; slot + 1 < ProposalTable::kSlots; ++slot) {
    const double kept = chance(table, table.candidate(slot, 0));
    RC_ASSERT(kept <= 1.0);
    RC_ASSERT(kept >= 0.0);
  }
  for (std::uint32_t stretch = 0; stretch < 60; ++stretch) {
    ProposalTable::Candidate one = table.candidate(ProposalTable::kSlots - 1, 1u << std::min(stretch, 15u));
    if (stretch > 15) one = table.moved_to(one, stretch);
    RC_ASSERT(one.stretch == stretch);
    RC_ASSERT(chance(table, one) <= 1.0);
  }
}

RC_GTEST_PROP(ProposalTable, RejectsFewCandidates, ()) {
  const auto law = *rc::gen::element(LatticeLaw::kGaussian, LatticeLaw::kLaplace);
  const ProposalTable table(law, test::log_uniform(16.0, 0x1p47));
  double mean = 0.0;
  for (std::uint64_t slot = 0; slot + 1 < ProposalTable::kSlots; ++slot)
    for (const std::uint64_t offset : {std::uint64_t{1} << 12, ~std::uint64_t{0} << 12})
      mean += 0.5 * chance(table, table.candidate(slot | offset, 0)) / (ProposalTable::kSlots - 1);
  RC_ASSERT(mean >= 0.88);
}

TEST(ProposalTable, FarCandidatesContinueTheTail) {
  const ProposalTable table(LatticeLaw::kGaussian, 1000.0);
  const ProposalTable::Candidate far = table.candidate(ProposalTable::kSlots - 1, 0);
  EXPECT_TRUE(far.is_far());
  const ProposalTable::Candidate near = table.candidate(ProposalTable::kSlots - 1, 1);
  EXPECT_FALSE(near.is_far());
  const ProposalTable::Candidate moved = table.moved_to(far, 20);
  EXPECT_EQ(moved.block, near.block + 20 * ProposalTable::kStretch);
  EXPECT_EQ(moved.factor, near.factor * 0x1p20);
}

TEST(ProposalTable, RefusesParametersOutOfRange) {
  for (const double bad : {0.0, -1.0, 0x1p-11, 0x1p49, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(ProposalTable(LatticeLaw::kGaussian, bad), InvalidArgument) << bad;
}

}  // namespace
}  // namespace doeblin::sampling
