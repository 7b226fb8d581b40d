// SPDX-License-Identifier: Apache-2.0
#include "doeblin/amplify/subsampling.hpp"
#include "doeblin/numerics/wide.hpp"
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "doeblin/profile/profile_to_renyi.hpp"
#include "pipeline/stages/sampling.hpp"

namespace doeblin::pipeline {
namespace {

const Assumption kUniformSubset =
    asserted("the subset is uniformly random, drawn afresh in every release, and stays hidden");

Evaluated sampled_guarantee(const Guarantee& base, const Bracket& rate, const std::string& text, bool black_box) {
  const bool exact = base.pairs && !black_box;
  const Profile profile = sampled(base.profile, rate);
  Guarantee result{.profile = profile, .renyi = unknown_renyi(), .relation = Relation::kSubstitute};
  if (exact) {
    result.pairs = sampled_without_replacement(*base.pairs, rate);
    const RenyiCurve attained =
        result.pairs->attained ? forward_renyi_from_pair(*result.pairs->attained) : unknown_renyi();
    result.renyi = enclosed(attained, renyi_from_profile(profile));
  }
  return {std::move(result),
          {.stage = text,
           .source = exact ? "S2, S7" : "S2",
           .statement = exact ? "exact: q D_{1+(g-1)/q}(P||Q) in both directions, q = m/n; composed from that profile"
                              : "black box: delta'(eps') = q delta(eps), e^{eps'} - 1 = q (e^eps - 1), q = m/n; lower: "
                                "randomised membership (S6)",
           .assumptions = {kUniformSubset, checked("holds for every mechanism with this profile")}}};
}

}  // namespace

Stage without_replacement(double n, double m, const Settings& settings) {
  require_sample(n, m);
  require(m <= n, "m", m, "m <= n");
  const std::string text = call_text("without_replacement", {{"n", n}, {"m", m}});
  const Bracket rate = enclose(numerics::ratio(m, n));
  return {text, [=](const Guarantee& base) {
            require_everybody(base);
            require_sampling_relation(base.relation, Relation::kSubstitute);
            return sampled_guarantee(base, rate, text, settings.black_box_sampling);
          }};
}

Definition without_replacement_definition() {
  return {
      .name = "without_replacement",
      .summary = "a uniformly random subset of m of the n people takes part",
      .example = "laplace(scale=1) | without_replacement(n=1000, m=50)",
      .parameters = {{.name = "n",
                      .meaning = "how many people there are",
                      .monotone = Monotone{.larger_is_safer = true, .low = 1.0, .high = 0x1p53, .is_integer = true}},
                     {.name = "m", .meaning = "how many are drawn", .monotone = kCount}},
      .make = [](const Arguments& a) { return without_replacement(a.number("n"), a.number("m"), a.settings()); }};
}

}  // namespace doeblin::pipeline
