# SPDX-License-Identifier: Apache-2.0
"""Finite kernels as integer matrices over one denominator, and the hockey-stick coefficient of such a matrix."""

import itertools
import math
from fractions import Fraction

from mpmath import mp
from mpmath.libmp import MPZ

from mixing_apply import is_positive

MOST_BITS = 50000  # of a denominator that is worth a Fraction, whose gcd is slow


def common(rows):
    """(numerators, denominator) of a matrix of Fractions."""
    denominator = math.lcm(*(x.denominator for row in rows for x in row))
    return [[MPZ(int(x * denominator)) for x in row] for row in rows], MPZ(denominator)


def multiply(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def power(matrix, steps):
    """matrix^steps, steps >= 1, by squaring."""
    result = None
    while True:
        if steps & 1:
            result = matrix if result is None else multiply(result, matrix)
        steps >>= 1
        if not steps:
            return result
        matrix = multiply(matrix, matrix)


def quotient(top, bottom):
    """top / bottom for integers: exact when that is cheap or plainly rational, else at the working precision."""
    top, bottom = int(top), int(bottom)
    if top == 0 or top == bottom or bottom.bit_length() <= MOST_BITS:
        return Fraction(top, bottom)
    return mp.mpf(top) / bottom


def hockey(matrix, denominator, epsilon):
    """kappa(epsilon) of the kernel matrix / denominator, in integers."""
    growth, best = mp.exp(mp.mpf(epsilon)), None
    for p, q in itertools.permutations(matrix, 2):
        counted = [(a, b) for a, b in zip(p, q) if _counts(a, b, growth, epsilon)]
        first, second = sum(a for a, _ in counted), sum(b for _, b in counted)
        value = mp.mpf(int(first - second)) if epsilon == 0 else mp.mpf(int(first)) - growth * int(second)
        if best is None or value > best[0]:
            best = value, first, second
    value, first, second = best
    if second == 0 or epsilon == 0:
        return quotient(first - second, denominator)
    return value / int(denominator)


def _counts(a, b, growth, epsilon):
    """Whether a > e^epsilon b, for integers."""
    if a <= b or b == 0 or epsilon == 0:
        return a > b
    a, b = mp.mpf(int(a)), mp.mpf(int(b))
    return is_positive(a - growth * b, a)
