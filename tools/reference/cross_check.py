# SPDX-License-Identifier: Apache-2.0
"""Recomputes a sample of every table by a second route: quadrature, plain summation, grids, inverse functions.

    python tools/reference/cross_check.py [check ...]
"""

import cmath
import math
import os
import random
import sys
from fractions import Fraction

from mpmath import mp

import bromwich
import composed_laplace
import composed_poisson_gaussian
import gaussian
import gaussian_sums
import laplace
import renyi_conversion
import twice_laplace
import with_replacement
from generate import DATA
from rounding import round_down, round_up
from table import read


def sample(name, count, keep=lambda *row: True):
    """Rows of a committed table, as doubles."""
    _, lines = read(os.path.join(DATA, name + ".csv"))
    rows = [[float.fromhex(cell) for cell in line] for line in lines]
    rows = [row for row in rows if keep(*row)]
    return random.Random(name).sample(rows, min(count, len(rows)))


def agree(row, down, up, second, tolerance=1e-18):
    """The second value lies in [down, up], up to its own relative error."""
    slack = abs(second) * tolerance
    if not (down - slack <= second <= up + slack):
        raise SystemExit("%s: table [%r, %r], second route %s" % (row, down, up, mp.nstr(second, 25)))


def hockey_stick(density, sens, epsilon, crossing, widths, size):
    """Integral of (f(x - sens) - e^epsilon f(x))_+, broken at the kinks and at multiples of the widths around them.

    mp.quad stops at an absolute error, so the integrand is divided by the expected size.
    """
    growth = mp.exp(epsilon)
    kinks = [mp.mpf(0), sens, crossing]
    points = {k + side * w * 2**j for k in kinks for w in widths for j in range(-1, 9) for side in (-1, 1)}
    points = sorted(points | set(kinks))
    return size * mp.quad(
        lambda x: max(mp.mpf(0), density(x - sens) - growth * density(x)) / size, points, method="gauss-legendre"
    )


def check_gaussian_delta():
    for row in sample("gaussian_delta", 15, lambda s, d, e, down, *_: down > 1e-200 and 0.01 < s / d < 1e6):
        sigma, sens, epsilon = map(mp.mpf, row[:3])
        density = lambda x: mp.exp(-((x / sigma) ** 2) / 2) / (sigma * mp.sqrt(2 * mp.pi))
        crossing = sens / 2 + epsilon * sigma**2 / sens
        value = hockey_stick(density, sens, epsilon, crossing, [sigma, sigma / max(1, epsilon * sigma / sens)], row[3])
        agree(row, row[3], row[4], value, 1e-15)


def check_laplace_delta():
    for row in sample("laplace_delta", 15, lambda b, d, e, down, *_: down > 1e-12 and 1e-3 < d / b < 50):
        scale, sens, epsilon = map(mp.mpf, row[:3])
        density = lambda x: mp.exp(-abs(x) / scale) / (2 * scale)
        value = hockey_stick(density, sens, epsilon, (sens + scale * epsilon) / 2, [scale], row[3])
        agree(row, row[3], row[4], value, 1e-15)


def check_twice_laplace_density():
    for l1, l2 in ((1, 2), (3, 1), (0.1, 5), (1, 1), (1, 1 + 2.0**-52)):
        law, l1, l2 = twice_laplace.Law(l1, l2), mp.mpf(l1), mp.mpf(l2)
        for x in (0, 0.3, 1, 7):
            convolved = mp.quad(
                lambda t: mp.exp(-abs(t) / l1 - abs(x - t) / l2) / (4 * l1 * l2), [-mp.inf, 0, mp.mpf(x) / 2, x, mp.inf]
            )
            agree((l1, l2, x), law.density(x), law.density(x), convolved, 1e-15)


def check_twice_laplace_delta():
    keep = lambda a, b, d, e, down, *_: down > 1e-200 and max(a, b) / min(a, b) < 1e4 and 1e-3 < d / max(a, b) < 50
    for row in sample("twice_laplace_delta", 24, keep):
        l1, l2, sens, epsilon = row[0], row[1], mp.mpf(row[2]), mp.mpf(row[3])
        law = twice_laplace.Law(l1, l2)
        crossing = law.crossing(sens, epsilon)
        value = hockey_stick(law.density, sens, epsilon, crossing, [law.wide, law.narrow], row[4])
        agree(row, row[4], row[5], value, 1e-15)


def check_epsilon_tables():
    """delta at the two doubles around epsilon lies on either side of the target."""
    for name, delta in (
        ("gaussian_epsilon", gaussian.delta),
        ("laplace_epsilon", laplace.delta),
        ("twice_laplace_epsilon", twice_laplace.delta),
    ):
        for row in sample(name, 60):
            *mechanism, target, down, up = row
            with mp.workdps(700):
                at_up = delta(*mechanism, up)
                at_down = delta(*mechanism, down) if down > 0 else mp.inf
                if not (at_up <= target and (at_down > target or down == up)):
                    raise SystemExit("%s %s" % (name, row))


def _brute(weights, d, epsilon):
    total = sum(weights.values())
    growth = mp.exp(mp.mpf(epsilon))
    terms = (weights[x - d] - growth * weights[x] for x in range(min(weights) + d, max(weights)))
    return sum(t for t in terms if t > 0) / total


def check_discrete_delta():
    """Every integer, with no use of the shape of the likelihood ratio."""
    with mp.workdps(60):
        for row in sample("discrete_laplace_delta", 25, lambda s, d, e, down, *_: s < 15 and d <= 50 and down > 1e-10):
            scale, d, epsilon = row[0], int(row[1]), row[2]
            reach = int(90 * scale) + 2 * d + 5
            weights = {x: mp.exp(-abs(x) / mp.mpf(scale)) for x in range(-reach, reach + 1)}
            agree(row, row[3], row[4], _brute(weights, d, epsilon))
        for row in sample("discrete_gaussian_delta", 25, lambda s, d, e, down, *_: s < 15 and down > 1e-250):
            sigma, d, epsilon = row[0], int(row[1]), row[2]
            reach = int(45 * sigma) + 2 * d + 5
            weights = {x: mp.exp(-mp.mpf(x) ** 2 / (2 * mp.mpf(sigma) ** 2)) for x in range(-reach, reach + 1)}
            agree(row, row[3], row[4], _brute(weights, d, epsilon))


def check_gaussian_sums():
    """Euler-Maclaurin and Poisson summation against plain summation, to 100 digits."""
    with mp.workdps(110):
        for start in (-200, -3, 0, 1, 17, 60, 500, 1900):
            first, second = gaussian_sums.direct(50.0, start), gaussian_sums.euler_maclaurin(50.0, start)
            agree(("euler_maclaurin", start), first, first, second, mp.mpf(10) ** -100)
        for sigma in (0.3, 1.0, 5.0):
            for shift in (Fraction(0), Fraction(1, 2), Fraction(1, 7)):
                plain = gaussian_sums.shifted_whole_sum(sigma, shift)
                poisson = gaussian_sums.poisson_sum(sigma, shift)
                agree(("poisson", sigma, shift), plain, plain, poisson, mp.mpf(10) ** -100)


def check_renyi_tables():
    with mp.workdps(40):
        for row in sample("laplace_rdp", 12, lambda b, d, a, *_: 0.05 < d / b < 20 and a < 50):
            scale, sens, alpha = map(mp.mpf, row[:3])
            f = lambda x: mp.exp(-alpha * abs(x - sens) / scale - (1 - alpha) * abs(x) / scale) / (2 * scale)
            points = [-90 * scale, -10 * scale, 0, sens / 2, sens, sens + 10 * scale, sens + 90 * scale]
            agree(row, row[3], row[4], mp.log(mp.quad(f, points)) / (alpha - 1), 1e-14)
        keep = lambda a, b, d, alpha, *_: max(a, b) / min(a, b) < 50 and alpha < 20
        for row in sample("twice_laplace_rdp", 12, keep):
            law, sens, alpha = twice_laplace.Law(*row[:2]), mp.mpf(row[2]), mp.mpf(row[3])
            f = lambda x: law.density(x - sens) ** alpha * law.density(x) ** (1 - alpha)
            far = [law.wide * k for k in (90, 30, 10, 3, 1)] + [law.narrow * k for k in (1, 0.3)]
            points = sorted({-x for x in far} | {0, sens / 2, sens} | {sens + x for x in far})
            agree(row, row[4], row[5], mp.log(mp.quad(f, points)) / (alpha - 1), 1e-14)
        for name, weight in (
            ("discrete_laplace_rdp", lambda x, s: -abs(x) / s),
            ("discrete_gaussian_rdp", lambda x, s: -(x**2) / (2 * s**2)),
        ):
            for row in sample(name, 15, lambda s, d, a, *_: 0.1 < s < 15 and d <= 5 and 1.01 < a < 100):
                s, d, alpha = mp.mpf(row[0]), int(row[1]), mp.mpf(row[2])
                reach = range(-int(90 * s) - 600, int(90 * s) + 600)
                logs = {x: weight(mp.mpf(x), s) for x in range(reach[0] - d, reach[-1] + 1)}
                power = sum(mp.exp(alpha * logs[x - d] + (1 - alpha) * logs[x]) for x in reach)
                agree(row, row[3], row[4], mp.log(power / sum(mp.exp(logs[x]) for x in reach)) / (alpha - 1), 1e-15)


def check_renyi_conversion():
    """C3 as printed has its equality at the tabulated epsilon, and no pair on a grid does better."""
    for row in sample("renyi_conversion", 25, lambda a, r, d, down, up: down > 1e-3 and d > 1e-30 and a < 2000):
        alpha, rho, delta, down, up = map(mp.mpf, row)
        level = mp.exp((alpha - 1) * rho)

        def worst(epsilon):
            """min over p of the left side of C3 divided by its right side."""
            g = mp.exp(epsilon)

            def side(t):
                above, r = (1 - delta) / (1 + mp.exp(-t)), (1 - delta) / (1 + mp.exp(t))
                return (above + delta) ** alpha * above ** (1 - alpha) + r**alpha * (g - above) ** (1 - alpha)

            grid = [mp.mpf(k) / 4 for k in range(-320, 321)]
            best = min(range(1, 640), key=lambda k: side(grid[k]))
            a, b = grid[best - 1], grid[best + 1]
            for _ in range(90):
                x, y = a + (b - a) * 0.382, a + (b - a) * 0.618
                a, b = (a, y) if side(x) < side(y) else (x, b)
            lowest = min(side(a), mp.mpf(1) * (1 - delta) ** (1 - alpha))
            return lowest * mp.exp((alpha - 1) * epsilon) / level

        if not (worst(up + up * 1e-12) >= 1 > worst(down - down * 1e-12)):
            raise SystemExit("renyi_conversion %s: C3 has its equality elsewhere" % row)
        best = mp.mpf(0)
        for k in range(-120, 121):
            above = (1 - delta) / (1 + mp.exp(-mp.mpf(k) / 4))
            p = above + delta
            low, high = (alpha * mp.log(p) - mp.log(level)) / (alpha - 1) - 1, mp.log(p)
            for _ in range(80):
                u = (low + high) / 2
                q = mp.exp(u)
                over = p**alpha * q ** (1 - alpha) + (1 - p) ** alpha * (1 - q) ** (1 - alpha) > level
                low, high = (u, high) if over else (low, u)
            best = max(best, mp.log(above) - high)
        if not (best <= up * (1 + 1e-12) and best > 0.9 * down - 0.1):
            raise SystemExit("renyi_conversion %s: grid finds %s" % (row, mp.nstr(best, 15)))
    with mp.workdps(40):
        example = renyi_conversion.epsilon(1.5, 0.05, 0.01)
        agree("C3 example", mp.mpf("1.2865"), mp.mpf("1.2875"), example)


def positive_part(difference, kinks, widths, size):
    """Integral of the positive part of a function, broken like hockey_stick."""
    points = {k + side * w * 2**j for k in kinks for w in widths for j in range(-2, 9) for side in (-1, 1)}
    return size * mp.quad(
        lambda x: max(mp.mpf(0), difference(x)) / size, sorted(points | set(kinks)), method="gauss-legendre"
    )


def bisect(f, low, high):
    """Where f changes its sign, to 40 digits, or None."""
    if (f(low) > 0) == (f(high) > 0):
        return None
    rising = f(high) > 0
    for _ in range(180):
        middle = (low + high) / 2
        low, high = (low, middle) if (f(middle) > 0) == rising else (middle, high)
    return low


def mixture(parts, s):
    """The density of a mixture of normal laws, parts = [(weight, mean)]."""
    return lambda x: sum(b * mp.exp(-(((x - k) / s) ** 2) / 2) for b, k in parts) / (s * mp.sqrt(2 * mp.pi))


def compare_mixtures(row, first, second, sigma, epsilon, down, up):
    """A pair of mixtures of normal laws: the integral of [first - e^epsilon second]_+, the kink found by bisection."""
    s, growth = mp.mpf(sigma), mp.exp(mp.mpf(epsilon))
    p, q = mixture(first, s), mixture(second, s)
    difference = lambda x: p(x) - growth * q(x)
    reach = 60 * s + max(k for _, k in first + second)
    kink = bisect(difference, -reach, reach)
    if kink is None:
        raise SystemExit("%s: no crossing point" % (row,))
    widths = [s, s / max(1, abs(kink) / s)]
    agree(row, down, up, positive_part(difference, [kink], widths, down), 1e-15)


def check_poisson_gaussian_delta():
    for row in sample("poisson_gaussian_delta", 24, lambda s, q, d, e, down, *_: down > 1e-150):
        sigma, rate, direction, epsilon, down, up = row
        pair = [[(1 - mp.mpf(rate), 0), (mp.mpf(rate), 1)], [(mp.mpf(1), 0)]]
        compare_mixtures(row, *(pair[::-1] if direction else pair), sigma, epsilon, down, up)


def check_poisson_substitute_gaussian_delta():
    for row in sample("poisson_substitute_gaussian_delta", 20, lambda s, q, e, down, *_: down > 1e-150):
        sigma, rate, epsilon, down, up = row
        q = mp.mpf(rate)
        compare_mixtures(row, [(1 - q, 0), (q, 1)], [(1 - q, 0), (q, -1)], sigma, epsilon, down, up)


def check_with_replacement_delta():
    keep = lambda n, m, s, d, e, down, *_: down > 1e-100 and m <= 30
    for row in sample("with_replacement_gaussian_delta", 16, keep):
        n, m, sigma, direction, epsilon, down, up = row
        # The weights by their recurrence instead of the formula.
        weight, parts = (1 - 1 / mp.mpf(n)) ** m, []
        for k in range(int(m) + 1):
            parts.append((weight if n > 1 else mp.mpf(k == m), k))
            weight *= (m - k) / ((k + 1) * mp.mpf(n - 1)) if n > 1 else 0
        pair = [parts, [(mp.mpf(1), 0)]]
        compare_mixtures(row, *(pair[::-1] if direction else pair), sigma, epsilon, down, up)
    for row in sample("with_replacement_rule_delta", 60):
        n, m, sigma, epsilon, down, up = row
        with mp.workdps(100):
            eta = 1 - (1 - 1 / mp.mpf(n)) ** m
            inner = mp.log1p(mp.expm1(mp.mpf(epsilon)) / eta)
            pairs, _ = with_replacement.weights(n, m)
            agree(row, down, up, sum(b * gaussian.delta(sigma, k, inner) for k, b in pairs))


def check_poisson_laplace_delta():
    for row in sample("poisson_laplace_delta", 24, lambda b, q, d, e, down, *_: down > 1e-12 and b > 0.01):
        scale, rate, direction, epsilon = map(mp.mpf, row[:4])
        centred = lambda x: mp.exp(-abs(x) / scale) / (2 * scale)
        mixed = lambda x: (1 - rate) * centred(x) + rate * centred(x - 1)
        p, q = (centred, mixed) if direction else (mixed, centred)
        difference = lambda x: p(x) - mp.exp(epsilon) * q(x)
        # The crossing point is the only one in (0, 1).
        kinks = [mp.mpf(0), mp.mpf(1), bisect(difference, mp.mpf(0), mp.mpf(1))]
        agree(row, row[4], row[5], positive_part(difference, kinks, [scale], row[4]), 1e-15)


def check_poisson_gaussian_rdp():
    """Whole orders of direction 0 by the binomial theorem, the others by Gauss-Legendre quadrature."""
    for row in sample("poisson_gaussian_rdp", 1000, lambda s, q, a, d, *_: d == 0 and a == int(a)):
        sigma, rate, alpha, _, down, up = row
        with mp.workdps(120):
            q, n = mp.mpf(rate), int(alpha)
            tilt = lambda k: mp.exp(mp.mpf(k * (k - 1)) / (2 * mp.mpf(sigma) ** 2))
            power = sum(mp.binomial(n, k) * (1 - q) ** (n - k) * q**k * tilt(k) for k in range(n + 1))
            agree(row, down, up, mp.log(power) / (n - 1))
    keep = lambda s, q, a, d, *_: (d == 1 or a != int(a)) and 1e-4 < q < 1 and a < 40
    for row in sample("poisson_gaussian_rdp", 16, keep):
        sigma, rate, alpha, direction = map(mp.mpf, row[:4])
        with mp.workdps(50):
            second = mixture([(mp.mpf(1), 0)], sigma)
            first = mixture([(1 - rate, 0), (rate, 1)], sigma)
            p, q = (second, first) if direction else (first, second)
            ends = sorted({-14 * sigma, 14 * sigma + alpha, mp.mpf(0), mp.mpf(1), alpha, -alpha})
            cells = [a + (b - a) * j / 24 for a, b in zip(ends, ends[1:]) for j in range(24)] + [ends[-1]]
            power = mp.quad(lambda x: p(x) ** alpha * q(x) ** (1 - alpha), cells, method="gauss-legendre")
            agree(row, row[4], row[5], mp.log(power) / (alpha - 1), 1e-14)


def loss_transform(sigma, rate, direction):
    """M(s) of one copy in double precision, by the trapezoidal rule on the real line."""
    h = min(sigma, sigma**2) / 24

    def at(s):
        power = -s if direction else 1 + s
        low, high = sorted((0.0, power.real)) if rate == 1 else (0.0, max(0.0, power.real))
        total = 0.0
        for j in range(math.floor((low - 9.5 * sigma) / h), math.ceil((high + 9.5 * sigma) / h)):
            x = j * h
            log_w = math.log1p(rate * math.expm1((2 * x - 1) / (2 * sigma**2)))
            total += cmath.exp(power * log_w - x * x / (2 * sigma**2))
        return total * h / (sigma * math.sqrt(2 * math.pi))

    return at


def upper_probability(transform, count, epsilon, start):
    """P(L > epsilon) = 1/(2 pi i) integral of e^(-s epsilon) M(s)^count / s, near the saddle point, ever finer."""
    height = lambda c: count * cmath.log(transform(complex(c))).real - c * epsilon - math.log(c)
    c = start
    for factor in (1.5, 1.2, 1.1, 1.05):
        for move in (factor, 1 / factor):
            while height(c * move) < height(c):
                c *= move
    bend = (height(1.05 * c) + height(0.95 * c) - 2 * height(c)) / (0.05 * c) ** 2
    step, before, top = 0.5 / math.sqrt(bend), None, height(c)
    known = {}
    while True:
        total, k = 0.0, 0
        while True:
            s = complex(c, k * step)
            if s not in known:
                known[s] = cmath.exp(count * cmath.log(transform(s)) - s * epsilon - top) / s
            total += known[s].real * (1 if k == 0 else 2)
            if abs(known[s]) * c < 1e-15:
                break
            k += 1
        value = total * step / (2 * math.pi)
        if before is not None and abs(value - before) < 1e-11 * abs(value):
            return value * math.exp(top)
        before, step = value, step / 2


def check_composed_poisson_gaussian():
    """Many copies: P(L > epsilon) - e^epsilon Q(L > epsilon) in double precision on other lines; M_Q(s) = M(s - 1)."""
    keep = lambda s, q, count, d, e, down, *_: count >= 50 and down > 0 < e and (count, d, e > 3) != (1000, 0, True)
    for row in sample("composed_poisson_gaussian_delta", 14, keep):
        sigma, rate, count, direction, epsilon, down = row[:6]
        one = loss_transform(sigma, rate, direction)
        shifted = lambda s: one(s - 1)
        value = upper_probability(one, count, epsilon, 1.0)
        value -= math.exp(epsilon) * upper_probability(shifted, count, epsilon, 2.0)
        agree(row, down, down, value, 1e-7)


def check_composed_few():
    """The inversion against closed forms (rate 1, one copy) and against the double integral (two copies)."""
    with mp.workdps(25):
        name = "composed_poisson_gaussian_delta"
        for row in sample(name, 20, lambda s, q, count, *_: q == 1):
            with mp.workdps(60):
                agree(row, row[5], row[6], gaussian.delta(row[0], math.sqrt(row[2]), row[4]))
        few = lambda s, q, count, d, e, down, *_: count <= 2 and down > 0 and d == 0 and e > 0.5
        for row in sample(name, 20, few):
            sigma, rate, count, direction, epsilon = row[:5]
            one = composed_poisson_gaussian.transform(sigma, rate, direction)
            line = lambda *along: (value**count for value in one.line(*along))
            edge = None if direction else count * mp.log(1 - mp.mpf(rate))
            value = bromwich.invert(lambda c: count * one.log_at(c), line, epsilon, copies=count, edge=edge)
            agree(row, row[5], row[6], value)


def check_composed_sum():
    for row in sample("composed_sum_delta", 3, lambda e, d, *_: d == 1 and e > 0):
        epsilon, direction, down = row[:3]
        parts = [loss_transform(sigma, rate, direction) for sigma, rate in composed_poisson_gaussian.SUM]
        whole = lambda s: math.prod(part(s) for part in parts)
        value = upper_probability(whole, 1, epsilon, 30.0)
        value -= math.exp(epsilon) * upper_probability(lambda s: whole(s - 1), 1, epsilon, 30.0)
        agree(row, down, down, value, 1e-8)


def check_composed_laplace():
    """Few copies by conditioning on the loss of one; many by numerical inversion, good to the mass of the atoms."""

    def profile(theta, count, epsilon):
        if epsilon >= count * theta:
            return mp.mpf(0)
        if epsilon <= -count * theta:
            return 1 - mp.exp(epsilon)
        if count == 1:
            return 1 - mp.exp((epsilon - theta) / 2)
        rest = lambda e: profile(theta, count - 1, e)
        cuts = {epsilon - theta * j for j in range(-count, count + 1)}
        cuts = sorted({-theta, theta} | {x for x in cuts if abs(x) < theta})
        middle = mp.quad(lambda l: mp.exp((l - theta) / 2) / 4 * rest(epsilon - l), cuts, method="gauss-legendre")
        return rest(epsilon - theta) / 2 + mp.exp(-theta) / 2 * rest(epsilon + theta) + middle

    with mp.workdps(20):
        for row in sample("composed_laplace_delta", 100, lambda b, count, e, down, *_: count <= 3 and down > 1e-12):
            agree(row, row[3], row[4], profile(1 / mp.mpf(row[0]), int(row[1]), mp.mpf(row[2])), 1e-15)
    with mp.workdps(25):
        for row in sample("composed_laplace_delta", 5, lambda b, count, e, *_: count == 1000):
            agree(row, row[3], row[4], composed_laplace.numeric(*row[:3]), 1e-16)
        for row in sample("composed_laplace_delta", 3, lambda b, count, e, *_: count == 20000 and e > 0):
            one = lambda s: complex(composed_laplace.transform(row[0], mp.mpc(s)))
            value = upper_probability(one, row[1], row[2], 1.0)
            value -= math.exp(row[2]) * upper_probability(lambda s: one(s - 1), row[1], row[2], 2.0)
            agree(row, row[3], row[4], value, 1e-8)


def check_composed_randomized_response():
    """Every outcome: in exact arithmetic up to e^epsilon, or in double precision."""
    with mp.workdps(80):
        for row in sample("composed_randomized_response_delta", 40, lambda p, count, *_: count <= 1000):
            p, count, growth = Fraction(row[0]), int(row[1]), mp.exp(mp.mpf(row[2]))
            total = mp.mpf(0)
            top, bottom = p.numerator, p.denominator - p.numerator
            whole = mp.mpf(p.denominator) ** count
            for k in range(count + 1):
                ways = math.comb(count, k)
                difference = ways * top**k * bottom ** (count - k) - growth * (ways * bottom**k * top ** (count - k))
                total += max(mp.mpf(0), difference)
            agree(row, row[3], row[4], total / whole)
    for row in sample("composed_randomized_response_delta", 10, lambda p, count, *_: count > 1000):
        p, count, epsilon = row[0], int(row[1]), row[2]
        up, down, total = math.log(p), math.log1p(-p), []
        for k in range(count, -1, -1):
            loss = (2 * k - count) * (up - down)
            if loss <= epsilon:
                break
            ways = math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1)
            total.append(-math.expm1(epsilon - loss) * math.exp(ways + k * up + (count - k) * down))
        agree(row, row[3], row[4], math.fsum(total), 1e-8)


def check_rounding():
    """Directed rounding against the correctly rounded float(Fraction), subnormal numbers included."""
    rng = random.Random("rounding")
    for _ in range(20000):
        x = Fraction(rng.getrandbits(rng.choice([20, 53, 54, 80])) + 1) * Fraction(2) ** rng.randint(-1150, 900)
        x = x / rng.choice([1, 1, 3, 7]) * rng.choice([1, -1])
        mp_x = mp.ldexp(x.numerator, 0) if x.denominator == 1 else None
        for value in [x] if mp_x is None or mp_x != x.numerator else [x, mp_x]:
            down, up = round_down(value), round_up(value)
            nearest = float(x)
            assert Fraction(down) <= x <= Fraction(up) and nearest in (down, up)
            assert (down == up) == (Fraction(nearest) == x)
            assert down == up or Fraction(down) < x < Fraction(up)


CHECKS = {name[6:]: check for name, check in list(globals().items()) if name.startswith("check_")}


def main():
    mp.dps = 60
    for name in sys.argv[1:] or CHECKS:
        CHECKS[name]()
        print("%s: agrees" % name, flush=True)


if __name__ == "__main__":
    main()
