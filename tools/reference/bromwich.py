# SPDX-License-Identifier: Apache-2.0
"""delta(epsilon) of a composition out of the transform M(s) = E_P[e^(s L)] of its total loss L = log dP/dQ:

    delta(epsilon) = 1/(2 pi i) integral of F(s) ds,    F(s) = e^(-s epsilon) M(s) / (s (s + 1)),    Re s = c > 0,

by the trapezoidal rule with step 2 pi / period. Poisson summation gives its error exactly: the sum over j != 0 of
e^(c j period) delta(epsilon + j period). Each term is bounded by delta(e) <= M(t) e^(-t e), any t >= 0.

The search for the line is in floating point and only decides how much work there is.
"""

import math

from mpmath import mp

GUARD = 4  # digits
TAIL_GUARD = 20  # digits lost in differences
TAIL_TERMS = 40


def goal_digits():
    """Digits to aim at. With d and then 2d working digits, their difference bounds the error of the second result."""
    return mp.dps // 4 + 21


def invert(log_transform, line, epsilon, copies=1, edge=None):
    """delta(epsilon), to goal_digits().

    log_transform(c) is log M(c) for c > 0, in floating point. line(c, step, slack) yields M(c + i k step) for k = 0, 1,
    2, ..., with a relative error of at most copies times the larger of 10^-dps and e^slack(): later terms are smaller
    and need fewer digits. If M(s) e^(-s edge) varies slowly far out, which is so when edge is the least loss, the sum
    need not be carried to its end.
    """
    goal = goal_digits()
    _, log_delta, heights = saddle(log_transform, float(epsilon))
    c, period, cancelled = cheapest_line(heights, log_delta, (goal + 4) * math.log(10))
    lost = math.ceil((cancelled + math.log(copies)) / math.log(10)) + (0 if edge is None else TAIL_GUARD)
    # Multiples of 5, so that rows share the nodes that line() computes.
    with mp.workdps(5 * math.ceil((goal + GUARD + lost) / 5)):
        c, epsilon, period = mp.mpf(c), mp.mpf(epsilon), mp.mpf(period)
        step = 2 * mp.pi / period
        turn, phase = mp.expj(-step * epsilon), mp.exp(-c * epsilon)
        negligible = period * mp.exp(log_delta) * mp.mpf(10) ** (-goal - 4)
        total, terms, small = mp.mpf(0), [], 0

        def slack():
            if edge is not None or not terms or not terms[-1]:
                return -math.inf
            return float(mp.log(negligible / (abs(terms[-1]) * 100 * copies * len(terms))))

        for k, value in enumerate(line(c, step, slack)):
            s = mp.mpc(c, k * step)
            terms.append(phase * value / (s * (s + 1)))
            phase *= turn
            total += terms[k].real if k == 0 else 2 * terms[k].real
            small = small + 1 if abs(terms[k]) * (k + 1) < negligible else 0
            if small == 5:
                return total / period
            if edge is not None and k % 32 == 31 and k > TAIL_TERMS:
                rest = tail(terms[-TAIL_TERMS:], mp.expj(-step * (epsilon - edge)), negligible)
                if rest is not None:
                    return (total + 2 * rest.real) / period


def tail(terms, z, negligible):
    """The sum of all terms after the last one given, if term k is z^k times a slowly varying function of k, or None.

    Euler's transform: the sum over k >= 0 of z^k g(k) is the sum over m of z^m / (1 - z)^(m + 1) times the m-th
    difference of g at 0. Here k counts from the first of the terms given.
    """
    rotated, back = [], mp.mpf(1)
    for term in terms:
        rotated.append(term * back)
        back /= z
    total, factor, small = mp.mpc(0), 1 / (1 - z), 0
    while rotated:
        change = factor * rotated[0]
        total += change
        small = small + 1 if abs(change) < negligible else 0
        if small == 4:
            return total - sum(terms)
        rotated = [b - a for a, b in zip(rotated, rotated[1:])]
        factor *= z / (1 - z)
    return None


def saddle(log_transform, epsilon):
    """(c, about log delta, heights): c > 0 minimises the convex function log F, up to about 1%.

    heights holds (t, log(M(t) e^(-t epsilon))) at many t around c, 0 included.
    """

    def height(u):
        c = math.exp(u)
        return log_transform(c) - c * epsilon - math.log(c) - math.log1p(c)

    a, b = math.log(1e-3), math.log(2.0)
    while height(b + 1) < height(b):
        a, b = b, b + 1
    b += 1
    golden = (math.sqrt(5) - 1) / 2
    x, y = b - golden * (b - a), a + golden * (b - a)
    fx, fy = height(x), height(y)
    while b - a > 0.01:
        if fx < fy:
            b, y, fy = y, x, fx
            x = b - golden * (b - a)
            fx = height(x)
        else:
            a, x, fx = x, y, fy
            y = a + golden * (b - a)
            fy = height(y)
    u = round((a + b) / 2, 3)
    c = math.exp(u)
    bend = max(1e-3, (height(u + 0.05) + height(u - 0.05) - 2 * height(u)) / 0.0025) / c**2
    points = [c * 2.0 ** (j / 12) for j in range(-36, 25)]
    heights = [(0.0, 0.0)] + [(t, log_transform(t) - t * epsilon) for t in points]
    return c, height(u) - math.log(2 * math.pi * bend) / 2, heights


def epsilon_near(log_transform, target):
    """An epsilon > 0 with six digits at which delta is roughly the target, or None: see saddle, with c given first."""

    def at(c):
        low, middle, high = (log_transform(c * (1 + x)) for x in (-0.02, 0.0, 0.02))
        slope, bend = (high - low) / (0.04 * c), (high + low - 2 * middle) / (0.02 * c) ** 2
        epsilon = slope - 1 / c - 1 / (1 + c)
        log_delta = middle - c * epsilon - math.log(c) - math.log1p(c)
        return epsilon, log_delta - math.log(2 * math.pi * (max(bend, 0.0) + c**-2 + (1 + c) ** -2)) / 2

    low, high = math.log(1e-2), math.log(1e6)
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if at(math.exp(middle))[1] > math.log(target) else (low, middle)
    epsilon = float("%.6g" % at(math.exp(low))[0])
    return epsilon if epsilon > 0 else None


def cheapest_line(heights, log_delta, digits):
    """(c, period, cancelled): the images are below e^-digits delta on either side, F(c) is about e^cancelled delta."""
    best = None
    for i, (c, top) in enumerate(heights[1:-1], 1):
        left = min((h - log_delta + digits) / (c - t) for t, h in heights[:i])
        right = min((h - log_delta + digits) / (t - c) for t, h in heights[i + 1 :])
        cancelled = max(0.0, top - math.log(c) - math.log1p(c) - log_delta)
        period = max(left, right) * 1.02
        cost = period * (digits + cancelled) ** 1.5
        if best is None or cost < best[0]:
            best = cost, c, period, cancelled
    return best[1:]
