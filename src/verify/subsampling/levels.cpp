// SPDX-License-Identifier: Apache-2.0
#include "verify/subsampling/levels.hpp"

#include <algorithm>
#include <cmath>

#include "verify/programs.hpp"

namespace doeblin::verify {
namespace {

// Of what there is, a share is left for rounding where nothing else was.
constexpr double kBudgetShare = 1.0 - 1e-13;
// e^x of these is no infinity.
constexpr double kLargestPlace = 600.0;
constexpr double kNothing = -kInfinity;
constexpr double kEverything = kInfinity;
// Of the second law, a level that is more than this above the other's would be for those who are rare.
constexpr double kMostBelow = 4.0;
constexpr int kMostRounds = 40;

// It is enough if not more than this share of the bound can be gained; the more bits are asked for, the less.
double gain_wanted() { return std::max(0x1p-56, std::ldexp(1.0, -static_cast<int>(precision() / 9))); }
double rare_share() { return gain_wanted() / 64.0; }

// What a place, a level in the exponent, uses up and what it is worth, both per weight: V(x) falls and is convex.
enum class Side {
  kCount,     ///< x = e^place - e^eps, V = D_{e^place}; place >= eps
  kForward,   ///< x = a = e^place, V = D_a, for a < 1 it is 1 - a + a D_{1/a}; every place
  kBackward,  ///< x = 1 - b, b = e^-place, V = b D_{1/b}, 0 for b = 0, for b > 1 it is b - 1 + D_b; place >= -4
};

// Of a level, or of the chord between two of them.
struct Point {
  double x, value, place;
  double chord_end = place;
};

double used_at(Side side, double place, double epsilon) {
  switch (side) {
    case Side::kCount: return std::exp(epsilon) * std::expm1(place - epsilon);
    case Side::kForward: return std::exp(place);
    case Side::kBackward: break;
  }
  return -std::expm1(-place);
}

// With the places as they were asked.
struct Spent {
  Ball used, worth;
};

Spent spent_at(Side side, double place, GroupCurve& curve, const Ball& epsilon) {
  if (place == kNothing) return {Ball(0), Ball(1)};
  if (place == kEverything) return {Ball(1), Ball(0)};
  const GroupCurve::Answer& answer = curve.ask(std::fabs(place));
  const Ball level = place < 0.0 ? -answer.epsilon : answer.epsilon;
  switch (side) {
    case Side::kCount: return {exp(epsilon) * expm1(level - epsilon), answer.delta};
    case Side::kForward: return {exp(level), place < 0.0 ? -expm1(level) + exp(level) * answer.delta : answer.delta};
    case Side::kBackward: break;
  }
  return {-expm1(-level), place < 0.0 ? expm1(-level) + answer.delta : exp(-level) * answer.delta};
}

double place_of(Side side, double x, double epsilon) {
  switch (side) {
    case Side::kCount: return epsilon + std::log1p(x * std::exp(-epsilon));
    case Side::kForward: return std::log(x);
    case Side::kBackward: break;
  }
  return -std::log1p(-x);
}

// A chord is taken at x = 0, between levels on both sides. A level below epsilon alone is raised to it: no delta rises.
Spent spent_at(Side side, const Point& point, GroupCurve& curve, const Ball& epsilon) {
  const Spent here = spent_at(side, point.place, curve, epsilon);
  if (point.chord_end == point.place) return {side == Side::kCount ? positive_part(here.used) : here.used, here.worth};
  const Spent there = spent_at(side, point.chord_end, curve, epsilon);
  if (!certainly_at_most(here.used, Ball(0)) || !certainly_less(Ball(0), there.used)) return {Ball(0), here.worth};
  return {Ball(0), here.worth + (there.worth - here.worth) * (here.used / (here.used - there.used))};
}

// One of the levels to choose, with what the curve is known to be: chords between answers lie above it.
struct Choice {
  Side side;
  GroupCurve* curve;
  Ball weight;
  std::vector<Point> hull = {};
  std::size_t vertex = 0;  ///< the level chosen,
  double share = 0.0;      ///< or so far on the way to the next one

  [[nodiscard]] double value() const {
    const double here = hull[vertex].value;
    return share == 0.0 ? here : here + share * (hull[vertex + 1].value - here);
  }
};

// The convex points of a falling curve.
std::vector<Point> hull_of(const std::vector<Point>& points) {
  std::vector<Point> hull;
  for (const Point& point : points) {
    if (!hull.empty() && !(point.x > hull.back().x && point.value < hull.back().value)) continue;
    while (hull.size() >= 2) {
      const Point &a = hull[hull.size() - 2], &b = hull.back();
      if ((b.value - a.value) * (point.x - a.x) < (point.value - a.value) * (b.x - a.x)) break;
      hull.pop_back();
    }
    hull.push_back(point);
  }
  return hull;
}

// Levels below epsilon serve for chords alone.
std::vector<Point> from_zero(std::vector<Point> hull) {
  const auto next = std::find_if(hull.begin(), hull.end(), [](const Point& point) { return point.x >= 0.0; });
  // The curve does not rise.
  if (next == hull.end()) return {{.x = 0.0, .value = hull.back().value, .place = hull.back().place}};
  if (next == hull.begin() || next->x == 0.0) return {next, hull.end()};
  const Point before = *(next - 1);
  const double share = before.x / (before.x - next->x);
  *(next - 1) = {.x = 0.0,
                 .value = before.value + share * (next->value - before.value),
                 .place = before.place,
                 .chord_end = next->place};
  // What is next may be as near as rounding.
  return hull_of({next - 1, hull.end()});
}

void draw_hull(Choice& choice, double epsilon) {
  std::vector<Point> points;
  const auto add = [&](double place, double value) {
    points.push_back({.x = used_at(choice.side, place, epsilon), .value = value, .place = place});
  };
  const auto& answers = choice.curve->answers();
  if (choice.side == Side::kForward) add(kNothing, 1.0);
  for (auto one = answers.rbegin(); one != answers.rend(); ++one) {
    if (one->first == 0.0) continue;
    const double delta = one->second.delta.middle();
    if (choice.side == Side::kForward) add(-one->first, -std::expm1(-one->first) + std::exp(-one->first) * delta);
    if (choice.side == Side::kBackward && one->first <= kMostBelow) add(-one->first, std::expm1(one->first) + delta);
  }
  for (const auto& [place, answer] : answers)
    add(place, answer.delta.middle() * (choice.side == Side::kBackward ? std::exp(-place) : 1.0));
  if (choice.side == Side::kBackward) add(kEverything, 0.0);
  choice.hull = choice.side == Side::kCount ? from_zero(hull_of(points)) : hull_of(points);
}

double slope(const Point& a, const Point& b) { return (b.value - a.value) / (b.x - a.x); }

// The linear program: what there is, and what the first levels leave, goes where the slope is steepest. Returns the last
// slope, as a price of use.
double spend(std::vector<Choice>& choices, double there_is) {
  struct Piece {
    double price, used;
    std::size_t choice;
  };
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    choices[i].vertex = 0;
    choices[i].share = 0.0;
    const std::vector<Point>& hull = choices[i].hull;
    there_is -= choices[i].weight.middle() * hull[0].x;
    // Prices fall along a hull, but for their rounding.
    double price = kInfinity;
    for (std::size_t v = 0; v + 1 < hull.size(); ++v) {
      price = std::min(price, -slope(hull[v], hull[v + 1]));
      pieces.push_back({price, choices[i].weight.middle() * (hull[v + 1].x - hull[v].x), i});
    }
  }
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.price > b.price; });
  for (const Piece& piece : pieces) {
    Choice& choice = choices[piece.choice];
    if (piece.used <= there_is) {
      there_is -= piece.used;
      ++choice.vertex;
      continue;
    }
    choice.share = there_is / piece.used;
    return piece.price;
  }
  return 0.0;
}

// The curve between two vertices lies above the lines through the neighbouring ones: their crossing is its lowest place.
Point lowest(const std::vector<Point>& hull, std::size_t v) {
  const Point &a = hull[v], &b = hull[v + 1];
  const bool has_right = v + 2 < hull.size();
  const double after = has_right ? slope(b, hull[v + 2]) : 0.0;
  if (v == 0) return {.x = a.x, .value = b.value + after * (a.x - b.x), .place = a.place};
  const double before = slope(hull[v - 1], a);
  const double x = a.x + (b.value - a.value - after * (b.x - a.x)) / (before - after);
  if (!(x > a.x && x < b.x)) return {.x = 0.5 * (a.x + b.x), .value = 0.5 * (a.value + b.value), .place = a.place};
  return {.x = x, .value = a.value + before * (x - a.x), .place = a.place};
}

// Halfway, or where a kink would be.
double next_place(const Choice& choice, std::size_t v, double epsilon, bool is_kink_wanted) {
  const Point &a = choice.hull[v], &b = choice.hull[v + 1];
  const double middle = a.place == kNothing      ? b.place - 1.0
                        : b.place == kEverything ? a.place + 1.0
                                                 : 0.5 * (a.place + b.place);
  if (!is_kink_wanted || v == 0) return middle;
  const double kink = place_of(choice.side, lowest(choice.hull, v).x, epsilon);
  return kink > a.place && kink < b.place ? kink : middle;
}

double worth_of(Side side, double place, double delta) {
  const double beyond = place < 0.0 ? -std::expm1(-std::fabs(place)) : 0.0;
  const double reduced = std::exp(-std::fabs(place)) * delta;
  switch (side) {
    case Side::kCount: return delta;
    case Side::kForward: return place < 0.0 ? beyond + reduced : delta;
    case Side::kBackward: break;
  }
  return place < 0.0 ? std::expm1(-place) + delta : reduced;
}

// Between two vertices, or, where the curve was found to lie above their chord, next to them: the chord of a better
// bound may begin or end there.
std::vector<double> next_places(const Choice& choice, std::size_t v, double epsilon, bool is_kink_wanted) {
  constexpr double kCertainlyAbove = 1e-9;
  const Point &a = choice.hull[v], &b = choice.hull[v + 1];
  const double place = next_place(choice, v, epsilon, is_kink_wanted);
  const auto& answers = choice.curve->answers();
  const auto known = answers.find(std::fabs(place));
  if (known == answers.end()) return {place};
  const double chord = a.value + (b.value - a.value) * (used_at(choice.side, place, epsilon) - a.x) / (b.x - a.x);
  if (!(worth_of(choice.side, place, known->second.delta.middle()) > chord * (1.0 + kCertainlyAbove))) return {};
  double first = place, last = place;
  for (const auto& [at, answer] : answers)
    for (const double one : {-at, at}) {
      if (one > a.place) first = std::min(first, one);
      if (one < b.place) last = std::max(last, one);
    }
  std::vector<double> places;
  if (std::isfinite(a.place)) places.push_back(0.5 * (a.place + first));
  if (std::isfinite(b.place)) places.push_back(0.5 * (last + b.place));
  return places;
}

// Asks where the bound could still become smaller by more than `least`; whether anything was asked.
bool refine(Choice& choice, double price, double least, double epsilon, bool is_kink_wanted) {
  const std::vector<Point> hull = choice.hull;
  const double weight = choice.weight.middle();
  const Point& here = hull[choice.vertex];
  std::vector<double> places;
  const std::size_t first = choice.vertex == 0 ? 0 : choice.vertex - 1;
  const std::size_t last = choice.vertex + (choice.share > 0.0 ? 2 : 1);
  for (std::size_t v = first; v < last && v + 1 < hull.size(); ++v) {
    const Point low = lowest(hull, v);
    const double gain = here.value + price * here.x - (low.value + price * low.x);
    if (!(weight * gain > least)) continue;
    const std::vector<double> next = next_places(choice, v, epsilon, is_kink_wanted);
    places.insert(places.end(), next.begin(), next.end());
  }
  // Nothing is known beyond the last question.
  if (choice.vertex + 1 == hull.size() && weight * here.value > least && here.place > 0.0 && here.place < kEverything)
    places.push_back(here.place * 1.5);
  bool is_asked = false;
  for (const double place : places) {
    const double at = std::fabs(place);
    if (at > kLargestPlace || choice.curve->answers().contains(at)) continue;
    choice.curve->ask(at);
    is_asked = true;
  }
  return is_asked;
}

// sum w V at the chosen levels, as a chord where a level lies between two places (a divergence is convex in its level);
// nothing unless these levels certainly use up no more than there is.
std::optional<Ball> bound_of(const std::vector<Choice>& choices, const Ball& there_is, const Ball& epsilon) {
  Ball sum(0), left = there_is;
  for (const Choice& choice : choices) {
    const Spent here = spent_at(choice.side, choice.hull[choice.vertex], *choice.curve, epsilon);
    left = left - choice.weight * here.used;
    sum = sum + choice.weight * here.worth;
  }
  if (!certainly_at_most(Ball(0), left)) return std::nullopt;
  for (const Choice& choice : choices) {
    if (choice.share == 0.0) continue;
    const Spent here = spent_at(choice.side, choice.hull[choice.vertex], *choice.curve, epsilon);
    const Spent next = spent_at(choice.side, choice.hull[choice.vertex + 1], *choice.curve, epsilon);
    const Ball share = min(left / (choice.weight * (next.used - here.used)), Ball(1)).low_end();
    if (certainly_at_most(Ball(0), share)) sum = sum + choice.weight * share * (next.worth - here.worth);
  }
  return min(sum, Ball(1));
}

Ball best_of(std::vector<Choice>& choices, const Ball& there_is, const Ball& epsilon) {
  const double at = epsilon.upper();
  if (!(at < kLargestPlace)) return Ball(1);
  std::vector<GroupCurve*> asked_here;
  for (Choice& choice : choices) {
    if (choice.curve->answers().contains(at)) continue;
    asked_here.push_back(choice.curve);
    choice.curve->ask(at);
  }
  double total = 1.0;
  int idle_rounds = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    for (Choice& choice : choices) draw_hull(choice, at);
    const double price = spend(choices, there_is.middle());
    total = 0.0;
    for (const Choice& choice : choices) total += choice.weight.middle() * choice.value();
    bool is_asked = false;
    for (Choice& choice : choices) {
      // Too rare to matter: where levels may be below epsilon, nothing gains more than what is there at 0.
      const double most = choice.curve->ask(choice.side == Side::kCount ? at : 0.0).delta.middle();
      if (choice.weight.middle() * most <= rare_share() * total) continue;
      is_asked = choice.curve->ask_widely() || is_asked;
      is_asked = refine(choice, price, gain_wanted() * total, at, round % 2 == 1) || is_asked;
    }
    // Halfway was asked before; where a kink would be, perhaps not.
    idle_rounds = is_asked ? 0 : idle_rounds + 1;
    if (idle_rounds == 2) break;
  }
  std::optional<Ball> bound = bound_of(choices, there_is, epsilon);
  if (!bound) {
    spend(choices, there_is.middle() * kBudgetShare);
    bound = bound_of(choices, there_is, epsilon);
  }
  for (GroupCurve* curve : asked_here) curve->forget(at);
  return bound.value_or(Ball(1));
}

// The bound for numbers up to `most`, and a charge for larger ones, `rest_after(most)`, once that is next to nothing.
template <typename Rest, typename Bound>
Ball without_rare(std::size_t size, const Rest& rest_after, const Bound& bound_up_to) {
  for (std::size_t most = std::min<std::size_t>(2, size);; most = std::min(2 * most, size)) {
    const Ball rest = rest_after(most);
    const Ball bound = bound_up_to(most);
    if (most == size || certainly_less(rest, bound * Ball(rare_share()))) return min(bound + rest, Ball(1));
  }
}

Ball weight_after(const Counts& counts, std::size_t most) {
  Ball rest(0);
  for (std::size_t j = counts.some.size(); j > most; --j) rest = rest + counts.some[j - 1];
  return rest;
}

}  // namespace

GroupCurve::GroupCurve(const Known& base, unsigned long j) : group_(known_group(base, j)) {
  std::optional<Ball> largest = group_.largest_loss ? group_.largest_loss : group_.pure;
  if (!largest && base.largest_loss) largest = *base.largest_loss * Ball(static_cast<double>(j));
  // A little more, so that nothing is left there for certain.
  if (largest) largest_ = largest->high_end() * (Ball(1) + Ball(0x1p-100));
}

const GroupCurve::Answer& GroupCurve::ask(double epsilon) {
  const auto found = answers_.find(epsilon);
  if (found != answers_.end()) return found->second;
  const bool is_largest = largest_ && epsilon == largest_->upper();
  const Ball exactly = is_largest ? largest_->high_end() : Ball(epsilon);
  return answers_.emplace(epsilon, Answer{exactly, at(exactly)}).first->second;
}

bool GroupCurve::ask_widely() {
  if (is_asked_widely_) return false;
  is_asked_widely_ = true;
  constexpr double kParts[] = {0.0, 0.125, 0.25, 0.5, 1.0};
  if (largest_ && largest_->upper() < kLargestPlace) {
    for (const double part : kParts) ask(part * largest_->upper());
    return true;
  }
  constexpr double kLittle = 1e-9;
  ask(0.0);
  for (double place = 0.25; place < kLargestPlace; place *= 2.0)
    if (ask(place).delta.middle() < kLittle) break;
  return true;
}

GroupCurve& GroupCurves::of(std::size_t j) {
  while (curves_.size() < j) curves_.emplace_back(base_, curves_.size() + 1);
  return curves_[j - 1];
}

Ball best_counts(GroupCurves& curves, const Counts& counts, const Ball& epsilon) {
  const Ball level = log1p(expm1(epsilon) / (Ball(1) - counts.none));
  std::vector<Choice> choices;
  Ball equal(0);
  const auto rest_after = [&](std::size_t most) { return weight_after(counts, most); };
  return without_rare(counts.some.size(), rest_after, [&](std::size_t most) {
    for (std::size_t j = choices.size() + 1; j <= most; ++j) {
      choices.push_back({.side = Side::kCount, .curve = &curves.of(j), .weight = counts.some[j - 1]});
      equal = equal + counts.some[j - 1] * curves.of(j).at(level);
    }
    return min(equal, best_of(choices, counts.none * expm1(epsilon), epsilon));
  });
}

Ball best_splits(GroupCurves& curves, const Counts& p, const Counts& q, const Ball& epsilon) {
  const Ball g = exp(epsilon);
  std::vector<Choice> choices;
  std::size_t chosen = 0;
  // Left out, a = 0 and b = 1, which use up nothing.
  const auto rest_after = [&](std::size_t most) { return weight_after(p, most) + g * weight_after(q, most); };
  return without_rare(std::max(p.some.size(), q.some.size()), rest_after, [&](std::size_t most) {
    for (; chosen < most; ++chosen) {
      const std::size_t j = chosen + 1;
      curves.of(j).ask(0.0);
      if (j <= p.some.size())
        choices.push_back({.side = Side::kForward, .curve = &curves.of(j), .weight = p.some[j - 1]});
      if (j <= q.some.size())
        choices.push_back({.side = Side::kBackward, .curve = &curves.of(j), .weight = g * q.some[j - 1]});
    }
    // With x = 1 - b the constraint is sum p a + g sum q x <= g - p_0.
    return best_of(choices, expm1(epsilon) + (Ball(1) - p.none), epsilon);
  });
}

}  // namespace doeblin::verify
