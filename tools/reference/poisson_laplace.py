# SPDX-License-Identifier: Apache-2.0
"""Poisson-subsampled Laplace mechanism, rate q, sensitivity 1, theta = 1 / scale.

    P = (1 - q) Lap(0) + q Lap(1),    Q = Lap(0),    w = dP/dQ = 1 - q + q e^(theta (|x| - |x - 1|)).

w is constant left of 0 and right of 1 and increases in between. Direction 0 is P against Q: delta is 0 from
e^epsilon = 1 - q + q e^theta on. Direction 1 is Q against P: delta is 0 from e^-epsilon = 1 - q + q e^-theta on. Below,
w = e^epsilon (or e^-epsilon) at one point of (0, 1), and delta is a difference of tails beyond it.

The limits are compared exactly at q = 1. For q < 1 they are never met: e^epsilon, e^theta and 1 with rational epsilon
and theta satisfy no such equation (Lindemann).
"""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, settled, step, uniform, unique
from poisson_gaussian import FIRST_RATE, reaches
from rounding import to_mpf
from table import Table


def upper_tail(y):
    """P(X > y) for the Laplace law of scale 1."""
    return mp.exp(-y) / 2 if y >= 0 else 1 - mp.exp(y) / 2


def delta(scale, rate, direction, epsilon):
    theta, q = 1 / Fraction(scale), mp.mpf(rate)
    if rate == 1 and Fraction(epsilon) >= theta:
        return Fraction(0)
    theta, growth = to_mpf(theta), mp.exp(mp.mpf(epsilon))
    sign, ratio = (-1, 1 / growth) if direction else (1, growth)
    limit = 1 - q + q * mp.exp(sign * theta)
    if not reaches(sign * (1 - ratio / limit)):
        return Fraction(0)
    y = (theta + mp.log((ratio - 1 + q) / q)) / 2  # the point with w = ratio, in units of the scale
    if direction == 0:
        return (1 - q - growth) * upper_tail(y) + q * upper_tail(y - theta)
    return (1 - growth * (1 - q)) * upper_tail(-y) - growth * q * upper_tail(theta - y)


def last_epsilon(scale, rate, direction):
    """The epsilon from which delta is 0, to the nearest double."""
    with mp.workdps(2000):
        theta, q = 1 / mp.mpf(scale), mp.mpf(rate)
        return float(mp.log(1 - q + q * mp.exp(theta)) if direction == 0 else -mp.log(1 - q + q * mp.exp(-theta)))


def _rows():
    rng = generator("poisson_laplace_delta")
    rows = []
    for k in range(90):
        scale = log_uniform(rng, 0.02, 50) if k % 2 else log_uniform(rng, 0.3, 10)
        rate = log_uniform(rng, 1e-9, 1) if k % 3 else log_uniform(rng, 1e-3, 1)
        direction = k // 2 % 2
        share = uniform(rng, 0, 1) if k % 5 else 1 - log_uniform(rng, 1e-12, 1)
        rows.append((scale, rate, direction, settled(last_epsilon(scale, rate, direction) * share)))
    for scale, rate in ((1.0, FIRST_RATE), (0.1, 0.01), (10.0, 0.5), (1.0, 1.0), (0.3, 1e-9), (7.0, 0.999)):
        for direction in (0, 1):
            last = last_epsilon(scale, rate, direction)
            rows += [(scale, rate, direction, e) for e in (0.0, 1e-300, 1e-12, settled(last / 3))]
            rows += [(scale, rate, direction, e) for e in (settled(0.999 * last), settled(1.001 * last), 1.0 + last)]
            rows += [(scale, rate, direction, step(last, k)) for k in (-1000, -1, 0, 1)]
    rows += [(0.001, 0.01, d, e) for d in (0, 1) for e in (0.0, 0.01, 1.0, 900.0)]
    return unique(rows)


TABLES = [
    Table("poisson_laplace_delta", ("scale", "rate", "direction", "epsilon"), _rows, delta, low=0, high=1),
]
