# SPDX-License-Identifier: Apache-2.0
"""Sums of g(k) = exp(-k^2 / (2 sigma^2)) over the integers k >= start, term by term or by Euler-Maclaurin."""

from mpmath import mp

from normal import upper_tail
from rounding import to_mpf

LARGEST_DIRECT = 400  # sigma above which the direct sum gets slow


def half_sum(sigma, start):
    """The sum over k >= start, start an integer."""
    return direct(sigma, start) if sigma <= LARGEST_DIRECT else euler_maclaurin(sigma, start)


def direct(sigma, start):
    if start <= 0:
        # Symmetry: all integers, minus those below start.
        return 2 * direct(sigma, 1) + 1 - direct(sigma, 1 - start)
    return shifted_sum(sigma, mp.mpf(start))


def shifted_sum(sigma, x):
    """The sum of g(x + j) over j >= 0, for real x >= 0."""
    width = 2 * mp.mpf(sigma) ** 2
    term, ratio, shrink = mp.exp(-(x**2) / width), mp.exp(-(2 * x + 1) / width), mp.exp(-2 / width)
    total, negligible = term, mp.mpf(10) ** (-mp.dps - 5)
    # The terms fall faster than geometrically; once ratio <= 1/2 the rest is at most the last term.
    while ratio > 0.5 or term > negligible * total:
        term *= ratio
        ratio *= shrink
        total += term
    return total


def euler_maclaurin(sigma, start):
    """Integral + g(m)/2 - sum over j of B_2j / (2j)! g^(2j-1)(m), where g^(n) = (-1/sigma)^n He_n(m/sigma) g."""
    sigma = mp.mpf(sigma)
    y = start / sigma
    peak = mp.exp(-y * y / 2)
    total = sigma * mp.sqrt(2 * mp.pi) * upper_tail(y) + peak / 2
    previous, hermite = mp.mpf(1), y  # He_0, He_1
    factor, order = peak, 1
    scale = abs(total) * mp.mpf(10) ** (-mp.dps - 5)
    small = 0
    while small < 4:
        if order % 2:
            term = -mp.bernoulli(order + 1) / mp.factorial(order + 1) * -hermite * factor / sigma
            total += term
            # He_n(y) may vanish by accident, so ask for several small terms in a row.
            small = small + 1 if abs(term) < scale else 0
        previous, hermite = hermite, y * hermite - order * previous
        factor /= sigma
        order += 1
    return total


def whole_sum(sigma):
    """The sum over all integers."""
    return 2 * half_sum(sigma, 1) + 1


def shifted_whole_sum(sigma, shift):
    """The sum over all integers of g(k - shift), 0 <= shift < 1 a Fraction."""
    if sigma > 30:
        return poisson_sum(sigma, shift)
    right, left = 1 - shift, shift
    return shifted_sum(sigma, to_mpf(right)) + shifted_sum(sigma, to_mpf(left))


def poisson_sum(sigma, shift):
    sigma, total, k = mp.mpf(sigma), mp.mpf(1), 1
    while True:
        size = 2 * mp.exp(-2 * (mp.pi * sigma * k) ** 2)
        if size < mp.mpf(10) ** (-mp.dps - 5):
            return sigma * mp.sqrt(2 * mp.pi) * total
        total += size * mp.cos(2 * mp.pi * k * to_mpf(shift))
        k += 1
