# SPDX-License-Identifier: Apache-2.0
"""Discrete Laplace mechanism: P(x) proportional to exp(-|x|/scale) on the integers, shifted by the sensitivity d.

If epsilon < d / scale, P(x - d) > e^epsilon P(x) exactly where 2x - d > scale epsilon: a comparison of rationals.
All sums are geometric, with ratio r = exp(-1/scale).
"""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, step, uniform, unique
from table import Table


def _ratio(scale):
    return mp.exp(-1 / mp.mpf(scale))


def _upper_tail(r, k):
    """Probability of {k, k+1, ...}."""
    return r**k / (1 + r) if k > 0 else 1 - r ** (1 - k) / (1 + r)


def delta(scale, sens, epsilon):
    d = int(sens)
    threshold = (d + Fraction(scale) * Fraction(epsilon)) / 2
    if threshold >= d:
        return Fraction(0)
    first = threshold.__floor__() + 1
    r = _ratio(scale)
    return _upper_tail(r, first - d) - mp.exp(mp.mpf(epsilon)) * _upper_tail(r, first)


def _geometric(first, ratio, count):
    return first * (1 - ratio**count) / (1 - ratio)


def renyi(scale, sens, alpha):
    """Sums P(x - d)^alpha P(x)^(1 - alpha) over x <= 0, 0 < x < d and x >= d."""
    d, alpha, r = int(sens), mp.mpf(alpha), _ratio(scale)
    left = r ** (alpha * d) / (1 - r)
    between = _geometric(r ** (alpha * (d - 1) + (1 - alpha)), r ** (1 - 2 * alpha), d - 1)
    right = r ** ((1 - alpha) * d) / (1 - r)
    return mp.log((left + between + right) * (1 - r) / (1 + r)) / (alpha - 1)


def _sensitivity(rng):
    return float(rng.choice([1, 1, 1, 1, 2, 3, 5, 10, 17, 50, 100000]))


def _delta_rows():
    rng = generator("discrete_laplace_delta")
    rows = []
    for k in range(200):
        scale = log_uniform(rng, 0.05, 1e9) if k % 2 else log_uniform(rng, 0.05, 20)
        sens = _sensitivity(rng)
        top = sens / scale
        shape = k % 4
        if shape == 0:
            e = top * (1 - log_uniform(rng, 1e-15, 1))
        elif shape == 1:
            e = top * log_uniform(rng, 1e-9, 1)
        else:
            e = top * uniform(rng, 0, 1)
        rows.append((scale, sens, e))
    for scale in (0.05, 0.5, 1.0, 2.0, 10.0, 1e4, 1e9):
        for sens in (1.0, 2.0, 7.0):
            top = sens / scale
            rows += [(scale, sens, e) for e in (0.0, 1e-300, step(top, -1), top, step(top, 1))]
    # Thresholds (d + scale epsilon) / 2 that are integers.
    rows += [(2.0, 6.0, e) for e in (0.0, 1.0, 2.0, step(1.0, -1), step(1.0, 1), 3.0)]
    rows += [(0.05, d, e) for d in (30.0, 37.0, 50.0, 74.0, 75.0, 100000.0) for e in (0.0, 1.0, 400.0)]
    return unique(rows)


def _renyi_rows():
    rng = generator("discrete_laplace_rdp")
    rows = []
    for k in range(80):
        scale = log_uniform(rng, 0.05, 1e9) if k % 2 else log_uniform(rng, 0.05, 20)
        rows.append((scale, _sensitivity(rng), 1 + log_uniform(rng, 1e-4, 999)))
    for scale in (0.05, 1.0, 50.0, 1e9):
        rows += [(scale, d, alpha) for d in (1.0, 3.0) for alpha in (1.0001, 1.5, 2.0, 32.0, 1000.0)]
    return unique(rows)


TABLES = [
    Table(
        "discrete_laplace_delta",
        ("scale", "sensitivity", "epsilon"),
        _delta_rows,
        delta,
        low=0,
        high=1,
        with_log=True,
    ),
    Table("discrete_laplace_rdp", ("scale", "sensitivity", "alpha"), _renyi_rows, renyi, low=0),
]
