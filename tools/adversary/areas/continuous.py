# SPDX-License-Identifier: Apache-2.0
"""Gaussian and Laplace noise, sampled and grouped: the value is a sum over the people in the sample, on the line or in space."""
import functools
import itertools
import math

import pipelines as p
import noises
import sources
from areas.finite import fits, sampled
from confront import confront, found
from laws import Truth
from mixtures import MixturePair


def on_the_line(case):
    rng = case.rng
    relation = rng.choice(["add_remove", "substitute"])
    text, noise, scale, sensitivity = noises.noise_on_the_line(rng)
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
    known = complete and (noise == "laplace" or "without" not in what.text)
    largest = min(6.0, 1.2 * sensitivity * what.people / scale)
    confront(case, what.text, truth.delta, known, 1e-9, largest, words=(what.relation, what.people))


class SpacePair:
    """Two mixtures of normal laws in space, told apart by which cell of a grid the output is in: a share of what can be told."""

    def __init__(self, first, second, sigma, cells=13):
        parts = list(first.items()) + list(second.items())
        centres = [[x / sigma for x in centre] for centre, _ in parts]
        self.weights, self.split = [weight for _, weight in parts], len(first)
        self.rows = [[self.interval_chances(centre[axis], centres, axis, cells) for axis in range(3)] for centre in centres]

    @staticmethod
    def interval_chances(value, centres, axis, cells):
        low, high = min(c[axis] for c in centres) - 2.2, max(c[axis] for c in centres) + 2.2
        ends = [low + (high - low) * j / (cells - 2) for j in range(cells - 1)]
        return noises.chances_between(noises.normal_tail, [end - value for end in ends])

    def cells(self):
        count = range(len(self.rows[0][0]))
        for i, j in itertools.product(count, count):
            planes = [weight * row[0][i] * row[1][j] for weight, row in zip(self.weights, self.rows)]
            for k in count:
                parts = [plane * row[2][k] for plane, row in zip(planes, self.rows)]
                yield sum(parts[: self.split]), sum(parts[self.split :])

    @functools.cached_property
    def chances(self):
        return list(self.cells())

    def delta(self, epsilon):
        g = math.exp(min(epsilon, 700.0))
        return sum([a - g * b for a, b in self.chances if a > g * b])


def direction(rng, length):
    vector = [rng.gauss(0, 1) for _ in range(3)]
    size = math.sqrt(sum(x * x for x in vector))
    return [length * x / size for x in vector]


def vectors(rng, relation):
    """What a record of each letter contributes: of length 1 at most where it is added, and no two further apart than 1 where it is
    exchanged."""
    if relation == "add_remove":
        main, bend = direction(rng, 1.0), rng.choice([0.0, 0.3, 1.0, 5.0])
        bent = [[a * rng.choice([1, 1, -1]) + bend * b for a, b in zip(main, direction(rng, 1.0))] for _ in range(3)]
        return [[x / max(1.0, math.sqrt(sum(y * y for y in v))) for x in v] for v in bent]
    if rng.random() < 0.7:  # as far from each other as they may be: a triangle
        return [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, math.sqrt(0.75), 0.0]]
    return [direction(rng, 0.5 * rng.random() ** 0.3) for _ in range(3)]


def in_space(case):
    """People who move the value in directions of their own."""
    rng = case.rng
    relation, sigma = rng.choice(["add_remove", "substitute"]), noises.rounded(rng, 0.5, 2)

    def make(r, kind):
        moves = vectors(r, relation)
        return lambda data: {tuple(sum(moves[letter][axis] for letter in data) for axis in range(3)): 1.0}

    while True:
        what = sampled(case, p.of_source(sources.Source(f"gaussian(sigma={sigma!r})", make), relation), relation)
        if fits(what):
            break
    together = p.pairs_of_datasets(what, rng, 4)
    pairs = []
    for first, second in rng.sample(together, min(8, len(together))):
        mechanism = what.make(rng, "random")
        pairs.append(SpacePair(mechanism(first), mechanism(second), sigma))
    confront(case, what.text, Truth(pairs).delta, largest=min(6.0, what.people / sigma), words=(what.relation, what.people))


def one(case):
    (in_space if case.rng.random() < 0.08 else on_the_line)(case)
