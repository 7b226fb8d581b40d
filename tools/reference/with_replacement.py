# SPDX-License-Identifier: Apache-2.0
"""Gaussian mechanism on m draws with replacement out of n records: the record is drawn Bin(m, 1/n) times.

    P = sum over k of b_k N(k, sigma^2),    Q = N(0, sigma^2),    b_k = C(m, k) (1/n)^k (1 - 1/n)^(m - k).

dP/dQ = sum of b_k e^((k x - k^2/2)/sigma^2) increases from b_0, so both divergences are differences of tails beyond one
point. Direction 0 is P against Q, direction 1 is Q against P (exactly 0 when e^-epsilon <= b_0).

The rule bounds the same mechanism by the profiles delta_k of the Gaussian mechanism with sensitivity k:

    delta'(epsilon') = sum over k >= 1 of b_k delta_k(epsilon),
    epsilon = log(1 + (e^epsilon' - 1) / eta),    eta = 1 - b_0,
    delta_k(epsilon) = Q(epsilon s / k - k / (2 s)) - e^epsilon Q(epsilon s / k + k / (2 s)),    s = sigma.

With a level for every k, the best ones: g = e^epsilon', r_k(x) = e^((k x - k^2/2)/s^2),

    delta'(epsilon') = sum over k >= 1 of b_k delta_k(log max(g, r_k(x))),
    sum over k >= 1 of b_k max(0, r_k(x) - g) = b_0 (g - 1).
"""

import math
from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, settled, uniform, unique
from normal import upper_tail
from poisson_gaussian import reaches
from rounding import to_mpf
from table import Table


def weight(n, m, k):
    """b_k, exactly."""
    n, m = int(n), int(m)
    return Fraction(math.comb(m, k) * (n - 1) ** (m - k), n**m)


def weights(n, m):
    """Pairs (k, b_k) with b_k > 0 and k >= 1, and b_0."""
    exact = [(k, weight(n, m, k)) for k in range(int(m) + 1)]
    return [(k, to_mpf(b)) for k, b in exact[1:] if b > 0], to_mpf(exact[0][1])


def crossing(s, pairs, excess):
    """The point where the sum over k >= 1 of b_k e^((k x - k^2/2)/s^2) equals excess > 0.

    Its logarithm is convex and increases, so Newton's method descends to the root from the right, where it starts:
    one term alone is at most the sum.
    """
    logs = [(k, mp.log(b) - mp.mpf(k) ** 2 / (2 * s**2)) for k, b in pairs]
    target = mp.log(excess)
    x = min(s**2 * (target - a) / k for k, a in logs)
    coefficients = [(k, mp.exp(a)) for k, a in logs]
    while True:
        y = mp.exp(x / s**2)
        value = slope = mp.mpf(0)
        power, at = mp.mpf(1), 0
        for k, a in coefficients:
            power, at = power * (y if k == at + 1 else y ** (k - at)), k
            value += a * power
            slope += k * a * power
        change = s**2 * (mp.log(value) - target) * value / slope
        x -= change
        if abs(change) <= mp.mpf(10) ** (6 - mp.dps) * (abs(x) + s):
            return x


def delta(n, m, sigma, direction, epsilon):
    s, growth = mp.mpf(sigma), mp.exp(mp.mpf(epsilon))
    pairs, none = weights(n, m)
    ratio = 1 / growth if direction else growth
    if not reaches(ratio - none):
        return Fraction(0)
    x = crossing(s, pairs, ratio - none)
    side = -1 if direction else 1
    q = upper_tail(side * x / s)
    p = none * q + sum(b * upper_tail(side * (x - k) / s) for k, b in pairs)
    return q - growth * p if direction else p - growth * q


def rule(n, m, sigma, epsilon):
    s, (pairs, _) = mp.mpf(sigma), weights(n, m)
    eta = to_mpf(1 - weight(n, m, 0))
    growth = 1 + mp.expm1(mp.mpf(epsilon)) / eta
    inner = mp.log(growth)
    total = mp.mpf(0)
    for k, b in pairs:
        total += b * (upper_tail(inner * s / k - k / (2 * s)) - growth * upper_tail(inner * s / k + k / (2 * s)))
    return total


def exchange(n, m, sigma, epsilon):
    s, (pairs, none) = mp.mpf(sigma), weights(n, m)
    growth = mp.exp(mp.mpf(epsilon))
    budget = none * mp.expm1(mp.mpf(epsilon))
    logs = [(k, b, mp.mpf(k) ** 2 / (2 * s**2)) for k, b in pairs]
    ratio = lambda k, a, x: mp.exp(k * x / s**2 - a)
    used = lambda x: sum(b * max(mp.mpf(0), ratio(k, a, x) - growth) for k, b, a in logs)
    # No k uses anything at the left end, the last one more than there is at the right end.
    low = min(s**2 * (mp.mpf(epsilon) + a) / k for k, _, a in logs)
    high = max(s**2 * (mp.log(growth + budget / b) + a) / k for k, b, a in logs)
    if budget > 0:
        while high - low > mp.mpf(10) ** -8 * (abs(high) + s):
            middle = (low + high) / 2
            low, high = (middle, high) if used(middle) <= budget else (low, middle)
        # Convex and increasing: Newton's method descends to the root from the right.
        change = mp.inf
        while change > mp.mpf(10) ** (6 - mp.dps) * (abs(high) + s):
            active = [(k, b, ratio(k, a, high)) for k, b, a in logs if ratio(k, a, high) > growth]
            change = (sum(b * (r - growth) for _, b, r in active) - budget) * s**2 / sum(k * b * r for k, b, r in active)
            high -= change
    total = mp.mpf(0)
    for k, b, a in logs:
        level = max(growth, ratio(k, a, high)) if budget > 0 else growth
        inner = mp.log(level)
        total += b * (upper_tail(inner * s / k - k / (2 * s)) - level * upper_tail(inner * s / k + k / (2 * s)))
    return total


def _epsilon_at(n, m, sigma, direction, x):
    with mp.workdps(60):
        pairs, none = weights(n, m)
        s2, x = mp.mpf(sigma) ** 2, mp.mpf(x)
        loss = mp.log(none + sum(b * mp.exp((k * x - mp.mpf(k) ** 2 / 2) / s2) for k, b in pairs))
        return settled(float(max(0, -loss if direction else loss)))


SIZES = [(1, 1), (1, 5), (2, 1), (2, 3), (3, 30), (10, 10), (50, 200), (100, 1), (100, 300), (1000, 30), (5000, 250),
         (100000, 1), (100000, 50), (100000, 300)]


def _sizes(rng, k):
    if k % 2:
        return rng.choice(SIZES)
    return round(log_uniform(rng, 1, 1e5)), round(log_uniform(rng, 1, 300))


def _delta_rows():
    rng = generator("with_replacement_gaussian_delta")
    rows = []
    for k in range(96):
        n, m = _sizes(rng, k)
        sigma = log_uniform(rng, 0.5, 30)
        direction = k // 2 % 2
        x = -sigma * uniform(rng, -1, 20) if direction else m / n + sigma * uniform(rng, -1, 32)
        rows.append((n, m, sigma, direction, _epsilon_at(n, m, sigma, direction, x)))
    for n, m in SIZES:
        rows += [(n, m, 1.0, 0, 0.0), (n, m, 3.0, 1, 0.0), (n, m, 1.5, 0, 1e-12), (n, m, 2.0, 1, 0.001)]
        rows += [(n, m, 4.0, 0, _epsilon_at(n, m, 4.0, 0, m / n + 20.0))]
        if n > 1:
            last = -m * math.log1p(-1 / n)
            rows += [(n, m, 1.0, 1, settled(share * last)) for share in (0.4, 0.99, 1.01)]
    return unique(rows)


def _rule_rows():
    rng = generator("with_replacement_rule_delta")
    rows = []
    for k in range(90):
        n, m = _sizes(rng, k)
        sigma = log_uniform(rng, 0.5, 30)
        # epsilon' such that the profile of sensitivity j has its first tail at a
        j = min(m, 1 + round(m / n))
        a = uniform(rng, -0.5, 30 if k % 3 else 6)
        inner = max(0.0, (a + j / (2 * sigma)) * j / sigma)
        eta = 1 - (1 - 1 / n) ** m
        rows.append((n, m, sigma, settled(math.log1p(eta * math.expm1(min(inner, 600.0))))))
    for n, m in SIZES:
        rows += [(n, m, s, e) for s in (1.0, 5.0) for e in (0.0, 1e-12, 0.01)] + [(n, m, 2.0, 1.0), (n, m, 2.0, 4.0)]
    return unique(rows)


def _exchange_rows():
    rows = [row for row in _rule_rows()[:60] if row[1] <= 60]
    rows += [(n, m, s, e) for n, m in SIZES[:8] for s, e in ((1.0, 0.0), (5.0, 1e-12), (1.0, 0.01), (2.0, 1.0))]
    return unique(rows)


TABLES = [
    Table(
        "with_replacement_gaussian_delta",
        ("n", "m", "sigma", "direction", "epsilon"),
        _delta_rows,
        delta,
        low=0,
        high=1,
        start=60,
        digits=40,
    ),
    Table(
        "with_replacement_rule_delta",
        ("n", "m", "sigma", "epsilon"),
        _rule_rows,
        rule,
        low=0,
        high=1,
        start=60,
        digits=40,
    ),
    Table(
        "with_replacement_exchange_delta",
        ("n", "m", "sigma", "epsilon"),
        _exchange_rows,
        exchange,
        low=0,
        high=1,
        start=60,
        digits=40,
    ),
]
