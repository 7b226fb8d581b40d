# SPDX-License-Identifier: Apache-2.0
"""Randomised response: outcomes with probabilities (p, 1-p) against (1-p, p). The pair is its own mirror image."""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, settled, step, uniform, unique
from rounding import to_mpf
from table import Table


def delta(p, epsilon):
    p = Fraction(p)
    q = 1 - p
    if epsilon == 0 or p * q == 0:
        return abs(p - q) if epsilon == 0 else Fraction(1)
    # e^epsilon is transcendental, so neither difference is ever zero.
    growth = mp.exp(mp.mpf(epsilon))
    differences = [to_mpf(p) - growth * to_mpf(q), to_mpf(q) - growth * to_mpf(p)]
    return max(differences) if max(differences) > 0 else Fraction(0)


def renyi(p, alpha):
    p, alpha = Fraction(p), mp.mpf(alpha)
    q = 1 - p
    if p == q:
        return Fraction(0)
    if p * q == 0:
        return mp.inf
    p, q = to_mpf(p), to_mpf(q)
    return mp.log(p**alpha * q ** (1 - alpha) + q**alpha * p ** (1 - alpha)) / (alpha - 1)


def _odds(p):
    with mp.workdps(60):
        return float(abs(mp.log(p) - mp.log(1 - mp.mpf(p))))


def _probabilities():
    near = [2.0**-k for k in (2, 5, 10, 20, 40, 52)]
    return [0.0, 1.0, 0.5, 0.9, 0.75, 0.6, 0.3, 0.01, 1e-9, 1e-100, 1e-300, 5e-324, step(1.0, -1)] + [
        1 - x for x in near
    ] + [0.5 + x for x in (1e-3, 1e-9, 2.0**-50, 2.0**-53)] + [0.5 - 2.0**-54, 0.5 - 1e-6]


def _delta_rows():
    rng = generator("randomized_response_delta")
    rows = [(p, e) for p in _probabilities() for e in (0.0, 1e-300, 1e-16, 0.1, 1.0, 40.0, 700.0)]
    for p in _probabilities():
        if 0 < p < 1 and p != 0.5:
            odds = _odds(p)
            rows += [(p, e) for e in (step(odds, -1), odds, step(odds, 1), settled(odds * 0.999), odds / 2)]
    for k in range(60):
        p = uniform(rng, 0, 1) if k % 2 else 1 - log_uniform(rng, 1e-15, 0.5)
        rows.append((p, settled(_odds(p) * rng.uniform(0, 1))))
    return unique(rows)


def _renyi_rows():
    rng = generator("randomized_response_rdp")
    rows = [(p, alpha) for p in _probabilities() for alpha in (1.0001, 1.5, 2.0, 64.0, 1000.0)]
    for k in range(50):
        p = uniform(rng, 0, 1) if k % 2 else 1 - log_uniform(rng, 1e-15, 0.5)
        rows.append((p, 1 + log_uniform(rng, 1e-4, 999)))
    return unique(rows)


TABLES = [
    # 1 - p needs 324 digits at the smallest p.
    Table("randomized_response_delta", ("p", "epsilon"), _delta_rows, delta, low=0, high=1, with_log=True, start=800),
    Table("randomized_response_rdp", ("p", "alpha"), _renyi_rows, renyi, low=0, start=800),
]
