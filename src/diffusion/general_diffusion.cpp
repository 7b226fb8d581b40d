// SPDX-License-Identifier: Apache-2.0
#include "doeblin/diffusion/general_diffusion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "doeblin/numerics/elementary.hpp"

namespace doeblin {
namespace {

// A stretch of time on which the integral is enclosed.
struct Cell {
  double begin;
  double end;
  Bracket at_begin;
  Bracket at_middle;
  Bracket at_end;
  Bracket integral;

  [[nodiscard]] double middle() const { return begin + (end - begin) / 2.0; }
};

bool is_narrower(const Cell& first, const Cell& second) {
  const double one = first.integral.width();
  const double other = second.integral.width();
  // Equal widths in a fixed order: the same cells whatever the library's heap does.
  return one != other ? one < other : first.begin > second.begin;
}

class Integration {
 public:
  Integration(const Steepness& kappa, double time, const SteepnessShape& shape, const SteepnessOptions& options)
      : kappa_(kappa), shape_(shape), options_(options), end_(time), at_end_(value(time)) {}

  Bracket level() {
    extend();
    for (;;) {
      const double width = total_width_ + tail().upper();
      if (width <= options_.relative_width * total_upper_ || values_ >= options_.most_values) break;
      if (tail().upper() >= cells_.front().integral.width() && end_ < 0x1p1000)
        extend();
      else if (!halve())
        break;
    }
    return total();
  }

 private:
  Bracket value(double time) {
    ++values_;
    const Bracket found = kappa_(time);
    require(found.lower() >= 0.0 && std::isfinite(found.upper()), "kappa", found.upper(),
            "0 <= kappa < infinity at every time");
    return found;
  }

  // What is left beyond the last cell: kappa(T)/rate, or T kappa(T)/(power - 1).
  [[nodiscard]] Bracket tail() const {
    double most = rounding::kInfinity;
    if (shape_.rate > 0.0) most = rounding::div_up(at_end_.upper(), shape_.rate);
    if (shape_.power > 1.0)
      most = std::min(most,
                      rounding::div_up(rounding::mul_up(at_end_.upper(), end_), rounding::sub_down(shape_.power, 1.0)));
    return {0.0, most};
  }

  Cell cell(double begin, double end, const Bracket& at_begin, const Bracket& at_end) {
    if (at_end.lower() > at_begin.upper())
      throw InvalidArgument("kappa", at_end.lower(), "a steepness that never increases with time");
    Cell one{begin, end, at_begin, Bracket(0.0), at_end, Bracket(0.0)};
    const Bracket width = Bracket(end) - begin;
    double low = rounding::mul_down(width.lower(), at_end.lower());
    double high = rounding::mul_up(width.upper(), at_begin.upper());
    // Halving needs the middle for every shape; a convex function has at least its value there on average.
    one.at_middle = value(one.middle());
    if (shape_.bend != SteepnessShape::Bend::kDecreasing) {
      const Bracket chord = (Bracket(at_begin.upper()) + at_end.upper()) / 2.0;
      if (one.at_middle.lower() > chord.upper())
        throw InvalidArgument("kappa", one.at_middle.lower(), "a convex steepness, as asserted");
      low = std::max(low, middle_bound(width, one));
      high = std::min(high, (width * chord).upper());
      if (shape_.bend == SteepnessShape::Bend::kLogConvex && at_end.upper() > 0.0) {
        // The mean of an exponential between a and b is a (1 - e^{-z})/z with z = log(a/b).
        const Bracket z = max(numerics::log(Bracket(at_begin.upper()) / at_end.upper()), Bracket(0.0));
        high = std::min(high, (width * at_begin.upper() * numerics::decay_mean(z)).upper());
      }
    }
    one.integral = Bracket(std::min(low, high), high);
    return one;
  }

  // width kappa(m), where the midpoint m is a double: the rule holds for the symmetric part of the cell around it.
  static double middle_bound(const Bracket& width, const Cell& one) {
    const double m = one.middle();
    const double half = std::min(rounding::sub_down(m, one.begin), rounding::sub_down(one.end, m));
    return rounding::mul_down(std::min(width.lower(), 2.0 * half), one.at_middle.lower());
  }

  void add(const Cell& one) {
    total_width_ += one.integral.width();
    total_upper_ += one.integral.upper();
    cells_.push_back(one);
    std::push_heap(cells_.begin(), cells_.end(), is_narrower);
  }

  // One more cell at the end, as long as everything before it.
  void extend() {
    const double next = 2.0 * end_;
    const Bracket at_next = value(next);
    const Cell one = cell(end_, next, at_end_, at_next);
    end_ = next;
    at_end_ = at_next;
    add(one);
  }

  // False when the widest cell cannot be cut any further.
  bool halve() {
    std::pop_heap(cells_.begin(), cells_.end(), is_narrower);
    const Cell widest = cells_.back();
    cells_.pop_back();
    const double middle = widest.middle();
    if (!(widest.begin < middle && middle < widest.end)) {
      cells_.push_back(widest);
      std::push_heap(cells_.begin(), cells_.end(), is_narrower);
      return false;
    }
    total_width_ -= widest.integral.width();
    total_upper_ -= widest.integral.upper();
    add(cell(widest.begin, middle, widest.at_begin, widest.at_middle));
    add(cell(middle, widest.end, widest.at_middle, widest.at_end));
    return true;
  }

  Bracket total() {
    std::sort(cells_.begin(), cells_.end(), [](const Cell& a, const Cell& b) { return a.begin > b.begin; });
    Bracket sum = tail();
    for (const Cell& one : cells_) sum = sum + one.integral;
    return sum;
  }

  const Steepness& kappa_;
  SteepnessShape shape_;
  SteepnessOptions options_;
  int values_ = 0;
  double end_;
  Bracket at_end_;
  std::vector<Cell> cells_;
  // Running estimates, for stopping only.
  double total_width_ = 0.0;
  double total_upper_ = 0.0;
};

}  // namespace

Steepness steepness_of(std::function<double(double)> kappa, double relative_error) {
  require(relative_error >= 0.0 && relative_error < 1.0, "relative_error", relative_error, "0 <= relative_error < 1");
  return [kappa = std::move(kappa), relative_error](double time) {
    const double value = kappa(time);
    require(value >= 0.0 && std::isfinite(value), "kappa", value, "0 <= kappa < infinity at every time");
    // Below the normal doubles a relative error means nothing.
    if (value < std::numeric_limits<double>::min()) return Bracket(0.0, std::numeric_limits<double>::min());
    // true (1 - r) <= value <= true (1 + r).
    return Bracket(rounding::div_down(value, rounding::add_up(1.0, relative_error)),
                   rounding::div_up(value, rounding::sub_down(1.0, relative_error)));
  };
}

void SteepnessShape::validate() const {
  require(rate >= 0.0 && std::isfinite(rate), "rate", rate, "0 <= rate < infinity");
  require(power == 0.0 || (power > 1.0 && std::isfinite(power)), "power", power, "power > 1, or 0 for none");
  require(rate > 0.0 || power > 1.0, "rate", rate, "a rate > 0 or a power > 1: else the integral may be infinite");
}

Bracket renyi_level(const Steepness& kappa, double time, const SteepnessShape& shape, const SteepnessOptions& options) {
  require(time > 0.0 && time <= 0x1p1000, "time", time, "0 < time <= 2^1000");
  require(options.relative_width >= 0.0, "relative_width", options.relative_width, "relative_width >= 0");
  require(options.most_values >= 3, "most_values", options.most_values, "most_values >= 3");
  shape.validate();
  return Integration(kappa, time, shape, options).level();
}

}  // namespace doeblin
