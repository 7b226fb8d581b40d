# SPDX-License-Identifier: Apache-2.0
"""T-fold composition of randomised response, p > 1/2, by binomial sums.

    delta(epsilon) = sum over k of C(T, k) (p^k (1-p)^(T-k) - e^epsilon p^(T-k) (1-p)^k)

over k > (T + epsilon / lambda) / 2 with lambda = log(p / (1 - p)): an outcome with k ups has the loss (2k - T) lambda.
No loss but 0 is a rational number, so epsilon is never one of them unless both are 0.
"""

import math
from fractions import Fraction

from mpmath import mp

from inputs import settled, step, unique
from rounding import to_mpf
from settle import Unsettled
from table import Table


def delta(p, count, epsilon):
    p, count = Fraction(p), int(count)
    if epsilon == 0 and count <= 1000:
        return _total_variation(p, count)
    exact, p, q, growth = p, to_mpf(p), to_mpf(1 - p), mp.exp(mp.mpf(epsilon))
    odds = p / q
    k = first_above(count, mp.mpf(epsilon) / mp.log(odds))
    if k > count:
        return Fraction(0)
    up = mp.binomial(count, k) * p**k * q ** (count - k)
    down = growth * mp.binomial(count, k) * p ** (count - k) * q**k
    total, negligible = mp.mpf(0), mp.mpf(10) ** (-mp.dps - 5)
    mean = exact * count
    while k <= count:
        total += up - down
        # Beyond the mean the terms fall, and ever faster; four more digits cover their number.
        if k > mean and up * count < negligible * total:
            break
        up *= odds * (count - k) / (k + 1)
        down *= (count - k) / (odds * (k + 1))
        k += 1
    return total


def first_above(count, level):
    """The smallest k with 2k - count > level."""
    middle = (count + level) / 2
    k = int(mp.floor(middle)) + 1
    if level != 0 and min(k - middle, middle - k + 1) < mp.mpf(10) ** (10 - mp.dps):
        raise Unsettled("on either side of an atom")
    return k


def _total_variation(p, count):
    """At epsilon = 0, an exact fraction."""
    terms = (math.comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(count // 2 + 1, count + 1))
    others = (math.comb(count, k) * (1 - p) ** k * p ** (count - k) for k in range(count // 2 + 1, count + 1))
    return sum(terms) - sum(others)


def _odds(p):
    with mp.workdps(60):
        return float(mp.log(mp.mpf(p) / (1 - mp.mpf(p))))


def _rows():
    rows = []
    for p in (0.5001, 0.6, 0.75, 0.9):
        odds = _odds(p)
        rows += [(p, count, 0.0) for count in (1, 2, 7)]
        rows += [(p, 1, settled(0.5 * odds)), (p, 2, settled(1.3 * odds)), (p, 7, settled(2.4 * odds))]
        rows += [(p, 7, step(3 * odds, k)) for k in (-1, 0, 1)] + [(p, 7, settled(7.001 * odds))]
        for count in (100, 1000, 100000):
            spread = 2 * math.sqrt(count * p * (1 - p))
            losses = [(2 * p - 1) * count + a * spread for a in (-2.0, 0.3, 4.0, 12.0)]
            rows += [(p, count, settled(loss * odds)) for loss in losses if 0 < loss < count]
    rows += [(0.5001, 100000, 0.0), (0.6, 100000, 0.0), (0.9, 100, 219.0), (0.75, 100, 1e-12)]
    return unique(rows)


TABLES = [
    Table("composed_randomized_response_delta", ("p", "count", "epsilon"), _rows, delta, low=0, high=1),
]
