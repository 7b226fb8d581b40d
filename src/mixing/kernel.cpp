// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/whole.hpp"
#include "doeblin/language/schema.hpp"
#include "doeblin/mixing/finite_mixing.hpp"
#include "doeblin/mixing/kernel_coefficients.hpp"
#include "doeblin/mixing/kernel_curve.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/solve.hpp"
#include "doeblin/profile/chord_table.hpp"
#include "doeblin/profile/profile_to_renyi.hpp"
#include "mixing/fed_pair.hpp"

namespace doeblin::pipeline {
namespace {

// One evaluation of an exact profile visits every pair of rows and every output.
constexpr double kMostExactTerms = 2e7;
// A kernel whose search costs more than this, in differences of entries, is not tabulated.
constexpr double kMostTabulatedCost = 2e8;
// About a second of searching, within limits.
constexpr double kTableWork = 1e9;
constexpr double kFewestNodes = 400.0;
constexpr double kMostNodes = 1000.0;
constexpr double kClosestNodes = 1e-5;

double doeblin_bound(const Kernel& kernel) { return kernel.doeblin ? kernel.doeblin->upper() : 1.0; }

bool is_exactly_known(const Mechanism& before, const Kernel& kernel) {
  if (!before.matrix() || !kernel.finite) return false;
  const double pairs = static_cast<double>(before.matrix()->adjacent().size());
  return pairs * static_cast<double>(kernel.finite->outputs()) <= kMostExactTerms;
}

// Post-processing never raises a divergence; the profile after it may say more.
RenyiCurve mixed_renyi(const RenyiCurve& before, const Profile& after) {
  RenyiTraits traits = before.traits();
  traits.tight = false;
  traits.single_pair = false;
  if (after.traits().costly)
    return RenyiCurve([=](Alpha alpha) { return Bracket(0.0, before.at(alpha).upper()); }, traits);
  const RenyiCurve other = renyi_from_profile(after);
  traits.largest_order = std::max(traits.largest_order, other.traits().largest_order);
  return RenyiCurve(
      [=](Alpha alpha) { return Bracket(0.0, std::min(before.at(alpha).upper(), other.at(alpha).upper())); }, traits);
}

// What holds for every mechanism and kernel alike: nothing is known from below.
Profile upper_end(const Profile& profile) { return enclosed(Attained(nothing_attained()), Dominating(profile)); }

struct Rule {
  const char* source;
  std::string statement;
  Profile profile;
};

Rule rule_for(const Mechanism& before, const Kernel& kernel, MixingAnalysis analysis) {
  const Profile& profile = before.profile();
  // The outputs of a matrix are the states of the next: the worst way to feed one to the other need not be that one.
  const bool is_fed_in_one_way = before.matrix() && kernel.states > 0;
  switch (analysis) {
    case MixingAnalysis::kBest:
    case MixingAnalysis::kKernel:
      return {"M2", fmt::format("delta'(eps) = d kappa(log(1 + (e^eps - 1)/d)), d = delta(eps); {}", kernel.statement),
              is_fed_in_one_way ? upper_end(mixed(profile, kernel.bound)) : mixed(profile, kernel.bound)};
    case MixingAnalysis::kDobrushin: {
      const double gamma = dobrushin_gamma(kernel).upper();
      return {"M1", fmt::format("(eps, gamma delta), gamma = {:.6g} (Dobrushin)", gamma),
              upper_end(mixed(profile, dobrushin_kernel(gamma)))};
    }
    case MixingAnalysis::kUltraMixing: {
      const double level = ultra_mixing_level(kernel).upper();
      const MixingKernel bound = std::isinf(level) ? dobrushin_kernel(1.0) : dobrushin_kernel(0.0, level);
      return {"M5", fmt::format("tight rule for ultra-mixing kernels, 1 - gamma = e^-{:.6g}", level),
              upper_end(mixed(profile, bound))};
    }
    case MixingAnalysis::kPublishedUltraMixing: {
      const double gamma = clamp(-numerics::expm1(-ultra_mixing_level(kernel)), 0.0, 1.0).upper();
      return {"M4", fmt::format("published rule for ultra-mixing kernels, gamma = {:.6g}", gamma),
              published_ultra_mixing(profile, gamma)};
    }
    case MixingAnalysis::kDoeblin:
    case MixingAnalysis::kPublishedDoeblin: {
      if (!kernel.doeblin) throw InvalidArgument("no Doeblin coefficient of this kernel is known");
      const double gamma = kernel.doeblin->upper();
      if (analysis == MixingAnalysis::kDoeblin)
        return {"M6", fmt::format("(eps, gamma delta), gamma = {:.6g} (Doeblin)", gamma),
                upper_end(mixed(profile, dobrushin_kernel(gamma)))};
      return {"M3", fmt::format("published rule for Doeblin kernels, gamma = {:.6g}", gamma),
              published_doeblin(profile, gamma)};
    }
    case MixingAnalysis::kNone: return {"M", "post-processing does no harm", upper_end(profile)};
  }
  throw InternalError("broken invariant: unknown analysis of mixing");
}

Profile cheap_profile(const Mechanism& before, const Kernel& kernel, const Profile& profile, MixingAnalysis analysis) {
  const bool is_by_curve = analysis == MixingAnalysis::kBest || analysis == MixingAnalysis::kKernel;
  if (!profile.traits().costly || !is_by_curve) return profile;
  if (!kernel.bound.profile.traits().costly) return mixed(before.dominating_profile(), kernel.bound);
  if (before.profile().traits().costly || !kernel.finite) return profile;
  const double cost = static_cast<double>(kernel.finite->states()) * static_cast<double>(kernel.finite->size());
  if (cost > kMostTabulatedCost) return profile;
  // No closer together than matters.
  const double most = std::max(1.0, kernel.bound.profile.traits().loss_bound / kClosestNodes);
  const auto nodes = static_cast<std::size_t>(std::min(most, std::clamp(kTableWork / cost, kFewestNodes, kMostNodes)));
  return mixed(before.profile(), tabulated(kernel.bound, nodes));
}

Mechanism mixed_mechanism(const Mechanism& before, const Kernel& kernel, MixingAnalysis analysis, Rule& rule) {
  if (analysis == MixingAnalysis::kBest && is_exactly_known(before, kernel)) {
    rule.source = "P5, M2";
    rule.statement = "the product of the two matrices, exactly; 'compare' shows the bounds beside it";
    return Mechanism::of(processed(*before.matrix(), *kernel.finite));
  }
  rule = rule_for(before, kernel, analysis);
  // Later stages ask for many points: for them a costly kernel is known by a table, from above.
  const Profile sampled = cheap_profile(before, kernel, rule.profile, analysis);
  // Renyi curves ask for more; where there are several cases every one of them is asked.
  const Profile cheap = before.cases().empty() ? sampled : doeblin::tabulated(sampled);
  Mechanism after = Mechanism::of_dominating(rule.profile, mixed_renyi(before.renyi(), cheap), universal_pair(sampled));
  // All neighbours, fed to the kernel in all ways, in both directions; closed under exchanging the two.
  if (before.has_laws() && !sampled.traits().costly)
    after = std::move(after).with_laws({.dominating = Dominating(LossPair::symmetric_of(sampled)),
                                        .attained = kernel.finite ? fed_pair(before, *kernel.finite) : std::nullopt});
  else
    after = std::move(after).with_gaussian_bound(before.gaussian_bound());
  const auto group = [=](double k) {
    Rule ignored{"", "", before.profile()};
    return mixed_mechanism(before.group(k), kernel, analysis, ignored);
  };
  return std::move(after).with_groups({group, "k people before the kernel, then the kernel"});
}

void require_matching_outputs(const Mechanism& before, const Kernel& kernel) {
  if (!before.matrix() || kernel.states == 0) return;
  const std::size_t outputs = before.matrix()->rows()[0].size();
  if (outputs != kernel.states)
    throw InvalidArgument("states", fmt::format("{}", kernel.states),
                          fmt::format("the {} outputs of the mechanism before it", outputs));
}

}  // namespace

Kernel kernel_of(const std::shared_ptr<const FiniteKernel>& matrix, const std::vector<Assumption>& assumptions) {
  Kernel kernel{.statement = "kappa from all pairs of the kernel's rows; lower: some way to feed the outputs to it",
                .assumptions = assumptions,
                .bound = mixing_kernel(matrix),
                .states = matrix->states(),
                .finite = matrix,
                .doeblin = doeblin_coefficient(*matrix).gamma};
  kernel.power = [matrix, assumptions](double times) {
    return kernel_of(std::make_shared<const FiniteKernel>(power(*matrix, times)), assumptions);
  };
  return kernel;
}

Kernel kernel_of(const FiniteKernel& matrix, double steps) {
  return kernel_of(std::make_shared<const FiniteKernel>(power(matrix, steps)),
                   {checked("rows are probability distributions, up to 1e-12 per entry"),
                    asserted("the matrix is the kernel that is applied")});
}

namespace {

Kernel product_of(const Kernel& first, const Kernel& second) {
  std::vector<Assumption> assumptions = first.assumptions;
  assumptions.insert(assumptions.end(), second.assumptions.begin(), second.assumptions.end());
  if (first.finite && second.finite)
    return kernel_of(std::make_shared<const FiniteKernel>(
                         product(with_coefficients(*first.finite), with_coefficients(*second.finite))),
                     assumptions);
  Kernel both{.statement = "kappa of the kernels one after another, in all ways to feed one to the next",
              .assumptions = assumptions,
              .bound = followed_by(first.bound, second.bound),
              .states = first.states};
  // Where one forgets, with probability 1 - gamma each, what follows does not bring it back.
  const double remembered = rounding::mul_up(doeblin_bound(first), doeblin_bound(second));
  if (remembered < 1.0) both.doeblin = Bracket(0.0, remembered);
  return both;
}

// A call that says how often it is applied says so of its powers too.
std::optional<language::Program> power_of(const std::optional<language::Program>& program, double times) {
  if (!program || program->kind != language::Program::Kind::kCall) return std::nullopt;
  const language::Schema* const schema = language::find_schema(program->call.name);
  if (schema == nullptr || schema->parameter("steps") == nullptr) return std::nullopt;
  return language::Program{.call = program->call.with("steps", program->call.number("steps") * times)};
}

Kernel power_of(const Kernel& kernel, double times) {
  if (kernel.power) return kernel.power(times);
  Kernel result = kernel;
  result.bound = repeated(kernel.bound, times);
  if (kernel.doeblin)
    result.doeblin = Bracket(0.0, numerics::exp(times * numerics::log(Bracket(kernel.doeblin->upper()))).upper());
  return result;
}

}  // namespace

Kernel followed_by(const Kernel& first, const Kernel& second) {
  Kernel both = product_of(first, second);
  if (first.program && second.program) both.program = language::piped(*first.program, *second.program);
  return both;
}

Kernel repeated(const Kernel& kernel, double times) {
  require_whole("steps", times, 1.0, 0x1p53);
  if (times == 1.0) return kernel;
  Kernel result = power_of(kernel, times);
  result.program = power_of(kernel.program, times);
  return result;
}

Bracket dobrushin_gamma(const Kernel& kernel) { return kernel.bound.profile.delta(Epsilon(0.0)); }

Bracket ultra_mixing_level(const Kernel& kernel) {
  if (kernel.finite) return ultra_mixing_coefficient(*kernel.finite).level;
  return numerics::first_at_most([&](double epsilon) { return kernel.bound.profile.delta(Epsilon(epsilon)); }, 0.0);
}

Stage mixing(const Kernel& kernel, const Settings& settings) {
  return {kernel.program, same_people, [kernel, analysis = settings.mixing](const Mechanism& input) {
            // Matrices that follow each other are multiplied, which says more than one after another.
            const bool joins = input.mixed() && input.mixed()->kernel.finite && kernel.finite;
            const Mechanism& before = joins ? input.mixed()->before : input;
            const Kernel whole = joins ? followed_by(input.mixed()->kernel, kernel) : kernel;
            require_matching_outputs(before, whole);
            Rule rule{"", "", before.profile()};
            Mechanism after = mixed_mechanism(before, whole, analysis, rule)
                                  .with_kernels(std::make_shared<const Mixed>(Mixed{before, whole}));
            std::vector<Assumption> assumptions = kernel.assumptions;
            assumptions.push_back(asserted("only the kernel's output is released; what it was given stays hidden"));
            return Evaluated{
                std::move(after),
                {.stage = "a kernel",
                 .source = rule.source,
                 .statement = joins ? "with the kernels before it as one product: " + rule.statement : rule.statement,
                 .assumptions = std::move(assumptions),
                 .is_mixing = true}};
          }};
}

Pipeline operator|(Pipeline pipeline, const Kernel& kernel) { return std::move(pipeline) | mixing(kernel); }

}  // namespace doeblin::pipeline
