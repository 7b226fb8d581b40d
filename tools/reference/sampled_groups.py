# SPDX-License-Identifier: Apache-2.0
"""People who take part with a coin each, on both sides: mixtures of shifted noise.

    P = sum over i of Bin(i; a, q) K(i),    Q = sum over j of Bin(j; b, q) K(-j),

K(m) the noise around m: 0 normal with standard deviation `scale`, 1 Laplace, 2 discrete Laplace (two-sided geometric),
3 discrete Gaussian. The likelihood ratio of P to Q never falls, so that the divergence is a difference of tails, of the
half-line where it exceeds e^epsilon. Here the end of that half-line is found by bisection of the ratio of densities and
the tails are those of the components, added up with their weights: at 100 digits nothing needs to be arranged for.
"""

from mpmath import mp

from inputs import generator, log_uniform, settled, uniform, unique
from table import Table

NORMAL, LAPLACE, GEOMETRIC, GRID_NORMAL = range(4)


def log_density(noise, scale, x):
    if noise in (NORMAL, GRID_NORMAL):
        return -(x**2) / (2 * scale**2)
    return -abs(x) / scale


def normaliser(scale):
    """The sum of e^(-x^2/(2 scale^2)) over the integers."""
    total, x = mp.mpf(1), 0
    while True:
        x += 1
        term = mp.exp(-mp.mpf(x) ** 2 / (2 * scale**2))
        total += 2 * term
        if term < mp.mpf(10) ** (-mp.dps - 10):
            return total


def tail(noise, scale, x):
    """Pr[noise >= x]."""
    if noise == NORMAL:
        return mp.erfc(x / (scale * mp.sqrt(2))) / 2
    if noise == LAPLACE:
        return mp.exp(-x / scale) / 2 if x > 0 else 1 - mp.exp(x / scale) / 2
    if noise == GEOMETRIC:
        t = mp.exp(-1 / scale)
        return t**x / (1 + t) if x > 0 else 1 - t ** (1 - x) / (1 + t)
    if x <= 0:
        return 1 - tail(noise, scale, 1 - x)
    total, k = mp.mpf(0), int(x)
    while True:
        term = mp.exp(-mp.mpf(k) ** 2 / (2 * scale**2))
        total += term
        k += 1
        if term < total * mp.mpf(10) ** (-mp.dps - 10):
            return total / normaliser(scale)


def coins(people, rate, side):
    q = mp.mpf(rate)
    return [(mp.binomial(people, i) * q**i * (1 - q) ** (people - i), side * i) for i in range(people + 1)]


def log_ratio(noise, scale, p, q, x):
    def log_mixture(parts):
        logs = [mp.log(w) + log_density(noise, scale, x - m) for w, m in parts if w > 0]
        top = max(logs)
        return top + mp.log(mp.fsum(mp.exp(one - top) for one in logs))

    return log_mixture(p) - log_mixture(q)


def delta(noise, scale, first, second, rate, epsilon):
    noise, a, b = int(noise), int(first), int(second)
    scale, level = mp.mpf(scale), mp.mpf(epsilon)
    p, q = coins(a, rate, 1), coins(b, rate, -1)
    on_grid = noise in (GEOMETRIC, GRID_NORMAL)
    exceeds = lambda x: log_ratio(noise, scale, p, q, x) > level
    reach = mp.mpf(1)
    far = mp.mpf(2) ** 30
    while not exceeds(reach) and reach < far:
        reach *= 2
    if not exceeds(reach):
        return 0 * mp.mpf(1) if noise in (LAPLACE, GEOMETRIC) or a == 0 else None
    low, high = -mp.mpf(1), reach
    while exceeds(low):
        low *= 2
        if -low > far:
            break
    if on_grid:
        low, high = int(mp.floor(low)), int(mp.ceil(high))
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if exceeds(middle) else (middle, high)
    else:
        while high - low > mp.mpf(10) ** (4 - mp.dps) * (1 + abs(high)):
            middle = (low + high) / 2
            low, high = (low, middle) if exceeds(middle) else (middle, high)
    above = lambda parts: mp.fsum(w * tail(noise, scale, high - m) for w, m in parts)
    return above(p) - mp.exp(level) * above(q)


def _rows():
    rng = generator("sampled_groups_delta")
    rows = []
    for k in range(160):
        noise = k % 4
        a, b = rng.choice([(1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (3, 0), (2, 2), (1, 2), (5, 0), (4, 1), (8, 0), (0, 8)])
        scale = log_uniform(rng, 0.5, 8)
        rate = settled(uniform(rng, 0.01, 0.99))
        # Within what the losses of that many people reach, or far into the tail of a normal law.
        shift = (a + b) / scale
        most = shift if noise in (LAPLACE, GEOMETRIC) else shift**2 + 4 * shift
        epsilon = settled(uniform(rng, 0.0, 0.6) * most)
        rows.append((noise, scale, a, b, rate, epsilon))
    for noise in range(4):
        rows += [(noise, 1.0, 2, 0, 0.5, 0.0), (noise, 2.0, 1, 1, 0.25, 0.0), (noise, 1.0, 1, 0, 1.0, 0.25)]
        rows += [(noise, 1.0, 2, 1, 2.0**-20, 0.0), (noise, 1.0, 0, 3, 0.5, 0.125), (noise, 1.0, 4, 4, 0.5, 1.0)]
    # A difference that vanishes is a matter of the edges, which the tests have.
    with mp.workdps(80):
        return [row for row in unique(rows) if (delta(*row) or 0) > mp.mpf(10) ** -200]


TABLES = [
    Table("sampled_groups_delta", ("noise", "scale", "first", "second", "rate", "epsilon"), _rows, delta, low=0.0, high=1.0),
]
