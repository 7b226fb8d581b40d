# SPDX-License-Identifier: Apache-2.0
"""Bounds of Clopper and Pearson: the p at which seeing as many successes, or more, has probability `failure`.

Pr[Bin(n, p) >= k] = I_p(k, n - k + 1), by its continued fraction; the root by bisection and then Newton's method.
"""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, unique
from table import Table


def _continued_fraction(a, b, x):
    """The fraction of I_x(a, b), by the modified method of Lentz; fast for x < (a + 1)/(a + b + 2)."""
    tiny = mp.mpf(10) ** (-10 * mp.dps)
    c, d = mp.mpf(1), 1 - (a + b) * x / (a + 1)
    d = 1 / (d if d else tiny)
    value = d
    m = 1
    while True:
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + numerator * d
            d = 1 / (d if d else tiny)
            c = 1 + numerator / c
            c = c if c else tiny
            value *= c * d
        if abs(c * d - 1) < mp.mpf(10) ** -mp.dps:
            return value
        m += 1


def _density_times(a, b, x):
    """x^a (1 - x)^b / B(a, b)."""
    beta = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    return mp.exp(a * mp.log(x) + b * mp.log1p(-x) - beta)


def tail(successes, trials, p):
    """Pr[Bin(trials, p) >= successes]."""
    a, b = mp.mpf(successes), mp.mpf(trials) - mp.mpf(successes) + 1
    factor = _density_times(a, b, p)
    if p < (a + 1) / (a + b + 2):
        return factor * _continued_fraction(a, b, p) / a
    return 1 - factor * _continued_fraction(b, a, 1 - p) / b


def lower(successes, trials, failure):
    if successes == 0:
        return Fraction(0)
    if trials == 1:
        return Fraction(failure)
    failure = mp.mpf(failure)
    low, high = mp.mpf(0), mp.mpf(1)
    with mp.workdps(25):
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if tail(successes, trials, middle) > failure else (middle, high)
        p = (low + high) / 2
    a, b = mp.mpf(successes), mp.mpf(trials) - mp.mpf(successes) + 1
    p = mp.mpf(p)
    while True:
        # The derivative of the tail is p^(a-1) (1-p)^(b-1) / B(a, b).
        step = (tail(successes, trials, p) - failure) * p * (1 - p) / _density_times(a, b, p)
        p -= step
        if abs(step) < p * mp.mpf(10) ** (-mp.dps / 2 - 5):
            return p


def upper(successes, trials, failure):
    other = lower(trials - successes, trials, failure)
    return 1 - other


def _rows():
    rng = generator("binomial_confidence")
    failures = (0.05, 1e-3, 1e-6)
    rows = [(float(k), float(n), f) for n in (1, 2, 10, 100) for k in {0, 1, n // 2, n - 1, n} for f in failures]
    for n in (1000.0, 250000.0, 1e6):
        rows += [(k, n, 5e-4) for k in (0.0, 1.0, 3.0, 30.0, n / 100, n / 2, n - 1, n)]
    for _ in range(40):
        n = float(round(log_uniform(rng, 2, 1e5)))
        rows.append((float(rng.randint(0, int(n))), n, log_uniform(rng, 1e-9, 0.4)))
    return unique(sorted(rows))


TABLES = [
    Table("binomial_lower", ("successes", "trials", "failure"), _rows, lower, low=0, high=1, start=60, digits=40),
    Table("binomial_upper", ("successes", "trials", "failure"), _rows, upper, low=0, high=1, start=60, digits=40),
]
