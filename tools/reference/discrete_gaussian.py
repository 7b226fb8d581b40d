# SPDX-License-Identifier: Apache-2.0
"""Discrete Gaussian mechanism: P(x) proportional to exp(-x^2 / (2 sigma^2)) on the integers, shifted by d.

P(x - d) > e^epsilon P(x) where x > sigma^2 epsilon / d + d / 2: an exact comparison of rationals.
"""

from fractions import Fraction
from functools import lru_cache

from mpmath import mp

from gaussian_sums import half_sum, shifted_whole_sum, whole_sum
from inputs import generator, log_uniform, settled, step, uniform, unique
from rounding import to_mpf
from table import Table


@lru_cache(maxsize=None)
def _normaliser(sigma, digits):
    return whole_sum(sigma)


def delta(sigma, sens, epsilon):
    d = int(sens)
    threshold = Fraction(sigma) ** 2 * Fraction(epsilon) / d + Fraction(d, 2)
    first = threshold.__floor__() + 1
    tails = half_sum(sigma, first - d) - mp.exp(mp.mpf(epsilon)) * half_sum(sigma, first)
    return tails / _normaliser(sigma, mp.dps)


def renyi(sigma, sens, alpha):
    """alpha d^2 / (2 sigma^2) plus log(sum of g(x - alpha d) / sum of g(x)) / (alpha - 1), g the unnormalised weight.

    The second part is 0 when alpha d is an integer and negative otherwise, about exp(-2 pi^2 sigma^2).
    """
    shift = Fraction(alpha) * int(sens) % 1
    smooth = Fraction(alpha) * int(sens) ** 2 / (2 * Fraction(sigma) ** 2)
    if shift == 0:
        return smooth
    lattice = mp.log(shifted_whole_sum(sigma, shift) / shifted_whole_sum(sigma, Fraction(0))) / (mp.mpf(alpha) - 1)
    return to_mpf(smooth) + lattice


def epsilon_at(sigma, d, t):
    """The epsilon whose first tail starts at t."""
    return settled(max(0.0, d * (t + d / 2) / sigma**2))


def _delta_rows():
    rng = generator("discrete_gaussian_delta")
    rows = []

    def add(sigma, d, low, high):
        rows.append((sigma, d, epsilon_at(sigma, d, uniform(rng, max(-d / 2, -9 * sigma, low), high))))

    for _ in range(170):
        sigma = log_uniform(rng, 0.05, 300)
        d = float(rng.choice([1, 1, 1, 2, 3, 5, 11, 20]))
        add(sigma, d, -1e9, 36.8 * sigma)
    for _ in range(20):
        sigma = log_uniform(rng, 0.5, 100)
        add(sigma, 1.0, 36.8 * sigma, 38.6 * sigma)
    for _ in range(10):
        sigma = log_uniform(rng, 0.5, 100)
        add(sigma, 1.0, 38.6 * sigma, 60 * sigma)
    for sigma in (1e3, 1e4, 3e4, 1e5, 1e6, 1e8):
        for d in (1.0, 7.0, float(int(sigma / 50)), float(int(sigma)), float(int(sigma * 3))):
            add(sigma, d, -1e9, 4 * sigma)
            add(sigma, d, -1e9, 36.8 * sigma)
        rows.append((sigma, 1.0, 0.0))
    for sigma in (0.05, 0.1, 0.3, 0.5, 1.0, 2.0, 10.0, 100.0, 256.0):
        rows += [(sigma, d, e) for d in (1.0, 4.0) for e in (0.0, 1e-300, 1.0)]
    # Thresholds that are integers, and their neighbours.
    for sigma, d, e in ((1.0, 2.0, 2.0), (2.0, 2.0, 1.0), (0.5, 4.0, 16.0), (4.0, 8.0, 5.0), (16.0, 2.0, 0.25)):
        rows += [(sigma, d, step(e, -1)), (sigma, d, e), (sigma, d, step(e, 1))]
    # delta next to 1, and a step of the staircase at a tiny sigma.
    rows += [(1.0, d, 0.0) for d in (12.0, 20.0, 50.0, 76.0, 80.0)]
    rows += [(0.05, 1.0, e) for e in (150.0, 199.0, 201.0, 601.0)]
    return unique(rows)


def _renyi_rows():
    rng = generator("discrete_gaussian_rdp")
    rows = []
    for k in range(70):
        sigma = log_uniform(rng, 0.05, 3) if k % 2 else log_uniform(rng, 0.05, 1e4)
        d = float(rng.choice([1, 1, 1, 2, 3, 5, 20]))
        rows.append((sigma, d, 1 + log_uniform(rng, 1e-4, 999)))
    for sigma in (0.05, 0.1, 0.25, 0.5, 1.0, 3.0):
        rows += [(sigma, 1.0, alpha) for alpha in (1.0001, 1.25, 1.5, 2.0, 2.5, 32.0, 999.5)]
    rows += [(10.0, 1.0, 1.1), (100.0, 3.0, 1.3), (1e4, 1.0, 17.3), (1e4, 1.0, 2.0), (7.0, 20.0, 3.0)]
    return unique(rows)


TABLES = [
    Table(
        "discrete_gaussian_delta",
        ("sigma", "sensitivity", "epsilon"),
        _delta_rows,
        delta,
        low=0,
        high=1,
        with_log=True,
    ),
    Table("discrete_gaussian_rdp", ("sigma", "sensitivity", "alpha"), _renyi_rows, renyi, low=0),
]
