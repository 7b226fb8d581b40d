# SPDX-License-Identifier: Apache-2.0
"""Discrete Gaussian noise in one or two coordinates, P(k) proportional to g(k) = exp(-k^2 / (2 sigma^2)) in each,
shifted by the integers (d1, d2); d2 = 0 is one coordinate.

With (u, v) the noise under the first law, the second gives the same output (u + d1, v + d2). The first is more than
e^epsilon times as likely exactly where

    d1 u + d2 v > sigma^2 epsilon - (d1^2 + d2^2) / 2,

a comparison of rationals, and delta is the sum over those of (g(u) g(v) - e^epsilon g(u + d1) g(v + d2)) / Z^2. Every
term lies between 0 and g(u) g(v) / Z^2, so noise beyond +-reach can be dropped from both products at once.
"""

import math
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from mpmath import mp

from inputs import generator, log_uniform, settled, unique
from iteration_theta import log_theta
from table import Table


def delta(sigma, sens1, sens2, epsilon):
    d1, d2 = int(sens1), int(sens2)
    bound = Fraction(sigma) ** 2 * Fraction(epsilon) - Fraction(d1 * d1 + d2 * d2, 2)
    reach = _reach(sigma, d1, d2, epsilon)
    growth = mp.exp(mp.mpf(epsilon))
    if d2 == 0:
        first = (bound / d1).__floor__() + 1
        total = sum(weights(sigma, first, reach)) - growth * sum(weights(sigma, first + d1, reach + d1))
        return total / normaliser(sigma, mp.dps)
    ours, theirs = _tails(sigma, 0, reach), _tails(sigma, d2, reach)
    total = mp.mpf(0)
    for u, p, q in zip(
        range(-reach, reach + 1), weights(sigma, -reach, reach), weights(sigma, d1 - reach, d1 + reach)
    ):
        # v > (bound - d1 u) / d2, a floor of integers
        v = (bound.numerator - d1 * u * bound.denominator) // (d2 * bound.denominator) + 1
        if v <= reach:
            v = max(v, -reach)
            total += p * ours[reach - v] - growth * q * theirs[reach - v]
    return total / normaliser(sigma, mp.dps) ** 2


def weights(sigma, first, last):
    """g(first), ..., g(last)."""
    width = 2 * mp.mpf(sigma) ** 2
    term, ratio, shrink = mp.exp(-mp.mpf(first) ** 2 / width), mp.exp(mp.mpf(-2 * first - 1) / width), mp.exp(-2 / width)
    for _ in range(first, last + 1):
        yield term
        term *= ratio
        ratio *= shrink


@lru_cache(maxsize=None)
def normaliser(sigma, digits):
    """Z, without what is below 10^-digits of it."""
    reach = _width(sigma, digits + 10)
    return sum(weights(sigma, -reach, reach))


def _tails(sigma, shift, reach):
    """The sums of g(j + shift) over j = v to reach, for v = reach, reach - 1, ..., -reach."""
    # g is even: from the right end inwards
    return list(accumulate(weights(sigma, -reach - shift, reach - shift)))


def _about(sigma, d1, d2, epsilon):
    """log10 of delta, roughly: the profile of normal noise."""
    with mp.workdps(20):
        return float(log_theta(mp.mpf(epsilon), mp.sqrt(mp.mpf(d1) ** 2 + mp.mpf(d2) ** 2) / sigma)) / math.log(10)


def _reach(sigma, d1, d2, epsilon):
    """Beyond it lies less than 10^(-dps - 20) delta."""
    return _width(sigma, mp.dps + 30 - _about(sigma, d1, d2, epsilon))


def _width(sigma, digits):
    """k with g(k) <= 10^-digits."""
    return math.ceil(sigma * math.sqrt(2 * math.log(10) * digits)) + 1


SIGMAS = (15.0, 20.0, 33.3, 100.0, 1000.0)


def _rows():
    rng = generator("grid_gaussian_delta")
    rows = []

    def add(sigma, d1, d2, deepest):
        """An epsilon at which log10 of delta is about anything from deepest to 0."""
        mu = math.hypot(d1, d2) / sigma
        while True:
            a = math.sqrt(2 * math.log(10) * -deepest * rng.random()) - rng.choice((0, 0, 0, min(3, mu / 2)))
            epsilon = settled(mu * (a + mu / 2))
            if epsilon > 0 and _about(sigma, d1, d2, epsilon) >= -200:
                rows.append((sigma, d1, d2, epsilon))
                return

    for sigma in SIGMAS:
        for d in (1, 2, 7, round(sigma / 3), round(sigma), round(3.3 * sigma), round(40 * sigma)):
            add(sigma, d, 0, -190)
            add(sigma, d, 0, -20)
        add(sigma, 10**6, 0, -100)
        rows.append((sigma, 3, 0, log_uniform(rng, 1e-4, 0.1)))
        d = round(6.1 * sigma)
        rows += [(sigma, d, 0, 0.731), (sigma, d, 0, settled((d / sigma) ** 2 / 2 + 0.123))]  # delta above 1/2
    for sigma in SIGMAS[:4]:
        shifts = ((1, 1), (3, 4), (1, 13), (round(sigma), round(sigma / 2) + 1), (5, 1000))
        for i, (d1, d2) in enumerate(shifts):
            add(sigma, d1, d2, (-190, -20)[i % 2])
            add(sigma, d2, d1, (-15, -120)[i % 2])
        rows.append((sigma, 4 * round(sigma), 5 * round(sigma) + 1, 3.377))
    add(1000.0, 1, 1, -15)
    add(1000.0, 600, 801, -40)
    add(1000.0, 3000, 17, -190)
    add(20.0, 600001, 800000, -30)
    return unique(rows)


TABLES = [
    Table(
        "grid_gaussian_delta",
        ("sigma", "sensitivity1", "sensitivity2", "epsilon"),
        _rows,
        delta,
        low=0,
        high=1,
        with_log=True,
    ),
]
