# SPDX-License-Identifier: Apache-2.0
"""log delta(epsilon) of a run on a domain with a diameter: one affected step, then `later` <= 20 others (I5, I6, I7).

    asoodeh      theta(epsilon, shift / noise) theta(epsilon, c diameter / noise)^later
    contraction  d <- d theta(log(1 + (e^epsilon - 1) / d), c diameter / noise), `later` times from d = theta(epsilon,
                 shift / noise)
    best         B_r = min(theta(epsilon, mu_r), min over m of G_m(B_(r-m))), 1 <= m <= r, B_0 = theta(epsilon,
                 shift / noise), with G_m(d) = d theta(log(1 + (e^epsilon - 1) / d), m-step level from the diameter) and
                 mu_r the better level of the shift over r + 1 steps and of the diameter over the last r
    laplace      contraction with Laplace noise, whose profile at the distance x is (1 - e^((epsilon - x) / 2))_+
"""

import math
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile

from mpmath import mp

from inputs import generator, log_uniform, settled, unique
from iteration_theta import levels, log_theta, raised
from settle import Unsettled
from table import Table


def asoodeh(lipschitz, noise, shift, diameter, later, epsilon):
    s, e = mp.mpf(noise), mp.mpf(epsilon)
    return log_theta(e, mp.mpf(shift) / s) + int(later) * log_theta(e, mp.mpf(lipschitz) * diameter / s)


def contraction(lipschitz, noise, shift, diameter, later, epsilon):
    s, e = mp.mpf(noise), mp.mpf(epsilon)
    log_d = log_theta(e, mp.mpf(shift) / s)
    for _ in range(int(later)):
        log_d += log_theta(raised(e, log_d), mp.mpf(lipschitz) * diameter / s)
    return log_d


def best(lipschitz, noise, shift, diameter, later, epsilon):
    *_, last = bests(lipschitz, noise, shift, diameter, later, epsilon)
    return last


def bests(lipschitz, noise, shift, diameter, later, epsilon):
    """Yields log B_0, log B_1, ..."""
    s, e, later = mp.mpf(noise), mp.mpf(epsilon), int(later)
    ours = list(levels(lipschitz, mp.mpf(shift) / s, later + 1, 0))
    blocks = [None] + list(levels(lipschitz, mp.mpf(diameter) / s, later, 1))
    found = [log_theta(e, ours[0])]
    yield found[0]
    for r in range(1, later + 1):
        least = log_theta(e, min(ours[r], blocks[r]))
        for m in range(1, r + 1):
            before = found[r - m]
            least = min(least, before + log_theta(raised(e, before), blocks[m]))
        found.append(least)
        yield least


def best_delta(*row):
    return mp.exp(best(*row))


def contraction_delta(*row):
    return mp.exp(contraction(*row))


def laplace(lipschitz, scale, shift, diameter, later, epsilon):
    """delta itself, a Fraction when it is 0."""
    b, e = mp.mpf(scale), mp.mpf(epsilon)
    if Fraction(epsilon) >= Fraction(shift) / Fraction(scale):
        return Fraction(0)
    d = -mp.expm1((e - mp.mpf(shift) / b) / 2)
    for _ in range(int(later)):
        excess = (mp.log1p(mp.expm1(e) / d) if epsilon else mp.mpf(0)) - mp.mpf(lipschitz) * diameter / b
        if abs(excess) < mp.mpf(10) ** (10 - mp.dps):
            raise Unsettled("the sign is open")
        if excess > 0:
            return Fraction(0)
        d *= -mp.expm1(excess / 2)
    return d


LIPSCHITZ = (0.3, 0.8, 1.0, 1.1)
EPSILONS = (0.0, 1e-6, 1e-3, 0.1, 1.0, 4.0, 20.0)


# c, shift, diameter, later, epsilon at noise 1, where the best chain starts with the shift or the diameter over several
# steps, or has blocks of several steps, equal or not.
BLOCKS = [
    (1.0, 16.0, 10.0, 3, 1.0),
    (0.8, 16.0, 8.0, 4, 1e-3),
    (0.3, 16.0, 8.0, 8, 0.0),
    (1.0, 8.0, 6.0, 11, 1e-3),
    (1.0, 30.0, 4.0, 12, 1.0),
    (0.8, 8.0, 3.0, 8, 1.0),
    (1.1, 16.0, 5.0, 8, 4.0),
    (0.3, 16.0, 10.0, 8, 0.1),
    (1.1, 4.0, 3.0, 9, 4.0),
    (0.3, 4.0, 10.0, 11, 1e-3),
    (1.0, 0.5, 5.0, 6, 4.0),
    (0.3, 2.0, 10.0, 7, 0.1),
    (1.0, 1.0, 5.0, 6, 4.0),
    (0.8, 30.0, 6.0, 2, 1e-3),
    (0.3, 30.0, 8.0, 4, 0.0),
    (1.1, 30.0, 15.0, 10, 20.0),
    (1.0, 30.0, 2.0, 5, 1e-3),
    (1.1, 30.0, 4.0, 7, 20.0),
    (1.1, 30.0, 3.0, 3, 4.0),
    (1.1, 2.0, 5.0, 8, 1.0),
    (1.0, 1.0, 10.0, 9, 4.0),
    (1.1, 4.0, 8.0, 6, 20.0),
    (1.0, 2.0, 4.0, 11, 0.0),
    (1.0, 1.0, 4.0, 10, 1.0),
    (0.8, 1.0, 6.0, 11, 1.0),
    (1.0, 0.5, 4.0, 10, 1e-3),
    (0.8, 30.0, 4.0, 10, 1.0),
    (1.1, 30.0, 5.0, 11, 1e-3),
    (1.1, 30.0, 3.0, 8, 4.0),
    (1.0, 30.0, 4.0, 10, 0.1),
    (0.8, 30.0, 3.0, 11, 1e-3),
    (1.0, 2.0, 3.0, 20, 1e-6),
]


def _shallow(row, deepest):
    """The row with `later` cut so that the logarithm is above the deepest one wanted."""
    with mp.workdps(30):
        later = sum(1 for _ in takewhile(lambda x: x > deepest, bests(*row))) - 1
    return (*row[:4], later, row[5])


@lru_cache(maxsize=None)
def _rows():
    rng = generator("iteration_best_logdelta")
    rows = [(1.0, 1.0, 1.0, 1.0, 2, 1.0)]
    for k in range(112):
        c, epsilon = LIPSCHITZ[k % 4], EPSILONS[k % 7]
        noise = (1.0, 0.5, 2.5, 0.1)[k % 3 if k % 5 else 3]
        shift = settled(noise * log_uniform(rng, 0.05, 20))
        diameter = settled(noise * log_uniform(rng, 0.05, 100))
        later = rng.choice((0, 1, 2, 3, 5, 8, 13, 20))
        deepest = (-1e20, -1e60, -1e150, -1e300)[k // 16 % 4] if k % 4 == k // 4 % 4 else -1e6
        rows.append(_shallow((c, noise, shift, diameter, later, epsilon), deepest))
    for c in LIPSCHITZ:
        for ratio in (0.05, 1.0, 6.0, 30.0, 100.0):
            for later, epsilon in ((1, 4.0), (20, 0.1)):
                rows.append(_shallow((c, 1.0, 1.0, ratio, later, epsilon), -1e300))
    rows += [(1.0, 1.0, 40.0, 100.0, 4, 0.1), (1.0, 1.0, 40.0, 100.0, 20, 0.1), (0.8, 1.0, 80.0, 100.0, 2, 1e-3)]
    rows += [(c, 1.0, *rest) for c, *rest in BLOCKS]
    return unique(rows)


def _best_rows():
    free = [(0.3, 1.0, 1.0, 3, 1.0), (0.8, 2.0, 1.0, 20, 0.1), (1.0, 1.0, 3.0, 12, 4.0), (1.1, 0.5, 1.0, 20, 0.0)]
    return _rows() + [(*row[:3], math.inf, *row[3:]) for row in free]


def _within_doubles(rows):
    """The rows whose delta is a normal double."""
    with mp.workdps(30):
        return [row for row in rows if best(*row) > -700]


def _best_delta_rows():
    return _within_doubles(_best_rows())


def _contraction_delta_rows():
    return _within_doubles(_rows())


def _laplace_rows():
    rng = generator("iteration_laplace_logdelta")
    rows, zeros = [], []
    k = 0
    while len(rows) < 84:
        k += 1
        c, epsilon, scale = LIPSCHITZ[k % 4], EPSILONS[k % 7], (1.0, 0.5, 2.5, 0.1)[k % 3 if k % 5 else 3]
        shift = settled(scale * (epsilon + log_uniform(rng, 0.01, 20)))
        diameter = settled(scale * log_uniform(rng, 0.5, 200))
        row = (c, scale, shift, diameter, rng.choice((0, 1, 2, 3, 5, 8, 13, 20)), epsilon)
        with mp.workdps(30):
            (rows if laplace(*row) else zeros).append(row)
    rows += zeros[:5]
    # No shift beats epsilon; exactly so in the second.
    rows += [(1.0, 1.0, 0.5, 10.0, 3, 1.0), (1.0, 1.0, 1.0, 10.0, 3, 1.0), (1.0, 1.0, 1.0, 10.0, 0, 0.0)]
    rows += [(1.0, 1.0, 1.0, diameter, later, 0.5) for diameter in (2.0, 2.5, 4.0, 30.0) for later in (1, 2, 20)]
    return unique(rows)


INPUTS = ("lipschitz", "noise", "shift", "diameter", "later", "epsilon")

TABLES = [
    Table("iteration_best_logdelta", INPUTS, _best_rows, best, high=0, start=60, digits=40),
    Table("iteration_contraction_logdelta", INPUTS, _rows, contraction, high=0, start=60, digits=40),
    Table("iteration_best_delta", INPUTS, _best_delta_rows, best_delta, low=0, high=1, start=60, digits=40),
    Table(
        "iteration_contraction_delta",
        INPUTS,
        _contraction_delta_rows,
        contraction_delta,
        low=0,
        high=1,
        start=60,
        digits=40,
    ),
    Table("iteration_asoodeh_logdelta", INPUTS, _rows, asoodeh, high=0, start=60, digits=40),
    Table(
        "iteration_laplace_logdelta",
        ("lipschitz", "scale", "shift", "diameter", "later", "epsilon"),
        _laplace_rows,
        laplace,
        low=0,
        high=1,
        only_log=True,
    ),
]
