# SPDX-License-Identifier: Apache-2.0
"""The worst mechanism that is (epsilon0, delta0)-DP, as a pair of laws on four outcomes.

    P = (delta0, (1 - delta0) e / (1 + e), (1 - delta0) / (1 + e), 0),    e = exp(epsilon0),
    Q = (0, (1 - delta0) / (1 + e), (1 - delta0) e / (1 + e), delta0).
"""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, settled, step, uniform, unique
from rounding import to_mpf
from table import Table


def delta(epsilon0, delta0, epsilon):
    delta0 = Fraction(delta0)
    if epsilon >= epsilon0:
        return delta0  # the second outcome, the only other one that P favours, no longer counts
    if delta0 == 1:
        return Fraction(1)
    odds, growth = mp.exp(mp.mpf(epsilon0)), mp.exp(mp.mpf(epsilon))
    p = [delta0, (1 - delta0), (1 - delta0), 0]
    p = [to_mpf(x) for x in p]
    p[1] *= odds / (1 + odds)
    p[2] *= 1 / (1 + odds)
    q = p[::-1]
    return sum(max(a - growth * b, mp.mpf(0)) for a, b in zip(p, q))


def _rows():
    rng = generator("black_box_delta")
    rows = []
    for e0 in (5e-324, 1e-300, 1e-16, 1e-8, 0.1, 1.0, 5.0, 40.0, 300.0, 709.0, 800.0):
        for d0 in (0.0, 1e-300, 1e-9, 0.5, 1.0):
            rows += [(e0, d0, e) for e in (0.0, e0 / 2, step(e0, -1), e0)]
    rows += [(0.0, d0, e) for d0 in (0.0, 5e-324, 1e-5, step(1.0, -1), 1.0) for e in (0.0, 1.0)]
    rows += [(1.0, 1e-5, e) for e in (1e-300, 5e-324, step(1.0, -2), step(1.0, 1), 2.0, 800.0)]
    rows += [(800.0, 0.0, e) for e in (100.0, 799.0, 800.5)] + [(800.0, 1e-300, e) for e in (109.0, 110.0)]
    for k in range(60):
        e0 = log_uniform(rng, 1e-6, 800)
        d0 = log_uniform(rng, 1e-300 if k % 2 else 1e-12, 1)
        rows.append((e0, d0, settled(e0 * uniform(rng, 0, 1))))
    return unique(rows)


TABLES = [
    Table(
        "black_box_delta", ("epsilon0", "delta0", "epsilon"), _rows, delta, low=0, high=1, with_log=True, start=1000
    ),
]
