# SPDX-License-Identifier: Apache-2.0
"""Recomputes a sample of every table by a second route: quadrature, plain summation, grids, inverse functions.

    python tools/reference/cross_check.py [check ...]
"""

import os
import random
import sys
from fractions import Fraction

from mpmath import mp

import gaussian
import gaussian_sums
import laplace
import renyi_conversion
import twice_laplace
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
