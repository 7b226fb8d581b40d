// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/noise_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <span>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/parallel.hpp"
#include "subsampling/integer_mixture.hpp"

namespace doeblin {
namespace {

using numerics::exp;

// What is left out of a mixture has at most this weight, which no answer depends on.
constexpr double kLeastWeight = 1e-300;
// Further than rounding moves the place where a ratio has a given value, relatively.
constexpr double kNearby = 1e-6;
constexpr double kNearlyExact = 1e-11;

double farthest_shift(std::span<const Shift> mixture) {
  double largest = 0.0;
  for (const Shift& shift : mixture) largest = std::max(largest, shift.multiple);
  return largest;
}

// A mixture without its farthest shifts, whose weight goes to the rest.
struct Shifts : std::span<const Shift> {
  double rest;
};

// The shifts of a mixture from the nearest to the farthest, and what they leave out.
class OrderedShifts {
 public:
  explicit OrderedShifts(const NoiseMixture& mixture)
      : shifts_(mixture.shifts), rests_(shifts_.size() + 1, mixture.rest) {
    std::stable_sort(shifts_.begin(), shifts_.end(),
                     [](const Shift& a, const Shift& b) { return a.multiple < b.multiple; });
    for (std::size_t i = shifts_.size(); i-- > 0;)
      rests_[i] = rounding::add_up(rests_[i + 1], shifts_[i].weight.upper());
  }

  [[nodiscard]] std::size_t size() const { return shifts_.size(); }
  [[nodiscard]] Shifts all() const { return nearest(size()); }
  [[nodiscard]] Shifts nearest(std::size_t count) const { return {std::span(shifts_).first(count), rests_[count]}; }

 private:
  std::vector<Shift> shifts_;
  std::vector<double> rests_;  // of the first 0, 1, ... shifts
};

// About the largest log of w e^a: a weight times e^{a - peak} neither overflows nor is lost, if it matters.
template <typename Ratio>
double about_peak(const Shifts& mixture, const Ratio& ratio) {
  double peak = -rounding::kInfinity;
  for (std::size_t i = 0; i < mixture.size(); ++i)
    peak = std::max(peak, std::ilogb(mixture[i].weight.upper()) * 0.6931 + ratio(i));
  return peak;
}

// log sum w e^a for weights that add up to 1 but for the rest. Near 0 it is log(1 + sum w (e^a - 1)), which keeps its
// digits when most of the weight has a = 0.
Bracket log_sum(const Shifts& mixture, const std::vector<Bracket>& ratios) {
  double about = 0.0;
  for (std::size_t i = 0; i < mixture.size(); ++i) about += mixture[i].weight.upper() * std::expm1(ratios[i].upper());
  if (about > -0.4 && about < 0.9) {
    Bracket excess(-mixture.rest, 0.0);
    for (std::size_t i = 0; i < mixture.size(); ++i)
      if (mixture[i].multiple > 0.0) excess = excess + mixture[i].weight * numerics::expm1(ratios[i]);
    if (excess.lower() > -0.5 && excess.upper() < 1.0) return numerics::log1p(excess);
  }
  const double peak = about_peak(mixture, [&](std::size_t i) { return ratios[i].upper(); });
  Bracket sum(0.0);
  for (std::size_t i = 0; i < mixture.size(); ++i) sum = sum + mixture[i].weight * exp(ratios[i] - peak);
  return numerics::log(sum) + peak;
}

// The likelihood ratios at a point: of every component to the noise around 0, and of the mixtures to each other.
struct Likelihoods {
  double z;
  std::vector<Bracket> of_p;
  std::vector<Bracket> of_q;  // at the mirror image of the point
  Bracket level;
};

Likelihoods likelihoods(const ShiftedNoise& noise, const Shifts& p, const Shifts& q, double z) {
  Likelihoods here{.z = z, .of_p = {}, .of_q = {}, .level = Bracket(0.0)};
  here.of_p.reserve(p.size());
  here.of_q.reserve(q.size());
  for (const Shift& shift : p) here.of_p.push_back(noise.log_ratio(z, shift.multiple));
  for (const Shift& shift : q) here.of_q.push_back(noise.log_ratio(-z, shift.multiple));
  here.level = log_sum(p, here.of_p) - log_sum(q, here.of_q);
  return here;
}

// At the level that is there, from above or from below: every divergence is decreasing in its own level.
double delta_above(const ShiftedNoise& noise, const Shifts& p, const Shifts& q, const Likelihoods& here) {
  double sum = 0.0;
  const auto add = [&](double weight, double level, double multiple) {
    const double delta = noise.divergence(Bracket(level), multiple).upper();
    if (delta > 0.0) sum = rounding::add_up(sum, rounding::mul_up(weight, delta));
  };
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i].multiple > 0.0) add(p[i].weight.upper(), here.of_p[i].lower(), p[i].multiple);
  for (std::size_t j = 0; j < q.size(); ++j)
    if (q[j].multiple > 0.0)
      add((q[j].weight * exp(here.level + here.of_q[j])).upper(), -here.of_q[j].upper(), q[j].multiple);
  return sum;
}

double delta_below(const ShiftedNoise& noise, const Shifts& p, const Shifts& q, const Likelihoods& here) {
  double sum = 0.0;
  const auto add = [&](double weight, double level, double multiple) {
    const double delta = noise.divergence(Bracket(level), multiple).lower();
    sum = rounding::add_down(sum, rounding::mul_down(weight, delta));
  };
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i].multiple > 0.0) add(p[i].weight.lower(), here.of_p[i].upper(), p[i].multiple);
  for (std::size_t j = 0; j < q.size(); ++j)
    if (q[j].multiple > 0.0)
      add((q[j].weight * exp(here.level + here.of_q[j])).lower(), -here.of_q[j].lower(), q[j].multiple);
  return sum;
}

// Against K(0) alone, at the lower ends of all ratios: its upper end is an upper bound at the level there.
Bracket delta_against_still(const ShiftedNoise& noise, const Shifts& p, const Likelihoods& here) {
  Bracket sum(0.0);
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i].multiple > 0.0) sum = sum + p[i].weight * noise.divergence(Bracket(here.of_p[i].lower()), p[i].multiple);
  return sum;
}

// How far the same sum may be above P(H) - e^eps Q(H), H the half-line from here on, which is a lower bound. With x the
// lower end of a ratio and a the ratio, K(m)(H) - e^x K(0)(H) >= D_{e^x} - (e^a - e^x) K(0)(H_x), where H_x begins hardly
// before H; and what the sum of all w e^x leaves of e^eps counts against K(0)(H).
double lost_below(const ShiftedNoise& noise, const Likelihoods& here, double epsilon) {
  const Bracket low(here.level.lower());
  const Bracket share = numerics::expm1(here.level.upper() - low) - numerics::expm1(low - epsilon);
  return (exp(Bracket(epsilon)) * share).upper() * noise.tail(here.z - kNearby * (1.0 + std::fabs(here.z)));
}

// log sum w e^{a} and its derivative in z, in plain doubles.
ShiftedNoise::Slope approximate_log_sum(const ShiftedNoise& noise, const Shifts& mixture, double z) {
  double excess = 0.0, increase = 0.0;
  for (const Shift& k : mixture) {
    const ShiftedNoise::Slope ratio = noise.approximate_log_ratio(z, k.multiple);
    const double growth = std::expm1(ratio.value);
    excess += k.weight.upper() * growth;
    increase += k.weight.upper() * (growth + 1.0) * ratio.derivative;
  }
  if (excess > -0.5 && excess < 1.0) return {std::log1p(excess), increase / (1.0 + excess)};
  const double peak =
      about_peak(mixture, [&](std::size_t i) { return noise.approximate_log_ratio(z, mixture[i].multiple).value; });
  double sum = 0.0, rise = 0.0;
  for (const Shift& k : mixture) {
    const ShiftedNoise::Slope ratio = noise.approximate_log_ratio(z, k.multiple);
    const double term = k.weight.upper() * std::exp(ratio.value - peak);
    sum += term;
    rise += term * ratio.derivative;
  }
  return {std::log(sum) + peak, rise / sum};
}

// About where the loss is epsilon, and how fast it grows there.
struct Crossing {
  double z;
  double slope;
};

// The z between low and high where the loss is epsilon, by Newton's method inside a bracket that shrinks.
Crossing approximate_crossing(const ShiftedNoise& noise, const Shifts& p, const Shifts& q, double low, double high,
                              double epsilon, double guess) {
  double z = guess > low && guess < high ? guess : std::clamp(0.0, low, high);
  double slope = 0.0;
  for (int i = 0; i < 200; ++i) {
    const ShiftedNoise::Slope above = approximate_log_sum(noise, p, z);
    const ShiftedNoise::Slope below = approximate_log_sum(noise, q, -z);
    const double miss = above.value - below.value - epsilon;
    (miss > 0.0 ? high : low) = z;
    slope = above.derivative + below.derivative;
    double next = slope > 0.0 ? z - miss / slope : rounding::kInfinity;
    const bool is_settled = std::fabs(next - z) <= 1e-11 * std::fabs(z);
    if (!is_settled && !(next > low && next < high)) next = 0.5 * (low + high);
    z = std::clamp(next, low, high);
    if (is_settled || z == low || z == high) break;
  }
  return {z, slope};
}

}  // namespace

NoiseMixture shifts_of(const CountWeights& counts) {
  NoiseMixture mixture{{}, counts.rest};
  for (std::size_t k = 0; k < counts.weights.size(); ++k)
    if (counts.weights[k].upper() > 0.0) mixture.shifts.push_back({counts.weights[k], static_cast<double>(k)});
  return mixture;
}

NoiseMixture NoiseMixture::binomial(double people, const Bracket& rate) {
  return people == 0.0 ? still() : shifts_of(binomial_weights(rate, people, kLeastWeight));
}

namespace {

// The nearest shifts decide; as many of them as it takes for the rest to be lost in rounding.
constexpr std::size_t kFirstShifts = 6;
constexpr double kNegligible = 0x1p-52;

// What a search begins with, and leaves for the next one nearby.
struct Search {
  double z = 0.0;
  double epsilon = 0.0;
  double slope = 0.0;
  std::size_t of_p = kFirstShifts;
  std::size_t of_q = kFirstShifts;
  std::optional<double> most = std::nullopt;  // about the largest loss of as many shifts
  double margin = 0.0;     // so far from the level its bracket is certainly on one side; 0 if unknown
  double margin_at = 0.0;  // the epsilon that it was found at
};

bool moves_nothing(const ShiftedNoise& noise, const Shifts& p, const Shifts& q) {
  return noise.divergence(Bracket(0.0), farthest_shift(p) + farthest_shift(q)).upper() == 0.0;
}

double guess_from(const Search& search, double epsilon) {
  return search.slope > 0.0 ? search.z + (epsilon - search.epsilon) / search.slope : search.z;
}

Bracket divergence_from(const ShiftedNoise& noise, const Shifts& p, const Shifts& q, double epsilon, Search& search) {
  const double high = noise.farthest(farthest_shift(p));
  const double low = -noise.farthest(farthest_shift(q));
  const auto at = [&](double z) { return likelihoods(noise, p, q, z); };
  // What is left out of P counts in full against the upper end, what is left out of Q e^eps times against the lower one.
  const auto with_rest = [&](double lower, double upper) {
    const double missing = q.rest > 0.0 ? (exp(Bracket(epsilon)) * q.rest).upper() : 0.0;
    return clamp({rounding::sub_down(lower, missing), rounding::add_up(upper, p.rest)}, 0.0, 1.0);
  };
  // The loss is above epsilon nowhere, or only where all of P has underflowed.
  if (!search.most)
    search.most = approximate_log_sum(noise, p, high).value - approximate_log_sum(noise, q, -high).value;
  if (!(*search.most > epsilon + 1e-6 * (1.0 + std::fabs(*search.most))) && at(high).level.upper() <= epsilon)
    return with_rest(0.0,
                     std::isfinite(noise.loss_bound(1.0)) || moves_nothing(noise, p, q) ? 0.0 : rounding::kSmallest);
  const Crossing crossing = approximate_crossing(noise, p, q, low, high, epsilon, guess_from(search, epsilon));
  search.z = crossing.z;
  search.slope = crossing.slope;
  search.epsilon = epsilon;
  // Step away from the crossing until the likelihood ratio is certainly on the right side: as far as its bracket is wide,
  // then further. At `low` the loss is never above 0; beyond `high` nothing is left.
  if (search.margin == 0.0 || epsilon > 2.0 * search.margin_at || epsilon < search.margin_at) {
    const Bracket level = at(crossing.z).level;
    search.margin = 1.25 * std::max(level.upper() - epsilon, epsilon - level.lower());
    search.margin_at = epsilon;
  }
  const double first = std::max(search.margin / crossing.slope, 0x1p-51 * std::fabs(crossing.z));
  const auto certified = [&](double sign) {
    double step = first > 0.0 && std::isfinite(first) ? first : 0x1p-52 * (high - low);
    for (int i = 0; i < 60; ++i, step *= 4.0) {
      const double point = crossing.z + sign * step;
      if (!(point > low && point < high)) break;
      Likelihoods here = at(point);
      if (sign > 0.0 ? here.level.lower() >= epsilon : here.level.upper() <= epsilon) return here;
      search.margin = 0.0;
    }
    return at(sign > 0.0 ? high : low);
  };
  const Likelihoods before = certified(-1.0);
  if (farthest_shift(q) == 0.0) {
    const Bracket sum = delta_against_still(noise, p, before);
    const double lost = lost_below(noise, before, epsilon);
    if (lost <= kNearlyExact * sum.lower()) return with_rest(rounding::sub_down(sum.lower(), lost), sum.upper());
  }
  const double upper = delta_above(noise, p, q, before);
  const Likelihoods after = certified(1.0);
  const double lower = after.level.lower() >= epsilon ? delta_below(noise, p, q, after) : 0.0;
  return with_rest(std::min(lower, upper), upper);
}

Bracket divergence_of(const ShiftedNoise& noise, const OrderedShifts& p, const OrderedShifts& q, double epsilon,
                      Search& search) {
  const auto is_enough = [](const OrderedShifts& shifts, std::size_t& count, double growth, double delta) {
    if (count == shifts.size() || growth * shifts.nearest(count).rest <= kNegligible * delta) return true;
    count = std::min(count + (count + 1) / 2, shifts.size());
    return false;
  };
  search.of_p = std::min(search.of_p, p.size());
  search.of_q = std::min(search.of_q, q.size());
  while (true) {
    const Bracket found = divergence_from(noise, p.nearest(search.of_p), q.nearest(search.of_q), epsilon, search);
    const bool is_p_enough = is_enough(p, search.of_p, 1.0, found.lower());
    const bool is_q_enough = is_enough(q, search.of_q, std::exp(epsilon), found.lower());
    if (is_p_enough && is_q_enough) return found;
    search.most.reset();
    search.margin = 0.0;
  }
}

}  // namespace

Bracket divergence(const ShiftedNoise& noise, const NoiseMixture& p, const NoiseMixture& q, Epsilon epsilon) {
  if (std::isinf(epsilon.value())) return {0.0, p.rest};
  Search search;
  return divergence_of(noise, OrderedShifts(p), OrderedShifts(q), epsilon.value(), search);
}

namespace {

// No finite loss of P against Q is larger.
double loss_bound(const ShiftedNoise& noise, const NoiseMixture& p, const NoiseMixture& q) {
  const double reach = farthest_shift(p.shifts);
  // K(0) is at most 1/w times a mixture that contains it with weight w.
  if (reach == 0.0 && p.rest == 0.0 && q.shifts[0].multiple == 0.0 && q.shifts[0].weight.lower() > 0.0)
    return std::max(0.0, -numerics::log(q.shifts[0].weight).lower());
  if (p.rest > 0.0 || std::isinf(noise.loss_bound(1.0))) return rounding::kInfinity;
  // Where the ratio no longer grows.
  const OrderedShifts above(p), below(q);
  return std::max(0.0, likelihoods(noise, above.all(), below.all(), noise.farthest(reach)).level.upper());
}

// A table costs as much as a few hundred answers without it.
constexpr double kLargestTable = 1e6;

std::unique_ptr<const IntegerMixture> table_of(const ShiftedNoise& noise, const NoiseMixture& p,
                                               const NoiseMixture& q) {
  const std::shared_ptr<const IntegerLaw> law = noise.law();
  if (!law) return nullptr;
  const double low = -std::ceil(noise.farthest(farthest_shift(q.shifts)));
  const double high = std::ceil(noise.farthest(farthest_shift(p.shifts)));
  if (!(IntegerMixture::cost(*law, p, q, low, high) <= kLargestTable)) return nullptr;
  const OrderedShifts above(p), below(q);
  return std::make_unique<const IntegerMixture>(
      *law, p, q, low, high, [&](double z) { return likelihoods(noise, above.all(), below.all(), z).level; });
}

// Made by the first who asks at many places.
class LateTable {
 public:
  LateTable(SharedNoise noise, const NoiseMixture& p, const NoiseMixture& q) : noise_(std::move(noise)), p_(p), q_(q) {}
  [[nodiscard]] const IntegerMixture* get() {
    std::call_once(is_made_, [this] { table_ = table_of(*noise_, p_, q_); });
    return table_.get();
  }

 private:
  SharedNoise noise_;
  NoiseMixture p_, q_;
  std::once_flag is_made_;
  std::unique_ptr<const IntegerMixture> table_;
};

// Below this, starting threads takes longer than asking.
constexpr std::size_t kBlock = 64;

Profile one_direction(const SharedNoise& noise, const NoiseMixture& p, const NoiseMixture& q) {
  ProfileTraits traits{.loss_bound = loss_bound(*noise, p, q)};
  // As if everybody took part.
  if (p.rest == 0.0 && q.rest == 0.0)
    traits.majorant = noise->majorant(rounding::add_up(farthest_shift(p.shifts), farthest_shift(q.shifts)));
  const auto above = std::make_shared<const OrderedShifts>(p), below = std::make_shared<const OrderedShifts>(q);
  const auto delta = [=, bound = traits.loss_bound, rest = p.rest](double epsilon, Search& search) {
    if (epsilon >= bound) return Bracket(0.0);
    if (std::isinf(epsilon)) return Bracket(0.0, rest);
    return divergence_of(*noise, *above, *below, epsilon, search);
  };
  const auto one = [delta](Epsilon epsilon) {
    Search search;
    return delta(epsilon.value(), search);
  };
  // Each search begins where the last one ended. Blocks do not depend on the number of threads, nor do the values.
  const auto table = std::make_shared<LateTable>(noise, p, q);
  const auto many = [delta, table](std::span<const double> epsilon, std::span<double> lower, std::span<double> upper) {
    const IntegerMixture* const integers = epsilon.size() < kBlock ? nullptr : table->get();
    numerics::parallel_for((epsilon.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
      Search search;
      for (std::size_t i = block * kBlock; i < std::min((block + 1) * kBlock, epsilon.size()); ++i) {
        const std::optional<Bracket> found = integers != nullptr ? integers->divergence(epsilon[i]) : std::nullopt;
        const Bracket value = found ? *found : delta(Epsilon(epsilon[i]).value(), search);
        lower[i] = value.lower(), upper[i] = value.upper();
      }
    });
    double widest = 0.0;
    for (std::size_t i = 0; i < epsilon.size(); ++i) widest = std::max(widest, Bracket(lower[i], upper[i]).width());
    return widest;
  };
  return Profile(one, traits).with_batch(many);
}

}  // namespace

LossPair mixture_pair(const SharedNoise& noise, const NoiseMixture& p, const NoiseMixture& q) {
  return {one_direction(noise, p, q), one_direction(noise, q, p), false};
}

LossPair with_replacement_pair(const SharedNoise& noise, double n, double m) {
  return mixture_pair(noise, NoiseMixture::binomial(m, 1.0 / Bracket(n)), NoiseMixture::still());
}

LossPair poisson_substitution_pair(const SharedNoise& noise, const Bracket& rate, double people) {
  const NoiseMixture mixture = NoiseMixture::binomial(people, rate);
  return LossPair::symmetric_of(one_direction(noise, mixture, mixture));
}

LossPair shifted_poisson_pair(double move, double jump, double rate) {
  require(move >= 0.0 && std::isfinite(move), "move", move, "0 <= move < infinity");
  require(jump >= 0.0 && std::isfinite(jump), "jump", jump, "0 <= jump < infinity");
  require(rate > 0.0 && rate <= 1.0, "rate", rate, "0 < rate <= 1");
  // Means that are rounded up dominate (I18's lemma).
  const NoiseMixture moved{{{1.0 - Bracket(rate), move}, {Bracket(rate), rounding::add_up(move, jump)}}};
  return mixture_pair(normal_noise(numerics::Wide(1.0)), moved, NoiseMixture::still());
}

}  // namespace doeblin
