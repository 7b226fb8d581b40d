# SPDX-License-Identifier: Apache-2.0
"""k-ary randomized response, `steps` times: K(x, x) = p, K(x, y) = (1 - p) / (k - 1).

K = lambda I + (1 - lambda) J / k with lambda = (k p - 1) / (k - 1), so K^steps is the same with L = lambda^steps:
(1 + (k - 1) L) / k on the diagonal and (1 - L) / k elsewhere. Two rows differ in two places, and one of them counts:

    kappa(epsilon) = (larger - e^epsilon smaller)_+ of these two numbers.
"""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, settled, step, uniform, unique
from mixing_apply import is_positive
from mixing_matrix import MOST_BITS
from rounding import to_mpf
from table import Table


def eigenvalue(k, p):
    k = int(k)
    return (k * Fraction(p) - 1) / (k - 1)


def delta(k, p, steps, epsilon):
    k, steps, root = int(k), int(steps), eigenvalue(k, p)
    if root in (-1, 0, 1):
        return Fraction(abs(root))  # a permutation, or one law for all
    if epsilon == 0:
        if steps * root.denominator.bit_length() <= MOST_BITS:
            return abs(root**steps)
        return abs(to_mpf(root)) ** steps
    if p == 0 and steps == 1:
        return Fraction(1, k - 1)
    with mp.workdps(mp.dps + int(epsilon / 2) + 20):  # the smaller one is multiplied by e^epsilon
        power, growth = to_mpf(root) ** steps, mp.exp(mp.mpf(epsilon))
        inside, outside = 1 + (k - 1) * power, 1 - power
        larger, smaller = max(inside, outside), min(inside, outside)
        value = larger - growth * smaller
    return value / k if is_positive(value, larger) else Fraction(0)


def level(k, p, steps):
    """The epsilon from which kappa is 0, about."""
    with mp.workdps(400):
        power = to_mpf(eigenvalue(k, p)) ** int(steps)
        inside, outside = 1 + (int(k) - 1) * power, 1 - power
        return float(abs(mp.log(inside / outside))) if inside and outside else 3.0


SIZES = (2, 3, 4, 7, 10, 64, 1000, 10**6)
STEPS = (1, 2, 3, 5, 10, 40, 1000, 10**6)


def _rows():
    rng = generator("mixing_k_ary_delta")
    rows = [(2, 0.75, 1, 0.0), (2, 0.75, 1, 1.0), (3, 0.5, 2, 0.1), (10, 0.3, 1, 0.5)]

    def add(k, p, steps, part):
        rows.append((k, p, steps, settled(level(k, p, steps) * part)))

    for j in range(96):
        k, steps = SIZES[j % 8], STEPS[(j // 8 + j) % 8]
        kind = j // 8 % 6
        if kind == 0:  # lambda^steps is ordinary
            root = uniform(rng, 0.05, 0.95) ** (1 / steps)
            p = (1 + (k - 1) * root) / k
        elif kind == 1:
            p = uniform(rng, 0, 1) / k  # below 1/k
        elif kind == 2:
            p = 1 - log_uniform(rng, 1e-12, 1e-2)
        elif kind == 3:
            p = uniform(rng, 0, 1)
        elif kind == 4:
            p = (1 + log_uniform(rng, 1e-9, 1e-1)) / k  # barely above 1/k
        else:
            root = log_uniform(rng, 1e-280, 1e-10) ** (1 / steps)
            p = (1 + (k - 1) * root) / k
        # p in doubles, far from the edges of the powers
        add(k, settled(p), steps, (0.0, 0.3, 0.9, 0.0, 0.6, 0.9999, 0.05, 1.01)[(j + j // 8) % 8])
    for p in (1 - 1e-9, step(1.0, -1)):
        for k in (2, 5, 10**6):
            for steps in (1, 1000, 10**6):
                for part in (0.0, 0.5):
                    add(k, p, steps, part)
    for k in (2, 3, 10):
        for steps in (1, 2, 3):
            rows += [(k, 0.0, steps, e) for e in (0.0, 0.25)]
    rows += [(2, 1.0, 5, 0.0), (3, 1.0, 10**6, 2.0), (2, 0.5, 1, 0.0), (4, 0.25, 3, 0.5), (2, 0.5, 10**6, 0.0)]
    rows += [(3, 1 / 3, 1, 0.0), (3, 1 / 3, 2, 0.0), (3, 1 / 3, 40, 0.0), (10, 0.1, 1, 0.0), (10, 0.1, 5, 0.0)]
    rows += [(2, 0.5 + 2.0**-n, s, e) for n, s, e in ((2, 40, 0.0), (5, 83, 0.0), (2, 1000, 0.0), (10, 92, 0.0))]
    # lambda^steps about 1e-20, 1e-100, 1e-250, and below every double
    for target in (20, 100, 250, 320, 5000):
        for k, steps in ((2, 40), (3, 1000), (100, 10), (10**6, 10**6), (5, 10**5)):
            root = 10 ** (-target / steps)
            if root > 1e-13:
                p = settled((1 + (k - 1) * root) / k)
                rows.append((k, p, steps, 0.0))
                if target <= 250:
                    add(k, p, steps, 0.5)
    rows += [(3, 0.6, 2, e) for e in (5e-324, 1e-300, 1e-16)] + [(3, 1e-300, 1, e) for e in (0.0, 5.0, 600.0)]
    return unique(rows)


TABLES = [
    Table("mixing_k_ary_delta", ("k", "p", "steps", "epsilon"), _rows, delta, low=0, high=1, with_log=True),
]
