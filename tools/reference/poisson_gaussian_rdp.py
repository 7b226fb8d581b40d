# SPDX-License-Identifier: Apache-2.0
"""Renyi divergence of the Poisson-subsampled Gaussian mechanism (the pair of poisson_gaussian).

With w = dP/dQ = 1 - q + q e^((2x - 1)/(2 sigma^2)) and phi the density of Q = N(0, sigma^2),

    direction 0, P against Q:  log(integral of phi w^alpha) / (alpha - 1),
    direction 1, Q against P:  log(integral of phi w^(1 - alpha)) / (alpha - 1).

The integrand is analytic in |Im x| < pi sigma^2, so the trapezoidal rule with step h errs by e^(-2 pi d / h) times its
integral on the lines Im x = +-d.
"""

import math
from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, uniform, unique
from poisson_gaussian import FIRST_RATE
from table import Table


def renyi(sigma, rate, alpha, direction):
    if rate == 1:
        return Fraction(alpha) / (2 * Fraction(sigma) ** 2)  # two normal laws; often a double
    power = 1 - mp.mpf(alpha) if direction else mp.mpf(alpha)
    return mp.log(moment(sigma, rate, power)) / (mp.mpf(alpha) - 1)


def moment(sigma, rate, power):
    """The integral of phi w^power, to about mp.dps digits."""
    s, q = mp.mpf(sigma), mp.mpf(rate)
    digits = mp.dps * math.log(10) + 12
    _, h = grid(sigma, float(power), digits)
    reach = sigma * math.sqrt(2 * (digits + 10))
    first = math.floor((min(0.0, float(power)) - reach) / h)
    last = math.ceil((max(0.0, float(power)) + reach) / h)
    rough = [log_integrand(sigma, rate, float(power), j * h) for j in range(first, last + 1)]
    least = max(rough) - digits - 10
    with mp.workdps(mp.dps + 10):
        total, step, square = mp.mpf(0), mp.mpf(h), 2 * s**2
        for j, size in enumerate(rough, first):
            if size > least:
                x = j * step
                total += mp.exp(power * mp.log(1 - q + q * mp.exp((2 * x - 1) / square)) - x * x / square)
        return total * step / (s * mp.sqrt(2 * mp.pi))


def grid(sigma, power, digits):
    """(d, h): a strip and the step at which the trapezoidal rule errs by less than e^-digits.

    On Im x = d the Gaussian grows by e^(d^2 / (2 sigma^2)). |w| is at most its value on the real line, and at least
    that value over sqrt(2) as long as d <= pi sigma^2 / 2.
    """
    widest, growth = (3.0, 0.0) if power > 0 else (math.pi / 2, -power * math.log(2) / 2)
    d = min(widest * sigma**2, sigma * math.sqrt(2 * (digits + growth)))
    return d, 2 * math.pi * d / (digits + growth + d**2 / (2 * sigma**2))


def log_integrand(sigma, rate, power, x):
    """The logarithm of phi w^power up to a constant, roughly."""
    ratio = math.log(rate) + (2 * x - 1) / (2 * sigma**2)
    log_w = ratio
    if rate < 1:
        other = math.log1p(-rate)
        log_w = max(ratio, other) + math.log1p(math.exp(-abs(ratio - other)))
    return power * log_w - x**2 / (2 * sigma**2)


def _rows():
    rng = generator("poisson_gaussian_rdp")
    rows = []
    for k in range(60):
        sigma = log_uniform(rng, 0.3, 50)
        rate = log_uniform(rng, 1e-9, 1) if k % 3 else log_uniform(rng, 1e-3, 1)
        alpha = 1 + log_uniform(rng, 0.01, 199)
        rows.append((sigma, rate, alpha if k % 4 else float(round(alpha) + 1), k // 2 % 2))
    for sigma, rate in ((1.1, FIRST_RATE), (0.3, 0.01), (4.0, 0.1), (50.0, 1e-6), (1.0, 1.0)):
        for direction in (0, 1):
            rows += [(sigma, rate, alpha, direction) for alpha in (1.01, 1.5, 2.0, 8.0, 32.0, 63.5, 200.0)]
    rows += [(uniform(rng, 0.5, 3), 0.02, float(alpha), 0) for alpha in range(3, 13)]
    rows += [(2.0, 1e-9, 1.01, 0), (2.0, 1e-9, 1.01, 1), (0.5, 0.5, 100.0, 0), (0.5, 0.5, 100.0, 1)]
    return unique(rows)


TABLES = [
    Table(
        "poisson_gaussian_rdp",
        ("sigma", "rate", "alpha", "direction"),
        _rows,
        renyi,
        low=0,
        start=60,
        digits=40,
    ),
]
