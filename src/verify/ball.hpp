// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <utility>

#include <arb.h>

/// Real numbers as balls: a midpoint and a radius that is known to cover every error made so far (Arb). Nothing here,
/// nor in the files that use it, shares a formula's code with the rest of the project.
namespace doeblin::verify {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Bits that every operation of this thread works with.
[[nodiscard]] long precision();

/// Sets the precision for as long as it lives.
class WithPrecision {
 public:
  explicit WithPrecision(long bits);
  ~WithPrecision();
  WithPrecision(const WithPrecision&) = delete;
  WithPrecision& operator=(const WithPrecision&) = delete;

 private:
  long before_;
};

class Ball {
 public:
  Ball() { arb_init(x_); }
  /// Exactly this double; infinity is allowed.
  Ball(double x);                              // NOLINT(google-explicit-constructor): a double is a ball of radius 0
  Ball(int x) : Ball() { arb_set_si(x_, x); }  // NOLINT(google-explicit-constructor)
  Ball(const Ball& other) : Ball() { arb_set(x_, other.x_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(x_, other.x_); }
  Ball& operator=(Ball other) noexcept {
    arb_swap(x_, other.x_);
    return *this;
  }
  ~Ball() { arb_clear(x_); }

  [[nodiscard]] arb_ptr get() { return x_; }
  [[nodiscard]] arb_srcptr get() const { return x_; }

  /// Everything between two balls.
  [[nodiscard]] static Ball between(const Ball& low, const Ball& high);

  [[nodiscard]] bool is_finite() const { return arb_is_finite(x_) != 0; }
  /// Certainly plus infinity, and not just anything.
  [[nodiscard]] bool is_infinite() const {
    return arf_is_pos_inf(arb_midref(x_)) != 0 && mag_is_zero(arb_radref(x_)) != 0;
  }
  /// The ends as doubles, rounded outward.
  [[nodiscard]] double lower() const;
  [[nodiscard]] double upper() const;
  /// The midpoint, for searching: no claim attached.
  [[nodiscard]] double middle() const;
  /// Exact balls of the ends.
  [[nodiscard]] Ball low_end() const;
  [[nodiscard]] Ball high_end() const;
  /// "2.3755e-05", for people.
  [[nodiscard]] std::string text(int digits = 10) const;

 private:
  arb_t x_;
};

[[nodiscard]] Ball operator+(const Ball& x, const Ball& y);
[[nodiscard]] Ball operator-(const Ball& x, const Ball& y);
[[nodiscard]] Ball operator*(const Ball& x, const Ball& y);
[[nodiscard]] Ball operator/(const Ball& x, const Ball& y);
[[nodiscard]] Ball operator-(const Ball& x);

/// Certain: true for all members of both balls. (Not the negation of one another.)
[[nodiscard]] bool certainly_less(const Ball& x, const Ball& y);
[[nodiscard]] bool certainly_at_most(const Ball& x, const Ball& y);

[[nodiscard]] Ball exp(const Ball& x);
[[nodiscard]] Ball expm1(const Ball& x);
[[nodiscard]] Ball log(const Ball& x);
[[nodiscard]] Ball log1p(const Ball& x);
[[nodiscard]] Ball sqrt(const Ball& x);
[[nodiscard]] Ball square(const Ball& x);
/// x^n for a whole n >= 0.
[[nodiscard]] Ball power(const Ball& x, unsigned long n);
[[nodiscard]] Ball min(const Ball& x, const Ball& y);
[[nodiscard]] Ball max(const Ball& x, const Ball& y);
/// max(x, 0)
[[nodiscard]] Ball positive_part(const Ball& x);
[[nodiscard]] Ball absolute(const Ball& x);
[[nodiscard]] Ball pi();

/// The probability that a standard normal exceeds x.
[[nodiscard]] Ball normal_tail(const Ball& x);

/// theta_{e^epsilon}(mu) = Q(epsilon/mu - mu/2) - e^epsilon Q(epsilon/mu + mu/2): the profile of mu-GDP (P1), for every
/// real epsilon; 0 for mu = 0, 1 for infinite mu. Relative accuracy about that of its arguments: digits that cancel are
/// computed on top.
[[nodiscard]] Ball theta(const Ball& epsilon, const Ball& mu);

/// Increasing in mu and decreasing in epsilon: encloses theta over balls of some width without the blow-up of
/// evaluating the difference on them.
[[nodiscard]] Ball theta_of_wide(const Ball& epsilon, const Ball& mu);

}  // namespace doeblin::verify
