# SPDX-License-Identifier: Apache-2.0
"""Laplace mechanism: density exp(-|x| / scale) / (2 scale), shifted by the sensitivity.

The log-likelihood ratio (|x| - |x - sensitivity|) / scale rises from -theta to theta = sensitivity / scale and equals
epsilon at x = (sensitivity + scale epsilon) / 2, inside [0, sensitivity].
"""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, sensitivity, step, uniform, unique
from rounding import to_mpf
from table import Table


def delta(scale, sens, epsilon):
    theta = Fraction(sens) / Fraction(scale)
    if Fraction(epsilon) >= theta:
        return Fraction(0)
    crossing = (theta + Fraction(epsilon)) / 2  # in units of the scale
    shifted_tail = 1 - mp.exp(to_mpf(crossing - theta)) / 2
    tail = mp.exp(-to_mpf(crossing)) / 2
    return shifted_tail - mp.exp(mp.mpf(epsilon)) * tail


def epsilon(scale, sens, target):
    """The smallest epsilon >= 0 with delta(epsilon) <= target, from 1 - exp((epsilon - theta)/2) = target."""
    theta = Fraction(sens) / Fraction(scale)
    if target == 0:
        return theta
    if target >= 1:
        return Fraction(0)
    result = to_mpf(theta) + 2 * mp.log(to_mpf(1 - Fraction(target)))
    return result if result > 0 else Fraction(0)


def renyi(scale, sens, alpha):
    """Renyi divergence: the integral of p^alpha q^(1-alpha) is a sum of three exponential integrals."""
    theta, alpha = to_mpf(Fraction(sens) / Fraction(scale)), mp.mpf(alpha)
    left = mp.exp(-alpha * theta) / 2
    between = mp.exp(-alpha * theta) * (mp.exp((2 * alpha - 1) * theta) - 1) / (2 * (2 * alpha - 1))
    right = mp.exp((alpha - 1) * theta) / 2
    return mp.log(left + between + right) / (alpha - 1)


def _delta_rows():
    rng = generator("laplace_delta")
    rows = []
    for k in range(160):
        scale = log_uniform(rng, 1e-3, 1e9) if k % 2 else log_uniform(rng, 0.05, 50)
        sens = sensitivity(rng)
        theta = sens / scale
        shape = k % 5
        if shape == 0:
            e = theta * (1 - log_uniform(rng, 1e-15, 1))
        elif shape == 1:
            e = theta * log_uniform(rng, 1e-12, 1)
        else:
            e = theta * uniform(rng, 0, 1)
        rows.append((scale, sens, e))
    for scale, sens in ((1.0, 1.0), (0.5, 1.0), (3.0, 1.0), (7.0, 1.0), (0.1, 1.0), (1e-3, 1.0), (1e9, 1.0),
                        (1e9, 1e-3), (1e-3, 1e6), (0.7, 3.0), (4096.0, 0.5), (1.1, 1e-3)):
        theta = sens / scale
        rows += [(scale, sens, step(theta, k)) for k in (-1000, -3, -2, -1, 0, 1, 2)]
        rows += [(scale, sens, e) for e in (0.0, 1e-300, theta / 2, 2 * theta)]
    for sens in (1e-290, 1e-300, 3e-308, 1e-310, 5e-324):
        rows += [(scale, sens, e) for scale in (1e-3, 1.0, 1e9) for e in (0.0, sens / 2)]
    rows += [(1.0, t, 0.0) for t in (30.0, 74.0, 100.0, 1000.0, 1480.0, 1488.0, 1490.0, 1500.0, 1e5)]
    rows += [(1.0, 1000.0, e) for e in (1.0, 900.0, 999.0, 999.999999)]
    return unique(rows)


def _epsilon_rows():
    rng = generator("laplace_epsilon")
    rows = []
    for _ in range(80):
        sens = sensitivity(rng)
        scale = log_uniform(rng, 1e-3, 1e9)
        most = min(1.0, sens / scale)
        rows.append((scale, sens, max(1e-300, log_uniform(rng, 1e-300, 1) * most)))
    for scale in (1e-3, 0.3, 0.5, 1.0, 3.0, 1e3, 1e9):
        rows += [(scale, 1.0, t) for t in (0.0, 1e-300, 1e-20, 1e-10, 1e-5, 0.1, 0.39, 0.5, step(1.0, -1), 1.0)]
    rows += [(1.0, 1.0, float.fromhex("0x1.92e9a0720d3ecp-2") + k * 2.0**-54) for k in range(-3, 4)]
    return unique(rows)


def _renyi_rows():
    rng = generator("laplace_rdp")
    rows = []
    for _ in range(90):
        alpha = 1 + log_uniform(rng, 1e-4, 999)
        rows.append((log_uniform(rng, 1e-3, 1e9), sensitivity(rng), alpha))
    for scale in (1e-3, 0.1, 1.0, 10.0, 1e4, 1e9):
        rows += [(scale, 1.0, alpha) for alpha in (1.0001, 1.5, 2.0, 10.0, 32.0, 1000.0)]
    return unique(rows)


TABLES = [
    Table("laplace_delta", ("scale", "sensitivity", "epsilon"), _delta_rows, delta, low=0, high=1, with_log=True),
    Table("laplace_epsilon", ("scale", "sensitivity", "delta"), _epsilon_rows, epsilon, low=0, start=700),
    Table("laplace_rdp", ("scale", "sensitivity", "alpha"), _renyi_rows, renyi, low=0),
]
