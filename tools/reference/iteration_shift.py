# SPDX-License-Identifier: Apache-2.0
"""The level mu of a run X_t = Pi(psi_t(X_t-1) + N(0, noise^2)) of which only X_T is released (I3, I4).

The record is used at the steps 1, 1 + gap, ..., 1 + (uses - 1) gap; `later` more steps follow. mu^2 is the minimum of
the sum of a_t^2 / noise^2 over a_t >= 0 with z_t = c z_(t-1) + shift [record used] - a_t >= 0 and z_T = 0, from
z_0 = 0, or from z_t0 = diameter at any t0 < T, with no cost before t0.

With tau_t = sum over j <= t of noise^2 c^-2j and S_t = sum of shift c^-j over the uses j <= t, the sum of a_j c^-j over
j <= t, drawn against tau, stays below the points (tau_t, S_t) and ends in the last of them, and the cost is the sum of
its squared slopes times the widths. The optimum is the greatest convex minorant of the points. A restart at t0 begins
at (tau_t0, S_t0 - diameter c^-t0) instead of (0, 0).
"""

import math
from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, settled, unique
from roots import rational_root
from table import Table

LONG = 20000  # steps


def mu(lipschitz, noise, shift, diameter, uses, gap, later):
    uses, gap, later = int(uses), int(gap), int(later)
    steps = 1 + (uses - 1) * gap + later
    if steps > LONG:
        if uses > 1 or lipschitz != 1:
            raise ValueError("too many steps")
        square = Fraction(shift) ** 2 / (later + 1)
        if diameter < math.inf:
            square = min(square, Fraction(diameter) ** 2 / later)
        square /= Fraction(noise) ** 2
        return rational_root(square)
    square, restart, path = minimum(lipschitz, noise, shift, diameter, uses, gap, steps)
    exact = _exact_square(lipschitz, noise, shift, diameter, uses, gap, restart, path)
    return mp.sqrt(square) if exact is None else rational_root(exact)


def uses_until(t, uses, gap):
    return 0 if t == 0 else min(uses, (t - 1) // gap + 1)


def minimum(lipschitz, noise, shift, diameter, uses, gap, steps):
    """(mu^2, whether it restarts with the diameter, the corners of the minorant from the start to the last step)."""
    c, s, d = mp.mpf(lipschitz), mp.mpf(noise), mp.mpf(shift)
    if c == 1:
        tau = [s * s * t for t in range(steps + 1)]
        stairs = [d * k for k in range(uses + 1)]
    else:
        # The sums up to constants that cancel in differences without a loss of digits.
        tau = [s * s / (1 - c * c) * x for x in _powers(1 / (c * c), steps + 1)]
        stairs = [d / c / (c**-gap - 1) * x for x in _powers(c**-gap, uses + 1)]
    height = [stairs[uses_until(t, uses, gap)] for t in range(steps + 1)]
    away = [mp.mpf(diameter) * x for x in _powers(1 / c, steps + 1)]

    def slope(a, b):
        return (height[b] - height[a]) / (tau[b] - tau[a])

    def cost(rise, width):
        return rise * rise / width

    best, found = None, None
    # The minorant of the points t, ..., T, the leftmost corner last; each with the cost from there on.
    hull = [(steps, mp.mpf(0))]
    for t in range(steps - 1, -1, -1):
        if diameter < math.inf:
            # The slopes from a point below to the corners fall and then rise.
            k, least = len(hull), None
            while k:
                corner = hull[k - 1][0]
                rise, width = height[corner] - height[t] + away[t], tau[corner] - tau[t]
                if least is not None and rise / width >= least:
                    break
                least, k, total = rise / width, k - 1, cost(rise, width) + hull[k - 1][1]
            if best is None or total < best:
                best, found = total, (True, [t] + [corner for corner, _ in hull[k::-1]])
        while len(hull) > 1 and slope(t, hull[-1][0]) >= slope(hull[-1][0], hull[-2][0]):
            hull.pop()
        corner, rest = hull[-1]
        hull.append((t, cost(height[corner] - height[t], tau[corner] - tau[t]) + rest))
    if best is None or hull[-1][1] < best:
        best, found = hull[-1][1], (False, [corner for corner, _ in reversed(hull)])
    return best, *found


def _powers(base, count):
    result = [mp.mpf(1)]
    while len(result) < count:
        result.append(result[-1] * base)
    return result


def _exact_square(lipschitz, noise, shift, diameter, uses, gap, restart, path):
    """mu^2 as a Fraction, from the corners; None if that is too long, and mu is no double anyway."""
    if lipschitz != 1 and path[-1] - path[0] > 100 and max(b - a for a, b in zip(path, path[1:])) > 1:
        return None
    c, total = Fraction(lipschitz), Fraction(0)
    for a, b in zip(path, path[1:]):
        first, last = uses_until(a, uses, gap), uses_until(b, uses, gap)
        if c == 1:
            rise, width = Fraction(shift) * (last - first), Fraction(b - a)
        else:
            rise = Fraction(shift) * sum(c ** (b - 1 - k * gap) for k in range(first, last))
            width = sum(c ** (2 * j) for j in range(b - a))
        if restart and a == path[0]:
            rise += Fraction(diameter) * c ** (b - a)
        total += rise * rise / width
    return total / Fraction(noise) ** 2


LIPSCHITZ = (0.2, 0.5, 0.9, 0.99, 0.999, 1.0, 1.01, 1.5)


def _log_integer(rng, low, high):
    return round(log_uniform(rng, low, high))


def _rows():
    rng = generator("iteration_shift_mu")
    rows = []
    diameters = (math.inf, 10.0, 1.0, 0.1, 1000.0, 0.3)
    for i, c in enumerate(LIPSCHITZ):
        for j, later in enumerate((0, 1, 7, 300)):  # one use
            rows.append((c, (1.0, 0.25, 3.0)[j % 3], 1.0, diameters[(i + j) % 6], 1, 1, later))
        for j, (uses, later) in enumerate(((4, 0), (10, 3), (60, 100))):  # used at every step
            rows.append((c, (1.0, 0.01, 40.0)[j], 1.0, diameters[(i + 2 * j) % 6], uses, 1, later))
    rows += [(c, 1.0, 1.0, math.inf, 60, 1, 0) for c in LIPSCHITZ]
    rows += [(c, 2.0, 1.0, 5.0, 20, 1, 0) for c in LIPSCHITZ]
    rows += [(c, 1.0, 1.0, (0.5, 2.0, 6.0)[i % 3], 12, 15, i % 4) for i, c in enumerate(LIPSCHITZ)]
    for k in range(70):
        c, shift = LIPSCHITZ[k % 8], rng.choice([1.0] * 4 + [0.5, 3.0, 1e-3, 0.1])
        noise = settled(shift * log_uniform(rng, 1e-3, 1e3))
        diameter = math.inf if rng.random() < 0.3 else settled(shift * log_uniform(rng, 0.1, 1000))
        uses = _log_integer(rng, 1, 60)
        gap = _log_integer(rng, 1, 200 if uses < 20 else 40)
        rows.append((c, noise, shift, diameter, uses, gap, _log_integer(rng, 1, 300) - 1))
    for c, diameter in ((0.99, math.inf), (0.999, 20.0), (1.0, math.inf), (1.0, 3.0), (1.01, 50.0)):
        rows.append((c, 1.0, 1.0, diameter, 60, 200, 300))
    rows += [(0.9, 1.0, 1.0, math.inf, 1, 1, later) for later in (1000, 3000)]
    rows += [(0.9, 0.5, 1.0, 0.1, 1, 1, 3000), (0.999, 1.0, 1.0, 2.0, 1, 1, 3000), (1.01, 1.0, 1.0, 2.0, 1, 1, 2000)]
    rows += [(1.0, 1.0, 1.0, math.inf, 1, 1, later) for later in (3000, 100000, 1000000)]
    rows += [(1.0, 1.0, 1.0, 0.5, 1, 1, later) for later in (3000, 100000, 1000000)]
    return unique(rows)


TABLES = [
    Table(
        "iteration_shift_mu", ("lipschitz", "noise", "shift", "diameter", "uses", "gap", "later"), _rows, mu, low=0
    ),
]
