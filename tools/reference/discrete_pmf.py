# SPDX-License-Identifier: Apache-2.0
"""Probabilities of single integers: discrete Gaussian, P(k) proportional to exp(-k^2 / (2 sigma^2)), and discrete
Laplace, proportional to exp(-|k| / scale), both on all integers.
"""

from fractions import Fraction
from functools import lru_cache

from mpmath import mp

from gaussian_sums import direct, poisson_sum
from inputs import generator, unique
from rounding import to_mpf
from table import Table


@lru_cache(maxsize=None)
def _gaussian_normaliser(sigma, digits):
    return 2 * direct(sigma, 1) + 1 if sigma < 5 else poisson_sum(sigma, Fraction(0))


def gaussian(sigma, k):
    exponent = -(Fraction(k) ** 2) / (2 * Fraction(sigma) ** 2)
    return mp.exp(to_mpf(exponent)) / _gaussian_normaliser(sigma, mp.dps)


def laplace(scale, k):
    """The weights r^|k| sum to (1 + r) / (1 - r)."""
    r = mp.exp(-1 / mp.mpf(scale))
    return r ** abs(int(k)) * (1 - r) / (1 + r)


PARAMETERS = (0.05, 0.3, 1.0, 2.5, 7.0, 15.9, 16.0, 33.7, 100.0, 1000.25, 2.0**20 + 0.5, 2.0**40)


def _rows(name, reach):
    rng = generator(name)
    rows = []
    for width in PARAMETERS:
        rows += [(width, k) for k in range(20)] + [(width, -k) for k in (1, 2, 19)]
        # rounded products of doubles, so the same everywhere
        rows += [(width, k) for k in sorted({round(width * reach * j / 16) for j in range(1, 17)}) if k > 19]
        rows += [(width, k) for k in sorted(rng.randint(1, max(1, int(reach * width))) for _ in range(8)) if k > 19]
    return unique(rows)


TABLES = [
    Table(
        "discrete_gaussian_pmf",
        ("sigma", "k"),
        lambda: _rows("discrete_gaussian_pmf", 8),
        gaussian,
        low=0,
        high=1,
        with_log=True,
    ),
    Table(
        "discrete_laplace_pmf",
        ("scale", "k"),
        lambda: _rows("discrete_laplace_pmf", 16),
        laplace,
        low=0,
        high=1,
        with_log=True,
    ),
]
