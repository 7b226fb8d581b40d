# SPDX-License-Identifier: Apache-2.0
"""Datasets of a few people, who is whose neighbour, and every way to sample them, one by one.

A dataset is a sorted tuple of records; a record is one of three letters, 0, 1 and 2, and two people can have the same one. A mechanism
is a function from datasets to laws.
"""
import collections
import functools
import itertools

from laws import mixed

LETTERS = (0, 1, 2)


def datasets(sizes):
    return [data for size in sizes for data in itertools.combinations_with_replacement(LETTERS, size)]


def apart(first, second):
    """How many records only the first has, and how many only the second has."""
    a, b = collections.Counter(first), collections.Counter(second)
    return sum((a - b).values()), sum((b - a).values())


def neighbours(first, second, relation, people=1):
    """Whether so many people at most, at least one, can be added or removed, or exchanged."""
    gone, come = apart(first, second)
    if relation == "add_remove":
        return 1 <= gone + come <= people
    return gone == come and 1 <= gone <= people


def remembered(mechanism):
    return functools.cache(mechanism)


def poisson(mechanism, rate):
    """Each person throws a coin."""

    def law(data):
        def parts():
            for coins in itertools.product((False, True), repeat=len(data)):
                chance = 1.0
                for coin in coins:
                    chance *= rate if coin else 1.0 - rate
                if chance > 0.0:
                    yield chance, mechanism(tuple(itertools.compress(data, coins)))

        return mixed(parts())

    return remembered(law)


def without_replacement(mechanism, m):
    """Every subset of m people is as likely as any other."""

    def law(data):
        batches = list(itertools.combinations(data, m))
        return mixed((1.0 / len(batches), mechanism(batch)) for batch in batches)

    return remembered(law)


def with_replacement(mechanism, m):
    """m draws, each of anybody."""

    def law(data):
        draws = collections.Counter(tuple(sorted(draw)) for draw in itertools.product(data, repeat=m))
        total = len(data) ** m
        return mixed((count / total, mechanism(draw)) for draw, count in draws.items())

    return remembered(law)


def in_turn(first, following):
    """A second release, whose mechanism may be chosen by what the first one showed."""

    def law(data):
        together = {}
        for shown, chance in first(data).items():
            for more, further in following(shown)(data).items():
                together[(shown, more)] = chance * further
        return together

    return remembered(law)


def processed(mechanism, kernel):
    """The outcome is handed to a kernel, a function from outcomes to laws, and only what comes out is shown."""

    def law(data):
        return mixed((chance, kernel(outcome)) for outcome, chance in mechanism(data).items())

    return remembered(law)
