// SPDX-License-Identifier: Apache-2.0
#include "verify/ball.hpp"

#include <algorithm>
#include <cmath>

#include <arb_hypgeom.h>

namespace doeblin::verify {
namespace {

thread_local long bits_in_use = 256;
// Digits that cancel are followed up to here.
constexpr long kMostBits = 1L << 16;
constexpr double kLeastAccuracy = 60;

// One of Arb's functions, at the precision in use.
template <typename Function>
Ball applied(Function function, const Ball& x) {
  Ball result;
  function(result.get(), x.get(), bits_in_use);
  return result;
}

template <typename Function>
Ball joined(Function function, const Ball& x, const Ball& y) {
  Ball result;
  function(result.get(), x.get(), y.get(), bits_in_use);
  return result;
}

double as_double(const arf_t x, arf_rnd_t direction) { return arf_get_d(x, direction); }

}  // namespace

long precision() { return bits_in_use; }

WithPrecision::WithPrecision(long bits) : before_(bits_in_use) { bits_in_use = bits; }
WithPrecision::~WithPrecision() { bits_in_use = before_; }

Ball::Ball(double x) : Ball() {
  if (std::isinf(x))
    x > 0.0 ? arb_pos_inf(x_) : arb_neg_inf(x_);
  else
    arb_set_d(x_, x);
}

Ball Ball::between(const Ball& low, const Ball& high) {
  Ball result;
  arb_union(result.x_, low.x_, high.x_, bits_in_use);
  return result;
}

double Ball::lower() const {
  arf_t end;
  arf_init(end);
  arb_get_lbound_arf(end, x_, bits_in_use);
  const double x = as_double(end, ARF_RND_FLOOR);
  arf_clear(end);
  return x;
}

double Ball::upper() const {
  arf_t end;
  arf_init(end);
  arb_get_ubound_arf(end, x_, bits_in_use);
  const double x = as_double(end, ARF_RND_CEIL);
  arf_clear(end);
  return x;
}

double Ball::middle() const { return as_double(arb_midref(x_), ARF_RND_NEAR); }

Ball Ball::low_end() const {
  Ball result;
  arb_get_lbound_arf(arb_midref(result.x_), x_, bits_in_use);
  return result;
}

Ball Ball::high_end() const {
  Ball result;
  arb_get_ubound_arf(arb_midref(result.x_), x_, bits_in_use);
  return result;
}

std::string Ball::text(int digits) const {
  char* shown = arb_get_str(x_, digits, ARB_STR_NO_RADIUS);
  std::string result(shown);
  flint_free(shown);
  return result;
}

Ball operator+(const Ball& x, const Ball& y) { return joined(arb_add, x, y); }
Ball operator-(const Ball& x, const Ball& y) { return joined(arb_sub, x, y); }
Ball operator*(const Ball& x, const Ball& y) { return joined(arb_mul, x, y); }
Ball operator/(const Ball& x, const Ball& y) { return joined(arb_div, x, y); }

Ball operator-(const Ball& x) {
  Ball r;
  arb_neg(r.get(), x.get());
  return r;
}

bool certainly_less(const Ball& x, const Ball& y) { return arb_lt(x.get(), y.get()) != 0; }
bool certainly_at_most(const Ball& x, const Ball& y) { return arb_le(x.get(), y.get()) != 0; }

Ball exp(const Ball& x) { return applied(arb_exp, x); }
Ball expm1(const Ball& x) { return applied(arb_expm1, x); }
Ball log(const Ball& x) { return applied(arb_log, x); }
Ball log1p(const Ball& x) { return applied(arb_log1p, x); }
Ball sqrt(const Ball& x) { return applied(arb_sqrtpos, x); }
Ball square(const Ball& x) { return applied(arb_sqr, x); }

Ball power(const Ball& x, unsigned long n) {
  Ball r;
  arb_pow_ui(r.get(), x.get(), n, bits_in_use);
  return r;
}

Ball min(const Ball& x, const Ball& y) { return joined(arb_min, x, y); }
Ball max(const Ball& x, const Ball& y) { return joined(arb_max, x, y); }
Ball positive_part(const Ball& x) { return max(x, Ball(0)); }

Ball absolute(const Ball& x) {
  Ball r;
  arb_abs(r.get(), x.get());
  return r;
}

Ball pi() {
  Ball r;
  arb_const_pi(r.get(), bits_in_use);
  return r;
}

Ball normal_tail(const Ball& x) {
  Ball r;
  const Ball scaled = x / sqrt(Ball(2));
  arb_hypgeom_erfc(r.get(), scaled.get(), bits_in_use);
  return r / Ball(2);
}

Ball theta(const Ball& epsilon, const Ball& mu) {
  if (arb_is_zero(mu.get())) return positive_part(-expm1(epsilon));
  if (mu.is_infinite()) return Ball(1);
  if (!mu.is_finite()) return Ball::between(Ball(0), Ball(1));
  Ball result;
  const long epsilon_bits = arb_is_zero(epsilon.get()) != 0 ? kMostBits : arb_rel_accuracy_bits(epsilon.get());
  const long known_bits = std::clamp(std::min(arb_rel_accuracy_bits(mu.get()), epsilon_bits), bits_in_use, kMostBits);
  for (long bits = bits_in_use + 64; bits <= kMostBits; bits *= 2) {
    const WithPrecision more(bits);
    const Ball ratio = epsilon / mu;
    const Ball half = mu / Ball(2);
    result = normal_tail(ratio - half) - exp(epsilon) * normal_tail(ratio + half);
    if (static_cast<double>(arb_rel_accuracy_bits(result.get())) >= kLeastAccuracy) break;
    // No precision helps where the arguments themselves are not known better.
    if (bits > 16 * known_bits) break;
  }
  return positive_part(result);
}

Ball theta_of_wide(const Ball& epsilon, const Ball& mu) {
  return Ball::between(theta(epsilon.high_end(), mu.low_end()), theta(epsilon.low_end(), mu.high_end()));
}

}  // namespace doeblin::verify
