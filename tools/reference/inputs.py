# SPDX-License-Identifier: Apache-2.0
"""Ways to choose inputs. Every input is a double that does not depend on the platform's mathematical library."""

import math
import random


def generator(name):
    """A pseudo-random generator that belongs to one table."""
    return random.Random("doeblin/" + name)


def settled(x):
    """x with 12 significant decimals: forgets the last bits of pow, exp and log."""
    return float("%.12g" % x)


def log_uniform(rng, low, high):
    return settled(math.exp(rng.uniform(math.log(low), math.log(high))))


def uniform(rng, low, high):
    return settled(rng.uniform(low, high))


def step(x, ulps):
    """The double that lies the given number of doubles above (or below) x."""
    target = math.inf if ulps > 0 else -math.inf
    for _ in range(abs(ulps)):
        x = _next_after(x, target)
    return x


def _next_after(x, target):
    if x == 0:
        return math.copysign(math.ldexp(1.0, -1074), target)
    mantissa, exponent = math.frexp(abs(x))
    unit = math.ldexp(1.0, max(exponent - 53, -1074))
    outward = (target > x) == (x > 0)
    if not outward and mantissa == 0.5:
        unit = max(unit / 2, math.ldexp(1.0, -1074))
    return x + math.copysign(unit, target)


def sensitivity(rng):
    """Mostly 1, sometimes another size."""
    return rng.choice([1.0] * 8 + [0.5, 3.0, 1e-3, 1e6])


def unique(rows):
    """The rows in their order, without repetitions."""
    return list(dict.fromkeys(tuple(float(x) for x in row) for row in rows))
