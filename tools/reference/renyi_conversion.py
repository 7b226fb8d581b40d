# SPDX-License-Identifier: Apache-2.0
"""From one point (alpha, rho) of a Renyi curve to the best epsilon at a given delta.

By data processing on one event, a mechanism with Renyi divergence <= rho has P(A) = p and Q(A) = q with

    F(p, q) = p^alpha q^(1-alpha) + (1-p)^alpha (1-q)^(1-alpha) <= K = e^((alpha-1) rho),

and each such pair (p, q) is itself a mechanism. So epsilon is the largest log((p - delta) / q) over that set, or 0.
The set is convex, hence the maximum lies on its lower boundary q(p), where the ratio has a single peak: at p = 1 if
alpha delta >= 1, and otherwise where 1 / (p - delta) = q'(p) / q(p).
"""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, step, unique
from roots import bracketed_root
from settle import Unsettled
from table import Table


class Boundary:
    """The lower boundary of {F <= K}. Points are given by p and its complement r = 1 - p."""

    def __init__(self, alpha, rho):
        self.alpha, self.log_k = mp.mpf(alpha), (mp.mpf(alpha) - 1) * mp.mpf(rho)

    def _terms(self, p, r, q):
        a = self.alpha
        return p**a * q ** (1 - a), r**a * (1 - q) ** (1 - a)

    def log_q(self, p, r):
        """log of the smallest q with F(p, q) <= K; F falls from infinity to 1 as q goes from 0 to p."""
        a = self.alpha
        # The first term alone is K at the first bound; the step keeps the change of sign if the second is negligible.
        lowest = (a * mp.log(p) - self.log_k) / (a - 1) - mp.mpf(10) ** (-mp.dps // 2)
        return bracketed_root(lambda u: mp.log(sum(self._terms(p, r, mp.exp(u)))) - self.log_k, lowest, mp.log(p))

    def slope(self, p, r):
        """q'(p) / q(p) = -F_p / (q F_q)."""
        a, q = self.alpha, mp.exp(self.log_q(p, r))
        first, second = self._terms(p, r, q)
        return a * (first / p - second / r) / ((a - 1) * (first - q * second / (1 - q)))


def epsilon(alpha, rho, delta):
    exact_delta, delta = Fraction(delta), mp.mpf(delta)
    if Fraction(alpha) * exact_delta >= 1:
        best = mp.mpf(rho) + mp.log(1 - delta)
        return best if best > 0 else Fraction(0)
    boundary = Boundary(alpha, rho)

    def point(t):
        """p = delta + (1 - delta) / (1 + e^-t) and 1 - p."""
        return delta + (1 - delta) / (1 + mp.exp(-t)), (1 - delta) / (1 + mp.exp(t))

    def rise(t):
        p, r = point(t)
        return 1 - (p - delta) * boundary.slope(p, r)

    low = high = mp.mpf(0)
    while rise(low) <= 0:
        low = 2 * low - 1
    while rise(high) >= 0:
        high = 2 * high + 1
        if high > 10 * mp.dps:
            raise Unsettled("the peak is too close to p = 1")
    p, r = point(bracketed_root(rise, low, high))
    best = mp.log(p - delta) - boundary.log_q(p, r)
    return best if best > 0 else Fraction(0)


def _rows():
    rng = generator("renyi_conversion")
    rows = [(1.5, 0.05, 0.01)]
    for k in range(130):
        alpha = 1 + log_uniform(rng, 0.01, 9999)
        rho = log_uniform(rng, 1e-6, 100)
        rows.append((alpha, rho, log_uniform(rng, 1e-100 if k % 2 else 1e-12, 0.5)))
    for alpha in (1.01, 1.5, 2.0, 8.0, 64.0, 1e4):
        for rho in (1e-6, 0.05, 1.0, 100.0):
            rows += [(alpha, rho, d) for d in (1e-100, 1e-6, 0.1, 0.5)]
    # alpha delta = 1 is where the best pair reaches p = 1.
    rows += [(2.0, 1.0, d) for d in (step(0.5, -1), 0.5, step(0.5, 1), 0.49)] + [(8.0, 2.0, 0.125), (8.0, 2.0, 0.12)]
    return unique(rows)


TABLES = [Table("renyi_conversion", ("alpha", "rho", "delta"), _rows, epsilon, low=0)]
