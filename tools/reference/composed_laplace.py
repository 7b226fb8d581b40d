# SPDX-License-Identifier: Apache-2.0
"""T-fold composition of the Laplace mechanism, sensitivity 1, theta = 1 / scale. The pair is its own mirror image.

The loss of one copy is theta with probability 1/2, -theta with probability e^-theta / 2, and has the density
e^((l - theta)/2) / 4 in between. With z = s + 1/2 its transform is

    M(s) = e^(-theta/2) / 2 [e^(z theta) (1 + 1/(2z)) + e^(-z theta) (1 - 1/(2z))].

In delta(epsilon) = 1/(2 pi i) integral of e^(-s epsilon) M(s)^T / (s (s + 1)) ds expand M^T by the binomial theorem.
Terms with a_k = theta (2k - T) - epsilon <= 0 vanish (close the line on the right). The others are residues, at z = 0
and, for k = T, at z = 1/2:

    delta(epsilon) = 1 + e^((epsilon - T theta)/2) 2^(1-T) sum over k of C(T, k) sum over j of (a_k/2)^j / j! b_(T-1-j),
    where b_i is the coefficient of Z^i in (1 + Z)^(k - 1) (Z - 1)^(T - k - 1).

The double sum takes T^2 operations. For T > MOST_EXACT the integral is done numerically around the real axis. The next
maxima of |M|, at distance pi / theta, are smaller by the T-th power of the mass (1 + e^-theta)/2 of the two atoms.
"""

import math
from fractions import Fraction

from mpmath import mp

from bromwich import epsilon_near, invert
from inputs import settled, unique
from rounding import to_mpf
from table import Table

MOST_EXACT = 2000


def delta(scale, count, epsilon):
    count, theta, level = int(count), 1 / Fraction(scale), Fraction(epsilon)
    if level >= count * theta:
        return Fraction(0)
    if count > MOST_EXACT:
        return numeric(scale, count, epsilon)
    bits = count + 7 * mp.dps
    total, k = 0, count
    while (2 * k - count) * theta > level:
        total += math.comb(count, k) * _inner(count, k, ((2 * k - count) * theta - level) / 2, bits)
        k -= 1
    with mp.workprec(bits + 64):
        return 1 + mp.exp(to_mpf(level - count * theta) / 2) * mp.ldexp(total, 1 - count - bits)


def _inner(count, k, half, bits):
    """The sum over j of half^j / j! b_(T-1-j), in units of 2^-bits; b_i satisfies a three-term recurrence."""
    p, r = k - 1, count - k - 1
    before, b, coefficients = 0, -1 if r % 2 else 1, []
    for i in range(count):
        coefficients.append(b)
        before, b = b, ((i - 1 - p - r) * before - (r - p) * b) // (i + 1)
    step = (half.numerator << bits) // half.denominator
    power, total = 1 << bits, 0
    for j in range(count):
        total += power * coefficients[count - 1 - j]
        power = (power * step >> bits) // (j + 1)
    return total


def transform(scale, s):
    theta, z = 1 / mp.mpf(scale), s + mp.mpf(1) / 2
    up = mp.exp(z * theta)
    return mp.exp(-theta / 2) / 2 * (up * (1 + 1 / (2 * z)) + (1 - 1 / (2 * z)) / up)


def log_transform(scale, count):
    def value(c):
        theta, z = 1 / scale, c + 0.5
        one = math.exp((z - 0.5) * theta) * (1 + 0.5 / z) + math.exp(-(z + 0.5) * theta) * (1 - 0.5 / z)
        return count * math.log(one / 2)

    return value


def numeric(scale, count, epsilon):
    def line(c, step, _):
        k = 0
        while True:
            yield transform(scale, mp.mpc(c, k * step)) ** count
            k += 1

    return invert(log_transform(scale, count), line, epsilon, copies=count)


def _rows():
    rows = []
    for count in (2, 3, 10):
        rows += [(1.0, count, settled(share * count)) for share in (0.0, 0.1, 0.3, 0.5, 0.77, 0.95, 0.9999, 1.0)]
    rows += [(1.0, 3, 1.0), (1.0, 10, 2.0), (1.0, 10, 1e-12), (0.1, 4, 7.0), (0.1, 4, 39.0), (3.0, 7, 1.0)]
    for scale, count, targets in (
        (10.0, 1000, (1e-2, 1e-5, 1e-12, 1e-30)),
        (50.0, 20000, (1e-2, 1e-5, 1e-12, 1e-30, 1e-100)),
        (1e5, 10**12, (1e-2, 1e-30)),
        (1e6, 10**12, (1e-2, 1e-6, 1e-30)),
        (1e7, 10**14, (1e-2, 1e-6, 1e-30)),
        (1e8, 2**53, (1e-2, 1e-6, 1e-30)),
    ):
        rows += [(scale, count, epsilon_near(log_transform(scale, count), target)) for target in targets]
        rows.append((scale, count, 0.0))
    rows.append((10.0, 1, 0.05))
    return unique(rows)


TABLES = [
    Table(
        "composed_laplace_delta",
        ("scale", "count", "epsilon"),
        _rows,
        delta,
        low=0,
        high=1,
        with_log=True,
        start=25,
        digits=25,
    ),
]
