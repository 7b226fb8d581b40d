# SPDX-License-Identifier: Apache-2.0
"""Sampled batches with a hidden state (I18): `steps` copies of the pair

    P = (1 - p) N(m, 1) + p N(m + j, 1),  Q = N(0, 1),  with m the move, j the jump, p the rate,

and the larger of the two divergences, of the products of P from those of Q and the reverse. The likelihood ratio
increases, so one copy is two tails beyond one point. At rate 1 everything is normal. The rest is inverted by bromwich.
"""

from fractions import Fraction
from functools import lru_cache

from mpmath import mp

from bromwich import epsilon_near, invert
from inputs import unique
from iteration_sampled_transform import Transform
from iteration_theta import theta
from normal import upper_tail
from roots import bracketed_root
from settle import Unsettled
from table import Table

transform = lru_cache(maxsize=None)(Transform)


def delta(move, jump, rate, steps, epsilon):
    if rate == 1:
        return theta(mp.mpf(epsilon), mp.sqrt(steps) * (mp.mpf(move) + mp.mpf(jump)))
    if steps == 1:
        return max(once(move, jump, rate, direction, epsilon) for direction in (0, 1))
    first = inverted(move, jump, rate, int(steps), 0, epsilon)
    # The reverse is at most M(t) e^(-t epsilon) for any t >= 0.
    other = transform(move, jump, rate, 1)
    bound = min(int(steps) * other.log_at(2.0**k) - 2.0**k * epsilon for k in range(-3, 9))
    return first if bound < mp.log(first) - 3 else max(first, inverted(move, jump, rate, int(steps), 1, epsilon))


def inverted(move, jump, rate, steps, direction, epsilon):
    one = transform(move, jump, rate, direction)
    edge = None
    if move == 0:
        edge = steps * mp.log(1 - mp.mpf(rate))
        if direction == 1:
            edge = -edge
            if epsilon >= edge:
                return Fraction(0)
    return invert(
        lambda c: steps * one.log_at(c),
        lambda *along: (value**steps for value in one.line(*along)),
        epsilon,
        copies=steps,
        edge=edge if steps < 100 else None,
    )


def once(move, jump, rate, direction, epsilon):
    e, m, j, p = mp.mpf(epsilon), mp.mpf(move), mp.mpf(jump), mp.mpf(rate)
    target = -e if direction else e

    def loss(x):
        return m * x - m * m / 2 + mp.log(1 - p + p * mp.exp(j * (x - m) - j * j / 2))

    def first_law(x):
        """The mass of P above x (direction 1: below)."""
        side = -1 if direction else 1
        return (1 - p) * upper_tail(side * (x - m)) + p * upper_tail(side * (x - m - j))

    if move == 0:
        gap = mp.exp(target) - 1 + p
        if abs(gap) < mp.mpf(10) ** (10 - mp.dps):
            raise Unsettled("the sign is open")
        if gap < 0:
            return Fraction(0)
        x = j / 2 + mp.log(gap / p) / j
    else:
        low = high = mp.mpf(0)
        while loss(low) > target:
            low = 2 * low - 1
        while loss(high) < target:
            high = 2 * high + 1
        x = bracketed_root(lambda x: loss(x) - target, low, high)
    growth = mp.exp(e)
    return upper_tail(-x) - growth * first_law(x) if direction else first_law(x) - growth * upper_tail(x)


def _rows():
    rows = [(0.3, 1.0, 0.1, 1, e) for e in (0.0, 1.0, 4.0)] + [(0.05, 2.0, 0.01, 1, 8.0), (0.0, 0.5, 0.5, 1, 1e-3)]
    rows += [(0.01, 0.1, 1.0, 400, 4.0), (0.3, 2.0, 1.0, 10, 60.0), (0.05, 0.5, 1.0, 50, 0.0)]
    rows += [(0.3, 1.0, 0.5, 2, 0.0), (0.05, 0.5, 0.1, 10, 0.0), (0.01, 0.1, 0.01, 400, 0.0), (0.0, 1.0, 0.1, 50, 0.0)]
    cases = [
        (0.01, 2.0, 0.01, 2, (1e-3, 1e-12)),
        (0.3, 0.1, 0.5, 2, (1e-5,)),
        (0.05, 1.0, 0.1, 2, (1e-30,)),
        (0.0, 1.0, 0.5, 2, (1e-8,)),
        (0.01, 1.0, 0.1, 10, (1e-2, 1e-30)),
        (0.05, 0.5, 0.01, 10, (1e-5,)),
        (0.3, 2.0, 0.5, 10, (0.5, 1e-12)),
        (0.0, 2.0, 0.01, 10, (1e-6,)),
        (0.0, 1.0, 0.1, 50, (1e-5, 1e-30)),
        (0.01, 0.5, 0.01, 50, (1e-3, 1e-12)),
        (0.05, 2.0, 0.1, 50, (1e-5,)),
        (0.3, 0.1, 0.1, 50, (1e-2, 1e-20)),
        (0.3, 1.0, 0.5, 50, (1e-30,)),
        (0.0, 0.5, 0.1, 400, (1e-5,)),
        (0.01, 1.0, 0.01, 400, (1e-2, 1e-5, 1e-30)),
        (0.05, 1.0, 0.1, 400, (0.3, 1e-12)),
        (0.05, 0.1, 0.5, 400, (1e-8,)),
        (0.3, 2.0, 0.5, 400, (1e-5,)),
    ]
    for move, jump, rate, steps, targets in cases:
        one = transform(move, jump, rate, 0)
        found = [epsilon_near(lambda c: steps * one.log_at(c), target) for target in targets]
        rows += [(move, jump, rate, steps, e) for e in found if e is not None]
    return unique(rows)


TABLES = [
    Table(
        "iteration_sampled_delta",
        ("move", "jump", "rate", "steps", "epsilon"),
        _rows,
        delta,
        low=0,
        high=1,
        start=25,
        digits=25,
    ),
]
