# SPDX-License-Identifier: Apache-2.0
"""Raises the working precision until a number is known well enough to be rounded in both directions.

A computation is run with d and with 2d digits. The truth is taken to lie within

    radius = |difference of the two| + |value| 10^(20 - 2d)

of the second result. It is settled when the radius is below 10^-digits |value| and both ends of that interval,
cut to the open interval (low, high) in which the truth is known to lie, round to the same doubles.
"""

import math
from fractions import Fraction

from mpmath import mp

from rounding import round_down, round_up, to_mpf

MOST_DIGITS = 20000


class Unsettled(Exception):
    """Raised by a computation that cannot decide a sign at the working precision."""


def settle(compute, start, digits=60, low=None, high=None, truth=True, log=False):
    """Doubles [down, up] around compute(), then around its logarithm, as far as truth and log ask for them.

    compute returns an mpf, or a Fraction (or mp.inf) when it knows the value exactly.
    """
    working, previous = start, None
    while working <= MOST_DIGITS:
        with mp.workdps(working):
            try:
                value = compute()
            except Unsettled:
                value = None
            if isinstance(value, Fraction) or value == mp.inf:
                return _exact(value, truth, log)
            if value is not None and previous is not None:
                radius = abs(value - previous) + abs(value) * mp.mpf(10) ** (20 - working)
                if radius < abs(value) * mp.mpf(10) ** -digits:
                    rounded = _round_interval(*_cut(value - radius, value + radius, low, high), truth, log)
                    if None not in rounded:
                        return rounded
        previous = value
        working *= 2
    raise ArithmeticError("not settled with %d digits" % MOST_DIGITS)


def _round_interval(left, right, truth, log):
    result = []
    if truth:
        result += _round_both(left, right)
    if log:
        result += _round_both(mp.log(left), mp.log(right))
    return result


def _cut(left, right, low, high):
    # 2^-5000 is far below the spacing of the doubles at any bound used here.
    if low is not None and left <= low:
        left = _exact_sum(low, mp.ldexp(1, -5000))
    if high is not None and right >= high:
        right = _exact_sum(high, -mp.ldexp(1, -5000))
    return left, right


def _exact_sum(bound, step):
    with mp.workprec(8000):
        return to_mpf(bound) + step


def _round_both(left, right):
    down, up = round_down(left), round_up(left)
    if down == up or (down, up) != (round_down(right), round_up(right)):
        return [None]
    return [down, up]


def _exact(value, truth, log):
    result = []
    if truth:
        result += [math.inf] * 2 if value == mp.inf else [round_down(value), round_up(value)]
    if log:
        result += _exact_log(value)
    return result


def _exact_log(value):
    if value == 0:
        return [-math.inf] * 2
    if value == 1:
        return [0.0, 0.0]
    return settle(lambda: mp.log(to_mpf(value)), 400)
