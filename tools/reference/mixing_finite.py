# SPDX-License-Identifier: Apache-2.0
"""Kernels on three states, `steps` times: the matrix K has the given rows, divided by their exact sums.

    hockey   kappa(epsilon) = max over x, x' of the sum over y of (K^steps(x, y) - e^epsilon K^steps(x', y))_+
    doeblin  1 - sum over y of min over x of K^steps(x, y)
    ultra    max over y, x, x' of log(K^steps(x, y) / K^steps(x', y)), 0/0 left out; only tables where it is finite
"""

from fractions import Fraction
from functools import lru_cache

from mpmath import mp

import mixing_matrix
from inputs import generator, settled, step, unique
from mixing_matrix import common, power, quotient
from table import Table


@lru_cache(maxsize=None)
def powered(entries, steps):
    """(integer matrix, denominator) of K^steps."""
    rows = [[Fraction(x) for x in entries[3 * i : 3 * i + 3]] for i in range(3)]
    matrix, denominator = common([[x / sum(row) for x in row] for row in rows])
    return power(matrix, int(steps)), denominator ** int(steps)


def hockey(*inputs):
    *entries, steps, epsilon = inputs
    return mixing_matrix.hockey(*powered(tuple(entries), steps), epsilon)


def doeblin(*inputs):
    *entries, steps = inputs
    matrix, denominator = powered(tuple(entries), steps)
    return quotient(denominator - sum(min(column) for column in zip(*matrix)), denominator)


def is_ultra(entries, steps):
    matrix, _ = powered(tuple(entries), steps)
    return all(min(column) > 0 or max(column) == 0 for column in zip(*matrix))


def ultra(*inputs):
    *entries, steps = inputs
    matrix, _ = powered(tuple(entries), steps)
    best = mp.mpf(0)
    for column in zip(*matrix):
        least, most = min(column), max(column)
        if most > least:
            best = max(best, mp.log1p(mp.mpf(int(most - least)) / int(least)))
    return best if best else Fraction(0)


STEPS = (1, 2, 3, 5, 10, 40, 1000)


def _dirichlet(rng, shape):
    row = [rng.gammavariate(shape, 1) for _ in range(3)]
    return tuple(settled(x / sum(row)) for x in row)


def _dyadic(rng, bits):
    """A row that sums to 1 exactly."""
    a, b = sorted(rng.randrange(1, 2**bits) for _ in range(2))
    return tuple(x / 2**bits for x in (a, b - a, 2**bits - b))


@lru_cache(maxsize=None)
def kernels():
    """(name, nine entries)."""
    rng = generator("mixing_finite")
    found = []

    def add(name, *rows):
        entries = tuple(float(x) for row in rows for x in row)
        assert all(abs(sum(map(Fraction, entries[i : i + 3])) - 1) < 3e-12 for i in (0, 3, 6)), entries
        found.append((name, entries))

    for shape in (1.0, 1.0, 1.0, 4.0, 0.2):
        add("dirichlet", *(_dirichlet(rng, shape) for _ in range(3)))
    for bits in (3, 20, 50):
        add("exact", *(_dyadic(rng, bits) for _ in range(3)))
    add("inexact", (0.1, 0.2, 0.7), (0.6, 0.3, 0.1), (1 / 3, 1 / 3, 1 / 3))
    add("off", (0.1, 0.2, 0.700000000002), (0.6, 0.3, 0.099999999998), (0.25, 0.25, 0.500000000001))
    add("off down", (0.5, 0.2, 0.299999999998), (0.2, 0.5, 0.299999999998), (0.3, 0.3, 0.4))
    add("diagonal", (0.99, 0.005, 0.005), (0.002, 0.99, 0.008), (0.01, 0.01, 0.98))
    add("diagonal", (1 - 2e-6, 1e-6, 1e-6), (1e-6, 1 - 2e-6, 1e-6), (3e-6, 1e-6, 1 - 4e-6))
    stay, go = step(1.0, -1), 2.0**-54
    add("diagonal", (stay, go, go), (go, stay, go), (0.0, 2 * go, stay))
    add("identity", (1, 0, 0), (0, 1, 0), (0, 0, 1))
    add("cycle", (0, 1, 0), (0, 0, 1), (1, 0, 0))
    add("zeros", (0.5, 0.5, 0), (0, 0.5, 0.5), (0.5, 0, 0.5))
    add("zeros", (0.3, 0.7, 0), (0.6, 0.4, 0), (0.1, 0.2, 0.7))
    add("zero column", (0.3, 0.7, 0), (0.6, 0.4, 0), (0.45, 0.55, 0))
    add("absorbing", (1, 0, 0), (0.25, 0.5, 0.25), (0.1, 0.1, 0.8))
    add("reducible", (0.9, 0.1, 0), (0.2, 0.8, 0), (0, 0, 1))
    add("periodic", (0, 0.25, 0.75), (1, 0, 0), (1, 0, 0))
    add("tiny 1e-30", (1e-30, 0.4, 0.6), (0.3, 0.3, 0.4), (0.5, 0.25, 0.25))
    add("tiny 1e-30", (1, 1e-30, 2e-30), (3e-30, 1, 1e-30), (1e-30, 4e-30, 1))
    add("tiny 1e-200", (1e-200, 0.4, 0.6), (0.3, 0.3, 0.4), (0.5, 0.25, 0.25))
    add("tiny 1e-200", (0.5, 0.5, 1e-200), (0.25, 0.75, 3e-200), (0.5, 0.5, 2e-200))
    add("tiny 1e-200", (1, 1e-200, 0), (1e-200, 1, 0), (0.5, 0.5, 1e-30))
    add("smallest", (5e-324, 0.5, 0.5), (1e-323, 0.25, 0.75), (5e-324, 0.75, 0.25))
    add("equal", (0.2, 0.3, 0.5), (0.2, 0.3, 0.5), (0.2, 0.3, 0.5))
    quarter = 0.25 + 2.0**-42
    add("equal after division", (0.25, 0.25, 0.5), (quarter, quarter, 2 * quarter), (0.25, 0.25, 0.5))
    add("two equal", (0.2, 0.3, 0.5), (0.2, 0.3, 0.5), (0.1, 0.2, 0.7))
    add("nearly equal", (0.2, 0.3, 0.5), (0.2, 0.30000000005, 0.49999999995), (0.2 + 1e-10, 0.3, 0.5 - 1e-10))
    add("nearly equal", (0.25, 0.25, 0.5), (step(0.25, 1), step(0.25, -2), 0.5), (0.25, step(0.25, 1), step(0.5, -1)))
    add("slow", (0.7, 0.2, 0.1), (0.1, 0.7, 0.2), (0.15, 0.14, 0.71))  # about 1e-250 after 1000 steps
    add("fast", (0.7, 0.15, 0.15), (0.2, 0.6, 0.2), (0.1, 0.3, 0.6))
    return found


def _heavy(entries, steps):
    """Denominators of over a million bits."""
    return steps == 1000 and sum(min(row, default=1) < 1e-100 for row in _nonzero_rows(entries)) > 1


def _nonzero_rows(entries):
    return [[x for x in entries[i : i + 3] if x] for i in (0, 3, 6)]


@lru_cache(maxsize=None)
def _powers():
    """(entries, steps): all numbers of steps for some kernels, three for the others."""
    found = []
    for k, (_, entries) in enumerate(kernels()):
        steps = STEPS if k % 6 == 0 else {1, STEPS[1 + k % 6], STEPS[1 + (k + 3) % 6]}
        found += [(entries, s) for s in sorted(steps) if not _heavy(entries, s)]
    slow, fast = kernels()[-2][1], kernels()[-1][1]
    return list(dict.fromkeys(found + [(slow, s) for s in STEPS] + [(fast, s) for s in STEPS]))


def _rows():
    return unique((*entries, steps) for entries, steps in _powers())


def _ultra_rows():
    return unique((*entries, steps) for entries, steps in _powers() if is_ultra(entries, steps))


def _hockey_rows():
    rows = []
    for k, (entries, steps) in enumerate(_powers()):
        if is_ultra(entries, steps):
            with mp.workdps(700):
                level = float(ultra(*entries, steps))
        else:
            level = 3.0
        parts = ((0.0, 0.5), (0.0, 0.9), (0.1, 0.999), (0.0, 1.1), (0.02, 0.7))[k % 5]
        rows += [(*entries, steps, settled(level * part)) for part in parts]
    rows += [(*kernels()[k][1], 1, e) for k, e in ((0, 1e-300), (1, 5e-324), (22, 50.0), (24, 400.0))]
    return unique(rows)


KERNEL = ("k11", "k12", "k13", "k21", "k22", "k23", "k31", "k32", "k33", "steps")

TABLES = [
    Table("mixing_finite_hockey", (*KERNEL, "epsilon"), _hockey_rows, hockey, low=0, high=1, with_log=True),
    Table("mixing_finite_doeblin", KERNEL, _rows, doeblin, low=0, high=1, with_log=True),
    Table("mixing_finite_ultra", KERNEL, _ultra_rows, ultra, low=0),
]
