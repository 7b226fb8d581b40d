# SPDX-License-Identifier: Apache-2.0
"""Exact directed rounding of a real number to the two doubles around it."""

import math
from fractions import Fraction

from mpmath import mp

LARGEST = float.fromhex("0x1.fffffffffffffp+1023")
SMALLEST = math.ldexp(1.0, -1074)


def round_down(value):
    """The largest double <= value, for a finite mpf or Fraction."""
    return _round_down_magnitude(value) if value >= 0 else -_round_up_magnitude(-value)


def round_up(value):
    """The smallest double >= value, for a finite mpf or Fraction."""
    return _round_up_magnitude(value) if value >= 0 else -_round_down_magnitude(-value)


def _round_down_magnitude(value):
    units, quantum, _ = _units(value)
    # units has 53 bits at most, so ldexp is exact unless it overflows.
    return LARGEST if units.bit_length() + quantum > 1024 else math.ldexp(units, quantum)


def _round_up_magnitude(value):
    units, quantum, exact = _units(value)
    units += not exact
    return math.inf if units.bit_length() + quantum > 1024 else math.ldexp(units, quantum)


def _units(value):
    """(n, q, exact) with n = floor(value / 2^q) and 2^q the spacing of the doubles at value."""
    if value == 0:
        return 0, -1074, True
    if isinstance(value, Fraction):
        top, bottom, shift = value.numerator, value.denominator, 0
    else:
        mantissa, shift = value.man_exp
        top, bottom = int(mantissa), 1
    # 2^(exponent - 1) < value < 2^(exponent + 1)
    exponent = top.bit_length() - bottom.bit_length() + shift
    if exponent < -1080:
        return 0, -1074, False
    if exponent > 1030:
        return 1, 1024, False
    exponent += _at_least_power_of_two(top, bottom, shift, exponent)
    quantum = max(exponent - 53, -1074)
    lift = shift - quantum
    if lift >= 0:
        top <<= lift
    else:
        bottom <<= -lift
    units, rest = divmod(top, bottom)
    return units, quantum, rest == 0


def _at_least_power_of_two(top, bottom, shift, exponent):
    """Whether (top / bottom) 2^shift >= 2^exponent."""
    lift = shift - exponent
    return top << lift >= bottom if lift >= 0 else top >= bottom << -lift


def to_mpf(value):
    """A double, int, mpf or Fraction as an mpf of the working precision."""
    if isinstance(value, Fraction):
        return mp.mpf(value.numerator) / value.denominator
    return mp.mpf(value)
