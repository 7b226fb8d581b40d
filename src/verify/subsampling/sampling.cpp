// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <memory>

#include "verify/routes.hpp"
#include "verify/subsampling/normal_mixture.hpp"

namespace doeblin::verify {
namespace {

// S1, S2: q delta(eps) at e^{eps} - 1 = (e^{eps'} - 1)/q; for a pair it is D((1-q) Q + q P || Q).
Ball sampled(const Divergence& delta, const Ball& rate, const Ball& epsilon) {
  return rate * delta(log1p(expm1(epsilon) / rate));
}

// S7, the other direction: D(Q || (1-q) Q + q P) = w D_{g q/w}(Q||P), w = 1 - g (1 - q) = q - (1 - q)(g - 1).
Ball sampled_backward(const Divergence& backward, const Ball& rate, const Ball& epsilon) {
  const Ball w = rate - (Ball(1) - rate) * expm1(epsilon);
  if (!certainly_less(Ball(0), w)) {
    // At w = 0 nothing is left, and the divergence grows with w.
    if (certainly_at_most(w, Ball(0))) return Ball(0);
    return Ball::between(Ball(0), w.high_end());
  }
  return w * backward(epsilon + log(rate / w));
}

Divergence sampled(Divergence delta, const Ball& rate) {
  return [delta = std::move(delta), rate](const Ball& epsilon) { return sampled(delta, rate, epsilon); };
}

Divergence sampled_backward(Divergence backward, const Ball& rate) {
  return
      [backward = std::move(backward), rate](const Ball& epsilon) { return sampled_backward(backward, rate, epsilon); };
}

Divergence upper_of(const Known& known) {
  return [delta = known.delta](const Ball& epsilon) { return delta(epsilon).upper; };
}

Divergence lower_of(const Known& known) {
  return [delta = known.delta](const Ball& epsilon) { return delta(epsilon).lower; };
}

// S9: the Renyi divergence of (1-q) N(0) + q N(mu) from N(0) at whole orders, which for normal laws is the larger of
// the two directions: log sum_l C(alpha, l) (1-q)^{alpha-l} q^l e^{l (l-1) mu^2/2} / (alpha - 1).
Ball poisson_renyi(const Ball& mu, const Ball& rate, unsigned long alpha) {
  Ball sum(0);
  const Ball half_square = square(mu) / Ball(2);
  for (unsigned long l = 0; l <= alpha; ++l) {
    Ball choose;
    arb_bin_uiui(choose.get(), alpha, l, precision());
    const Ball growth = exp(Ball(static_cast<double>(l) * (static_cast<double>(l) - 1.0)) * half_square);
    sum = sum + choose * power(Ball(1) - rate, alpha - l) * power(rate, l) * growth;
  }
  return log(sum) / Ball(static_cast<double>(alpha) - 1.0);
}

constexpr double kLargestOrder = 256.0;

// Divergences grow with the order: at an order between two whole ones, that of the next.
void add_renyi(Known& sampled, const Ball& mu, const Ball& rate) {
  const auto values = std::make_shared<std::map<double, Ball>>();
  sampled.renyi = [=](const Ball& alpha) {
    const double order = std::max(2.0, std::ceil(alpha.upper()));
    if (!(order <= kLargestOrder)) return Ball(HUGE_VAL);
    const auto found = values->find(order);
    if (found != values->end()) return found->second;
    return (*values)[order] = poisson_renyi(mu, rate, static_cast<unsigned long>(order));
  };
  sampled.largest_order = Ball(kLargestOrder);
}

Known poisson(const Known& base, const Ball& rate) {
  if (!base.pairs) {
    // Randomised membership attains the rule for every profile that is attained (S6).
    return {.delta = [=](const Ball& epsilon) {
      return Enclosed{sampled(upper_of(base), rate, epsilon), sampled(lower_of(base), rate, epsilon)};
    }};
  }
  if (arb_is_one(rate.get()) != 0) return base;
  const Pairs pairs{sampled(base.pairs->forward, rate), sampled_backward(base.pairs->backward, rate),
                    base.pairs->are_attained};
  Known known{.delta =
                  [pairs](const Ball& epsilon) {
                    const Ball worst = max(pairs.forward(epsilon), pairs.backward(epsilon));
                    return Enclosed{worst, pairs.are_attained ? worst : Ball(0)};
                  },
              .pairs = pairs};
  // log(1 + q (e^level - 1)); the other direction has less.
  if (base.pure) known.pure = log1p(rate * expm1(*base.pure));
  if (base.mu) add_renyi(known, *base.mu, rate);
  if (base.largest_loss) known.largest_loss = log1p(rate * expm1(*base.largest_loss));
  return known;
}

// S5: (1-q) N(0) + q N(mu) against (1-q) N(0) + q N(-mu); the same in both directions by reflection.
Known poisson_substitution(const Known& base, const Ball& rate) {
  if (!base.mu) throw CannotCheck("sampling under substitution is known for Gaussian mechanisms only");
  const Ball stay = Ball(1) - rate;
  const NormalMixture p{{stay, Ball(0)}, {rate, *base.mu}};
  const NormalMixture q{{stay, Ball(0)}, {rate, -*base.mu}};
  return known_exactly([p, q](const Ball& epsilon) { return divergence(p, q, epsilon); });
}

Known without_replacement(const Known& base, const Ball& rate) {
  Known known{.delta = [=](const Ball& epsilon) {
    return Enclosed{sampled(upper_of(base), rate, epsilon), sampled(lower_of(base), rate, epsilon)};
  }};
  if (base.pairs)
    known.pairs =
        Pairs{sampled(base.pairs->forward, rate), sampled(base.pairs->backward, rate), false, base.pairs->is_symmetric};
  if (base.largest_loss) known.largest_loss = log1p(rate * expm1(*base.largest_loss));
  if (base.pure) known.pure = log1p(rate * expm1(*base.pure));
  return known;
}

// Bin(k; m, 1/n) for k = 1, 2, ... until what is left is below `rest`, which is the last entry.
struct Weights {
  std::vector<Ball> of;  ///< of[k - 1] for k people
  Ball rest;
};

constexpr double kMostPeople = 3000.0;

Weights binomial_weights(double n, double m, const Ball& least) {
  Weights weights;
  const Ball odds = Ball(1) / (Ball(n) - Ball(1));
  // (1 - 1/n)^m
  Ball weight = exp(Ball(m) * log1p(-(Ball(1) / Ball(n))));
  for (double k = 1.0; k <= m; k += 1.0) {
    weight = weight * Ball(m - k + 1.0) / Ball(k) * odds;
    weights.of.push_back(weight);
    // The ratios fall: once below 1/2, the rest is below the last weight.
    const Ball ratio = Ball(m - k) / Ball(k + 1.0) * odds;
    if (certainly_less(ratio, Ball(0.5)) && certainly_less(weight, least)) {
      weights.rest = weight;
      return weights;
    }
    if (k >= kMostPeople) throw CannotCheck("one person may be drawn thousands of times");
  }
  weights.rest = Ball(0);
  return weights;
}

// S3, S4: sum_k Bin(k; m, 1/n) delta_k(eps), e^eps - 1 = (e^{eps'} - 1)/eta, eta = 1 - (1 - 1/n)^m.
Known with_replacement_rule(const Known& base, double n, double m) {
  if (n == 1.0) {
    const Known all = known_group(base, static_cast<unsigned long>(m));
    return {.delta = [all](const Ball& epsilon) { return Enclosed{all.delta(epsilon).upper, Ball(0)}; }};
  }
  const auto groups = std::make_shared<std::vector<Known>>();
  const auto upper = [=](const Ball& epsilon) {
    const Ball eta = -expm1(Ball(m) * log1p(-(Ball(1) / Ball(n))));
    const Ball level = log1p(expm1(epsilon) / eta);
    const Ball one = sampled(lower_of(base), eta, epsilon);
    // Negligible next to what one person alone comes to.
    const Ball least = max(one.low_end(), exp(Ball(-2000.0))) * exp(Ball(-70.0));
    const Weights weights = binomial_weights(n, m, least);
    Ball sum = weights.rest;
    for (std::size_t k = 1; k <= weights.of.size(); ++k) {
      if (groups->size() < k) groups->push_back(known_group(base, k));
      sum = sum + weights.of[k - 1] * (*groups)[k - 1].delta(level).upper;
    }
    return min(sum, Ball(1));
  };
  return {.delta =
              [=](const Ball& epsilon) {
                return Enclosed{upper(epsilon), Ball(0)};
              },
          .pairs = Pairs{upper, upper, false, true}};
}

// S4, S7: sum_k Bin(k; m, 1/n) N(k mu) against N(0), and the reverse.
Known with_replacement_pair(const Ball& mu, double n, double m) {
  if (n == 1.0) return known_gdp(mu * Ball(m));
  struct Cached {
    long bits = 0;
    std::pair<NormalMixture, Ball> value = {};
  };
  const auto cache = std::make_shared<Cached>();
  const auto made = [=] {
    const Weights weights = binomial_weights(n, m, exp(Ball(-0.7 * static_cast<double>(precision()))));
    NormalMixture p;
    Ball none(1);
    for (std::size_t k = 1; k <= weights.of.size(); ++k) {
      p.push_back({weights.of[k - 1], mu * Ball(static_cast<double>(k))});
      none = none - weights.of[k - 1];
    }
    // What is left counts as never drawn, and is charged where it is used.
    p.push_back({none, Ball(0)});
    return std::pair(p, weights.rest);
  };
  const auto mixture = [=]() -> const std::pair<NormalMixture, Ball>& {
    if (cache->bits != precision()) *cache = {precision(), made()};
    return cache->value;
  };
  const auto forward = [mixture](const Ball& epsilon) {
    const auto& [p, rest] = mixture();
    return divergence(p, {{Ball(1), Ball(0)}}, epsilon) + Ball::between(-rest, rest);
  };
  const auto backward = [mixture](const Ball& epsilon) {
    const auto& [p, rest] = mixture();
    const Ball charge = exp(epsilon) * rest;
    return divergence({{Ball(1), Ball(0)}}, p, epsilon) + Ball::between(-charge, charge);
  };
  return {.delta =
              [=](const Ball& epsilon) {
                const Ball worst = positive_part(max(forward(epsilon), backward(epsilon)));
                return Enclosed{worst, worst};
              },
          .pairs = Pairs{forward, backward}};
}

Known poisson_sample(const language::Call& call, const Known& base, const Context& /*context*/) {
  const Ball rate(call.number("rate"));
  return call.text("relation") == "substitute" ? poisson_substitution(base, rate) : poisson(base, rate);
}

Known subset(const language::Call& call, const Known& base, const Context& /*context*/) {
  return without_replacement(base, Ball(call.number("m")) / Ball(call.number("n")));
}

Known independent_draws(const language::Call& call, const Known& base, const Context& /*context*/) {
  const double n = call.number("n");
  const double m = call.number("m");
  if (call.text("relation") == "add_remove" && base.mu) return with_replacement_pair(*base.mu, n, m);
  return with_replacement_rule(base, n, m);
}

Subjects sampled(Subjects before, const std::optional<double>& taken, const std::optional<double>& records) {
  if (before.people > 1.0) throw CannotCheck("several people who are sampled as if they were one");
  if (before.is_one_place) throw CannotCheck("sampling of a person whose place is fixed");
  if (before.has_public_records) throw CannotCheck("sampling of data in which some records are public");
  if (before.has_several_sizes || (before.records && before.records != taken))
    throw CannotCheck("samples of another size than the mechanism takes");
  before.records = records;
  return before;
}

Subjects about_poisson(const language::Call& /*call*/, const Subjects& before) {
  return sampled(before, std::nullopt, std::nullopt);
}

Subjects about_subset(const language::Call& call, const Subjects& before) {
  return sampled(before, call.number("m"), call.number("n"));
}

constexpr Route kSubsamplingRoutes[] = {
    {.name = "poisson", .stage = poisson_sample, .about = about_poisson},
    {.name = "without_replacement", .stage = subset, .about = about_subset},
    {.name = "with_replacement", .stage = independent_draws, .about = about_subset},
};

}  // namespace

Known known_sample(const language::Call& call, const Known& base) { return route_of(call).stage(call, base, {}); }

std::span<const Route> subsampling_routes() { return kSubsamplingRoutes; }

}  // namespace doeblin::verify
