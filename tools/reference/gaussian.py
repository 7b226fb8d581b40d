# SPDX-License-Identifier: Apache-2.0
"""Gaussian mechanism: N(sensitivity, sigma^2) against N(0, sigma^2).

The likelihood ratio increases, so the hockey-stick divergence is a difference of two tails beyond one point:

    delta(epsilon) = Q(epsilon/mu - mu/2) - e^epsilon Q(epsilon/mu + mu/2),   mu = sensitivity / sigma.
"""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, sensitivity, settled, step, uniform, unique
from normal import upper_tail
from roots import bracketed_root
from table import Table


def delta(sigma, sens, epsilon):
    mu = mp.mpf(sens) / sigma
    epsilon = mp.mpf(epsilon)
    middle = epsilon / mu
    return upper_tail(middle - mu / 2) - mp.exp(epsilon) * upper_tail(middle + mu / 2)


def epsilon(sigma, sens, target):
    """The smallest epsilon >= 0 with delta(epsilon) <= target."""
    target = mp.mpf(target)
    if target >= delta(sigma, sens, 0):
        return Fraction(0)
    # delta(e) <= Q(a) <= exp(-a^2/2) with a = e/mu - mu/2
    mu = mp.mpf(sens) / sigma
    most = mu * (mu / 2 + mp.sqrt(-2 * mp.log(target)))
    return bracketed_root(lambda e: mp.log(delta(sigma, sens, e)) - mp.log(target), mp.mpf(0), most)


def epsilon_at(mu, a):
    """The epsilon whose first tail starts at a."""
    return settled(max(0.0, mu * (a + mu / 2)))


def _delta_rows():
    rng = generator("gaussian_delta")
    rows = []

    def add(sigma, sens, a):
        e = epsilon_at(sens / sigma, a)
        if e <= 1e6:
            rows.append((sigma, sens, e))

    while len(rows) < 680:
        sigma = log_uniform(rng, 1e-3, 1e9) if len(rows) % 2 else log_uniform(rng, 0.05, 50)
        sens = sensitivity(rng)
        add(sigma, sens, uniform(rng, -min(sens / sigma / 2, 9), 36.8))
    while len(rows) < 760:
        add(log_uniform(rng, 1e-2, 1e9), 1.0, uniform(rng, 36.8, 38.6))
    while len(rows) < 800:
        add(log_uniform(rng, 1e-2, 1e9), 1.0, log_uniform(rng, 38.6, 1e4))
    for sigma in (1e-3, 1e-2, 0.1, 0.5, 1.0, 2.0, 10.0, 1e3, 1e6, 1e9):
        for e in (0.0, 5e-324, 1e-310, 1e-300, 1e-100, 1e-20, 1e-16, 1e-8, 1.0, 1e4):
            rows.append((sigma, 1.0, e))
    rows += [(1e9, 1.0, float("1e-%d" % k)) for k in range(18, 6, -1)]
    rows += [(1e9, 1.0, e) for e in (2e-9, 5e-9, 3e-8, 3.7e-8)]
    for offset in (-3e4, -1e4, -8e3, -3e3, -1e3, -100.0, -1.0, -1e-6, 1e-6, 1.0, 100.0, 1e3, 3e3, 1e4, 2e4, 3e4, 3.6e4):
        rows.append((1e-3, 1.0, 5e5 + offset))
    rows += [(1e-3, 1.0, step(5e5, k)) for k in (-1, 0, 1)] + [(1e-3, 1.0, 1e6), (1.0, 1.0, 1e6), (0.5, 1.0, 1e5)]
    rows += [(1e-3, 1.0, 1e8), (1e-3, 3.0, 1e8), (1e-3, 14.0, 1e8), (1.0, 1.0, 1e8), (1e-4, 1.0, 5.01e7)]
    rows += [(1e-4, 1.0, 5.02e7), (1e-4, 1.0, 4.99e7), (1e-3, 1e6, 1e8), (1e-3, 1e6, 0.0), (1e9, 1e-3, 0.0)]
    rows += [(1e9, 1e-3, 1e-12), (1e9, 1e-3, 3e-11), (1e9, 1e6, 1e-3), (1e9, 1e6, 0.03), (1.0, 1e-3, 0.02)]
    # 1 - delta from 1e-3 down to below the smallest double
    for sens in (6.0, 12.0, 20.0, 40.0, 60.0, 74.0, 76.0, 77.0, 78.0, 80.0, 200.0):
        rows += [(1.0, sens, 0.0), (1.0, sens, 1.0)]
    rows += [(2.0**-k, 1.0, 4.0**k / 2) for k in (0, 1, 2, 3, 5, 8)]
    # Levels so small that delta, or even mu, is subnormal.
    tiny = generator("gaussian_delta, tiny levels")
    for k in range(80):
        sens = log_uniform(tiny, 5e-324, 1e-250)
        sigma = log_uniform(tiny, 0.1, 1e3) if k % 2 else 1.0
        rows.append((sigma, sens, sens / sigma * uniform(tiny, 0, 8)))
    rows += [(1.0, 5e-324, e) for e in (0.0, 5e-324, 1e-323, 1e-320)] + [(1e300, 1e-300, e) for e in (0.0, 1e-323, 1.0)]
    rows += [(1.0, 1e-307, 8.051314869745755e-307), (1.0, 2.332409209347e-311, 6.856811036313e-311)]
    return unique(rows)


def _epsilon_rows():
    rng = generator("gaussian_epsilon")
    rows = []
    for k in range(300):
        sigma = log_uniform(rng, 1e-3, 1e9) if k % 2 else log_uniform(rng, 0.05, 50)
        sens = sensitivity(rng)
        target = log_uniform(rng, 1e-300, 1) if k % 3 else log_uniform(rng, 1e-15, 1)
        rows.append((sigma, sens, target))
    for sigma in (1e-3, 0.1, 1.0, 10.0, 1e3, 1e6, 1e9):
        for target in (1e-300, 1e-100, 1e-20, 1e-9, 1e-5, 1e-3, 0.1, 0.38, 0.5, 0.9, step(1.0, -1), 1.0):
            rows.append((sigma, 1.0, target))
    # Just above and below the total variation distance, where epsilon leaves 0.
    for sigma in (0.2, 1.0, 30.0, 1e6):
        with mp.workdps(60):
            start = float(delta(sigma, 1.0, 0))
        rows += [(sigma, 1.0, step(start, k)) for k in (-50, -2, -1, 0, 1, 2)]
    return unique(rows)


TABLES = [
    Table(
        "gaussian_delta", ("sigma", "sensitivity", "epsilon"), _delta_rows, delta, low=0, high=1, with_log=True
    ),
    Table("gaussian_epsilon", ("sigma", "sensitivity", "delta"), _epsilon_rows, epsilon, low=0),
]
