# SPDX-License-Identifier: Apache-2.0
"""Noise on the line around a random value: laws are dictionaries from the value to its probability, and two of them are told apart by
the best event, which is a union of intervals."""
import functools
import math
import operator

from laws import aligned
from noises import TAILS, chance_between


def gaussian_density(x):
    return math.exp(-0.5 * x * x)


def laplace_density(x):
    return math.exp(-abs(x))


DENSITIES = {"gaussian": gaussian_density, "laplace": laplace_density}


def dot(a, b):
    return sum(map(operator.mul, a, b))


class MixturePair:
    """Two laws of a value that noise of this kind and scale is added to."""

    def __init__(self, first, second, noise, scale):
        self.chances = aligned(first, second)
        self.values = [value / scale for value in dict.fromkeys([*first, *second])]
        self.density, self.tail = DENSITIES[noise], TAILS[noise]

    def excess(self, x, g):
        return sum([(p - g * q) * self.density(x - value) for (p, q), value in zip(self.chances, self.values)])

    def gained(self, a, b, g):
        """How much more likely than g times the other probability it is to be between a and b."""
        return sum([(p - g * q) * chance_between(self.tail, a - value, b - value) for (p, q), value in zip(self.chances, self.values)])

    def crossing(self, low, high, g):
        rising = self.excess(high, g) > 0
        for _ in range(22):
            middle = (low + high) / 2
            low, high = (low, middle) if (self.excess(middle, g) > 0) == rising else (middle, high)
        return (low + high) / 2

    @functools.cached_property
    def tabulated(self):
        """Points, and both densities there."""
        reach, count = (9, 100) if self.density is gaussian_density else (40, 20)
        low, high = min(self.values) - reach, max(self.values) + reach
        grid = sorted([low + (high - low) * j / count for j in range(count + 1)] + self.values)
        columns = [[self.density(x - value) for value in self.values] for x in grid]
        first, second = ([chance[side] for chance in self.chances] for side in (0, 1))
        both = [(dot(first, c), dot(second, c)) for c in columns]
        return grid, both

    def delta(self, epsilon):
        """Where the excess is positive is looked up on a grid; every event is allowed, so this is never too much, and too little by a
        second order of what the grid misses."""
        if epsilon > 200:
            return 0.0
        g = math.exp(epsilon)
        grid, both = self.tabulated
        return best_event([p > g * q for p, q in both], grid, lambda a, b: self.crossing(a, b, g), lambda a, b: self.gained(a, b, g))


def best_event(signs, grid, crossing, gained):
    """What is gained on the intervals where the sign is positive, which change somewhere between points of the grid."""
    ends = [-math.inf] if signs[0] else []
    for index in range(len(grid) - 1):
        if signs[index] != signs[index + 1]:
            ends.append(crossing(grid[index], grid[index + 1]))
    if len(ends) % 2:
        ends.append(math.inf)
    return max(0.0, sum(gained(a, b) for a, b in zip(ends[::2], ends[1::2])))
