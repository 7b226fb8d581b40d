# SPDX-License-Identifier: Apache-2.0
"""Recomputes rows of the iteration_* tables by a second route, as cross_check does for the other tables.

    python tools/reference/iteration_cross_check.py [check ...]
"""

import itertools
import math
import random
import sys
from fractions import Fraction

from mpmath import mp

import composed_poisson_gaussian
import iteration_contraction
import iteration_sampled
import iteration_shift
from cross_check import agree, sample
from normal import density, upper_tail
from roots import bracketed_root


def plain_theta(epsilon, r):
    return upper_tail(epsilon / r - r / 2) - mp.exp(epsilon) * upper_tail(epsilon / r + r / 2)


def steps_of(uses, gap, later):
    return 1 + (uses - 1) * gap + later


def subset_minimum(c, shifts, start):
    """The least sum of a_t^2, exactly: z_t = 0 on each subset of the steps in turn, the others free."""
    steps, best = len(shifts), None
    for count in range(steps):
        for zeros in itertools.combinations(range(1, steps), count):
            z, total, feasible = start, Fraction(0), True
            for a, b in itertools.pairwise((0, *zeros, steps)):
                # minimise over a_(a+1), ..., a_b with z_b = 0: they are proportional to c^(b - t)
                reach = z * c ** (b - a) + sum(c ** (b - 1 - t) * shifts[t] for t in range(a, b))
                weight = sum(c ** (2 * (b - 1 - t)) for t in range(a, b))
                for t in range(a, b):
                    z = c * z + shifts[t] - reach * c ** (b - 1 - t) / weight
                    feasible = feasible and z >= 0
                total += reach**2 / weight
            if feasible and (best is None or total < best):
                best = total
    return best


def check_shift_subsets():
    rng = random.Random("iteration_shift_mu")
    cases = [row[:7] for row in sample("iteration_shift_mu", 1000) if steps_of(*row[4:7]) <= 8]
    while len(cases) < 60:
        uses, gap = rng.randint(1, 4), rng.randint(1, 3)
        if steps_of(uses, gap, 2) <= 9:
            c, d = rng.choice(iteration_shift.LIPSCHITZ), rng.choice((math.inf, 0.1, 0.5, 1.0, 2.0, 5.0))
            cases.append((c, rng.choice((0.5, 1.0, 3.0)), rng.choice((1.0, 0.3)), d, uses, gap, rng.randint(0, 2)))
    for c, noise, shift, diameter, uses, gap, later in cases:
        uses, gap, later = int(uses), int(gap), int(later)
        used = {1 + k * gap for k in range(uses)}
        shifts = [Fraction(shift) if t in used else Fraction(0) for t in range(1, steps_of(uses, gap, later) + 1)]
        best = subset_minimum(Fraction(c), shifts, Fraction(0))
        if diameter < math.inf:
            restarts = [subset_minimum(Fraction(c), shifts[t:], Fraction(diameter)) for t in range(len(shifts))]
            best = min([best] + restarts)
        with mp.workdps(60):
            square = mp.mpf(best.numerator) / best.denominator
            ours = iteration_shift.minimum(c, noise, shift, diameter, uses, gap, len(shifts))[0]
            agree((c, noise, shift, diameter, uses, gap, later), ours, ours, square / mp.mpf(noise) ** 2, 1e-50)


def pooled_minimum(c, shifts, start):
    """The least sum of a_t^2: pools adjacent steps until the slopes increase, with no use of the corners."""
    pools = []
    for t, shift in enumerate(shifts, 1):
        pools.append(((shift + (c * start if t == 1 else 0)) * c**-t, c ** (-2 * t)))
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] > pools[-1][0] * pools[-2][1]:
            rise, width = pools.pop()
            pools[-1] = pools[-1][0] + rise, pools[-1][1] + width
    return sum(rise**2 / width for rise, width in pools)


def check_shift_pools():
    for row in sample("iteration_shift_mu", 1000, lambda c, s, d, diameter, u, g, r, *_: steps_of(u, g, r) <= 3001):
        c, noise, shift = map(mp.mpf, row[:3])
        used = {1 + k * int(row[5]) for k in range(int(row[4]))}
        steps = int(steps_of(*row[4:7]))
        if row[3] < math.inf and steps > 120:
            continue
        # c^(-2 steps) must not swamp the rest
        with mp.workdps(40 + math.ceil(2 * steps * abs(math.log10(row[0])))):
            shifts = [shift if t in used else mp.mpf(0) for t in range(1, steps + 1)]
            best = pooled_minimum(c, shifts, mp.mpf(0))
            if row[3] < math.inf:
                best = min([best] + [pooled_minimum(c, shifts[t:], mp.mpf(row[3])) for t in range(steps)])
            agree(row, row[7], row[8], mp.sqrt(best) / noise)


def check_shift_closed_form():
    """One use: the shift over all steps, or the diameter over all but the first."""
    for row in sample("iteration_shift_mu", 1000, lambda c, s, d, diameter, uses, *_: uses == 1):
        c, noise, shift, diameter = map(mp.mpf, row[:4])
        r = int(row[6])
        with mp.workdps(50):
            total = mp.mpf(r) if c == 1 else (c ** (-2 * r) - 1) / (1 - c * c)
            levels = [shift / mp.sqrt(1 + total)] + ([diameter / mp.sqrt(total)] if r else [])
            agree(row, row[7], row[8], min(levels) / noise)


def check_chains():
    """Every way to split the later steps into blocks, with theta as it is defined and no logarithms."""
    keep = lambda c, s, d, diameter, r, e, down, up: r <= 8 and -1e5 < down < -1e-6
    with mp.workdps(80):
        for row in sample("iteration_best_logdelta", 40, keep):
            c, s, shift, diameter, _, e = map(mp.mpf, row[:6])
            r, growth = int(row[4]), mp.expm1(e)
            reach = lambda first, last: mp.sqrt(sum(c ** (-2 * j) for j in range(first, last + 1)))

            def image(d, m):
                if diameter == mp.inf:
                    return d
                return d * plain_theta(mp.log(1 + growth / d), diameter / (s * reach(1, m)))

            starts = [plain_theta(e, shift / (s * reach(0, k))) for k in range(r + 1)]
            if diameter < mp.inf:
                starts[1:] = [min(x, plain_theta(e, diameter / (s * reach(1, k)))) for k, x in enumerate(starts) if k]
            best = starts[r]
            for k, d in enumerate(starts[:r]):
                rest = r - k
                for cuts in range(2 ** (rest - 1)):
                    sizes = [1]
                    for j in range(rest - 1):
                        sizes[-1:] = [sizes[-1], 1] if cuts >> j & 1 else [sizes[-1] + 1]
                    value = d
                    for m in sizes:
                        value = image(value, m)
                    best = min(best, value)
            agree(row, row[6], row[7], mp.log(best))
        for row in sample("iteration_contraction_logdelta", 60, keep):
            c, s, shift, diameter, _, e = map(mp.mpf, row[:6])
            d = plain_theta(e, shift / s)
            for _ in range(int(row[4])):
                d *= plain_theta(mp.log(1 + mp.expm1(e) / d), c * diameter / s)
            agree(row, row[6], row[7], mp.log(d))
        for row in sample("iteration_asoodeh_logdelta", 60, keep):
            c, s, shift, diameter, r, e = map(mp.mpf, row[:6])
            agree(row, row[6], row[7], mp.log(plain_theta(e, shift / s) * plain_theta(e, c * diameter / s) ** int(r)))


def check_order():
    """best <= contraction <= asoodeh on the rows they share."""
    names = ["iteration_%s_logdelta" % name for name in ("best", "contraction", "asoodeh")]
    tables = [{tuple(row[:6]): row[6] for row in sample(name, 1000)} for name in names]
    for inputs, ours in tables[0].items():
        if inputs[3] < math.inf and not ours <= tables[1][inputs] <= tables[2][inputs]:
            raise SystemExit("order at %s" % (inputs,))


def check_deep_chains():
    """Far out, log theta = -a^2/2 - log(sqrt(2 pi) a b / r) up to a relative error of 3 / a^2."""
    keep = lambda c, s, d, diameter, r, e, down, up: r and down < -1e8
    for row in sample("iteration_contraction_logdelta", 60, keep):
        c, s, shift, diameter, r, e = map(mp.mpf, row[:6])
        with mp.workdps(700):
            inputs = (*row[:4], row[4] - 1, row[5])
            before = iteration_contraction.contraction(*inputs)
            level = c * diameter / s
            a = (mp.log(mp.expm1(e)) - before) / level - level / 2
            last = -a * a / 2 - mp.log(mp.sqrt(2 * mp.pi) * a * (a + level) / level)
            agree(row, row[6], row[7], before + last, 1e-12)


def check_laplace():
    """d e^(log(1 + (g - 1) / d) / 2) = sqrt(d (d + g - 1))."""
    with mp.workdps(60):
        for row in sample("iteration_laplace_logdelta", 1000):
            c, b, shift, diameter, r, e = map(mp.mpf, row[:6])
            d = 1 - mp.exp((e - shift / b) / 2)
            for _ in range(int(r)):
                d = d - mp.sqrt(d * (d + mp.exp(e) - 1)) * mp.exp(-c * diameter / (2 * b)) if d > 0 else d
            if row[6] == -math.inf:
                assert d <= 0, row
            else:
                agree(row, row[6], row[7], mp.log(d))


def check_stop():
    """V_i by the backward recursion of I2, from every last step."""
    for row in sample("iteration_stop_delta", 50, lambda c, s, d, steps, *_: steps <= 1000):
        c, s, shift = map(mp.mpf, row[:3])
        steps, index, e = int(row[3]), int(row[4]), mp.mpf(row[5])
        with mp.workdps(420):
            total, variance = mp.mpf(0), s * s
            for _ in range(index, steps + 1):
                level = shift / mp.sqrt(variance)
                if (e / level - level / 2) ** 2 < 1600:
                    total += plain_theta(e, level)
                variance = s * s + variance / (c * c)
            agree(row, row[6], row[7], total / steps)


def check_sampled_special():
    """No move is poisson_gaussian, rate 1 is normal, one copy has a closed form."""
    with mp.workdps(50):
        for jump, rate, steps, e in ((0.5, 0.1, 50, 1.0), (1.0, 0.01, 10, 0.5), (2.0, 0.5, 400, 600.0)):
            for direction in (0, 1):
                first = iteration_sampled.inverted(0.0, jump, rate, steps, direction, e)
                second = composed_poisson_gaussian.delta(1 / jump, rate, steps, direction, e)
                agree((jump, rate, steps, e, direction), first, first, second, 1e-25)
        for move, jump, steps, e in ((0.01, 1.0, 10, 4.0), (0.3, 0.5, 50, 30.0), (0.05, 2.0, 2, 1.0)):
            level = mp.sqrt(steps) * (mp.mpf(move) + jump)
            for direction in (0, 1):
                first = iteration_sampled.inverted(move, jump, 1.0, steps, direction, e)
                agree((move, jump, steps, e, direction), first, first, plain_theta(mp.mpf(e), level), 1e-25)
        for move, jump, rate, e in ((0.3, 1.0, 0.1, 1.0), (0.3, 0.5, 0.5, 0.5), (0.05, 0.1, 0.1, 0.05)):
            for direction in (0, 1):
                first = iteration_sampled.inverted(move, jump, rate, 1, direction, e)
                second = iteration_sampled.once(move, jump, rate, direction, e)
                agree((move, jump, rate, e, direction), first, first, second, 1e-25)


def check_sampled_twice():
    """The integral of the hockey-stick over the first output, the second in closed form."""
    with mp.workdps(30):
        for row in sample("iteration_sampled_delta", 5, lambda move, jump, rate, steps, *_: steps == 2 and move > 0):
            move, jump, rate, _, epsilon = row[:5]
            m, j, p = map(mp.mpf, row[:3])
            log_w = lambda x: m * x - m * m / 2 + mp.log(1 - p + p * mp.exp(j * (x - m) - j * j / 2))
            values = []
            for direction in (0, 1):
                # (w w' - g)_+ = w (w' - g / w)_+ and (1 - g w w')_+: the closed form at another, maybe negative, level
                def outer(x):
                    level = log_w(x)
                    if direction == 0:
                        return density(x) * mp.exp(level) * iteration_sampled.once(move, jump, rate, 0, epsilon - level)
                    return density(x) * iteration_sampled.once(move, jump, rate, 1, epsilon + level)

                # almost a kink where the second output's point runs off to the left
                target = (-mp.mpf(epsilon) if direction else mp.mpf(epsilon)) - mp.log(1 - p)
                kink = bracketed_root(lambda x: log_w(x) - target, mp.mpf(-1e6), mp.mpf(1e6))
                points = {mp.mpf(k) / 2 for k in range(-24, 45)}
                points = sorted(points | {kink + side * mp.mpf(2) ** -k for k in range(12) for side in (-1, 1)})
                values.append(mp.quad(outer, points, maxdegree=4, method="gauss-legendre"))
            agree(row, row[5], row[6], max(values), 1e-9)


def main():
    checks = {name[6:]: check for name, check in globals().items() if name.startswith("check_")}
    for name in sys.argv[1:] or checks:
        checks[name]()
        print("%s: agree" % name, flush=True)


if __name__ == "__main__":
    main()
