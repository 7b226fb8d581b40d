# SPDX-License-Identifier: Apache-2.0
"""The profile of two normal laws at distance r, in logarithms, and the levels of one affected step.

    theta(epsilon, r) = Q(epsilon/r - r/2) - e^epsilon Q(epsilon/r + r/2)

With a = epsilon/r - r/2, b = a + r and R the Mills ratio, phi(a) = e^epsilon phi(b), so that
theta = phi(a) (R(a) - R(b)) and 1 - theta = phi(a) (R(-a) + R(b)).
"""

import math

from mpmath import mp

from normal import density, upper_tail


def log_theta(epsilon, r):
    """log theta, to about mp.dps digits of itself. epsilon >= 0 and r > 0 are mpf; r may be infinite."""
    if r == mp.inf:
        return mp.mpf(0)
    a = epsilon / r - r / 2
    if a < -1:  # then theta > 0.6
        with mp.workdps(mp.dps + 15):
            miss = density(a) * (_mills(-a) + _mills(a + r))
        return mp.log1p(-miss)
    # R(a) - R(b) is about R(a) r / max(1, a) at least
    lost = max(0, mp.mag(max(mp.mpf(1), a)) - mp.mag(r)) * math.log10(2)
    with mp.workdps(mp.dps + 15 + math.ceil(lost)):
        return mp.log((_mills(a) - _mills(a + r)) / mp.sqrt(2 * mp.pi)) - a * a / 2


def theta(epsilon, r):
    return mp.exp(log_theta(epsilon, r))


def _mills(x):
    """Q(x) / phi(x). Far out by the series 1/x - 1/x^3 + 3/x^5 - ..., whose least term is about e^(-x^2/2)."""
    if x < 1 or x * x / 2 < (mp.dps + 10) * math.log(10):
        return upper_tail(x) / density(x)
    term = total = 1 / x
    square, k = x * x, 1
    while abs(term) > abs(total) * mp.mpf(10) ** (-mp.dps - 2):
        term *= -k / square
        total += term
        k += 2
    return total


def raised(epsilon, log_d):
    """The epsilon at which a kernel acts on what has d at epsilon: log(1 + (e^epsilon - 1) / d), d = e^log_d."""
    return mp.mpf(0) if epsilon == 0 else mp.log(mp.expm1(epsilon) + mp.exp(log_d)) - log_d


def levels(c, scaled_shift, count, first):
    """scaled_shift / sqrt(sum of c^-2j over j = first to r), r = first, first + 1, ..., up to count of them."""
    c = mp.mpf(c)
    power = c ** (-2 * first)
    total = mp.mpf(0)
    for _ in range(count):
        total += power
        yield scaled_shift / mp.sqrt(total)
        power /= c * c
