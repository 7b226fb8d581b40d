# SPDX-License-Identifier: Apache-2.0
"""Several people who are sampled, each for themselves (S10, S11, N1), against an enumeration of people, coins and draws.

The data here are lists of numbers that people add to a sum, and samplers say who is in it: no formula of the program is used.
"""
import json
import random

import enumeration as described
import pytest
from conftest import run

EPSILONS = (0.0, 0.2, 0.7, 1.5)
NOISES = [("gaussian(sigma=0.8)", described.gaussian(0.8)), ("laplace(scale=0.9)", described.laplace(0.9)),
          ("twice_laplace(scale1=0.9, scale2=0.5)", described.twice_laplace(0.9, 0.5))]
STEP = 0.01


def deltas(expression, *epsilons):
    done = run("delta", expression, "--epsilon", *epsilons, "--json")
    assert done.returncode in (0, 3), done.stderr
    return [(one["delta"]["lower"], one["delta"]["upper"]) for one in json.loads(done.stdout)["results"]]


def check(expression, noise, pairs, sampler):
    """No pair of datasets is above the upper end; the worst of those tried reaches the lower one."""
    for epsilon, (lower, upper) in zip(EPSILONS, deltas(expression, *EPSILONS)):
        worst = 0.0
        for first, second in pairs:
            p, q = described.sums(first, sampler), described.sums(second, sampler)
            for one, other in ((p, q), (q, p)):
                worst = max(worst, described.divergence(one, other, noise, epsilon, step=STEP))
        assert worst <= upper + 2e-4, (expression, epsilon)
        assert lower <= worst + 2e-4, (expression, epsilon)


def on_both_sides(k, values, others):
    """All splits of k people between two datasets, each with a value of their own."""
    for j in range(k + 1):
        yield list(values[:j]) + others, [-v for v in values[j:]] + others


@pytest.mark.parametrize("source, noise", NOISES, ids=["gaussian", "laplace", "twice_laplace"])
@pytest.mark.parametrize("k, rate", [(2, 0.3), (3, 0.15), (2, 0.9)])
def test_coins(source, noise, k, rate):
    rng = random.Random(k)
    pairs = list(on_both_sides(k, [1] * k, [])) + list(on_both_sides(k, [1] * k, [0, 0]))
    pairs += list(on_both_sides(k, [rng.choice((-1, -0.5, 0.5, 1)) for _ in range(k)], [0.5]))
    for expression in (f"{source} | poisson(rate={rate}) | group({k})", f"{source} | group({k}) | poisson(rate={rate})"):
        check(expression, noise, pairs, (described.poisson(rate),))


@pytest.mark.parametrize("source, noise", NOISES, ids=["gaussian", "laplace", "twice_laplace"])
@pytest.mark.parametrize("k", [1, 2])
def test_coins_of_people_who_are_exchanged(source, noise, k):
    rng = random.Random(k)
    pairs = [([1] * k + [0], [-1] * k + [0])]
    pairs += [([rng.choice((-1, 0.5, 1)) for _ in range(k)] + [0.5], [rng.choice((-1, -0.5, 1)) for _ in range(k)] + [0.5])
              for _ in range(3)]
    check(f"{source} | poisson(rate=0.4, relation=substitute) | group({k})", noise, pairs, (described.poisson(0.4),))


# A record moves the sum by at most 1 when it is exchanged: values from 0 to 1, or from -1/2 to 1/2.
@pytest.mark.parametrize("source, noise", NOISES, ids=["gaussian", "laplace", "twice_laplace"])
@pytest.mark.parametrize("n, m, k", [(6, 2, 2), (5, 3, 2), (5, 4, 3), (4, 4, 2)])
def test_subsets(source, noise, n, m, k):
    rng = random.Random(n)
    rest = [[0] * (n - k), [rng.choice((0, 0.5, 1)) for _ in range(n - k)], [0.5] * (n - k)]
    pairs = [([1] * k + others, [0] * k + others) for others in rest] + [([1, 0] + [1] * (k - 2) + rest[1], [0, 1] + [0] * (k - 2) + rest[1])]
    for expression in (f"{source} | without_replacement(n={n}, m={m}) | group({k})",
                       f"{source} | group({k}) | without_replacement(n={n}, m={m})"):
        check(expression, noise, pairs, (described.without_replacement(m),))


@pytest.mark.parametrize("source, noise", NOISES, ids=["gaussian", "laplace", "twice_laplace"])
@pytest.mark.parametrize("n, m, k", [(5, 2, 2), (4, 3, 2), (5, 2, 3), (5, 1, 4), (10, 1, 8)])
def test_draws(source, noise, n, m, k):
    rest = [[0] * (n - k), [0.5] * (n - k)]
    exchanged = [([1] * k + others, [0] * k + others) for others in rest]
    check(f"{source} | with_replacement(n={n}, m={m}) | group({k})", noise, exchanged, (described.with_replacement(m),))
    # Removed, or some of them replaced by fewer others; n is the larger size.
    removed = [([1] * (k - j) + [other] * (n - k + j), [0] * j + [other] * (n - k + j)) for j in range(k // 2 + 1) for other in (0, 0.5)]
    check(f"{source} | with_replacement(n={n}, m={m}, relation=add_remove) | group({k})", noise, removed,
          (described.with_replacement(m),))


# Randomised response about whether anybody of the group is there, or how many: a black box for groups of it.
@pytest.mark.parametrize("k, rate", [(2, 0.3), (3, 0.5)])
def test_black_boxes(k, rate):
    """Noise that is as private as the box: Laplace of scale 1 is a box of epsilon 1, and of 2 for two people."""
    for epsilon, (_, upper) in zip(EPSILONS, deltas(f"black_box(epsilon=1) | poisson(rate={rate}) | group({k})", *EPSILONS)):
        for first, second in on_both_sides(k, [1] * k, []):
            p, q = (described.sums(one, (described.poisson(rate),)) for one in (first, second))
            assert described.divergence(p, q, described.laplace(1.0), epsilon, step=STEP) <= upper + 2e-4
