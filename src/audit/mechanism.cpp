// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/mechanism.hpp"

#include <cmath>

#include <fmt/format.h>

#include "audit/draws.hpp"
#include "audit/line_runs.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/diffusion/diffusion.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/profile/finite.hpp"

namespace doeblin::audit {
namespace {

using language::Call;
using language::Program;

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
    const bool has_person = second.name == "person";
    Draws draws = has_person ? source(program.parts[0].call, second.number("i")) : built(program.parts[0]);
    for (std::size_t k = has_person ? 2 : 1; k < program.parts.size(); ++k)
      draws = staged(draws, program.parts[k].call);
    return draws;
  }

  [[nodiscard]] Draws staged(const Draws& draws, const Call& stage) const {
    if (stage.name == "poisson") {
      if (stage.text("relation") == "substitute")
        throw InvalidArgument("relation", "'substitute'", "'add_remove', to be run");
      return sampled(draws, stage.number("rate"));
    }
    if (stage.name == "compose") {
      const double k = stage.number("k");
      const double outputs = k * static_cast<double>(draws.dimension);
      require(outputs <= kMostOutputs, "outputs of one run", outputs, "at most 1000 numbers");
      return together(std::vector<Draws>(static_cast<std::size_t>(k), draws));
    }
    throw InvalidArgument("audit", fmt::format("'{}'", stage.name),
                          "a stage that can be run: person, compose, poisson");
  }

  [[nodiscard]] Draws source(const Call& call, std::optional<double> person) const {
    if (call.name == "noisy_sgd") return sgd_draws(call, person, options_);
    if (person) throw InvalidArgument("person", fmt::format("after '{}'", call.name), "noisy_sgd before it");
    if (call.name == "noisy_iteration") return iteration_draws(call, options_);
    if (call.name == "randomized_response") return response(call);
    if (call.name == "finite") return matrix(call);
    if (call.name == "discrete_gaussian") return integers(call, LatticeLaw::kGaussian, "sigma");
    if (call.name == "discrete_laplace") return integers(call, LatticeLaw::kLaplace, "scale");
    if (call.name == "gaussian") return shifted(call, LatticeLaw::kGaussian, {"sigma"});
    if (call.name == "laplace") return shifted(call, LatticeLaw::kLaplace, {"scale"});
    if (call.name == "twice_laplace") return shifted(call, LatticeLaw::kLaplace, {"scale1", "scale2"});
    if (call.name == "brownian") return diffused(call, {});
    if (call.name == "ornstein_uhlenbeck") return diffused(call, {call.number("theta"), call.number("rho")});
    throw InvalidArgument("audit", fmt::format("'{}'", call.name),
                          "a mechanism that can be run: gaussian, laplace, twice_laplace, discrete_gaussian, "
                          "discrete_laplace, randomized_response, finite, brownian, ornstein_uhlenbeck, "
                          "noisy_iteration or noisy_sgd");
  }

  [[nodiscard]] Draws shifted(const Call& call, LatticeLaw law, const std::vector<std::string>& parameters) const {
    std::vector<GridNoise> noises;
    noises.reserve(parameters.size());
    for (const std::string& parameter : parameters)
      noises.emplace_back(law, call.number(parameter) * options_.noise_factor);
    return additive(call.number("sensitivity"), noises);
  }

  [[nodiscard]] Draws integers(const Call& call, LatticeLaw law, const char* parameter) const {
    return additive(call.number("sensitivity"),
                    {GridNoise::integers(law, call.number(parameter) * options_.noise_factor)});
  }

  [[nodiscard]] Draws diffused(const Call& call, const DiffusionProcess& process) const {
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
