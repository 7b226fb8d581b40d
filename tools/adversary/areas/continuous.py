# SPDX-License-Identifier: Apache-2.0
"""Gaussian and Laplace noise, sampled and grouped: the value is a sum over the people in the sample, on the line or in space."""
import functools
import itertools
import math

import pipelines as p
import sources
from areas.finite import fits, sampled
from confront import confront, found
from laws import Truth
from mixtures import MixturePair


def on_the_line(case):
    rng = case.rng
    relation = rng.choice(["add_remove", "substitute"])
    text, noise, scale, sensitivity = sources.noise_on_the_line(rng)
    values = sources.summing(rng, relation, sensitivity, False)

    def make(r, kind):
        value = values(r, kind)
        return lambda data: {value(data): 1.0}

    while True:
        what = sampled(case, p.of_source(sources.Source(text, make), relation), relation)
        if fits(what):
            break
    pairs, complete = found(what, rng, (("extreme", 6), ("random", 1)), 3000, pair=functools.partial(MixturePair, noise=noise, scale=scale))
    truth = Truth(pairs, 10)
    # In space three people can be equally far from each other, so lower ends are compared where one person's place is kept.
    known = complete and what.simple and (noise == "laplace" or "without" not in what.text)
    largest = min(6.0, 1.2 * sensitivity * what.people / scale)
    confront(case, what.text, truth.delta, known, 1e-9, largest, words=(what.relation, what.people))


class SpacePair:
    """Two mixtures of normal laws in space, told apart by which cell of a grid the output is in: a share of what can be told."""

    def __init__(self, first, second, cells=13):
        self.first, self.second = first, second
        centres = [centre for _, centre in first + second]
        self.rows = [[self.interval_chances(centre[axis], centres, axis, cells) for axis in range(3)] for centre in centres]

    @staticmethod
    def interval_chances(value, centres, axis, cells):
        low, high = min(c[axis] for c in centres) - 2.2, max(c[axis] for c in centres) + 2.2
        ends = [low + (high - low) * j / (cells - 2) for j in range(cells - 1)]
        tails = [1.0, *(sources.normal_tail(end - value) for end in ends), 0.0]
        return [a - b for a, b in zip(tails, tails[1:])]

    def laws(self):
        weights = [weight for weight, _ in self.first + self.second]
        split, cells = len(self.first), range(len(self.rows[0][0]))
        for i, j in itertools.product(cells, cells):
            planes = [weight * row[0][i] * row[1][j] for weight, row in zip(weights, self.rows)]
            for k in cells:
                parts = [plane * row[2][k] for plane, row in zip(planes, self.rows)]
                yield sum(parts[:split]), sum(parts[split:])

    @functools.cached_property
    def chances(self):
        return list(self.laws())

    def delta(self, epsilon):
        g = math.exp(epsilon)
        return sum([a - g * b for a, b in self.chances if a > g * b])


def direction(rng, length):
    vector = [rng.gauss(0, 1) for _ in range(3)]
    size = math.sqrt(sum(x * x for x in vector))
    return [length * x / size for x in vector]


def coins(vectors, rate, sigma):
    """The mean of the output for every way that the coins of these people can fall."""
    law = []
    for fallen in itertools.product((0, 1), repeat=len(vectors)):
        chance = math.prod(rate if coin else 1 - rate for coin in fallen)
        law.append((chance, [sum(coin * v[axis] for coin, v in zip(fallen, vectors)) / sigma for axis in range(3)]))
    return law


def in_space(case):
    """Some people added, others removed, each moving the value in a direction of his own."""
    rng = case.rng
    k, rate, sigma = rng.choice([1, 2, 3]), sources.rounded(rng, 0.05, 0.95), sources.rounded(rng, 0.5, 2)
    pairs = []
    for added in range(k + 1):
        vectors = [direction(rng, rng.choice([1.0, 1.0, rng.random()])) for _ in range(k)]
        if rng.random() < 0.6:
            main = direction(rng, 1.0)
            near = [[a + 0.3 * b for a, b in zip(main, v)] for v in vectors]
            vectors = [[x / max(1.0, math.sqrt(sum(y * y for y in v))) for x in v] for v in near]
            vectors = [[-x for x in v] if i < added else v for i, v in enumerate(vectors)]
        pairs.append(SpacePair(coins(vectors[added:], rate, sigma), coins(vectors[:added], rate, sigma)))
    truth = Truth(pairs)
    confront(case, f"gaussian(sigma={sigma!r}) | poisson(rate={rate!r}) | group({k})", truth.delta, largest=k / sigma)


def one(case):
    (in_space if case.rng.random() < 0.08 else on_the_line)(case)
