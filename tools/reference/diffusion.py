# SPDX-License-Identifier: Apache-2.0
"""Diffusion mechanisms: f is released as the state X_t of a diffusion that starts in X_0 = f.

Ornstein-Uhlenbeck, dX = -theta X dt + sqrt(2) rho dW, by coordinates. The equation is linear and its noise does not
depend on X, so X_t is normal. The mean has m' = -theta m. By Ito, d(X^2) = 2X dX + 2 rho^2 dt, so E[X^2]' =
-2 theta E[X^2] + 2 rho^2, and v = E[X^2] - m^2 has v' = -2 theta v + 2 rho^2 with v(0) = 0:

    m = e^(-theta t) f,    v = rho^2 (1 - e^(-2 theta t)) / theta,    or v = 2 rho^2 t when theta = 0.

Two inputs at distance `sensitivity` give normal laws at distance e^(-theta t) sensitivity: the level is

    mu = e^(-theta t) sensitivity / sqrt(v).

Brownian motion, dX = sqrt(2) dW, is theta = 0 and rho = 1: v = 2t. (D1 and D2 say the same.)
"""

import math
from fractions import Fraction

from mpmath import mp

import gaussian
from inputs import generator, log_uniform, settled, uniform, unique
from roots import rational_root
from table import Table


def law(theta, rho, time):
    """(m, v): from f, the state is N(m f, v) in every coordinate."""
    theta, rho, time = mp.mpf(theta), mp.mpf(rho), mp.mpf(time)
    if theta == 0:
        return mp.mpf(1), 2 * rho**2 * time
    return mp.exp(-theta * time), -mp.expm1(-2 * theta * time) * rho**2 / theta


def delta(theta, rho, time, sens, epsilon):
    mean, variance = law(theta, rho, time)
    return gaussian.delta(mp.sqrt(variance), mean * mp.mpf(sens), epsilon)


def brownian_delta(time, sens, epsilon):
    return gaussian.delta(mp.sqrt(2 * mp.mpf(time)), mp.mpf(sens), epsilon)


def level(theta, rho, time, sens):
    if theta == 0:
        return rational_root(Fraction(sens) ** 2 / (2 * Fraction(rho) ** 2 * Fraction(time)))
    mean, variance = law(theta, rho, time)
    return mean * mp.mpf(sens) / mp.sqrt(variance)


def about(truth, *inputs):
    """The truth to a few digits, to choose inputs by."""
    with mp.workdps(400):
        return mp.mpf(truth(*inputs))


def spread(theta, x, rho):
    """sqrt(v) / m, roughly, at time = x / theta."""
    return rho * math.sqrt(math.expm1(2 * x) / theta)


def epsilon_for(rng, mu):
    """An epsilon at which delta may be anything from 1 to 1e-300, evenly in the logarithm."""
    if rng.random() < 0.15:
        return uniform(rng, 0, min(100, mu * mu / 2))
    return gaussian.epsilon_at(mu, math.sqrt(2 * math.log(10) * rng.uniform(0, 300)))


def _fits(truth, *inputs):
    return inputs[-1] <= 100 and about(truth, *inputs) >= 1e-300


def _product(rng, k):
    """theta * time."""
    return log_uniform(rng, *((1e-15, 300), (1e-3, 30), (1e-15, 1e-3), (10, 300))[k % 4])


def _ornstein_uhlenbeck_rows():
    rng = generator("diffusion_ornstein_uhlenbeck_delta")
    rows = []
    while len(rows) < 150:  # at every level
        k = len(rows)
        theta, x, rho = log_uniform(rng, 1e-12, 50), _product(rng, k), log_uniform(rng, 1e-3, 1e3)
        mu = log_uniform(rng, 1e-3, 20) if k % 3 else log_uniform(rng, 1e-9, 3)
        row = (theta, rho, settled(x / theta), settled(mu * spread(theta, x, rho)), epsilon_for(rng, mu))
        if _fits(delta, *row):
            rows.append(row)
    while len(rows) < 190:  # the levels that come of sensitivities of ordinary size
        theta, x, rho = log_uniform(rng, 1e-3, 50), _product(rng, len(rows)), log_uniform(rng, 1e-2, 1e2)
        sens = rng.choice([1.0] * 3 + [0.5, 3.0, 1e-3, 1e6])
        mu = sens / spread(theta, x, rho)
        row = (theta, rho, settled(x / theta), sens, epsilon_for(rng, mu))
        if mu < 1e6 and _fits(delta, *row):
            rows.append(row)
    while len(rows) < 215:  # no drift
        rho, time, mu = log_uniform(rng, 1e-3, 1e3), log_uniform(rng, 1e-6, 1e6), log_uniform(rng, 1e-6, 20)
        row = (0.0, rho, time, settled(mu * rho * math.sqrt(2 * time)), epsilon_for(rng, mu))
        if _fits(delta, *row):
            rows.append(row)
    rows += [(0.0, 1.0, 0.5, 1.0, e) for e in (0.0, 1.0, 5.0)] + [(0.0, 2.0, 0.125, 1.0, e) for e in (0.0, 0.3, 20.0)]
    for theta, time in ((1e-12, 1e-3), (1e-12, 1.0), (1e-8, 1.0), (1e-6, 1e6), (1.0, 1.0), (50.0, 1.0), (50.0, 6.0)):
        rows += [(theta, 1.0, time, 1.0, e) for e in (0.0, 1e-20)]
    rows += [(1.0, rho, 1.0, 1.0, e) for rho in (1e-3, 1e-1, 1e3) for e in (0.0, 1e-3, 1.0, 100.0)]
    rows = [row for row in rows if _fits(delta, *row)]
    rows += [(1.0, 1.0, 1.0, 1.0, e) for e in (15.0, 20.0, 100.0)]  # down to below every double
    return unique(rows)


def _brownian_rows():
    rng = generator("diffusion_brownian_delta")
    rows = []
    while len(rows) < 60:
        time = log_uniform(rng, 1e-6, 1e6) if len(rows) % 2 else log_uniform(rng, 0.01, 100)
        mu = log_uniform(rng, 1e-6, 20)
        row = (time, settled(mu * math.sqrt(2 * time)), epsilon_for(rng, mu))
        if _fits(brownian_delta, *row):
            rows.append(row)
    rows += [(time, 1.0, e) for time in (1e-3, 0.125, 0.5, 1.0, 50.0, 1e12) for e in (0.0, 0.1, 3.0)]
    rows += [(0.5, 1.0, 1e-300), (0.5, 1.0, 100.0), (2.0**-21, 1.0, 100.0), (1e-12, 1e-6, 5.0), (1e300, 1e150, 2.0)]
    return unique(rows)


def _level_rows():
    rng = generator("diffusion_level")
    rows = []

    def add(*row):
        if 2.3e-308 < about(level, *row) < 1.7e308:
            rows.append(row)

    while len(rows) < 60:
        theta, x, rho = log_uniform(rng, 1e-12, 50), _product(rng, len(rows)), log_uniform(rng, 1e-3, 1e3)
        add(theta, rho, settled(x / theta), rng.choice([1.0] * 3 + [0.5, 3.0, 1e-3, 1e6]))
    while len(rows) < 85:
        theta, x, rho = log_uniform(rng, 1e-6, 1e6), uniform(rng, 200, 700), log_uniform(rng, 1e-3, 1e3)
        add(theta, rho, settled(x / theta), log_uniform(rng, 1e-3, 1e12))
    while len(rows) < 105:  # theta t from 1e-300 to 1e-15
        x, time = log_uniform(rng, 1e-300, 1e-15), log_uniform(rng, 1e-9, 1e9)
        add(settled(x / time), log_uniform(rng, 1e-3, 1e3), time, log_uniform(rng, 1e-6, 1e6))
    # 2 theta t on either side of the largest logarithm of a double, and of the smallest
    for x in (18.0, 36.0, 350.0, 354.0, 354.5, 355.0, 356.0, 372.5, 400.0, 600.0, 690.0, 700.0):
        add(1.0, 1.0, x, 1.0)
        add(50.0, 1e-3, x / 50, 1e6)
        add(1e-12, 1e3, x * 1e12, 1e9)
    # products and squares that leave the range of the doubles
    for theta, rho, time, sens in (
        (1e-200, 1.0, 1e-200, 1e-100),
        (1e-300, 1.0, 1e-300, 1.0),
        (1e-12, 1e-160, 1.0, 1e-160),
        (1e-12, 1e160, 1.0, 1e160),
        (1e300, 1e150, 1e-300, 3.0),
        (1e200, 1.0, 1e-198, 1.0),
        (1e-300, 1e150, 1e300, 1e150),
        (1.0, 1e-300, 650.0, 1.0),
        (2.0, 1e200, 1.0, 1e300),
        (1e-305, 1e3, 1.0, 1e-300),
    ):
        add(theta, rho, time, sens)
    # theta = 0, some of them exact
    for rho, time, sens in ((1.0, 0.5, 1.0), (2.0, 0.125, 3.0), (0.5, 2.0, 5e3), (1.0, 1.0, 1.0), (1.0, 4.5, 1.0)):
        add(0.0, rho, time, sens)
    while len(rows) < 160:
        add(0.0, log_uniform(rng, 1e-3, 1e3), log_uniform(rng, 1e-9, 1e9), log_uniform(rng, 1e-6, 1e6))
    return unique(rows)


TABLES = [
    Table(
        "diffusion_ornstein_uhlenbeck_delta",
        ("theta", "rho", "time", "sensitivity", "epsilon"),
        _ornstein_uhlenbeck_rows,
        delta,
        low=0,
        high=1,
        with_log=True,
    ),
    Table(
        "diffusion_brownian_delta",
        ("time", "sensitivity", "epsilon"),
        _brownian_rows,
        brownian_delta,
        low=0,
        high=1,
        with_log=True,
    ),
    Table("diffusion_level", ("theta", "rho", "time", "sensitivity"), _level_rows, level, low=0),
]
