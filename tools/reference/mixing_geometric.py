# SPDX-License-Identifier: Apache-2.0
"""The truncated geometric kernel on {0, ..., n - 1}, `steps` times: y = clip(x + G, 0, n - 1),

    Pr[G = j] = (1 - ratio) / (1 + ratio) ratio^|j|,    Pr[G >= j] = ratio^j / (1 + ratio) for j >= 0.

kappa(epsilon) is the largest hockey-stick divergence of two rows of the power. In integers when they are short (then
the truth may be a double: 1 - ratio for n = 3, one step, epsilon = 0), else in floating-point matrices.
"""

from fractions import Fraction

from mpmath import mp

import mixing_matrix
from inputs import generator, log_uniform, settled, step, uniform, unique
from mixing_matrix import MOST_BITS, common, power
from mixing_apply import is_positive
from rounding import to_mpf
from settle import Unsettled
from table import Table


def kernel(n, ratio):
    """Rows of numbers of the type of ratio."""
    rows = []
    for x in range(n):
        inner = [ratio ** abs(x - y) * (1 - ratio) / (1 + ratio) for y in range(1, n - 1)]
        rows.append([ratio**x / (1 + ratio), *inner, ratio ** (n - 1 - x) / (1 + ratio)])
    return rows


def delta(n, ratio, steps, epsilon):
    n, ratio, steps = int(n), Fraction(ratio), int(steps)
    if n * ratio.denominator.bit_length() * steps <= MOST_BITS:
        matrix, denominator = common(kernel(n, ratio))
        return mixing_matrix.hockey(power(matrix, steps), denominator**steps, epsilon)
    rows = power(kernel(n, to_mpf(ratio)), steps)
    growth, best = mp.exp(mp.mpf(epsilon)), mp.mpf(0)
    for i, p in enumerate(rows):
        for j, q in enumerate(rows):
            if i != j:
                terms = [(a, a - growth * b) for a, b in zip(p, q)]
                # With epsilon = 0 some terms may vanish, and what is left of them is far below the others.
                best = max(best, sum(x for a, x in terms if (x > 0 if epsilon == 0 else is_positive(x, a))))
    if best == 0 and epsilon == 0:
        raise Unsettled("the rows are different")
    return best if best else Fraction(0)


def level(n, ratio, steps):
    """The epsilon from which kappa is 0, about."""
    with mp.workdps(400):
        rows = power(kernel(int(n), mp.mpf(ratio)), int(steps))
        return float(max(mp.log(max(column) / min(column)) for column in zip(*rows)))


STEPS = (1, 2, 3, 5, 10, 40, 200, 1000)


def _rows():
    rng = generator("mixing_geometric_delta")
    rows = [(2, 0.5, 1, 0.0), (3, 0.5, 1, 0.0), (3, 0.5, 1, 0.5), (5, 0.25, 2, 0.1)]

    def add(n, ratio, steps, part):
        rows.append((n, ratio, steps, settled(level(n, ratio, steps) * part)))

    for k in range(96):
        n, steps = 2 + k % 11, STEPS[k % 8] if k % 3 else STEPS[k % 5]
        kind = k // 12 % 4
        if kind == 0:
            ratio = uniform(rng, 0.05, 0.95)
        elif kind == 1:
            ratio = log_uniform(rng, 1e-6, 0.3)
        elif kind == 2:
            ratio = settled(1 - log_uniform(rng, 1e-9, 0.3))
        else:
            ratio = uniform(rng, 0.3, 0.7)
        add(n, ratio, steps, (0.0, 0.3, 0.9, 0.6, 0.9999, 0.05, 0.0, 1.01, 0.45, 0.15)[(k + k // 12) % 10])
    for ratio in (1e-30, 1e-200):
        for n in (2, 3, 6):
            for steps in (1, 2, 10):
                rows.append((n, ratio, steps, (0.0, 1.0, 100.0)[(n + steps) % 3]))
                add(n, ratio, steps, 0.7)
    for ratio in (1 - 1e-9, step(1.0, -1)):
        for n in (2, 3, 12):
            for steps in (1, 5):
                for part in (0.0, 0.5):
                    add(n, ratio, steps, part)
    # n = 2 has the eigenvalue (1 - ratio) / (1 + ratio): powers about 1e-20, 1e-100, 1e-250, and below every double
    for target in (20, 100, 250, 400):
        for steps in (40, 1000):
            root = 10 ** (-target / steps)
            ratio = settled((1 - root) / (1 + root))
            rows.append((2, ratio, steps, 0.0))
            if target <= 250:
                add(2, ratio, steps, 0.5)
    # the same in larger spaces
    rows += [(12, 0.5, 1000, 0.0), (12, 0.125, 1000, 0.0), (6, 0.3, 1000, 0.0), (6, 0.75, 200, 0.0), (4, 0.6, 100, 0.0)]
    for n, ratio, steps in ((12, 0.5, 1000), (12, 0.125, 1000), (6, 0.3, 1000), (12, 0.01, 1000), (8, 0.75, 40)):
        add(n, ratio, steps, 0.6)
    for n in (2, 3, 4, 12):
        rows += [(n, 0.5, 1, e) for e in (5e-324, 0.6, settled(0.693147180559 * (n - 1)), 0.7 * n)]
    return unique(rows)


TABLES = [
    Table("mixing_geometric_delta", ("n", "ratio", "steps", "epsilon"), _rows, delta, low=0, high=1, with_log=True),
]
