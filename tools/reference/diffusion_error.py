# SPDX-License-Identifier: Apache-2.0
"""Mean squared errors of the Ornstein-Uhlenbeck mechanism and of normal noise that is as private, and the best drift.

With m and v from diffusion.law, the error in d coordinates is E|X_t - f|^2 = (1 - m)^2 |f|^2 + d v.

The privacy is that of X_t / m, which is f with normal noise of variance v / m^2: the Gaussian mechanism of the same
level, with the error V = d v / m^2. (The sensitivity sets the level, and then the noise of the same level: it drops
out. It is a column because the answer must not depend on it.) Times beta its error at f is

    (1 - beta)^2 |f|^2 + beta^2 V,    at most    (1 - beta)^2 R^2 + beta^2 V    over |f| <= R
    = (R^2 + V) (beta - R^2 / (R^2 + V))^2 + R^2 V / (R^2 + V),

so beta = R^2 / (R^2 + V) is best and the worst error is then V / (1 + V / R^2). The catalogue's entry D4 agrees with all
three. Among the multiples of one normal observation only: "optimally shrunk" is not "best estimator".

Calibration (time 1): of all (theta, rho) with Renyi level Lambda(1) = mu^2 / 2 = `level`, the one whose error at |f| =
radius is least. For each theta the level fixes rho^2, as v = rho^2 v_1 with v_1 the variance at rho = 1; the minimum over
theta is found by comparing values only, with no formula for it. It coincides with Theorem 8's choice as stated in D4,
theta = log(1 + d sensitivity^2 / (2 level R^2)) (diffusion_cross_check compares every row), as it must: X_t is m times the
Gaussian mechanism, so m = e^-theta plays the part of beta and every beta in (0, 1) occurs.
"""

from fractions import Fraction
from functools import lru_cache

from mpmath import mp

from diffusion import law
from inputs import generator, log_uniform, settled, unique
from table import WideTable


def _law(theta, rho, time):
    """As law, in Fractions if they are rational."""
    return (Fraction(1), 2 * Fraction(rho) ** 2 * Fraction(time)) if theta == 0 else law(theta, rho, time)


def _number(theta, x):
    return Fraction(x) if theta == 0 else mp.mpf(x)


def ornstein_uhlenbeck(theta, rho, time, norm, dimension, sens, radius):
    mean, variance = _law(theta, rho, time)
    miss = 1 - mean if theta == 0 else -mp.expm1(-mp.mpf(theta) * mp.mpf(time))
    return miss**2 * _number(theta, norm) ** 2 + int(dimension) * variance


def gaussian(theta, rho, time, norm, dimension, sens, radius):
    mean, variance = _law(theta, rho, time)
    return int(dimension) * variance / mean**2


def shrunk(theta, rho, time, norm, dimension, sens, radius):
    """The worst error over |f| <= radius."""
    return _shrunk_at(radius, theta, rho, time, norm, dimension, sens, radius)


def shrunk_at_norm(theta, rho, time, norm, dimension, sens, radius):
    return _shrunk_at(norm, theta, rho, time, norm, dimension, sens, radius)


def _shrunk_at(size, *inputs):
    theta = inputs[0]
    noise, square = gaussian(*inputs), _number(theta, inputs[-1]) ** 2
    beta = square / (square + noise)
    rest = noise / (square + noise)  # 1 - beta
    return rest**2 * _number(theta, size) ** 2 + beta**2 * noise


GOLDEN_STEPS_PER_DIGIT = 4.79  # log(10) / log of the golden ratio


def minimiser(f, low, high, digits):
    """Where f is least on [low, high], to 10^-digits of the length; f falls and then rises."""
    shrink = (mp.sqrt(5) - 1) / 2
    left, right = high - shrink * (high - low), low + shrink * (high - low)
    at_left, at_right = f(left), f(right)
    for _ in range(int(GOLDEN_STEPS_PER_DIGIT * digits) + 2):
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - shrink * (high - low)
            at_left = f(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + shrink * (high - low)
            at_right = f(right)
    return (low + high) / 2


@lru_cache(maxsize=None)
def _calibrate(level, dimension, sens, radius, digits):
    """(theta, rho^2, error) to about that many digits."""

    def parameters(log_theta):
        theta = mp.exp(log_theta)
        mean, unit = law(theta, 1, 1)
        # mu^2 / 2 = (mean sens)^2 / (2 rho^2 unit)
        square = (mean * mp.mpf(sens)) ** 2 / (2 * mp.mpf(level) * unit)
        error = mp.expm1(-theta) ** 2 * mp.mpf(radius) ** 2 + int(dimension) * square * unit
        return theta, square, error

    # the error is flat to second order, and theta may be far below 1
    with mp.workdps(2 * digits + 80):
        grid = [mp.mpf(k) / 2 for k in range(-80, 11)]  # theta from e^-40 to e^5
        errors = [parameters(x)[2] for x in grid]
        k = errors.index(min(errors))
        if not 0 < k < len(grid) - 1 or any((a < b) != (i >= k) for i, (a, b) in enumerate(zip(errors, errors[1:]))):
            raise ArithmeticError("no single minimum inside")
        best = minimiser(lambda x: parameters(x)[2], grid[k - 1], grid[k + 1], digits + 5)
        return parameters(best)


def best_theta(*inputs):
    return +_calibrate(*inputs, mp.dps)[0]


def best_rho_squared(*inputs):
    return +_calibrate(*inputs, mp.dps)[1]


def least_error(*inputs):
    return +_calibrate(*inputs, mp.dps)[2]


def _error_rows():
    rng = generator("diffusion_error")
    rows = []
    for k in range(110):
        theta, rho = log_uniform(rng, 1e-12, 50), log_uniform(rng, 1e-3, 1e3)
        x = log_uniform(rng, *((1e-3, 5), (1e-15, 1e-3), (1e-15, 300), (1e-2, 1), (5, 300))[k % 5])
        dimension = float(rng.choice((1, 1, 2, 3, 10, 100, 1000, 10**6)))
        size = (dimension * x / theta) ** 0.5 * rho  # of the error, while x is small
        radius = settled(size * 10 ** rng.uniform(-3, 3)) if k % 2 else log_uniform(rng, 1e-3, 1e3)
        norm = (radius, 0.0, settled(radius * rng.uniform(0, 1)), settled(radius * rng.uniform(0, 1)))[k % 4]
        rows.append((theta, rho, settled(x / theta), norm, dimension, log_uniform(rng, 1e-3, 1e3), radius))
    for k in range(16):  # no drift
        rho, time, radius = log_uniform(rng, 1e-3, 1e3), log_uniform(rng, 1e-6, 1e6), log_uniform(rng, 1e-3, 1e3)
        rows.append((0.0, rho, time, (radius, 0.0)[k % 2], (1.0, 3.0, 100.0)[k % 3], 1.0, radius))
    rows += [(0.0, 1.0, 0.5, 1.0, d, 1.0, r) for d in (1.0, 3.0, 7.0) for r in (1.0, 2.0)]
    for theta, time in ((1.0, 1.0), (1e-12, 1e-3), (1e-12, 1.0), (50.0, 6.0), (0.5, 700.0), (1e-200, 1e-200)):
        rows += [(theta, 1.0, time, norm, 10.0, 1.0, 5.0) for norm in (0.0, 2.0, 5.0)]
    rows += [(1.0, 1.0, 0.25, 3.0, 4.0, sens, 3.0) for sens in (1e-6, 1.0, 1e6)]
    return unique(rows)


def _calibration_rows():
    rng = generator("diffusion_calibration")
    rows = []
    for k in range(60):
        level, sens = log_uniform(rng, 1e-4, 1e2), log_uniform(rng, 1e-3, 1e3) if k % 2 else 1.0
        dimension = float(rng.choice((1, 2, 3, 10, 100, 1000, 10**6)))
        noise = dimension * sens * sens / (2 * level)
        # e^theta - 1, from weak to strong shrinking
        shrinking = log_uniform(rng, *((1e-3, 1e3), (1e-14, 1e-3), (1e3, 1e12))[k % 3])
        rows.append((level, dimension, sens, settled((noise / shrinking) ** 0.5)))
    rows += [(0.3, 5.0, 1.0, 1.0), (0.7, 3.0, 1.0, 10.0), (1.1, 100.0, 2.0, 7.0), (3.0, 1.0, 0.1, 1.0)]
    return unique(rows)


TABLES = [
    WideTable(
        "diffusion_error",
        ("theta", "rho", "time", "norm", "dimension", "sensitivity", "radius"),
        _error_rows,
        (
            ("mse_ou", ornstein_uhlenbeck),
            ("mse_gaussian", gaussian),
            ("mse_shrunk", shrunk),
            ("mse_shrunk_at_norm", shrunk_at_norm),
        ),
    ),
    WideTable(
        "diffusion_calibration",
        ("level", "dimension", "sensitivity", "radius"),
        _calibration_rows,
        (("theta", best_theta), ("rho_squared", best_rho_squared), ("mse", least_error)),
    ),
]
