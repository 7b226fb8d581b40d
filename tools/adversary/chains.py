# SPDX-License-Identifier: Apache-2.0
"""Runs of noisy steps on the line, followed step by step: with linear maps a state is normal, in an interval its law is put on a grid."""
import functools
import math

from mixtures import best_event
from noises import TAILS, chance_between, chances_between, normal_tail


class NormalPair:
    """Two mixtures of normal laws, each a list of (weight, mean, deviation)."""

    def __init__(self, first, second, count=160):
        self.first, self.second = first, second
        parts = first + second
        low, high = min(m - 9 * s for _, m, s in parts), max(m + 9 * s for _, m, s in parts)
        self.grid = [low + (high - low) * j / count for j in range(count + 1)]

    @staticmethod
    def density(law, x):
        return sum([w / s * math.exp(-0.5 * ((x - m) / s) ** 2) for w, m, s in law])

    @functools.cached_property
    def densities(self):
        return [(self.density(self.first, x), self.density(self.second, x)) for x in self.grid]

    def gained(self, a, b, g):
        chance = lambda law: sum([w * chance_between(normal_tail, (a - m) / s, (b - m) / s) for w, m, s in law])
        return chance(self.first) - g * chance(self.second)

    def crossing(self, low, high, g):
        above = lambda x: self.density(self.first, x) > g * self.density(self.second, x)
        rising = above(high)
        for _ in range(25):
            middle = (low + high) / 2
            low, high = (low, middle) if above(middle) == rising else (middle, high)
        return (low + high) / 2

    def delta(self, epsilon):
        if epsilon > 200:
            return 0.0
        g = math.exp(epsilon)
        signs = [p > g * q for p, q in self.densities]
        return best_event(signs, self.grid, lambda a, b: self.crossing(a, b, g), lambda a, b: self.gained(a, b, g))


def normal_state(steps, slope, noise, start=0.0):
    """Mean and deviation after steps x -> slope x + shift + noise, for a list of shifts."""
    mean, variance = start, 0.0
    for shift in steps:
        mean, variance = slope * mean + shift, slope * slope * variance + noise * noise
    return mean, math.sqrt(variance)


def cells_of(mean, deviation, ends):
    """The chance of every interval between the ends."""
    return chances_between(normal_tail, [(end - mean) / deviation for end in ends])


class Interval:
    """States in [low, high], projected after every step; cells in between are known by their middle."""

    def __init__(self, low, high, cells, noise, scale):
        width = (high - low) / cells
        self.ends = [low + 1e-12] + [low + width * j for j in range(1, cells)] + [high - 1e-12]
        self.points = [low] + [low + width * (j + 0.5) for j in range(cells)] + [high]
        self.tail, self.scale = TAILS[noise], scale

    def start(self, x):
        law = [0.0] * len(self.points)
        law[min(range(len(law)), key=lambda j: abs(self.points[j] - x))] = 1.0
        return law

    def moved(self, law, step):
        """One step: the map, noise, the projection."""
        result = [0.0] * len(law)
        for chance, x in zip(law, self.points):
            if chance > 1e-16:
                mean = step(x)
                tails = [1.0, *(self.tail((end - mean) / self.scale) for end in self.ends), 0.0]
                for j in range(len(result)):
                    result[j] += chance * (tails[j] - tails[j + 1])
        return result
