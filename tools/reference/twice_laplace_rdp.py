# SPDX-License-Identifier: Apache-2.0
"""Renyi divergence of the sum of two Laplace variables, by integration of f(x - d)^alpha f(x)^(1 - alpha).

The integrand is analytic except at 0 and d. Its nearest complex singularities lie about one narrow scale away from
those points, so panels that double in length away from them suit Gauss-Legendre quadrature.
"""

from functools import lru_cache

from mpmath import mp

from inputs import generator, log_uniform, unique
from table import Table
from twice_laplace import RELATIONS, Law, scales, second_scale


@lru_cache(maxsize=None)
def _legendre(count, digits):
    """Nodes and weights of the Gauss-Legendre rule on [-1, 1], by Newton's method."""
    nodes = []
    for k in range(count // 2):
        x = mp.cos(mp.pi * (k + mp.mpf(3) / 4) / (count + mp.mpf(1) / 2))
        change = mp.mpf(1)
        while abs(change) > mp.mpf(10) ** (-digits // 2 - 3):
            value, slope = _legendre_value(count, x)
            change = value / slope
            x -= change
        _, slope = _legendre_value(count, x)
        weight = 2 / ((1 - x * x) * slope**2)
        nodes += [(x, weight), (-x, weight)]
    return nodes


def _legendre_value(count, x):
    before, value = mp.mpf(1), x
    for k in range(2, count + 1):
        before, value = value, ((2 * k - 1) * x * value - (k - 1) * before) / k
    return value, count * (x * value - before) / (x * x - 1)


def _integral(f, a, b, nodes):
    half, centre = (b - a) / 2, (a + b) / 2
    return half * sum(w * f(centre + half * x) for x, w in nodes)


def _panels(length, first, longest):
    """Break points 0 = x0 < x1 < ... = length: steps of first, 2 first, 4 first, ..., at most longest."""
    points, width = [mp.mpf(0)], first
    while points[-1] + width < length:
        points.append(points[-1] + width)
        width = min(2 * width, longest)
    return points + [length]


def renyi(scale1, scale2, sens, alpha):
    law, d, alpha = Law(scale1, scale2), mp.mpf(sens), mp.mpf(alpha)
    nodes = _legendre(2 * (mp.dps // 2), mp.dps)
    first = law.narrow / 2
    # Beyond: the integrand is at most a constant times exp(-x / wide).
    reach = law.wide * (mp.dps + 20) * mp.log(10)

    def mirrored(x, y):
        """The integrand at the two points that see the densities f(x) and f(y) in either role."""
        p, q = law.density(x), law.density(y)
        ratio = (p / q) ** alpha
        return q * ratio + p / ratio

    # alpha log(p/q) varies by at most alpha d / wide per wide scale, which limits the useful panel length.
    longest = 4 * law.wide / (1 + alpha * min(mp.mpf(1), d / law.wide) / 16)
    outside = _panels(reach, first, 8 * law.wide)
    half = _panels(d / 2, first, longest)
    total = mp.mpf(0)
    for a, b in zip(outside, outside[1:]):
        total += _integral(lambda x: mirrored(x, x + d), a, b, nodes)
    for a, b in zip(half, half[1:]):
        total += _integral(lambda x: mirrored(x, d - x), a, b, nodes)
    return mp.log(total) / (alpha - 1)


def _rows():
    rng = generator("twice_laplace_rdp")
    rows = []
    for k in range(4 * len(RELATIONS)):
        pair = scales(rng, RELATIONS[k % len(RELATIONS)])
        alpha = 1 + log_uniform(rng, 1e-4, 999)
        sens = max(pair) * log_uniform(rng, 1e-4, 3)
        rows.append((*pair, sens, alpha))
    for relation in (1.0, "ulp", 1.001, 2.0, 10.0):
        rows += [(1.0, second_scale(1.0, relation), 1.0, alpha) for alpha in (1.0001, 1.5, 2.0, 8.0, 64.0, 1000.0)]
    rows += [(1e9, 1e6, 1.0, 2.0), (1e-3, 2e-3, 1e-3, 3.0), (0.5, 0.25, 5.0, 4.0), (0.1, 0.1, 1.0, 16.0)]
    return unique(rows)


TABLES = [
    Table(
        "twice_laplace_rdp",
        ("scale1", "scale2", "sensitivity", "alpha"),
        _rows,
        renyi,
        low=0,
        start=60,
        digits=40,
    ),
]
