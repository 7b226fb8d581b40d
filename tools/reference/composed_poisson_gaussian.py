# SPDX-License-Identifier: Apache-2.0
"""Compositions of Poisson-subsampled Gaussian mechanisms, all in the same direction (the pair of poisson_gaussian).

The product measures have the loss L_1 + ... + L_T, so its transform is the product of the M_i(s). One copy has a closed
form. Two copies are one integral over the first output of the closed form in the second. More are inverted by
bromwich.

In direction 1 a copy loses less than -log(1 - q), so delta is exactly 0 from -T log(1 - q) on.
"""

import math
from fractions import Fraction
from functools import lru_cache

from mpmath import mp

import poisson_gaussian
from bromwich import epsilon_near, goal_digits, invert
from inputs import settled, unique
from normal import upper_tail
from poisson_gaussian import FIRST_RATE, crossing, epsilon_at, last_epsilon, reaches
from poisson_gaussian_transform import Transform
from table import Table

transform = lru_cache(maxsize=None)(Transform)


def delta(sigma, rate, count, direction, epsilon):
    count, q = int(count), mp.mpf(rate)
    if count == 1:
        return poisson_gaussian.delta(sigma, rate, direction, epsilon)
    if direction == 1 and rate < 1 and not reaches(1 + mp.mpf(epsilon) / (count * mp.log(1 - q))):
        return Fraction(0)
    if count == 2 and rate < 1:
        return twice(sigma, rate, direction, epsilon)
    one = transform(sigma, rate, direction)
    edge = count * mp.log(1 - q) if direction == 0 and count < 100 and rate < 1 else None
    return invert(
        lambda c: count * one.log_at(c),
        lambda *along: (value**count for value in one.line(*along)),
        epsilon,
        copies=count,
        edge=edge,
    )


def twice(sigma, rate, direction, epsilon):
    """Two copies: the integral over x of phi(x) H(x), where H is the hockey-stick integral over the second output.

    Direction 0: H = integral of phi (w(x) w - g)_+ with g = e^epsilon. It is w(x) - g where w(x) >= g / (1 - q).
    Direction 1: H = integral of phi (1 - g w(x) w)_+. It is 0 where w(x) >= 1 / (g (1 - q)).

    With X the point of that change, x = X - sigma log(1 + e^u), u = t - e^-t, makes the trapezoidal rule in t converge
    exponentially.
    """
    goal = goal_digits()
    with mp.workdps(goal + 20):
        s, q, growth = mp.mpf(sigma), mp.mpf(rate), mp.exp(mp.mpf(epsilon))
        ratio = 1 / growth if direction else growth
        change = crossing(s, q, ratio / (1 - q))
        h = mp.mpf(5) / ((goal + 14) * math.log(10))
        end = math.log((goal + 25) * math.log(10))
        reach = float(change) / sigma + math.sqrt(2 * (goal * math.log(10) + 300) + (float(change) / sigma) ** 2)
        total = mp.mpf(0)
        for j in range(math.floor(-end / h), math.ceil(reach / h) + 1):
            t = j * h
            fall = mp.exp(-t)
            u = t - fall
            exponential = mp.exp(u)
            x = change - s * mp.log1p(exponential)
            w = 1 - q + q * mp.exp((2 * x - 1) / (2 * s**2))
            if ratio / w <= 1 - q:
                continue  # x is too close to X for this precision, and has no weight
            y = crossing(s, q, ratio / w)
            if direction == 0:
                far = upper_tail(y / s)
                inner = w * ((1 - q) * far + q * upper_tail((y - 1) / s)) - growth * far
            else:
                far = upper_tail(-y / s)
                inner = far - growth * w * ((1 - q) * far + q * upper_tail((1 - y) / s))
            total += mp.exp(-x * x / (2 * s**2)) * inner * (1 + fall) * exponential / (1 + exponential)
        total *= h / mp.sqrt(2 * mp.pi)
        if direction == 0:
            far = upper_tail(change / s)
            total += (1 - q) * far + q * upper_tail((change - 1) / s) - growth * far
        return total


SUM = [(1.0 + i / 10.0, 0.01 + i / 1000.0) for i in range(50)]


def sum_delta(epsilon, direction):
    """The composition of the fifty different mechanisms in SUM, each once."""
    parts = [transform(sigma, rate, direction) for sigma, rate in SUM]

    def line(*along):
        for values in zip(*(part.line(*along) for part in parts)):
            product = mp.mpc(1)
            for value in values:
                product *= value
            yield product

    return invert(lambda c: sum(part.log_at(c) for part in parts), line, epsilon, copies=len(parts))


def _log_transform(sigma, rate, count, direction):
    return lambda c: count * transform(sigma, rate, direction).log_at(c)


def _rows():
    rows = []
    for a in (2.0, 6.0, 10.0, 20.5):  # the first tail of one copy starts a sigma away
        e = epsilon_at(1.1, FIRST_RATE, 0, 1.1 * a)
        rows += [(1.1, FIRST_RATE, 1, 0, e), (1.1, FIRST_RATE, 2, 0, e)]
    for a in (3.0, 20.5):
        e = epsilon_at(1.1, FIRST_RATE, 1, -1.1 * a)
        rows += [(1.1, FIRST_RATE, 1, 1, e), (1.1, FIRST_RATE, 2, 1, settled(2 * e))]
    rows += [(1.1, FIRST_RATE, count, 1, 0.0) for count in (2, 10, 1000)] + [(1.1, FIRST_RATE, 10, 0, 0.1)]
    targets = {0: (1e-2, 1e-5, 1e-12, 1e-30, 1e-100), 1: (1e-5, 1e-12, 1e-100)}
    cases = [(1.1, FIRST_RATE, count, d, targets[d]) for count in (10, 1000, 14000, 100000, 1000000) for d in (0, 1)]
    for sigma, rate, count in ((0.8, 0.05, 50), (3.8, 0.01, 10000), (2.0, 1e-4, 100000), (1.0, 1.0, 100)):
        cases += [(sigma, rate, count, 0, (1e-5, 1e-30)), (sigma, rate, count, 1, (1e-12,))]
    for *mechanism, wanted in cases:
        found = [epsilon_near(_log_transform(*mechanism), target) for target in wanted]
        rows += [(*mechanism, e) for e in found if e is not None]
    rows += [(1.1, FIRST_RATE, count, 1, settled(1.001 * count * last_epsilon(FIRST_RATE))) for count in (2, 1000)]
    return unique(rows)


# delta(0) = 0.029 in both directions, then down to 1e-50
SUM_EPSILONS = [
    (0.06, 0.14, 0.3, 0.67, 1.9, 3.16, 6.74, 10.95),
    (0.0, 0.05, 0.09, 0.127, 0.17, 0.221, 0.25, 0.286, 0.33, 0.4, 0.45, 0.5, 0.625, 0.7, 0.77),
]


def _sum_rows():
    return unique((e, d) for d in (0, 1) for e in SUM_EPSILONS[d])


# Rare large losses: one of them, or a few, decide.
LOW_NOISE = [
    (0.4, 0.0001, 10000.0, 0.0, 4.0),
    (0.4, 0.0001, 10000.0, 0.0, 4.0885),
    (0.5, 1e-05, 100000.0, 0.0, 0.47),
    (0.5, 1e-05, 100000.0, 0.0, 2.0),
    (0.5, 0.0001, 10000.0, 0.0, 0.25),
    (0.5, 0.0001, 10000.0, 0.0, 1.0),
    (0.5, 0.0001, 10000.0, 0.0, 1.953),
    (0.5, 0.0001, 10000.0, 0.0, 6.45),
    (0.5, 0.0001, 10000.0, 1.0, 0.1),
    (0.5, 0.0001, 100000.0, 0.0, 3.0),
]


def _low_noise_rows():
    return LOW_NOISE


TABLES = [
    Table(
        "composed_poisson_gaussian_delta",
        ("sigma", "rate", "count", "direction", "epsilon"),
        _rows,
        delta,
        low=0,
        high=1,
        with_log=True,
        start=25,
        digits=25,
    ),
    Table(
        "composed_sum_delta",
        ("epsilon", "direction"),
        _sum_rows,
        sum_delta,
        low=0,
        high=1,
        with_log=True,
        start=25,
        digits=25,
    ),
    Table(
        "composed_low_noise_delta",
        ("sigma", "rate", "count", "direction", "epsilon"),
        _low_noise_rows,
        delta,
        low=0,
        high=1,
        with_log=True,
        start=20,
        digits=20,
    ),
]
