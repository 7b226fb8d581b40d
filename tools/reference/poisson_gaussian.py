# SPDX-License-Identifier: Apache-2.0
"""Poisson-subsampled Gaussian mechanism, rate q, sensitivity 1.

    P = (1 - q) N(0, sigma^2) + q N(1, sigma^2),  Q = N(0, sigma^2),  w = dP/dQ = 1 - q + q e^((2x - 1)/(2 sigma^2)).

w increases, so both divergences are differences of tails beyond one point. Direction 0 (remove) is P against Q: the
tails above the point with w = e^epsilon. Direction 1 (add) is Q against P: the tails below the point with
w = e^-epsilon; there is none when e^-epsilon <= 1 - q, and delta is exactly 0.

Substitution is (1 - q) N(0, sigma^2) + q N(1, sigma^2) against (1 - q) N(0, sigma^2) + q N(-1, sigma^2).
"""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, settled, step, uniform, unique
from normal import upper_tail
from settle import Unsettled
from table import Table


def delta(sigma, rate, direction, epsilon):
    s, q, growth = mp.mpf(sigma), mp.mpf(rate), mp.exp(mp.mpf(epsilon))
    if direction == 0:
        x = crossing(s, q, growth)
        return (1 - q) * upper_tail(x / s) + q * upper_tail((x - 1) / s) - growth * upper_tail(x / s)
    if not reaches(1 / growth - (1 - q)):
        return Fraction(0)
    x = crossing(s, q, 1 / growth)
    return upper_tail(-x / s) - growth * ((1 - q) * upper_tail(-x / s) + q * upper_tail((1 - x) / s))


def crossing(s, q, ratio):
    """The point with w = ratio."""
    return mp.mpf(1) / 2 + s**2 * mp.log((ratio - 1 + q) / q)


def reaches(difference):
    """Whether a difference of numbers of size 1, known not to vanish, is positive."""
    if abs(difference) < mp.mpf(10) ** (5 - mp.dps):
        raise Unsettled("the sign is open")
    return difference > 0


def substitute_delta(sigma, rate, epsilon):
    """Relative to N(0): 1 - q + q c y against 1 - q + q c / y, with y = e^(x/sigma^2) and c = e^(-1/(2 sigma^2)).

    The crossing point solves q c y^2 - (e^epsilon - 1)(1 - q) y - e^epsilon q c = 0.
    """
    s, q, growth = mp.mpf(sigma), mp.mpf(rate), mp.exp(mp.mpf(epsilon))
    a, b = q * mp.exp(-1 / (2 * s**2)), (growth - 1) * (1 - q)
    x = s**2 * mp.log((b + mp.sqrt(b**2 + 4 * growth * a**2)) / (2 * a))
    return (1 - q) * (1 - growth) * upper_tail(x / s) + q * (upper_tail((x - 1) / s) - growth * upper_tail((x + 1) / s))


def epsilon_at(sigma, rate, direction, x):
    """The epsilon whose crossing point is x, or 0."""
    with mp.workdps(60):
        loss = mp.log(1 - mp.mpf(rate) + rate * mp.exp((2 * mp.mpf(x) - 1) / (2 * mp.mpf(sigma) ** 2)))
        return settled(float(max(0, -loss if direction else loss)))


def _substitute_epsilon_at(sigma, rate, x):
    with mp.workdps(60):
        q, y = mp.mpf(rate), mp.exp(mp.mpf(x) / mp.mpf(sigma) ** 2)
        c = mp.exp(-1 / (2 * mp.mpf(sigma) ** 2))
        return settled(float(max(0, mp.log((1 - q + q * c * y) / (1 - q + q * c / y)))))


def last_epsilon(rate):
    """log(1 / (1 - rate)), where delta of direction 1 vanishes, to the nearest double."""
    with mp.workdps(60):
        return float(-mp.log(1 - mp.mpf(rate)))


FIRST_RATE = 256 / 60000


def _delta_rows():
    rng = generator("poisson_gaussian_delta")
    rows = []
    for k in range(130):
        sigma = log_uniform(rng, 0.3, 50)
        rate = log_uniform(rng, 1e-9, 1) if k % 3 else log_uniform(rng, 1e-3, 1)
        direction = k // 3 % 2
        # delta is about the tail beyond x: as far as 1e-250 to the right, 1e-100 to the left
        x = -sigma * uniform(rng, -0.5, 20) if direction else 0.5 + sigma * uniform(rng, 0, 33.5)
        rows.append((sigma, rate, direction, epsilon_at(sigma, rate, direction, x)))
    for sigma, rate in ((1.1, FIRST_RATE), (0.3, 0.01), (50.0, 0.5), (1.0, 1.0), (0.5, 1e-9), (2.0, 0.999)):
        for direction in (0, 1):
            rows += [(sigma, rate, direction, e) for e in (0.0, 1e-300, 1e-12, 1e-4)]
    for sigma, rate in ((1.1, FIRST_RATE), (0.3, 1e-9), (0.3, 1.0), (4.0, 0.1), (50.0, 1e-6)):
        rows += [(sigma, rate, 0, epsilon_at(sigma, rate, 0, a * sigma)) for a in (2, 5, 20, 33, 33.6)]
    # On both sides of the epsilon where delta of direction 1 vanishes.
    for sigma, rate in ((1.1, FIRST_RATE), (0.3, 0.5), (3.0, 0.25), (1.0, 1e-9), (0.7, 0.9)):
        last = last_epsilon(rate)
        rows += [(sigma, rate, 1, e) for e in (settled(0.5 * last), settled(0.999 * last), settled(1.001 * last))]
        rows += [(sigma, rate, 1, step(last, k)) for k in (-1000, -1, 0, 1)] + [(sigma, rate, 1, 1.0 + last)]
    rows += [(1.0, 1.0, 1, e) for e in (0.5, 5.0, 30.0)] + [(0.3, 1.0, 1, e) for e in (1.0, 50.0)]
    return unique(rows)


def _substitute_rows():
    rng = generator("poisson_substitute_gaussian_delta")
    rows = []
    for k in range(100):
        sigma = log_uniform(rng, 0.3, 50)
        rate = log_uniform(rng, 1e-9, 1) if k % 3 else log_uniform(rng, 1e-3, 1)
        rows.append((sigma, rate, _substitute_epsilon_at(sigma, rate, sigma * uniform(rng, 0, 33))))
    for sigma, rate in ((1.1, FIRST_RATE), (0.3, 0.01), (50.0, 0.5), (1.0, 1.0), (0.5, 1e-9), (2.0, 0.999)):
        rows += [(sigma, rate, e) for e in (0.0, 1e-300, 1e-12, 1e-4)]
        rows += [(sigma, rate, _substitute_epsilon_at(sigma, rate, a * sigma)) for a in (0.5, 2, 6, 15, 33.5)]
    return unique(rows)


TABLES = [
    Table("poisson_gaussian_delta", ("sigma", "rate", "direction", "epsilon"), _delta_rows, delta, low=0, high=1),
    Table(
        "poisson_substitute_gaussian_delta",
        ("sigma", "rate", "epsilon"),
        _substitute_rows,
        substitute_delta,
        low=0,
        high=1,
    ),
]
