# SPDX-License-Identifier: Apache-2.0
# Written by tools/python_stages.py; do not edit.
"""Every source and stage of the expression language, as a function of the same name."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Sequence, Union

from . import _core
from ._build import affected_steps, finite_mechanism, graph_walk, markov_kernel, scheduled_run, source, stage
from ._pipeline import Pipeline, Stage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    Number = Union[float, np.floating[Any], np.integer[Any], _core.Open]
    Path = Union[str, "os.PathLike[str]"]

__all__ = [
    "gaussian",
    "laplace",
    "twice_laplace",
    "randomized_response",
    "discrete_gaussian",
    "discrete_laplace",
    "black_box",
    "gdp",
    "zcdp",
    "rdp",
    "finite",
    "brownian",
    "ornstein_uhlenbeck",
    "noisy_sgd",
    "noisy_iteration",
    "poisson",
    "without_replacement",
    "with_replacement",
    "group",
    "compose",
    "evolve",
    "person",
    "dobrushin",
    "doeblin",
    "ultra_mixing",
    "kernel",
    "k_ary_response",
    "binary_symmetric",
    "truncated_geometric",
    "lazy_walk",
    "projected_gaussian",
    "projected_laplace",
]


def gaussian(sigma: Number, sensitivity: Number = 1.0) -> Pipeline:
    """Add N(0, sigma^2) noise to each coordinate.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise; positive.
    sensitivity : float, default 1
        Euclidean sensitivity of the value; at least 0.

    Examples
    --------
    >>> from doeblin import gaussian
    >>> gaussian(sigma=2)
    gaussian(sigma=2, sensitivity=1)
    """
    return source("gaussian", (sigma, sensitivity))


def laplace(scale: Number, sensitivity: Number = 1.0) -> Pipeline:
    """Add Laplace noise to a number.

    Parameters
    ----------
    scale : float
        Scale of the noise; positive.
    sensitivity : float, default 1
        Sensitivity of the number; at least 0.

    Examples
    --------
    >>> from doeblin import laplace
    >>> laplace(scale=1)
    laplace(scale=1, sensitivity=1)
    """
    return source("laplace", (scale, sensitivity))


def twice_laplace(scale1: Number, scale2: Number, sensitivity: Number = 1.0) -> Pipeline:
    """Add the sum of two independent Laplace noises to a number.

    Parameters
    ----------
    scale1 : float
        Scale of the first noise; positive.
    scale2 : float
        Scale of the second noise; positive.
    sensitivity : float, default 1
        Sensitivity of the number; at least 0.

    Examples
    --------
    >>> from doeblin import twice_laplace
    >>> twice_laplace(scale1=1, scale2=2)
    twice_laplace(scale1=1, scale2=2, sensitivity=1)
    """
    return source("twice_laplace", (scale1, scale2, sensitivity))


def randomized_response(p: Number) -> Pipeline:
    """Report a bit truthfully with probability p.

    Parameters
    ----------
    p : float
        Probability of the true answer; from 0 to 1.

    Examples
    --------
    >>> from doeblin import randomized_response
    >>> randomized_response(p=0.75)
    randomized_response(p=0.75)
    """
    return source("randomized_response", (p,))


def discrete_gaussian(sigma: Number, sensitivity: Number = 1.0) -> Pipeline:
    """Add discrete Gaussian noise to an integer.

    Parameters
    ----------
    sigma : float
        Parameter of the noise (close to its standard deviation); positive.
    sensitivity : int, default 1
        Sensitivity, an integer; a whole number, at least 0.

    Examples
    --------
    >>> from doeblin import discrete_gaussian
    >>> discrete_gaussian(sigma=4)
    discrete_gaussian(sigma=4, sensitivity=1)
    """
    return source("discrete_gaussian", (sigma, sensitivity))


def discrete_laplace(scale: Number, sensitivity: Number = 1.0) -> Pipeline:
    """Add two-sided geometric noise to an integer.

    Parameters
    ----------
    scale : float
        Scale of the noise; positive.
    sensitivity : int, default 1
        Sensitivity, an integer; a whole number, at least 0.

    Examples
    --------
    >>> from doeblin import discrete_laplace
    >>> discrete_laplace(scale=2, sensitivity=1)
    discrete_laplace(scale=2, sensitivity=1)
    """
    return source("discrete_laplace", (scale, sensitivity))


def black_box(epsilon: Number, delta: Number = 0.0) -> Pipeline:
    """Any (epsilon, delta)-DP mechanism.

    Parameters
    ----------
    epsilon : float
        Its epsilon; at least 0.
    delta : float, default 0
        Its delta; from 0 to 1.

    Examples
    --------
    >>> from doeblin import black_box
    >>> black_box(epsilon=1, delta=1e-6)
    black_box(epsilon=1, delta=1e-06)
    """
    return source("black_box", (epsilon, delta))


def gdp(mu: Number) -> Pipeline:
    """Any mu-Gaussian-DP mechanism.

    Parameters
    ----------
    mu : float
        Its level; at least 0.

    Examples
    --------
    >>> from doeblin import gdp
    >>> gdp(mu=0.5)
    gdp(mu=0.5)
    """
    return source("gdp", (mu,))


def zcdp(rho: Number) -> Pipeline:
    """Any rho-zero-concentrated-DP mechanism.

    Parameters
    ----------
    rho : float
        Its level; at least 0.

    Examples
    --------
    >>> from doeblin import zcdp
    >>> zcdp(rho=0.1)
    zcdp(rho=0.1)
    """
    return source("zcdp", (rho,))


def rdp(alpha: Number, epsilon: Number) -> Pipeline:
    """Any (alpha, epsilon)-Renyi-DP mechanism.

    Parameters
    ----------
    alpha : float
        The order.
    epsilon : float
        The Renyi divergence at that order; at least 0.

    Examples
    --------
    >>> from doeblin import rdp
    >>> rdp(alpha=8, epsilon=0.5)
    rdp(alpha=8, epsilon=0.5)
    """
    return source("rdp", (alpha, epsilon))


def finite(file: Union[Path, ArrayLike], adjacency: Union[Path, ArrayLike] = "") -> Pipeline:
    """A mechanism given by its matrix of output probabilities.

    Parameters
    ----------
    file : path-like or array-like
        CSV, one row of output probabilities per dataset; or the matrix itself.
    adjacency : path-like or array-like, optional
        CSV, two row numbers per line; all pairs are neighbours without it; or pairs of rows of the matrix, counted from
        0.

    Examples
    --------
    >>> from doeblin import finite
    >>> finite([[0.75, 0.25], [0.25, 0.75]])
    finite(file=<2 x 2 array>)
    """
    return finite_mechanism(file, adjacency)


def brownian(time: Number, sensitivity: Number = 1.0) -> Pipeline:
    """Run Brownian motion from the value: N(f, 2 time I).

    Parameters
    ----------
    time : float
        How long it runs; positive.
    sensitivity : float, default 1
        Euclidean sensitivity of the value; at least 0.

    Examples
    --------
    >>> from doeblin import brownian
    >>> brownian(time=2)
    brownian(time=2, sensitivity=1)
    """
    return source("brownian", (time, sensitivity))


def ornstein_uhlenbeck(theta: Number, rho: Number, time: Number, sensitivity: Number = 1.0) -> Pipeline:
    """Run dX = -theta X dt + sqrt(2) rho dW from the value.

    Parameters
    ----------
    theta : float
        Rate of the pull to 0; positive.
    rho : float
        Strength of the noise; positive.
    time : float
        How long it runs; positive.
    sensitivity : float, default 1
        Euclidean sensitivity of the value; at least 0.

    Examples
    --------
    >>> from doeblin import ornstein_uhlenbeck
    >>> ornstein_uhlenbeck(theta=0.5, rho=1, time=2)
    ornstein_uhlenbeck(theta=0.5, rho=1, time=2, sensitivity=1)
    """
    return source("ornstein_uhlenbeck", (theta, rho, time, sensitivity))


def noisy_sgd(
    n: Number,
    learning_rate: Union[Number, ArrayLike],
    sigma: Union[Number, ArrayLike],
    lipschitz: Union[Number, ArrayLike],
    smoothness: Number,
    strong_convexity: Number = 0.0,
    diameter: Number = float("inf"),
    batch: Union[Number, ArrayLike] = 1.0,
    epochs: Number = 1.0,
    order: str = "fixed",
    output: str = "last",
    noise: str = "gaussian",
    relation: str = "",
    public_tail: Number = 0.0,
    tasks: Number = 1.0,
    analysis: str = "best",
    checkpoints: Union[str, Sequence[int], ArrayLike] = "",
    rounding: Number = 0.0,
    dimension: Number = 0.0,
    schedule: Path = "",
    draws: str = "fresh",
) -> Pipeline:
    """Noisy projected gradient descent of which only one state is released.

    Parameters
    ----------
    n : int
        Records; a whole number, at least 1.
    learning_rate : float or array-like
        Eta; solved for up to 2/(smoothness + strong_convexity); positive; or one number for each step.
    sigma : float or array-like
        Scale of the noise on the mean gradient of a batch; positive; or one number for each step.
    lipschitz : float or array-like
        Bound on the gradient of one record; at least 0; or one number for each step.
    smoothness : float
        Beta: Lipschitz constant of the gradient.
    strong_convexity : float, default 0
        Rho, at most beta.
    diameter : float, default inf
        Of the convex set projected onto; at least 0.
    batch : int or array-like, default 1
        Records in one step; a whole number; or one number for each step.
    epochs : int, default 1
        Passes over the records; a whole number, at least 1.
    order : {'fixed', 'permuted', 'poisson'}, default 'fixed'
        'fixed', 'permuted' (random, hidden) or 'poisson' (sampled batches).
    output : {'last', 'uniform_stop', 'skip'}, default 'last'
        'last', 'uniform_stop' (random stopping) or 'skip' (random start).
    noise : {'gaussian', 'laplace'}, default 'gaussian'
        'gaussian', or 'laplace' in one dimension.
    relation : {'substitute', 'zero_out', 'add_remove'}, optional
        'substitute' (default) or 'zero_out'; Poisson: 'add_remove' (default) or 'zero_out'.
    public_tail : int, default 0
        How many of the last records are public; a whole number, at least 0.
    tasks : int, default 1
        Runs with noise of their own on the same records; a whole number, at least 1.
    analysis : {'best', 'shift', 'contraction', 'feldman', 'balle', 'asoodeh', 'public'}, default 'best'
        'best', 'shift', 'contraction', 'asoodeh', 'balle', 'feldman' or 'public'.
    checkpoints : str or array-like, optional
        Steps whose states are released too: '100,200' or '100:1000:100'; or a sequence of them.
    rounding : float, default 0
        How much further apart computing a step may move two runs, in units of its noise.
    dimension : int, default 0
        Of the parameter; shows what loss to expect; a whole number.
    schedule : path-like, optional
        CSV file with a row for each step: learning_rate, sigma, lipschitz, batch.
    draws : {'fresh', 'shared'}, default 'fresh'
        Random order, stop or batches: 'fresh' for every task, or 'shared' by all.

    Examples
    --------
    >>> from doeblin import noisy_sgd
    >>> noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1)
    noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, strong_convexity=0, diameter=1, batch=1, epochs=1, order='fixed', output='last', noise='gaussian', relation='', public_tail=0, tasks=1, analysis='best', checkpoints='', rounding=0, dimension=0, schedule='', draws='fresh')
    """
    return scheduled_run(
        n, learning_rate, sigma, lipschitz, smoothness, strong_convexity, diameter, batch, epochs, order,
        output, noise, relation, public_tail, tasks, analysis, checkpoints, rounding, dimension, schedule, draws)


def noisy_iteration(
    steps: Number,
    sigma: Number,
    sensitivity: Number = 1.0,
    lipschitz: Number = 1.0,
    affected: Union[str, Sequence[int], ArrayLike] = "1",
    diameter: Number = float("inf"),
    noise: str = "gaussian",
    analysis: str = "best",
) -> Pipeline:
    """Maps with noise, one after another, of which only the last state is released.

    Parameters
    ----------
    steps : int
        How many maps; a whole number, at least 1.
    sigma : float
        Scale of the noise of one step; positive.
    sensitivity : float, default 1
        How far neighbours' maps are apart in affected steps; at least 0.
    lipschitz : float, default 1
        Of every map; at least 0.
    affected : str or array-like, default '1'
        The steps that differ: '1', '1,5' or '1:100:10'; or a sequence of them.
    diameter : float, default inf
        Of the convex set projected onto; at least 0.
    noise : {'gaussian', 'laplace'}, default 'gaussian'
        'gaussian', or 'laplace' on the line.
    analysis : {'best', 'shift', 'contraction', 'feldman', 'balle', 'asoodeh', 'public'}, default 'best'
        As for noisy_sgd.

    Examples
    --------
    >>> from doeblin import noisy_iteration
    >>> noisy_iteration(steps=10, sigma=1, sensitivity=1, lipschitz=0.9)
    noisy_iteration(steps=10, sigma=1, sensitivity=1, lipschitz=0.9, affected='1', diameter=inf, noise='gaussian', analysis='best')
    """
    return source(
        "noisy_iteration",
        (steps, sigma, sensitivity, lipschitz, affected_steps(affected), diameter, noise, analysis),
    )


def poisson(rate: Number, relation: str = "add_remove") -> Stage:
    """Each person takes part with probability rate, independently.

    Parameters
    ----------
    rate : float
        Probability of taking part; from 0 to 1.
    relation : {'add_remove', 'substitute'}, default 'add_remove'
        Neighbours of the result: 'add_remove' or 'substitute'.

    Examples
    --------
    >>> from doeblin import compose, gaussian, poisson
    >>> gaussian(sigma=1.1) | poisson(rate=256/60000) | compose(14000)
    gaussian(sigma=1.1, sensitivity=1) | poisson(rate=0.004266666666666667, relation='add_remove') | compose(k=14000)
    """
    return stage("poisson", (rate, relation))


def without_replacement(n: Number, m: Number) -> Stage:
    """A uniformly random subset of m of the n people takes part.

    Parameters
    ----------
    n : int
        How many people there are; a whole number, at least 1.
    m : int
        How many are drawn; a whole number, at least 1.

    Examples
    --------
    >>> from doeblin import laplace, without_replacement
    >>> laplace(scale=1) | without_replacement(n=1000, m=50)
    laplace(scale=1, sensitivity=1) | without_replacement(n=1000, m=50)
    """
    return stage("without_replacement", (n, m))


def with_replacement(n: Number, m: Number, relation: str = "substitute") -> Stage:
    """M independent uniform draws from the n people.

    Parameters
    ----------
    n : int
        How many people there are (the larger of two sizes); a whole number, at least 1.
    m : int
        How many draws; a whole number, at least 1.
    relation : {'substitute', 'add_remove'}, default 'substitute'
        Neighbours of the result: 'substitute' or 'add_remove'.

    Examples
    --------
    >>> from doeblin import gaussian, with_replacement
    >>> gaussian(sigma=2) | with_replacement(n=1000, m=50)
    gaussian(sigma=2, sensitivity=1) | with_replacement(n=1000, m=50, relation='substitute')
    """
    return stage("with_replacement", (n, m, relation))


def group(k: Number) -> Stage:
    """Protect k people at once.

    Parameters
    ----------
    k : int
        How many people; a whole number, at least 1.

    Examples
    --------
    >>> from doeblin import group, laplace
    >>> laplace(scale=1) | group(3)
    laplace(scale=1, sensitivity=1) | group(k=3)
    """
    return stage("group", (k,))


def compose(k: Number) -> Stage:
    """Release k times, each with fresh noise.

    Parameters
    ----------
    k : int
        How many releases; a whole number, at least 1.

    Examples
    --------
    >>> from doeblin import compose, gaussian
    >>> gaussian(sigma=10) | compose(100)
    gaussian(sigma=10, sensitivity=1) | compose(k=100)
    """
    return stage("compose", (k,))


def evolve(time: Number) -> Stage:
    """Let a released diffusion run on: the semigroup makes it one longer run.

    Parameters
    ----------
    time : float
        How much longer; positive.

    Examples
    --------
    >>> from doeblin import evolve, ornstein_uhlenbeck
    >>> ornstein_uhlenbeck(theta=0.5, rho=1, time=2) | evolve(time=1)
    ornstein_uhlenbeck(theta=0.5, rho=1, time=2, sensitivity=1) | evolve(time=1)
    """
    return stage("evolve", (time,))


def person(i: Number) -> Stage:
    """The guarantee of one record of a run, instead of the worst.

    Parameters
    ----------
    i : int
        Which record, from 1; a whole number.

    Examples
    --------
    >>> from doeblin import noisy_sgd, person
    >>> noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1) | person(39)
    noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, strong_convexity=0, diameter=1, batch=1, epochs=1, order='fixed', output='last', noise='gaussian', relation='', public_tail=0, tasks=1, analysis='best', checkpoints='', rounding=0, dimension=0, schedule='', draws='fresh') | person(i=39)
    """
    return stage("person", (i,))


def dobrushin(gamma: Number, epsilon: Number = 0.0) -> Stage:
    """Post-processing by a kernel with a known Dobrushin coefficient, at an epsilon.

    Parameters
    ----------
    gamma : float
        The coefficient, between 0 and 1; from 0 to 1.
    epsilon : float, default 0
        Where it is meant: 0 for total variation; at least 0.

    Examples
    --------
    >>> from doeblin import dobrushin, gaussian
    >>> gaussian(sigma=1) | dobrushin(gamma=0.5)
    gaussian(sigma=1, sensitivity=1) | dobrushin(gamma=0.5, epsilon=0)
    """
    return stage("dobrushin", (gamma, epsilon))


def doeblin(gamma: Number) -> Stage:
    """Post-processing by a kernel that is Doeblin (forgets its input with probability 1 - gamma).

    Parameters
    ----------
    gamma : float
        The coefficient, between 0 and 1; from 0 to 1.

    Examples
    --------
    >>> from doeblin import doeblin, gaussian
    >>> gaussian(sigma=1) | doeblin(gamma=0.5)
    gaussian(sigma=1, sensitivity=1) | doeblin(gamma=0.5)
    """
    return stage("doeblin", (gamma,))


def ultra_mixing(gamma: Number) -> Stage:
    """Post-processing by a kernel whose rows are within a factor 1 - gamma of each other.

    Parameters
    ----------
    gamma : float
        The coefficient, between 0 and 1; from 0 to 1.

    Examples
    --------
    >>> from doeblin import black_box, ultra_mixing
    >>> black_box(epsilon=1) | ultra_mixing(gamma=0.5)
    black_box(epsilon=1, delta=0) | ultra_mixing(gamma=0.5)
    """
    return stage("ultra_mixing", (gamma,))


def kernel(file: Union[Path, ArrayLike, Any], steps: Number = 1.0) -> Stage:
    """Post-processing by a Markov kernel that is given by its matrix.

    Parameters
    ----------
    file : path-like or array-like
        CSV, NPY or Matrix Market: a row of probabilities for each state; or the matrix itself, NumPy or SciPy sparse.
    steps : int, default 1
        How often it is applied; a whole number, at least 1.

    Examples
    --------
    >>> from doeblin import black_box, kernel
    >>> black_box(epsilon=1, delta=1e-6) | kernel([[0.9, 0.1], [0.2, 0.8]], steps=3)
    black_box(epsilon=1, delta=1e-06) | kernel(file=<2 x 2 array>, steps=3)
    """
    return markov_kernel(file, steps)


def k_ary_response(k: Number, p: Number, steps: Number = 1.0) -> Stage:
    """Post-processing by k-ary randomised response: keep the state or replace it.

    Parameters
    ----------
    k : int
        How many states; a whole number.
    p : float
        Probability of keeping the state; from 0 to 1.
    steps : int, default 1
        How often it is applied; a whole number, at least 1.

    Examples
    --------
    >>> from doeblin import gaussian, k_ary_response
    >>> gaussian(sigma=1) | k_ary_response(k=4, p=0.7)
    gaussian(sigma=1, sensitivity=1) | k_ary_response(k=4, p=0.7, steps=1)
    """
    return stage("k_ary_response", (k, p, steps))


def binary_symmetric(flip: Number, steps: Number = 1.0) -> Stage:
    """Post-processing that flips a bit with a given probability.

    Parameters
    ----------
    flip : float
        Probability of flipping; from 0 to 1.
    steps : int, default 1
        How often it is applied; a whole number, at least 1.

    Examples
    --------
    >>> from doeblin import binary_symmetric, randomized_response
    >>> randomized_response(p=0.75) | binary_symmetric(flip=0.1)
    randomized_response(p=0.75) | binary_symmetric(flip=0.1, steps=1)
    """
    return stage("binary_symmetric", (flip, steps))


def truncated_geometric(states: Number, ratio: Number, steps: Number = 1.0) -> Stage:
    """Post-processing of a count by two-sided geometric noise, clipped to its range.

    Parameters
    ----------
    states : int
        How many values the count can have, at most 4096; a whole number.
    ratio : float
        Noise j has probability proportional to ratio^|j|; from 0 to 1.
    steps : int, default 1
        How often it is applied; a whole number, at least 1.

    Examples
    --------
    >>> from doeblin import discrete_gaussian, truncated_geometric
    >>> discrete_gaussian(sigma=2) | truncated_geometric(states=20, ratio=0.5)
    discrete_gaussian(sigma=2, sensitivity=1) | truncated_geometric(states=20, ratio=0.5, steps=1)
    """
    return stage("truncated_geometric", (states, ratio, steps))


def lazy_walk(file: Union[Path, ArrayLike], laziness: Number = 0.5, steps: Number = 1.0) -> Stage:
    """Post-processing by a random walk on a graph that rests with a given probability.

    Parameters
    ----------
    file : path-like or array-like
        An edge per line: two node numbers, possibly a weight; or an array of edges, nodes counted from 0.
    laziness : float, default 0.5
        Probability of staying; from 0 to 1.
    steps : int, default 1
        How often it is applied; a whole number, at least 1.

    Examples
    --------
    >>> from doeblin import black_box, lazy_walk
    >>> black_box(epsilon=2) | lazy_walk([[0, 1], [1, 2], [2, 0]], laziness=0.5, steps=50)
    black_box(epsilon=2) | lazy_walk(file=<3 edges>, steps=50)
    """
    return graph_walk(file, laziness, steps)


def projected_gaussian(
    sigma: Number,
    low: Number = 0.0,
    high: Number = 1.0,
    lipschitz: Number = 1.0,
    steps: Number = 1.0,
    mean_low: Number = float("-inf"),
    mean_high: Number = float("inf"),
    radius: Number = 0.0,
) -> Stage:
    """Post-processing by steps that apply a Lipschitz map, add Gaussian noise and project back.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise of a step, in every coordinate; positive.
    low : float, default 0
        Lower end of the interval.
    high : float, default 1
        Upper end of the interval.
    lipschitz : float, default 1
        Lipschitz constant of the maps; at least 0.
    steps : int, default 1
        How often it is applied; a whole number, at least 1.
    mean_low : float, default -inf
        The maps' values are at least this.
    mean_high : float, default inf
        The maps' values are at most this.
    radius : float, default 0
        Of a ball in any dimension, instead of the interval; 0: none; at least 0.

    Examples
    --------
    >>> from doeblin import gaussian, projected_gaussian
    >>> gaussian(sigma=1) | projected_gaussian(sigma=0.5, low=0, high=1, lipschitz=0.9, steps=10)
    gaussian(sigma=1, sensitivity=1) | projected_gaussian(sigma=0.5, low=0, high=1, lipschitz=0.9, steps=10, mean_low=-inf, mean_high=inf, radius=0)
    """
    return stage("projected_gaussian", (sigma, low, high, lipschitz, steps, mean_low, mean_high, radius))


def projected_laplace(
    sigma: Number,
    low: Number = 0.0,
    high: Number = 1.0,
    lipschitz: Number = 1.0,
    steps: Number = 1.0,
    mean_low: Number = float("-inf"),
    mean_high: Number = float("inf"),
    radius: Number = 0.0,
) -> Stage:
    """Post-processing by steps that apply a Lipschitz map, add Laplace noise and project back.

    Parameters
    ----------
    sigma : float
        Scale of the noise of a step; on a ball its density is e^{-|z|/sigma}; positive.
    low : float, default 0
        Lower end of the interval.
    high : float, default 1
        Upper end of the interval.
    lipschitz : float, default 1
        Lipschitz constant of the maps; at least 0.
    steps : int, default 1
        How often it is applied; a whole number, at least 1.
    mean_low : float, default -inf
        The maps' values are at least this.
    mean_high : float, default inf
        The maps' values are at most this.
    radius : float, default 0
        Of a ball in any dimension, instead of the interval; 0: none; at least 0.

    Examples
    --------
    >>> from doeblin import laplace, projected_laplace
    >>> laplace(scale=1) | projected_laplace(sigma=0.5, low=0, high=1)
    laplace(scale=1, sensitivity=1) | projected_laplace(sigma=0.5, low=0, high=1, lipschitz=1, steps=1, mean_low=-inf, mean_high=inf, radius=0)
    """
    return stage("projected_laplace", (sigma, low, high, lipschitz, steps, mean_low, mean_high, radius))
