# SPDX-License-Identifier: Apache-2.0
"""Root of a function on a bracket, to the working precision (Chandrupatla's method); square root of a rational."""

import math
from fractions import Fraction

from mpmath import mp

from settle import Unsettled


def bracketed_root(f, a, b):
    """x between a and b with f(x) = 0; f(a) and f(b) have opposite signs. Relative tolerance 10^(5 - dps)."""
    tolerance = mp.mpf(10) ** (5 - mp.dps)
    fa, fb = f(a), f(b)
    if fa == 0 or fb == 0:
        return a if fa == 0 else b
    if (fa > 0) == (fb > 0):
        raise Unsettled("no change of sign")
    t = mp.mpf(1) / 2
    while True:
        x = a + t * (b - a)
        fx = f(x)
        if (fx > 0) == (fa > 0):
            c, fc = a, fa
        else:
            c, fc, b, fb = b, fb, a, fa
        a, fa = x, fx
        best = a if abs(fa) < abs(fb) else b
        width = abs(b - a)
        if fx == 0 or width <= 2 * tolerance * abs(best):
            return x if fx == 0 else best
        least = tolerance * abs(best) / width
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        t = mp.mpf(1) / 2
        if phi**2 < xi and (1 - phi) ** 2 < 1 - xi:
            t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        t = min(1 - least, max(least, t))


def rational_root(square):
    """The square root of a Fraction, as a Fraction if it is one."""
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if top * top == square.numerator and bottom * bottom == square.denominator:
        return Fraction(top, bottom)
    return mp.sqrt(mp.mpf(square.numerator) / square.denominator)
