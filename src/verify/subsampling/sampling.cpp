// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <memory>

#include "verify/routes.hpp"
#include "verify/subsampling/exchange.hpp"
#include "verify/subsampling/levels.hpp"
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

// C(k, j) q^j (1-q)^{k-j}.
Ball binomial(unsigned long k, unsigned long j, const Ball& rate) {
  Ball choose;
  arb_bin_uiui(choose.get(), k, j, precision());
  return choose * power(rate, j) * power(Ball(1) - rate, k - j);
}

ShiftedMixture coins(unsigned long people, const Ball& rate, const Ball& move) {
  ShiftedMixture mixture;
  for (unsigned long j = 0; j <= people; ++j)
    mixture.push_back({binomial(people, j, rate), move * Ball(static_cast<double>(j))});
  return mixture;
}

// Noise of N1: all tests are half-lines.
struct Shifts {
  Ball step;            ///< what one person moves
  SharedNoise noise{};  ///< null for the normal law of variance 1

  [[nodiscard]] Ball divergence(const ShiftedMixture& p, const ShiftedMixture& q, const Ball& epsilon) const {
    return noise == nullptr ? verify::divergence(p, q, epsilon) : verify::divergence(*noise, p, q, epsilon);
  }
  [[nodiscard]] Divergence divergence_of(const ShiftedMixture& p, const ShiftedMixture& q) const {
    return [own = *this, p, q](const Ball& epsilon) { return own.divergence(p, q, epsilon); };
  }
  [[nodiscard]] std::optional<Ball> loss_bound(const ShiftedMixture& p, const ShiftedMixture& q) const {
    return noise == nullptr ? std::nullopt : largest_loss(*noise, p, q);
  }
};

std::optional<Shifts> shifts_of(const Known& base) {
  if (base.mu) return Shifts{.step = *base.mu};
  if (base.noise) return Shifts{.step = base.noise->step, .noise = base.noise};
  return std::nullopt;
}

// S10, for k people with a coin each, j of whom are in the second data only: whoever takes part moves the value by a step
// to their side at most, and N1 says that all of them do so along one line.
Known coins_of_both_sides(const Shifts& shifts, const Ball& rate, unsigned long k, unsigned long j) {
  const ShiftedMixture p = coins(k - j, rate, shifts.step);
  const ShiftedMixture q = coins(j, rate, -shifts.step);
  const Divergence forward = shifts.divergence_of(p, q);
  const Divergence backward = shifts.divergence_of(q, p);
  return {.delta =
              [=](const Ball& epsilon) {
                const Ball worst = max(forward(epsilon), backward(epsilon));
                return Enclosed{worst, worst};
              },
          .pairs = Pairs{forward, backward},
          .pure = shifts.loss_bound(p, q),
          .largest_loss = shifts.loss_bound(p, q)};
}

constexpr unsigned long kMostSplitPeople = 64;
constexpr unsigned long kMostSampledPeople = 10000;

// From the weights of 0, 1, 2, ...
Counts counts_of(const std::vector<Ball>& weights) { return {{weights.begin() + 1, weights.end()}, weights[0]}; }

// E[e^{j level}], the largest ratio to the law without anybody if one person alone has no larger loss than this.
Ball mean_power(const std::vector<Ball>& weights, const Ball& level) {
  Ball sum(0);
  for (std::size_t j = 0; j < weights.size(); ++j) sum = sum + weights[j] * exp(Ball(static_cast<double>(j)) * level);
  return sum;
}

// S10: sum_j w_j delta_j(eps_j), w_j the probability that j of the k people are in the sample.
Known counted(const Known& base, const Known& one, const std::vector<Ball>& weights, unsigned long k) {
  const auto curves = std::make_shared<GroupCurves>(base);
  const Counts counts = counts_of(weights);
  const auto black_box = std::make_shared<Known>(known_group({.delta = one.delta, .pure = one.pure}, k));
  const auto upper = [=](const Ball& epsilon) {
    return min(best_counts(*curves, counts, epsilon), black_box->delta(epsilon).upper);
  };
  Known known{.delta =
                  [=](const Ball& epsilon) {
                    return Enclosed{upper(epsilon), one.delta(epsilon).lower};
                  },
              .pairs = Pairs{upper, upper, false, true}};
  if (base.pure) known.pure = log(mean_power(weights, *base.pure));
  return known;
}

// S10 after noise of N1: for every split of k people between the two sides, both of which are as many people away from the
// law without any of them as take part.
Known coins_of_noise(const Known& base, const Known& one, const Ball& rate, unsigned long k) {
  const auto curves = std::make_shared<GroupCurves>(base);
  const auto coins_of = [&](unsigned long people) {
    std::vector<Ball> weights;
    for (unsigned long j = 0; j <= people; ++j) weights.push_back(binomial(people, j, rate));
    return counts_of(weights);
  };
  std::vector<Known> splits;
  for (unsigned long j = 0; 2 * j <= k; ++j) {
    const auto directed = [&](const Counts& p, const Counts& q) {
      return [=](const Ball& epsilon) { return best_splits(*curves, p, q, epsilon); };
    };
    const Counts p = coins_of(k - j), q = coins_of(j);
    const Divergence forward = directed(p, q), backward = directed(q, p);
    splits.push_back({.delta =
                          [=](const Ball& epsilon) {
                            return Enclosed{max(forward(epsilon), backward(epsilon)), one.delta(epsilon).lower};
                          },
                      .pairs = Pairs{forward, backward, false, true}});
  }
  return known_worst(splits);
}

std::function<Known(unsigned long)> poisson_groups(const Known& base, const Known& one, const Ball& rate) {
  return [=](unsigned long k) {
    if (const auto shifts = shifts_of(base); shifts && k <= kMostSplitPeople) {
      std::vector<Known> splits;
      for (unsigned long j = 0; 2 * j <= k; ++j) splits.push_back(coins_of_both_sides(*shifts, rate, k, j));
      return known_worst(splits);
    }
    if (base.log_ratio && k <= kMostSplitPeople) return coins_of_noise(base, one, rate, k);
    if (k > kMostSampledPeople) throw CannotCheck("a group of this size that is sampled");
    std::vector<Ball> weights;
    for (unsigned long j = 0; j <= k; ++j) weights.push_back(binomial(k, j, rate));
    return counted(base, one, weights, k);
  };
}

Known poisson(const Known& base, const Ball& rate) {
  if (!base.pairs) {
    // Randomised membership attains the rule for every profile that is attained (S6).
    Known known{.delta = [=](const Ball& epsilon) {
      return Enclosed{sampled(upper_of(base), rate, epsilon), sampled(lower_of(base), rate, epsilon)};
    }};
    // The profile is a pair (C7), which is sampled as any other. Sampling maps lines to lines in both directions, so that
    // the greatest convex bound after it is that of before, sampled.
    known.pairs = Pairs{.forward = sampled(upper_of(base), rate),
                        .backward = sampled_backward(upper_of(base), rate),
                        .are_attained = false,
                        .is_profile = true};
    if (base.pure) known.pure = log1p(rate * expm1(*base.pure));
    known.group = poisson_groups(base, known, rate);
    return known;
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
  known.group = poisson_groups(base, known, rate);
  return known;
}

// S5, S10, S11: everybody of k on one side against as many on the other; the same in both directions by reflection.
Known exchanged(const Shifts& shifts, const Ball& rate, unsigned long k) {
  const ShiftedMixture p = coins(k, rate, shifts.step);
  const ShiftedMixture q = coins(k, rate, -shifts.step);
  Known known = known_exactly(shifts.divergence_of(p, q));
  known.pure = shifts.loss_bound(p, q);
  known.largest_loss = known.pure;
  return known;
}

// S11: sum_j Bin(j; k, q) ((1 - b) delta_j(eps) + b delta_2j(eps)), b = e^{eps' - eps}, for any mechanism, or with levels
// for every j.
Known poisson_substitution(const Known& base, const Ball& rate) {
  if (const auto shifts = shifts_of(base)) {
    Known known = exchanged(*shifts, rate, 1);
    known.group = [shifts = *shifts, rate](unsigned long k) {
      if (k > kMostSplitPeople) throw CannotCheck("a group of this size that is sampled");
      return exchanged(shifts, rate, k);
    };
    return known;
  }
  const auto exchanged_among = [=](unsigned long k) {
    std::vector<Ball> weights;
    const auto away = std::make_shared<std::vector<Known>>(), apart = std::make_shared<std::vector<Known>>();
    for (unsigned long j = 0; j <= k; ++j) {
      weights.push_back(binomial(k, j, rate));
      if (j == 0) continue;
      away->push_back(known_group(base, j));
      apart->push_back(known_group(base, 2 * j));
    }
    const auto curves = std::make_shared<GroupCurves>(base);
    Known known{.delta = [=, counts = counts_of(weights)](const Ball& epsilon) {
      const Ball level = log1p(expm1(epsilon) / (Ball(1) - weights[0]));
      const Ball share = exp(epsilon - level);
      Ball sum(0);
      for (std::size_t j = 1; j < weights.size(); ++j)
        sum = sum + weights[j] * ((Ball(1) - share) * (*away)[j - 1].delta(level).upper +
                                  share * (*apart)[j - 1].delta(level).upper);
      return Enclosed{min(sum, best_splits(*curves, counts, counts, epsilon)), sampled(lower_of(base), rate, epsilon)};
    }};
    if (base.pure) known.pure = log(mean_power(weights, *base.pure) / mean_power(weights, -*base.pure));
    return known;
  };
  Known known = exchanged_among(1);
  known.group = [=](unsigned long k) {
    if (k > kMostSampledPeople) throw CannotCheck("a group of this size that is sampled");
    return exchanged_among(k);
  };
  return known;
}

// C(k, j) C(n - k, m - j)/C(n, m) for every j.
std::vector<Ball> hypergeometric(double n, double m, unsigned long k) {
  const auto choose = [](double from, double of) {
    Ball value;
    arb_bin_uiui(value.get(), static_cast<unsigned long>(from), static_cast<unsigned long>(of), precision());
    return value;
  };
  std::vector<Ball> weights;
  for (unsigned long j = 0; j <= k; ++j) {
    const double drawn = static_cast<double>(j), others = n - static_cast<double>(k);
    weights.push_back(m - drawn < 0.0 || m - drawn > others
                          ? Ball(0)
                          : choose(static_cast<double>(k), drawn) * choose(others, m - drawn) / choose(n, m));
  }
  return weights;
}

Known without_replacement(const Known& base, double n, double m) {
  const Ball rate = Ball(m) / Ball(n);
  Known known{.delta = [=](const Ball& epsilon) {
    return Enclosed{sampled(upper_of(base), rate, epsilon), sampled(lower_of(base), rate, epsilon)};
  }};
  if (base.pairs)
    known.pairs =
        Pairs{sampled(base.pairs->forward, rate), sampled(base.pairs->backward, rate), false, base.pairs->is_symmetric};
  if (base.largest_loss) known.largest_loss = log1p(rate * expm1(*base.largest_loss));
  if (base.pure) known.pure = log1p(rate * expm1(*base.pure));
  known.group = [=, one = known](unsigned long k) {
    if (k > kMostSampledPeople || static_cast<double>(k) > n || n > 1e6)
      throw CannotCheck("a group of this size that is sampled");
    return counted(base, one, hypergeometric(n, m, k), k);
  };
  return known;
}

// Bin(k; m, p) for k = 1, 2, ... until what is left is below `rest`, which is the last entry.
struct Weights {
  std::vector<Ball> of;  ///< of[k - 1] for k people
  Ball rest;
};

constexpr double kMostPeople = 3000.0;

Weights binomial_weights(const Ball& p, double m, const Ball& least) {
  Weights weights;
  const Ball odds = p / (Ball(1) - p);
  Ball weight = exp(Ball(m) * log1p(-p));
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

// S3, S4: sum_k Bin(k; m, 1/n) delta_k(eps), e^eps - 1 = (e^{eps'} - 1)/eta, eta = 1 - (1 - 1/n)^m, or with a level for
// every k; with people/n in the place of 1/n for more of them (S10).
Known with_replacement_rule(const Known& base, double n, double m, double people = 1.0) {
  const Ball p = Ball(people) / Ball(n);
  if (people == n) {
    const Known all = known_group(base, static_cast<unsigned long>(m));
    return {.delta = [all](const Ball& epsilon) { return Enclosed{all.delta(epsilon).upper, Ball(0)}; }};
  }
  const auto curves = std::make_shared<GroupCurves>(base);
  const auto upper = [=](const Ball& epsilon) {
    const Ball eta = -expm1(Ball(m) * log1p(-p));
    const Ball level = log1p(expm1(epsilon) / eta);
    const Ball one = sampled(upper_of(base), eta, epsilon);
    // Negligible next to what one person alone comes to.
    const Ball least = max(one.low_end(), exp(Ball(-2000.0))) * exp(Ball(-70.0));
    const Weights weights = binomial_weights(p, m, least);
    if (!base.log_ratio) return min(best_counts(*curves, {weights.of, Ball(1) - eta}, epsilon) + weights.rest, Ball(1));
    const std::vector<Ball> levels = count_levels(base, epsilon, weights.of, Ball(1) - eta);
    Ball sum = weights.rest;
    for (std::size_t k = 0; k < weights.of.size(); ++k)
      sum = sum + weights.of[k] * curves->of(k + 1).at(levels.empty() ? level : levels[k]);
    return min(sum, Ball(1));
  };
  Known known{.delta =
                  [=](const Ball& epsilon) {
                    return Enclosed{upper(epsilon), Ball(0)};
                  },
              .pairs = Pairs{upper, upper, false, true}};
  if (people == 1.0)
    known.group = [=](unsigned long k) {
      if (!(static_cast<double>(k) <= n)) throw CannotCheck("a group of this size that is sampled");
      return with_replacement_rule(base, n, m, static_cast<double>(k));
    };
  return known;
}

// A mixture whose last entry is what the weights leave out, with a bound on that.
using RestedMixture = std::pair<ShiftedMixture, Ball>;

// sum_k Bin(k; m, p) K(k move), made anew for every precision.
std::function<const RestedMixture&()> drawn_mixture(const Ball& move, const Ball& p, double m) {
  struct Cached {
    long bits = 0;
    RestedMixture value = {};
  };
  const auto cache = std::make_shared<Cached>();
  const auto made = [=] {
    if (arb_is_zero(p.get()) != 0) return RestedMixture({{Ball(1), Ball(0)}}, Ball(0));
    const Weights weights = binomial_weights(p, m, exp(Ball(-0.7 * static_cast<double>(precision()))));
    ShiftedMixture mixture;
    Ball none(1);
    for (std::size_t k = 1; k <= weights.of.size(); ++k) {
      mixture.push_back({weights.of[k - 1], move * Ball(static_cast<double>(k))});
      none = none - weights.of[k - 1];
    }
    // What is left counts as never drawn, and is charged where it is used.
    mixture.push_back({none, Ball(0)});
    return RestedMixture(mixture, weights.rest);
  };
  return [=]() -> const RestedMixture& {
    if (cache->bits != precision()) *cache = {precision(), made()};
    return cache->value;
  };
}

// S4, S7: sum_k Bin(k; m, a/n) K(k) against sum_k Bin(k; m, b/(n - a + b)) K(-k), and the reverse: a of the n people
// removed and b others put in, n the larger size; one person alone with a = 1, b = 0.
Known with_replacement_pair(const Shifts& shifts, double n, double m, double a = 1.0, double b = 0.0) {
  const auto p = drawn_mixture(shifts.step, Ball(a) / Ball(n), m);
  const auto q = drawn_mixture(-shifts.step, Ball(b) / Ball(n - a + b), m);
  const auto directed = [shifts](const auto& first, const auto& second) {
    return [=](const Ball& epsilon) {
      const Ball charge = first().second + exp(epsilon) * second().second;
      return shifts.divergence(first().first, second().first, epsilon) + Ball::between(-charge, charge);
    };
  };
  const Divergence forward = directed(p, q);
  const Divergence backward = directed(q, p);
  Known known{.delta =
                  [=](const Ball& epsilon) {
                    const Ball worst = positive_part(max(forward(epsilon), backward(epsilon)));
                    return Enclosed{worst, b > 0.0 ? Ball(0) : worst};
                  },
              .pairs = Pairs{forward, backward, b == 0.0}};
  if (a + b == 1.0)
    known.group = [=](unsigned long k) {
      const auto people = static_cast<double>(k);
      if (!(people < n)) throw CannotCheck("a group of this size that is sampled");
      std::vector<Known> splits;
      for (double j = 0.0; 2.0 * j <= people; ++j) splits.push_back(with_replacement_pair(shifts, n, m, people - j, j));
      return known_worst(splits);
    };
  return known;
}

Known poisson_sample(const language::Call& call, const Known& base, const Context& /*context*/) {
  const Ball rate(call.number("rate"));
  return call.text("relation") == "substitute" ? poisson_substitution(base, rate) : poisson(base, rate);
}

Known subset(const language::Call& call, const Known& base, const Context& /*context*/) {
  return without_replacement(base.in_random_order ? base.in_random_order() : base, call.number("n"), call.number("m"));
}

Known independent_draws(const language::Call& call, const Known& base, const Context& /*context*/) {
  const double n = call.number("n");
  const double m = call.number("m");
  const auto shifts = shifts_of(base);
  if (call.text("relation") == "add_remove" && shifts) {
    if (n == 1.0) return known_group(base, static_cast<unsigned long>(m));
    return with_replacement_pair(*shifts, n, m);
  }
  return with_replacement_rule(base, n, m);
}

Subjects sampled(Subjects before, const std::string& relation, const std::optional<double>& taken,
                 const std::optional<double>& records) {
  if (before.is_one_place) throw CannotCheck("sampling of a person whose place is fixed");
  if (before.has_public_records) throw CannotCheck("sampling of data in which some records are public");
  if (before.has_several_sizes || (before.records && before.records != taken))
    throw CannotCheck("samples of another size than the mechanism takes");
  before.records = records;
  before.relation = relation;
  return before;
}

Subjects about_poisson(const language::Call& call, const Subjects& before) {
  return sampled(before, call.text("relation"), std::nullopt, std::nullopt);
}

Subjects about_subset(const language::Call& call, const Subjects& before) {
  return sampled(before, kExchange, call.number("m"), call.number("n"));
}

Subjects about_draws(const language::Call& call, const Subjects& before) {
  return sampled(before, call.text("relation"), call.number("m"), call.number("n"));
}

constexpr Route kSubsamplingRoutes[] = {
    {.name = "poisson", .stage = poisson_sample, .about = about_poisson, .is_for_each_person = true},
    {.name = "without_replacement", .stage = subset, .about = about_subset, .is_for_each_person = true},
    {.name = "with_replacement", .stage = independent_draws, .about = about_draws, .is_for_each_person = true},
};

}  // namespace

Known known_sample(const language::Call& call, const Known& base) { return route_of(call).stage(call, base, {}); }

std::span<const Route> subsampling_routes() { return kSubsamplingRoutes; }

}  // namespace doeblin::verify
