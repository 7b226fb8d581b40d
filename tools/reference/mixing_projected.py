# SPDX-License-Identifier: Apache-2.0
"""Hockey-stick coefficient of x -> clip(psi(x) + noise, low, high), psi any c-Lipschitz map into [mean_low, mean_high].

Let T be the upper tail of the noise, g = e^epsilon, and u > v two means. The likelihood ratio of the clipped outputs
rises from the atom at low to the atom at high, so the best event is {y > low} or {y >= t} with t in (low, high]:

    T(t - u) - g T(t - v), t in [low, high].

It rises with u and falls with v, so u - v = w, the largest distance, and only s = t - v counts:

    f(s) = T(s - w) - g T(s),    w - B <= s <= A,    A = high - mean_low,    B = mean_high - low.

With the other mean first, everything is reflected: A and B change places. f rises up to the point s* where the
likelihood ratio is g, and falls after it; s* >= w/2. Since A + B >= w, one of the two ranges is best,

    kappa = f(s*, moved into [w - min(A, B), max(A, B)])_+ :

if min(A, B) >= w/2, both ranges begin before s* and the one that ends later is at least as good; if min(A, B) = m is
smaller, one range ends at m, the other one starts at w - m, and f(w - m) - f(m) = (g - 1) (T(m) - T(w - m)) >= 0 for
symmetric noise.
"""

import math
from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, settled, step, uniform, unique
from mixing_apply import is_positive
from normal import upper_tail
from rounding import to_mpf
from table import Table


def laplace_tail(x):
    return mp.exp(-x) / 2 if x >= 0 else 1 - mp.exp(x) / 2


def exactly(x):
    return x if math.isinf(x) else Fraction(x)


def difference(high, low):
    """high - low, a Fraction or inf."""
    return math.inf if math.inf in (high, -low) else exactly(high) - exactly(low)


def distance(low, high, lipschitz, mean_low, mean_high):
    return min(exactly(lipschitz) * difference(high, low), difference(mean_high, mean_low))


def place(best, w, low, high, mean_low, mean_high):
    """The point s, given s*."""
    a, b = difference(high, mean_low), difference(mean_high, low)
    return min(max(best, w - min(a, b)), max(a, b))


def coefficient(tail, sigma, w, s, epsilon):
    first = tail(to_mpf((s - w) / sigma))
    value = first - mp.exp(mp.mpf(epsilon)) * tail(to_mpf(s / sigma))
    return value if is_positive(value, first) else Fraction(0)


def gaussian(sigma, low, high, lipschitz, mean_low, mean_high, epsilon):
    sigma, w = Fraction(sigma), distance(low, high, lipschitz, mean_low, mean_high)
    best = w / 2 + sigma**2 * Fraction(epsilon) / w
    return coefficient(upper_tail, sigma, w, place(best, w, low, high, mean_low, mean_high), epsilon)


def laplace(sigma, low, high, lipschitz, mean_low, mean_high, epsilon):
    sigma, w = Fraction(sigma), distance(low, high, lipschitz, mean_low, mean_high)
    if Fraction(epsilon) * sigma >= w:
        return Fraction(0)
    best = (w + sigma * Fraction(epsilon)) / 2
    return coefficient(laplace_tail, sigma, w, place(best, w, low, high, mean_low, mean_high), epsilon)


# low, high, mean_low, mean_high
INF = math.inf
SHAPES = [
    (0.0, 1.0, 0.0, 1.0),  # means inside
    (0.0, 1.0, -INF, INF),  # means anywhere
    (-1.0, 1.0, -1.0, 1.0),
    (-1.0, 1.0, -1.5, 0.5),  # partly outside, on one side
    (0.0, 1.0, 0.25, 2.0),
    (0.0, 1.0, -3.0, 0.1),  # barely inside
    (0.0, 1.0, 1.5, 2.75),  # wholly above
    (0.0, 1.0, -1.25, -0.5),  # wholly below
    (0.0, 1.0, 0.4, 0.5),  # a narrow range
    (-2.0, 3.0, 0.0, INF),  # half-lines
    (-2.0, 3.0, -INF, 0.0),
    (0.0, 1.0, 4.0, INF),
    (0.0, 1.0, -INF, -2.5),
    (0.0, 30.0, 0.0, 1.0),  # much room for the threshold
    (0.0, 30.0, 20.0, 35.0),
    (0.0, 1e-3, 0.0, 1e-3),
    (-1e6, 1e6, -1e6, 1e6),
    (1e9, 1e9 + 1.0, 1e9, 1e9 + 1.0),  # far from 0
    (0.1, 0.7, 0.1, 0.7),  # differences that are no doubles
    (-0.3, 0.1, -0.4, 1e-20),
]
LIPSCHITZ = (0.1, 0.3, 0.5, 0.9, 1.0, 1.1, 2.0, 3.0)


def _numbers(shape, c):
    """(w, the smaller and the larger of A and B) as doubles, for choosing rows only."""
    low, high, mean_low, mean_high = shape
    a, b = difference(high, mean_low), difference(mean_high, low)
    return float(distance(low, high, c, mean_low, mean_high)), float(min(a, b)), float(max(a, b))


def _where_zero(tail, sigma, w, most):
    """About the epsilon from which kappa is 0: log(T(most - w) / T(most))."""
    if math.isinf(most):
        return math.inf
    with mp.workdps(40):
        return float(mp.log(tail(mp.mpf(most - w) / sigma)) - mp.log(tail(mp.mpf(most) / sigma)))


def _at(kappa, row, target, most):
    """The epsilon at which kappa, which falls, is about the target."""
    low, high = 0.0, most
    with mp.workdps(300):
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if to_mpf(kappa(*row, middle)) > target else (low, middle)
    return settled(low)


def _far(sigma, shape, c):
    w, _, _ = _numbers(shape, c)
    return w / sigma * (w / sigma / 2 + 45)


def _gaussian_rows():
    rng = generator("mixing_projected_gaussian_delta")
    rows = []

    def add(sigma, shape, c, epsilon):
        rows.append((sigma, *shape[:2], c, *shape[2:], settled(max(0.0, epsilon))))

    for k in range(120):
        shape, c = SHAPES[k % len(SHAPES)], LIPSCHITZ[(k + k // len(SHAPES)) % 8]
        w, least, most = _numbers(shape, c)
        sigma = settled(w * log_uniform(rng, 0.15, 8))
        zero = _where_zero(upper_tail, sigma, w, most)
        starts = w * (most - w / 2) / sigma**2  # where the upper end of the range binds
        ends = w * (w / 2 - least) / sigma**2  # where the lower end no longer binds
        kind = k // len(SHAPES)
        if ends > 0 and kind % 2 == 0:
            add(sigma, shape, c, ends * uniform(rng, 0, 1.3))
        elif kind == 1 and zero < INF:
            add(sigma, shape, c, starts + (zero - starts) * uniform(rng, 0, 1))
        elif kind == 2 and zero < INF:
            add(sigma, shape, c, zero * (1 - log_uniform(rng, 1e-9, 1e-1)))
        elif kind == 3 and zero < INF:
            add(sigma, shape, c, starts * uniform(rng, 0.5, 1.0))
        else:
            add(sigma, shape, c, w / sigma * (w / sigma / 2 + uniform(rng, -2, 8)))
    for shape in SHAPES:
        w, _, most = _numbers(shape, 1.0)
        zero = _where_zero(upper_tail, w, w, most)
        add(w, shape, 1.0, 0.0)
        if zero < INF:
            add(w, shape, 1.0, zero * 1.001)
    for shape, c, sigma in ((SHAPES[1], 1.0, 1.0), (SHAPES[1], 0.1, 3.0), (SHAPES[9], 2.0, 4.0), (SHAPES[13], 0.5, 1.0),
                            (SHAPES[13], 0.02, 0.7), (SHAPES[14], 1.0, 0.4)):
        row = (sigma, *shape[:2], c, *shape[2:])
        for target in (1e-20, 1e-100, 1e-250):
            rows.append((*row, _at(gaussian, row, target, _far(sigma, shape, c))))
    # means outside, so far that the output hardly moves
    for gap in (9.0, 21.0, 33.5, 38.0):
        rows += [(1.0, 0.0, 1.0, 1.0, 1.0 + gap, 3.0 + gap, e) for e in (0.0, 0.5)]
        rows += [(1.0, 0.0, 1.0, 2.0, -INF, -gap, e) for e in (0.0, 5.0)]
    for sigma in (1e20, 1e100, 1e250):
        rows += [(sigma, 0.0, 1.0, 1.0, *means, 0.0) for means in ((0.0, 1.0), (-INF, INF), (5.0, 9.0))]
        rows += [(sigma, 0.0, 1.0, 1.0, *means, settled(0.3 / sigma)) for means in ((0.0, 1.0), (-INF, INF))]
        rows += [(sigma, 0.0, 1.0, 1.0, 0.0, 1.0, settled(0.9 / sigma))]
    for sigma in (1e-2, 1e-3, 1e-8, 1e-100, 1e-200):
        rows += [(sigma, 0.0, 1.0, 1.0, 0.0, 1.0, e) for e in (0.0, 1.0, 700.0)]
        rows += [(sigma, 0.0, 1.0, 0.5, -0.1, 2.0, 3.0), (sigma, 0.0, 1.0, 3.0, -INF, INF, 1e4)]
    rows += [(1e-3, 0.0, 1.0, 1.0, 0.0, 1.0, e) for e in (4.9e5, 5e5, step(5e5, 1), 5.001e5, 5.00006e5)]
    rows += [(1e-3, 0.0, 1.0, 1.0, -INF, INF, e) for e in (4.9e5, 5e5, 5.1e5)]
    rows += [(1.0, 0.0, 1.0, 1.0, 0.0, 1.0, e) for e in (5e-324, 1e-300, 1e-16, 0.5, step(0.5, 1), 0.9, 1.1, 2.0, 1e3)]
    rows += [(1.0, 0.0, 1e-300, 1.0, 0.0, 1e-300, e) for e in (0.0, 1e-301)] + [(1.0, 0.0, 1e300, 1.0, 0.0, 1e300, 9.0)]
    rows += [(0.5, 0.0, 1.0, 1e-100, 0.0, 1.0, e) for e in (0.0, 1e-100, 3e-100)]
    rows.append((0.5, 0.0, 1.0, 1e6, 0.0, 1.0, 2.0))
    return unique(rows)


def _laplace_rows():
    rng = generator("mixing_projected_laplace_delta")
    rows = []

    def add(sigma, shape, c, epsilon):
        rows.append((sigma, *shape[:2], c, *shape[2:], settled(max(0.0, epsilon))))

    for k in range(120):
        shape, c = SHAPES[k % len(SHAPES)], LIPSCHITZ[(k + k // len(SHAPES)) % 8]
        w, least, most = _numbers(shape, c)
        sigma = settled(w * log_uniform(rng, 0.05, 8))
        zero = min(_where_zero(laplace_tail, sigma, w, most), w / sigma)
        starts, ends = (2 * most - w) / sigma, (w - 2 * least) / sigma
        kind = k // len(SHAPES)
        if ends > 0 and kind % 2 == 0:
            add(sigma, shape, c, min(ends, zero) * uniform(rng, 0, 1.1))
        elif kind == 1 and starts < zero:
            add(sigma, shape, c, starts + (zero - starts) * uniform(rng, 0, 1))
        elif kind == 2:
            add(sigma, shape, c, zero * (1 - log_uniform(rng, 1e-9, 1e-1)))
        elif kind == 3 and starts < zero:
            add(sigma, shape, c, starts * uniform(rng, 0.5, 1.0))
        else:
            add(sigma, shape, c, zero * uniform(rng, 0, 1))
    for shape in SHAPES:
        w, _, most = _numbers(shape, 1.0)
        add(w / 2, shape, 1.0, 0.0)
        add(w / 2, shape, 1.0, min(_where_zero(laplace_tail, w / 2, w, most), 2.0) * 1.001)
    # The upper end binds only if max(A, B) < w: means that reach beyond the domain.
    for c, means in ((2.0, (-1.0, 1.5)), (3.0, (-0.5, 1.75)), (3.0, (-0.875, 1.75)), (1.75, (0.0, 1.75))):
        for sigma in (0.05, 0.2, 1.0, 5.0):
            w, _, most = _numbers((0.0, 1.0, *means), c)
            zero = _where_zero(laplace_tail, sigma, w, most)
            for part in (0.3, 0.9, 0.999):
                add(sigma, (0.0, 1.0, *means), c, min(zero, w / sigma) * part)
    for gap in (46.0, 230.0, 575.0, 700.0):
        rows += [(1.0, 0.0, 1.0, 1.0, 1.0 + gap, 3.0 + gap, e) for e in (0.0, 0.5)]
        rows += [(1.0, 0.0, 1.0, 2.0, -INF, -gap, e) for e in (0.0, 1.9)]
    for sigma in (1e20, 1e100, 1e250):
        rows += [(sigma, 0.0, 1.0, 1.0, *means, 0.0) for means in ((0.0, 1.0), (-INF, INF), (5.0, 9.0))]
        rows += [(sigma, 0.0, 1.0, 1.0, *means, settled(0.3 / sigma)) for means in ((0.0, 1.0), (-INF, INF))]
        rows += [(sigma, 0.0, 1.0, 1.0, 0.0, 1.0, settled(0.999 / sigma))]
    for sigma in (1e-2, 1e-3, 1e-8, 1e-100, 1e-200):
        rows += [(sigma, 0.0, 1.0, 1.0, 0.0, 1.0, e) for e in (0.0, 1.0, 90.0)]
        rows += [(sigma, 0.0, 1.0, 0.5, -0.1, 2.0, 3.0), (sigma, 0.0, 1.0, 3.0, -INF, INF, 250.0)]
    rows += [(1.0, 0.0, 1.0, 1.0, 0.0, 1.0, e) for e in (5e-324, 1e-300, 1e-16, 0.5, step(1.0, -1), 1.0, 1.1, 1e3)]
    rows += [(1.0, 0.0, 1e-300, 1.0, 0.0, 1e-300, e) for e in (0.0, 1e-301)] + [(1.0, 0.0, 1e300, 1.0, 0.0, 1e300, 9.0)]
    rows += [(0.5, 0.0, 1.0, 1e-100, 0.0, 1.0, e) for e in (0.0, 1e-100, 3e-100)]
    rows.append((0.5, 0.0, 1.0, 1e6, 0.0, 1.0, 2.0))
    return unique(rows)


INPUTS = ("sigma", "low", "high", "lipschitz", "mean_low", "mean_high", "epsilon")

TABLES = [
    Table("mixing_projected_gaussian_delta", INPUTS, _gaussian_rows, gaussian, low=0, high=1, with_log=True),
    Table("mixing_projected_laplace_delta", INPUTS, _laplace_rows, laplace, low=0, high=1, with_log=True),
]
