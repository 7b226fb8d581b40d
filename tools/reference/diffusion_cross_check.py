# SPDX-License-Identifier: Apache-2.0
"""Recomputes rows of diffusion_*, discrete_*_pmf and grid_gaussian_delta by a second route, as cross_check does for the
other tables.

    python tools/reference/diffusion_cross_check.py [check ...]
"""

import sys
from functools import lru_cache

from mpmath import mp

import diffusion
import discrete_gaussian
from cross_check import agree, hockey_stick, sample


def solve_moments(theta, rho, time):
    """(m, v) at the time: m' = -theta m and v' = -2 theta v + 2 rho^2 from (1, 0), by Taylor steps of fixed length."""
    steps = int(8 * theta * time) + 1
    h, m, v = time / steps, mp.mpf(1), mp.mpf(0)
    order = mp.dps + 10  # theta h <= 1/8
    for _ in range(steps):
        dm, dv = m, v
        for k in range(1, order):
            # the k-th Taylor terms; only the first has the constant 2 rho^2
            dm, dv = -theta * dm * h / k, (-2 * theta * dv + (2 * rho**2 if k == 1 else 0)) * h / k
            m, v = m + dm, v + dv
    return m, v


def normal_density(v):
    return lambda x: mp.exp(-(x**2) / (2 * v)) / mp.sqrt(2 * mp.pi * v)


def hockey_stick_of(m, v, sens, epsilon, down):
    """The divergence of N(m sens, v) from N(0, v) by quadrature."""
    sigma, apart = mp.sqrt(v), m * sens
    crossing = apart / 2 + epsilon * v / apart
    widths = [sigma, sigma / max(1, epsilon * sigma / apart)]
    return hockey_stick(normal_density(v), apart, epsilon, crossing, widths, down)


def check_density():
    """The transition density solves p_t = theta (x p)_x + rho^2 p_xx, the forward equation of the process, and two
    stretches of time are one."""
    with mp.workdps(40):
        for theta, rho, start in ((1.0, 1.0, 2.0), (0.3, 2.0, -1.0), (5.0, 0.5, 0.4), (1e-6, 1.0, 1.0), (0.0, 0.7, 1.5)):

            def p(t, x, origin=start):
                m, v = diffusion.law(theta, rho, t)
                return normal_density(v)(x - m * origin)

            for t, x in ((0.2, 1.0), (1.0, 0.3), (2.5, -1.2)):
                t, x = mp.mpf(t), mp.mpf(x)
                left = mp.diff(lambda s: p(s, x), t)
                drift = theta * mp.diff(lambda y: y * p(t, y), x)
                right = drift + mp.mpf(rho) ** 2 * mp.diff(lambda y: p(t, y), x, 2)
                size = abs(left) + abs(drift)
                if abs(left - right) > size * mp.mpf("1e-12"):
                    raise SystemExit("forward equation at %s: %s, %s" % ((theta, rho, t, x), left, right))
                middle = mp.quad(lambda y: p(t, y) * p(t / 3, x, y), [mp.mpf(k) for k in range(-30, 31, 2)])
                agree((theta, rho, t, x), p(4 * t / 3, x), p(4 * t / 3, x), middle, 1e-15)


def check_ornstein_uhlenbeck():
    keep = lambda theta, rho, time, sens, e, down, *_: 1e-200 < down < 1 - 1e-9 and theta * time < 100
    regular = lambda theta, rho, time, sens: 0.01 < diffusion.about(diffusion.level, theta, rho, time, sens) < 100
    for row in sample("diffusion_ornstein_uhlenbeck_delta", 40, lambda *row: keep(*row) and regular(*row[:4])):
        theta, rho, time, sens, epsilon = map(mp.mpf, row[:5])
        with mp.workdps(30):
            m, v = solve_moments(theta, rho, time)
            agree(row, row[5], row[6], hockey_stick_of(m, v, sens, epsilon, row[5]))


def check_brownian():
    keep = lambda time, sens, e, down, *_: down > 1e-200 and 0.01 < sens / (2 * time) ** 0.5 < 100
    for row in sample("diffusion_brownian_delta", 15, keep):
        time, sens, epsilon = map(mp.mpf, row[:3])
        with mp.workdps(30):
            m, v = solve_moments(mp.mpf(0), mp.mpf(1), time)
            agree(row, row[3], row[4], hockey_stick_of(m, v, sens, epsilon, row[3]))


def check_level():
    """mu^2 / 2 is the integral over s > time of rho^2 |d/dy log(p_s(x, y) / p_s(x', y))|^2 (D3), the logarithm being
    linear in y with slope m sens / v."""
    with mp.workdps(40):
        rows = sample("diffusion_level", 8, lambda theta, rho, time, *_: 1e-6 < theta * time < 600)
        rows += sample("diffusion_level", 2, lambda theta, *_: theta == 0)
        for row in rows:
            theta, rho, time, sens = map(mp.mpf, row[:4])

            def slope(s):
                m, v = solve_moments(theta, rho, s) if theta * s < 3 else diffusion.law(theta, rho, s)
                return m * sens / v

            # s = time + w, in units of time while it is short and of 1 / theta then
            unit = min(time, 1 / theta) if theta else time
            last = mp.log(unit) + 100 if theta == 0 else mp.log(200 / theta)
            points = mp.linspace(mp.log(unit) - 70, last, 60)
            # the integrand by its value at the start, since mp.quad stops at an absolute error
            size = slope(time) ** 2
            integrand = lambda u: (slope(time + mp.exp(u)) ** 2 / size) * mp.exp(u) / unit
            integral = mp.quad(integrand, points, maxdegree=4, method="gauss-legendre") * unit * size
            agree(row, row[4], row[5], mp.sqrt(2 * rho**2 * integral), 1e-15)


def golden_minimum(f, low, high):
    """The least value on [low, high], right to about the square of the distance that is left."""
    shrink = (mp.sqrt(5) - 1) / 2
    for _ in range(150):
        a, b = high - shrink * (high - low), low + shrink * (high - low)
        low, high = (low, b) if f(a) < f(b) else (a, high)
    return (low + high) / 2


def check_error():
    """Moments from their equations, and the best multiple and the worst norm by search."""
    keep = lambda theta, rho, time, *_: theta * time < 50
    for row in sample("diffusion_error", 40, keep):
        theta, rho, time, norm, dimension, sens, radius = map(mp.mpf, row[:7])
        with mp.workdps(120):
            m, v = solve_moments(theta, rho, time)
            agree(row, row[7], row[8], norm**2 - 2 * m * norm**2 + m**2 * norm**2 + dimension * v)
            mu = m * sens / mp.sqrt(v)
            noise = dimension * (sens / mu) ** 2
            agree(row, row[9], row[10], noise)
            error = lambda beta, size: ((1 - beta) * size) ** 2 + beta**2 * noise
            worst = lambda beta: max(error(beta, radius * k / 4) for k in range(5))
            # in the logarithm of beta / (1 - beta), which is that of radius^2 / noise or between -100 and 100
            place = golden_minimum(lambda x: worst(1 / (1 + mp.exp(-x))), mp.mpf(-300), mp.mpf(300))
            beta = 1 / (1 + mp.exp(-place))
            agree(row, row[11], row[12], worst(beta))
            agree(row, row[13], row[14], error(beta, norm), 1e-15)


def check_calibration():
    """Every row against the choice of Theorem 8 (D4), and its privacy and error by the moments."""
    with mp.workdps(60):
        for row in sample("diffusion_calibration", 1000):
            level, dimension, sens, radius = map(mp.mpf, row[:4])
            theta = mp.log1p(dimension * sens**2 / (2 * level * radius**2))
            square = theta * sens**2 / (2 * level * mp.expm1(2 * theta))
            agree(row, row[4], row[5], theta)
            agree(row, row[6], row[7], square)
            m, v = solve_moments(theta, mp.sqrt(square), mp.mpf(1))
            agree(row, row[0], row[0], (m * sens) ** 2 / (2 * v))
            agree(row, row[8], row[9], (1 - m) ** 2 * radius**2 + dimension * v)


def check_calibration_is_minimal():
    """Other (theta, rho) of the same level do worse."""
    with mp.workdps(60):
        for row in sample("diffusion_calibration", 1000):
            level, dimension, sens, radius = map(mp.mpf, row[:4])
            for factor in ("1e-3", "0.5", "0.9", "0.999", "1.001", "1.1", "2", "30"):
                theta = mp.mpf(row[4]) * mp.mpf(factor)
                m, unit = diffusion.law(theta, 1, 1)
                v = (m * sens) ** 2 / (2 * level)
                if (1 - m) ** 2 * radius**2 + dimension * v <= row[8]:
                    raise SystemExit("%s: better at theta = %s" % (row, mp.nstr(theta)))


@lru_cache(maxsize=None)
def gaussian_sum(sigma):
    """The sum of the weights: Jacobi's theta_3, then term by term, then the integral (off by e^(-2 pi^2 sigma^2))."""
    if sigma < 40:
        return mp.jtheta(3, 0, mp.exp(-1 / (2 * sigma**2)))
    if sigma < 2000:
        return 1 + 2 * sum(mp.exp(-((j / sigma) ** 2) / 2) for j in range(1, int(28 * sigma)))
    return sigma * mp.sqrt(2 * mp.pi)


@lru_cache(maxsize=None)
def laplace_sum(scale):
    """Term by term, or cosh / sinh."""
    if scale < 50:
        return 1 + 2 * sum(mp.exp(-j / scale) for j in range(1, int(350 * scale) + 350))
    return mp.coth(1 / (2 * scale))


def check_pmf():
    with mp.workdps(150):
        for name, total, exponent in (
            ("discrete_gaussian_pmf", gaussian_sum, lambda x: x * x / 2),
            ("discrete_laplace_pmf", laplace_sum, abs),
        ):
            for row in sample(name, 1000):
                width, k = map(mp.mpf, row[:2])
                value = mp.exp(-exponent(k / width)) / total(width)
                agree(row, row[4], row[5], mp.log(value))
                if row[2] > 1e-300:
                    agree(row, row[2], row[3], value)


def check_grid_one():
    """One coordinate: the tails of discrete_gaussian, by Euler-Maclaurin from sigma = 401 on."""
    for row in sample("grid_gaussian_delta", 1000, lambda sigma, d1, d2, *_: d2 == 0):
        with mp.workdps(300):
            value = discrete_gaussian.delta(row[0], row[1], row[3])
            agree(row, row[4], row[5], value)


def check_grid_two():
    """Two coordinates: the positive parts of all differences, in a square."""
    keep = lambda sigma, d1, d2, e, down, *_: d2 > 0 and sigma < 34 and down > 1e-15 and max(d1, d2) < 2000
    with mp.workdps(40):
        for row in sample("grid_gaussian_delta", 6, keep):
            sigma, d1, d2 = mp.mpf(row[0]), int(row[1]), int(row[2])
            growth, reach = mp.exp(mp.mpf(row[3])), int(13 * sigma)
            g = lambda k: mp.exp(-mp.mpf(k) ** 2 / (2 * sigma**2))
            here = range(-reach, reach + 1)
            first, across, up = [g(k) for k in here], [growth * g(k + d1) for k in here], [g(k + d2) for k in here]
            total = mp.mpf(0)
            for p1, q1 in zip(first, across):
                total += sum(max(mp.mpf(0), p1 * p2 - q1 * q2) for p2, q2 in zip(first, up))
            agree(row, row[4], row[5], total / sum(first) ** 2, 1e-15)


def main():
    checks = {name[6:]: check for name, check in globals().items() if name.startswith("check_")}
    for name in sys.argv[1:] or checks:
        checks[name]()
        print("%s: agree" % name, flush=True)


if __name__ == "__main__":
    main()
