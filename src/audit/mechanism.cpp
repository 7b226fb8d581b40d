// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/mechanism.hpp"

#include <cmath>

#include <fmt/format.h>

#include "audit/draws.hpp"
#include "audit/line_runs.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/diffusion/diffusion.hpp"
#include "doeblin/language/schema.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/profile/finite.hpp"

namespace doeblin::audit {
namespace {

using language::Call;
using language::Program;
using language::Role;

// Longer outputs take more runs to learn from than anybody makes.
constexpr double kMostOutputs = 1000.0;
// Numbers that are drawn at once.
constexpr std::size_t kBlock = 4096;

class Builder {
 public:
  explicit Builder(const MechanismOptions& options) : options_(options) {}

  [[nodiscard]] Draws built(const Program& program) const {
    if (program.kind == Program::Kind::kCall) return source(program.call, std::nullopt);
    if (program.kind == Program::Kind::kSum) {
      std::vector<Draws> parts;
      for (const Program& part : program.parts) parts.push_back(built(part));
      return together(parts);
    }
    return piped(program);
  }

 private:
  [[nodiscard]] Draws piped(const Program& program) const {
    const Call& second = program.parts[1].call;
    const bool has_person = language::role_of(second.name) == Role::kPerson;
    Draws draws = has_person ? source(program.parts[0].call, second.number("i")) : built(program.parts[0]);
    for (std::size_t k = has_person ? 2 : 1; k < program.parts.size(); ++k)
      draws = staged(draws, program.parts[k].call);
    return draws;
  }

  [[nodiscard]] Draws staged(const Draws& draws, const Call& stage) const {
    const Role role = language::role_of(stage.name);
    if (role == Role::kPoisson) {
      const bool has_relation = language::find_schema(stage.name)->parameter("relation") != nullptr;
      if (has_relation && stage.text("relation") == "substitute")
        throw InvalidArgument("relation", "'substitute'", "'add_remove', to be run");
      return sampled(draws, stage.number("rate"));
    }
    if (role == Role::kRepeat) {
      const double k = stage.number("k");
      const double outputs = k * static_cast<double>(draws.dimension);
      require(outputs <= kMostOutputs, "outputs of one run", outputs, "at most 1000 numbers");
      return together(std::vector<Draws>(static_cast<std::size_t>(k), draws));
    }
    throw InvalidArgument("audit", fmt::format("'{}'", stage.name),
                          "a stage that can be run: person, compose, poisson");
  }

  [[nodiscard]] Draws source(const Call& call, std::optional<double> person) const {
    const Role role = language::role_of(call.name);
    if (person && role != Role::kRun)
      throw InvalidArgument("person", fmt::format("after '{}'", call.name), "noisy_sgd before it");
    switch (role) {
      case Role::kRun: return sgd_draws(call, person, options_);
      case Role::kIteration: return iteration_draws(call, options_);
      case Role::kResponse: return response(call);
      case Role::kMatrix: return matrix(call);
      case Role::kGaussianNoise: return noisy(call, LatticeLaw::kGaussian);
      case Role::kLaplaceNoise: return noisy(call, LatticeLaw::kLaplace);
      case Role::kDiffusion: return diffused(call);
      default: break;
    }
    throw InvalidArgument("audit", fmt::format("'{}'", call.name),
                          "a mechanism that can be run: gaussian, laplace, twice_laplace, discrete_gaussian, "
                          "discrete_laplace, randomized_response, finite, brownian, ornstein_uhlenbeck, "
                          "noisy_iteration or noisy_sgd");
  }

  [[nodiscard]] Draws noisy(const Call& call, LatticeLaw law) const {
    const language::Schema& schema = *language::find_schema(call.name);
    const bool is_whole = schema.parameter("sensitivity")->type == language::Type::kCount;
    std::vector<GridNoise> noises;
    for (const language::Parameter& parameter : schema.parameters) {
      if (parameter.type != language::Type::kScale) continue;
      const double scale = call.number(parameter.name) * options_.noise_factor;
      noises.push_back(is_whole ? GridNoise::integers(law, scale) : GridNoise(law, scale));
    }
    return additive(call.number("sensitivity"), noises);
  }

  [[nodiscard]] Draws diffused(const Call& call) const {
    const bool is_pulled = language::find_schema(call.name)->parameter("theta") != nullptr;
    const DiffusionProcess process =
        is_pulled ? DiffusionProcess{call.number("theta"), call.number("rho")} : DiffusionProcess{};
    const DiffusionTransition law = transition(process, Bracket(call.number("time")));
    return additive(call.number("sensitivity") * law.decay.middle(),
                    {GridNoise(LatticeLaw::kGaussian, law.deviation.middle() * options_.noise_factor)});
  }

  // The noise is the chance of the answer that is the less likely one.
  [[nodiscard]] Draws response(const Call& call) const {
    const double p = call.number("p");
    const double flip = std::min(p, 1.0 - p) * options_.noise_factor;
    require(flip <= 1.0, "noise_factor", options_.noise_factor, "a chance of at most 1 for a false answer");
    const double truth = p < 0.5 ? flip : 1.0 - flip;
    return tabulated({1.0 - truth, truth}, {truth, 1.0 - truth});
  }

  // The two neighbouring rows with the largest epsilon.
  [[nodiscard]] Draws matrix(const Call& call) const {
    require(options_.noise_factor == 1.0, "noise_factor", options_.noise_factor, "1 for a matrix, which has no noise");
    const auto mechanism = pipeline::evaluate(Program{.call = call}).mechanism().matrix();
    ensure(mechanism != nullptr, "the mechanism is a matrix");
    double largest = -1.0;
    FiniteMechanism::Pair worst;
    for (const FiniteMechanism::Pair& pair : mechanism->adjacent()) {
      const FiniteMechanism two = mechanism->with_adjacent({pair});
      const double epsilon = options_.delta > 0.0 ? profile_of(two).epsilon(Delta(options_.delta)).upper()
                                                  : rdp(two, Alpha(rounding::kInfinity)).upper();
      if (epsilon > largest) largest = epsilon, worst = pair;
    }
    ensure(largest >= 0.0, "a matrix has neighbouring rows");
    const auto row = [&](std::size_t x) {
      std::vector<double> probabilities;
      for (const Bracket& p : mechanism->rows()[x]) probabilities.push_back(p.middle());
      return probabilities;
    };
    return tabulated(row(worst.first), row(worst.second));
  }

  const MechanismOptions& options_;
};

}  // namespace

Subject mechanism_subject(const Program& program, const MechanismOptions& options) {
  require(options.noise_factor > 0.0 && options.noise_factor <= 1e6, "noise_factor", options.noise_factor,
          "0 < factor <= 1e6");
  const Draws draws = Builder(options).built(program);
  return {.name = text_of(program),
          .run =
              [draws, source = options.source](Side side, std::uint64_t stream, std::size_t count) {
                sampling::RandomStream random = source.stream(stream);
                return draws.draw(side, random, count);
              },
          .block = std::max<std::size_t>(64, kBlock / draws.dimension)};
}

}  // namespace doeblin::audit
