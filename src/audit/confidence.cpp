// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/confidence.hpp"

#include <algorithm>

#include <boost/math/special_functions/beta.hpp>

#include "doeblin/core/error.hpp"

namespace doeblin::audit {
namespace {

// The library's incomplete beta function is far better than this, relative to the tail itself; a tail that is smaller
// by so little moves a bound by less than 1e-6 of it.
constexpr double kTailError = 1e-7;
constexpr double kFirstStep = 1e-15;

using Quiet = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

void validate(double successes, double trials, double failure) {
  require(trials >= 0.0 && trials <= 1e15, "trials", trials, "0 <= trials <= 1e15");
  require(successes >= 0.0 && successes <= trials, "successes", successes, "0 <= successes <= trials");
  require(failure >= 1e-100 && failure < 1.0, "failure", failure, "1e-100 <= failure < 1");
}

}  // namespace

double binomial_lower(double successes, double trials, double failure) {
  validate(successes, trials, failure);
  if (successes == 0.0) return 0.0;
  // Pr[Bin(n, p) >= k] = I_p(k, n - k + 1), which increases in p.
  const double a = successes;
  const double b = trials - successes + 1.0;
  double p = boost::math::ibeta_inv(a, b, failure, Quiet());
  for (double step = kFirstStep; boost::math::ibeta(a, b, p, Quiet()) > failure * (1.0 - kTailError); step *= 2.0)
    p = std::max(0.0, p - step * p);
  return p;
}

double binomial_upper(double successes, double trials, double failure) {
  validate(successes, trials, failure);
  if (successes == trials) return 1.0;
  // Pr[Bin(n, p) <= k] = 1 - I_p(k + 1, n - k), which decreases in p.
  const double a = successes + 1.0;
  const double b = trials - successes;
  double p = boost::math::ibetac_inv(a, b, failure, Quiet());
  for (double step = kFirstStep; boost::math::ibetac(a, b, p, Quiet()) > failure * (1.0 - kTailError); step *= 2.0)
    p = std::min(1.0, p + step * p);
  return p;
}

}  // namespace doeblin::audit
