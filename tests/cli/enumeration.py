# SPDX-License-Identifier: Apache-2.0
"""Small mechanisms as they are described to people: records with values, coins, draws, and noise on the sum.

Nothing here knows a theorem. A dataset is a list of numbers, one for each person; a sampler says with which
probability which records come into a sample; the mechanism adds the numbers of the sample and noise. The divergence
of two datasets is the integral of the positive part of a difference of densities.
"""
import functools
import itertools
import math
from collections import Counter
from fractions import Fraction


def poisson(rate):
    """Everybody throws a coin."""
    def sample(records):
        for coins in itertools.product((0, 1), repeat=len(records)):
            chance = math.prod(rate if coin else 1 - rate for coin in coins)
            yield chance, tuple(record for record, coin in zip(records, coins) if coin)
    return sample


def without_replacement(m):
    """Every set of m records is as likely as any other."""
    def sample(records):
        sets = list(itertools.combinations(records, m))
        return [(Fraction(1, len(sets)), chosen) for chosen in sets]
    return sample


def with_replacement(m):
    """m draws, each of them any record."""
    def sample(records):
        return [(Fraction(1, len(records) ** m), chosen) for chosen in itertools.product(records, repeat=m)]
    return sample


def sums(records, samplers):
    """The law of the sum of a sample of a sample of ...: a Counter from sums to probabilities."""
    law = Counter()
    if not samplers:
        law[sum(records)] = 1
        return law
    for chance, sample in samplers[0](tuple(records)):
        for total, within in _cached_sums(tuple(sorted(sample)), tuple(samplers[1:])).items():
            law[total] += chance * within
    return law


@functools.lru_cache(maxsize=None)
def _cached_sums(records, samplers):
    return sums(records, samplers)


def gaussian(sigma):
    return lambda x: math.exp(-x * x / (2 * sigma * sigma)) / (sigma * math.sqrt(2 * math.pi))


def laplace(scale):
    return lambda x: math.exp(-abs(x) / scale) / (2 * scale)


def twice_laplace(scale1, scale2):
    """The sum of two Laplace noises of different scales."""
    def density(x):
        one, other = (scale * math.exp(-abs(x) / scale) for scale in (scale1, scale2))
        return (one - other) / (2 * (scale1 ** 2 - scale2 ** 2))
    return density


def divergence(first, second, noise, epsilon, reach=12.0, step=0.002):
    """The positive part of p - e^epsilon q, integrated by the midpoint rule; p and q are laws of sums, plus noise."""
    centres = sorted(set(first) | set(second))
    weights = [float(first.get(c, 0)) - math.exp(epsilon) * float(second.get(c, 0)) for c in centres]
    total, x = 0.0, centres[0] - reach
    while x < centres[-1] + reach:
        x += step
        total += max(0.0, sum(w * noise(x - step / 2 - c) for w, c in zip(weights, centres)))
    return total * step


def exchanged(records, people, value):
    """The same data with other values for the first people."""
    return [value] * people + list(records[people:])
