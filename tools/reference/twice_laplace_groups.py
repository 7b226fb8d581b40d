# SPDX-License-Identifier: Apache-2.0
"""People who take part with a coin each, on both sides, after the sum of two Laplace noises: mixtures of its shifts.

    P = sum over i of Bin(i; a, q) K(i),    Q = sum over j of Bin(j; b, q) K(-j),

K(m) the noise around m. It is log-concave, so that the likelihood ratio never falls: the divergence is a difference of
tails, of the half-line where the ratio exceeds e^epsilon, which is found by bisection.
"""

from mpmath import mp

from inputs import generator, log_uniform, settled, uniform, unique
from sampled_groups import coins
from table import Table
from twice_laplace import Law


def delta(scale1, scale2, first, second, rate, epsilon):
    law, level = Law(scale1, scale2), mp.exp(mp.mpf(epsilon))
    p, q = coins(int(first), rate, 1), coins(int(second), rate, -1)
    mixed = lambda parts, x: mp.fsum(w * law.density(x - m) for w, m in parts)
    exceeds = lambda x: mixed(p, x) > level * mixed(q, x)
    high = law.wide
    while not exceeds(high):
        high *= 2
        # The logs of the ratios are within e^-1000 of their largest value, or the scales are equal.
        if high > 2**14 * law.wide:
            return 0 * mp.mpf(1)
    low = -law.wide
    while exceeds(low):
        low *= 2
    while high - low > mp.mpf(10) ** (4 - mp.dps) * (1 + abs(high)):
        middle = (low + high) / 2
        low, high = (low, middle) if exceeds(middle) else (middle, high)
    above = lambda parts: mp.fsum(w * law.upper_tail(high - m) for w, m in parts)
    return above(p) - level * above(q)


def _rows():
    rng = generator("twice_laplace_groups_delta")
    rows = []
    for k in range(60):
        a, b = rng.choice([(1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (3, 0), (2, 2), (1, 2), (5, 0), (0, 5)])
        scale = log_uniform(rng, 0.3, 8)
        other = settled(scale * (1 - 2.0 ** -rng.randrange(1, 45)) if k % 3 == 0 else scale * log_uniform(rng, 1e-4, 1))
        rate = settled(uniform(rng, 0.01, 0.99))
        rows.append((scale, other, a, b, rate, settled(uniform(rng, 0.0, 0.6) * (a + b) / scale)))
    for scales in ((1.0, 0.5), (2.0, 2.0), (1.0, 2.0**-30)):
        rows += [(*scales, 3, 0, 0.0625, 0.0), (*scales, 0, 3, 0.0625, 0.03125), (*scales, 1, 1, 0.0625, 0.0625)]
    # People who move the value next to nothing, or far.
    rows += [(2.0**30, 2.0**29, 2, 0, 0.25, 0.0), (2.0**-4, 2.0**-5, 2, 1, 0.25, 4.0)]
    # A difference that vanishes is a matter of the edges, which the tests have.
    with mp.workdps(80):
        return [row for row in unique(rows) if delta(*row) > mp.mpf(10) ** -200]


TABLES = [
    Table(
        "twice_laplace_groups_delta",
        ("scale1", "scale2", "first", "second", "rate", "epsilon"),
        _rows,
        delta,
        low=0.0,
        high=1.0,
    ),
]
