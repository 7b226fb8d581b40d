# SPDX-License-Identifier: Apache-2.0
"""Recomputes rows of the mixing_* tables by a second route, as cross_check does for the other tables.

    python tools/reference/mixing_cross_check.py [check ...]
"""

import itertools
import math
import random
import sys
from fractions import Fraction

from mpmath import mp

import black_box
import mixing_projected
from cross_check import agree, hockey_stick, sample
from normal import upper_tail
from rounding import to_mpf

INF = math.inf


def divergence(p, q, growth):
    return sum(max(a - growth * b, 0) for a, b in zip(p, q))


def kappa_black_box(e, gamma, t):
    """The four-outcome pair of a black box."""
    return to_mpf(black_box.delta(e, gamma, t))


def applied(d, kappa, epsilon):
    """F(epsilon), as it is defined."""
    return mp.mpf(0) if d == 0 else d * kappa(mp.log1p(mp.expm1(mp.mpf(epsilon)) / d))


def check_rule():
    """F bounds every pair with delta(epsilon) = d, and P = d x + (1 - d) x', Q = x' attains it."""
    rng = random.Random("mixing rule")
    law = lambda n: [x / sum(row) for row in [[Fraction(rng.randrange(1, 99)) for _ in range(n)]] for x in row]
    push = lambda p, kernel: [sum(a * row[y] for a, row in zip(p, kernel)) for y in range(len(kernel[0]))]
    for _ in range(400):
        n, m, growth = rng.randint(2, 5), rng.randint(2, 5), 1 + Fraction(rng.randrange(0, 200), 100)
        kernel = [law(m) for _ in range(n)]
        kappa = lambda g: max(divergence(p, q, g) for p, q in itertools.permutations(kernel, 2))
        p, q = law(n), law(n)
        d = divergence(p, q, growth)
        bound = d * kappa(1 + (growth - 1) / d) if d else Fraction(0)
        assert divergence(push(p, kernel), push(q, kernel), growth) <= bound
        d = Fraction(rng.randrange(1, 100), 100)
        attained = 0
        for x, y in itertools.permutations(range(n), 2):
            p, q = [Fraction(0)] * n, [Fraction(0)] * n
            p[x], p[y], q[y] = d, 1 - d, Fraction(1)
            assert divergence(p, q, growth) == d
            attained = max(attained, divergence(push(p, kernel), push(q, kernel), growth))
        assert attained == d * kappa(1 + (growth - 1) / d)


def check_black_box():
    for row in sample("mixing_black_box_delta", 1000):
        e0, d0, e, gamma, epsilon, down, up = row[:7]
        if epsilon == e and d0 == 1:
            continue  # the logarithm below rounds to one side of e or the other
        with mp.workdps(1500):
            d = to_mpf(black_box.delta(e0, d0, epsilon))
            agree(row, down, up, applied(d, lambda t: kappa_black_box(e, gamma, t), epsilon))


def check_gaussian():
    for row in sample("mixing_gaussian_delta", 20, lambda mu, e, gamma, t, down, *_: down > 1e-150 and 0.01 < mu < 40):
        mu, epsilon = mp.mpf(row[0]), mp.mpf(row[3])
        with mp.workdps(60):
            density = lambda x: mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)
            size = upper_tail(epsilon / mu - mu / 2)
            widths = [1, 1 / max(1, epsilon / mu)]
            d = hockey_stick(density, mu, epsilon, mu / 2 + epsilon / mu, widths, size)
            edge = abs(d * mp.expm1(row[1]) - mp.expm1(epsilon)) / mp.expm1(epsilon) if epsilon else 1
        with mp.workdps(700):
            value = applied(d, lambda t: kappa_black_box(row[1], row[2], t), epsilon)
            if edge > 1e-6:
                agree(row, row[4], row[5], value, 1e-9)


def check_published():
    for name in ("doeblin", "ultra"):
        for row in sample("mixing_published_%s_delta" % name, 1000):
            e0, d0, gamma, epsilon, down, up = row[:6]
            with mp.workdps(1500):
                own = to_mpf(black_box.delta(e0, d0, epsilon))
                gamma, target = mp.mpf(gamma), mp.mpf(epsilon)
                stretched = mp.log1p(mp.expm1(target) / gamma)
                d, shrink = to_mpf(black_box.delta(e0, d0, stretched)), mp.exp(target - stretched)
                bound = gamma * (1 - shrink * (1 - d)) if name == "doeblin" else gamma * d * shrink
                agree(row, down, up, min(bound, own))


def gaussian_tail(x):
    return math.erfc(x / math.sqrt(2)) / 2


def laplace_tail(x):
    return math.exp(-x) / 2 if x > 0 else 1 - math.exp(x) / 2


class Clipped:
    """The law of clip(mean + noise, low, high)."""

    def __init__(self, tail, sigma, low, high, mean):
        self.tail, self.sigma, self.low, self.high, self.mean = tail, sigma, low, high, mean

    def above(self, t):
        """Pr[y > t]; the mass at the top counts for every t < high."""
        return 0.0 if t >= self.high else 1.0 if t < self.low else self.tail((t - self.mean) / self.sigma)

    def at_top(self):
        return self.tail((self.high - self.mean) / self.sigma)

    def below(self, t):
        """Pr[y < t], by the reflected tail, which loses no digits."""
        return 0.0 if t <= self.low else 1.0 if t > self.high else self.tail((self.mean - t) / self.sigma)

    def at_bottom(self):
        return self.tail((self.mean - self.low) / self.sigma)

    def cells(self, points):
        """The masses of the two ends and of the cells between the points low, ..., high."""
        masses = []
        for a, b in itertools.pairwise(points):
            if a + b > 2 * self.mean:
                masses.append(self.tail((a - self.mean) / self.sigma) - self.tail((b - self.mean) / self.sigma))
            else:
                masses.append(self.tail((self.mean - b) / self.sigma) - self.tail((self.mean - a) / self.sigma))
        return [self.at_bottom(), *masses, self.at_top()]


def on_half_lines(p, q, growth, points):
    """(the best of the half-lines, its threshold), both directions, with and without the ends."""
    low, high = p.low, p.high
    found = [(p.at_top() - growth * q.at_top(), high), (p.at_bottom() - growth * q.at_bottom(), low)]
    found += [(p.above(t) - growth * q.above(t), t) for t in points[:-1]]
    found += [(p.below(t) - growth * q.below(t), t) for t in points[1:]]
    return max(found)


def brute_force(tail, sigma, low, high, lipschitz, mean_low, mean_high, epsilon, count=40):
    """(best over half-lines, best over unions of cells) on grids of both means, the half-lines then refined."""
    growth = math.exp(epsilon)
    w = min(lipschitz * (high - low), mean_high - mean_low)
    left = max(mean_low, low - 2 * w - 8 * sigma) if mean_high > low - 2 * w - 8 * sigma else mean_high - 4 * w
    right = min(mean_high, high + 2 * w + 8 * sigma) if mean_low < high + 2 * w + 8 * sigma else mean_low + 4 * w
    left, right = max(mean_low, min(left, right - w)), min(mean_high, max(right, left + w))
    points = [low + (high - low) * k / count for k in range(count)] + [high]
    law = lambda mean: Clipped(tail, sigma, low, high, mean)
    value_at = lambda u, v, t: on_half_lines(law(u), law(v), growth, [t, t])[0]
    best, by_cells, span = 0.0, 0.0, max(right - left, high - low)
    for upward in (True, False):  # the order of the means
        found = (0.0, None)
        for apart in (w, 0.93 * w, 0.7 * w, 0.4 * w, 0.1 * w):
            room = max(0.0, right - left - apart)
            for k in range(count + 1):
                v = left + room * k / count
                means = (v + apart, v) if upward else (v, v + apart)
                p, q = map(law, means)
                value, t = on_half_lines(p, q, growth, points)
                if value > found[0]:
                    found = value, (*means, t)
                by_cells = max(by_cells, divergence(p.cells(points), q.cells(points), growth))
        # Pattern search over the two means and the threshold, kept inside what is allowed.
        size = span / count if found[1] else 0.0
        while size > 1e-11 * span:
            before = found
            for du, dv, dt in itertools.product((-size, 0, size), repeat=3):
                u, v, t = (x + dx for x, dx in zip(found[1], (du, dv, dt)))
                u, v, t = min(max(u, mean_low), mean_high), min(max(v, mean_low), mean_high), min(max(t, low), high)
                if abs(u - v) > w:  # move v back; the last bit of w must not push it out of the range
                    v = min(max(u - math.copysign(w, u - v), mean_low), mean_high)
                found = max(found, (value_at(u, v, t), (u, v, t)))
            size *= 0.5 if found[0] == before[0] else 1
        best = max(best, found[0])
    return best, by_cells


def random_case(rng):
    low, high = sorted((rng.uniform(-2, 2), rng.uniform(-2, 2)))
    width = high - low
    outside = lambda: rng.choice((low - rng.uniform(0, 2) * width, high + rng.uniform(0, 2) * width))
    mean_low, mean_high = sorted(rng.choice((end, rng.uniform(low, high), outside(), outside())) for end in (low, high))
    mean_low, mean_high = rng.choice(((mean_low, mean_high),) * 6 + ((-INF, mean_high), (mean_low, INF)))
    if not mean_low < mean_high:
        mean_low, mean_high = -INF, INF
    c = rng.choice((0.1, 0.5, 1.0, 1.7, 3.0))
    w = min(c * width, mean_high - mean_low)
    sigma = w * math.exp(rng.uniform(-2.5, 1.5))
    epsilon = rng.choice((0.0, rng.uniform(0, 1.2), rng.uniform(0, 3))) * w / sigma
    return sigma, low, high, c, mean_low, mean_high, epsilon


def _projected(name, tail, closed):
    rng = random.Random("mixing projected " + name)
    keep = lambda *row: row[7] > 1e-9 and row[6] < 25 and row[0] < 1e5 * (row[2] - row[1]) and abs(row[1]) < 1e7
    cases = [row[:7] for row in sample("mixing_projected_%s_delta" % name, 40, keep)]
    cases += [random_case(rng) for _ in range(110)]
    zeros = upper = lower = 0
    for case in cases:
        with mp.workdps(60):
            truth = float(closed(*case))
        half_lines, by_cells = brute_force(tail, *case)
        tolerance = 1e-15 * math.exp(case[6]) + 1e-9 * truth
        if max(half_lines, by_cells) > truth + tolerance or half_lines < truth * (1 - 1e-6) - tolerance:
            raise SystemExit("%s: closed form %r, half-lines %r, cells %r" % (case, truth, half_lines, by_cells))
        zeros += truth == 0
        # how often each end of the range binds
        sigma, low, high, c, mean_low, mean_high, epsilon = case
        w = float(mixing_projected.distance(low, high, c, mean_low, mean_high))
        best = w / 2 + sigma**2 * epsilon / w if name == "gaussian" else (w + sigma * epsilon) / 2
        a, b = high - mean_low, mean_high - low
        upper += best > max(a, b) and truth > 0
        lower += best < w - min(a, b)
    print("  %s: %d cases, %d zero, upper end %d times, lower end %d times" % (name, len(cases), zeros, upper, lower))
    assert upper > 3 and lower > 3


def check_projected_gaussian():
    _projected("gaussian", gaussian_tail, mixing_projected.gaussian)


def check_projected_laplace():
    _projected("laplace", laplace_tail, mixing_projected.laplace)


def check_projected_deep():
    """Rows too small for the brute force, in 150 digits: thresholds on a grid, means searched; and vice versa."""
    tails = {"gaussian": upper_tail, "laplace": mixing_projected.laplace_tail}
    for name, tail in tails.items():
        keep = lambda *row: 0 < row[7] < 1e-9 and row[0] < 1e6 and min(row[3], row[2] - row[1]) > 1e-40
        for row in sample("mixing_projected_%s_delta" % name, 12, keep):
            with mp.workdps(150):
                sigma, low, high, c, mean_low, mean_high, epsilon = map(mp.mpf, row[:7])
                w, growth = min(c * (high - low), mean_high - mean_low), mp.exp(epsilon)
                left = min(low, mean_high) - 500 * sigma if mean_low == -mp.inf else mean_low
                right = max(high, mean_low) + 500 * sigma if mean_high == mp.inf else mean_high
                best = mp.mpf(0)
                for k, side, apart in itertools.product(range(3), (1, -1), (w, w * 0.9)):
                    # The event lies beyond t, on one side; s is how far t is beyond the mean that is farther from it.
                    f = lambda s: tail((s - apart) / sigma) - growth * tail(s / sigma)
                    t = low + (high - low) * k / 2
                    v = left + (right - left - apart) * k / 2
                    u = v + apart
                    for ends in (
                        ((t - right + apart, t - left), (low - v, high - v))
                        if side == 1
                        else ((left + apart - t, right - t), (u - high, u - low))
                    ):
                        best = max(best, _highest(f, *ends))
                if not (row[7] * (1 - 1e-9) <= best <= row[8] * (1 + 1e-15)):
                    raise SystemExit("%s: %s" % (row, mp.nstr(best, 20)))


def _highest(f, low, high):
    """The largest value of a function that rises, perhaps invisibly, and then falls."""
    for _ in range(110):
        a, b = low + (high - low) * 0.4, low + (high - low) * 0.6
        low, high = (a, high) if f(a) <= f(b) else (low, b)
    return max(f(low), f(high))


def powered(rows, steps):
    return mp.matrix(rows) ** int(steps)


def kappa_of(matrix, epsilon):
    growth, rows = mp.exp(epsilon), matrix.tolist()
    return max(divergence(p, q, growth) for p, q in itertools.permutations(rows, 2))


def check_finite():
    def read(name):
        for row in sample(name, 1000):
            rows = [[mp.mpf(x) for x in row[i : i + 3]] for i in (0, 3, 6)]
            yield row, powered([[x / mp.fsum(r) for x in r] for r in rows], row[9])

    with mp.workdps(1500):
        for row, matrix in read("mixing_finite_hockey"):
            value = kappa_of(matrix, mp.mpf(row[10]))
            agree(row, row[11], row[12], value if value > mp.mpf(10) ** -1400 else mp.mpf(0))
        for row, matrix in read("mixing_finite_doeblin"):
            value = 1 - sum(min(matrix[x, y] for x in range(3)) for y in range(3))
            agree(row, row[10], row[11], value if abs(value) > mp.mpf(10) ** -1400 else mp.mpf(0))
        for row, matrix in read("mixing_finite_ultra"):
            value = mp.mpf(0)
            for x, z, y in itertools.product(range(3), repeat=3):
                if matrix[x, y] or matrix[z, y]:
                    value = max(value, mp.log(matrix[x, y] / matrix[z, y]))
            agree(row, row[10], row[11], value if value > mp.mpf(10) ** -1400 else mp.mpf(0))


def check_k_ary():
    for row in sample("mixing_k_ary_delta", 1000, lambda k, *_: k <= 10):
        k, p, steps, epsilon = int(row[0]), mp.mpf(row[1]), int(row[2]), mp.mpf(row[3])
        assert 0 <= p <= 1
        with mp.workdps(1500):
            matrix = powered([[p if x == y else (1 - p) / (k - 1) for y in range(k)] for x in range(k)], steps)
            value = kappa_of(matrix, epsilon)
            if p == mp.mpf(1) / k:
                value = mp.mpf(0)
            agree(row, row[4], row[5], value if value > mp.mpf(10) ** -1400 else mp.mpf(0))


def check_geometric():
    """The kernel from the law of G itself, cut far out."""
    for row in sample("mixing_geometric_delta", 60, lambda n, a, steps, *_: a < 0.9):
        n, ratio, steps, epsilon = int(row[0]), mp.mpf(row[1]), int(row[2]), mp.mpf(row[3])
        with mp.workdps(500):
            reach = n + int(mp.ceil(-500 * mp.log(10) / mp.log(ratio)))
            law = lambda j: (1 - ratio) / (1 + ratio) * ratio ** abs(j)
            rows = [[mp.mpf(0)] * n for _ in range(n)]
            for x in range(n):
                for j in range(-reach, reach + 1):
                    rows[x][min(max(x + j, 0), n - 1)] += law(j)
            value = kappa_of(powered(rows, steps), epsilon)
            agree(row, row[4], row[5], value if value > mp.mpf(10) ** -450 else mp.mpf(0))


def main():
    checks = {name[6:]: check for name, check in globals().items() if name.startswith("check_")}
    for name in sys.argv[1:] or checks:
        checks[name]()
        print("%s: agree" % name, flush=True)


if __name__ == "__main__":
    main()
