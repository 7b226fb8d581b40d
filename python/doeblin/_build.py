# SPDX-License-Identifier: Apache-2.0
"""How the functions of _stages.py make their pipelines and stages."""
import os

import numpy as np

from . import _core
from ._arguments import array, is_array, path
from ._pipeline import Pipeline, Stage


def source(name, arguments):
    return Pipeline(_core.call(name, arguments))


def stage(name, arguments):
    return Stage(_core.call(name, arguments))


def _is_path(value):
    return isinstance(value, (str, bytes, os.PathLike))


def _is_sparse(value):
    return hasattr(value, "tocoo")


def markov_kernel(file, steps):
    if _is_path(file):
        return Stage(_core.call("kernel", (path("kernel: file", file), steps)))
    if _is_sparse(file):
        coo = file.tocoo()
        if len(coo.shape) != 2:
            raise ValueError(f"kernel has {len(coo.shape)} dimensions, need 2")
        row, column = (np.ascontiguousarray(i, dtype=np.int64) for i in (coo.row, coo.col))
        return Stage(_core.sparse_kernel(*coo.shape, row, column, array("kernel", coo.data), steps))
    return Stage(_core.dense_kernel(array("kernel", file, ndim=2), steps))


def graph_walk(file, laziness, steps):
    if _is_path(file):
        return Stage(_core.call("lazy_walk", (path("lazy_walk: file", file), laziness, steps)))
    edges = array("lazy_walk", file, ndim=2)
    if edges.shape[1] not in (2, 3):
        raise ValueError(f"lazy_walk has {edges.shape[1]} columns, need two nodes and possibly a weight")
    if not len(edges):
        raise ValueError("lazy_walk: no edges, need at least one")
    return Stage(_core.walk(edges, laziness, steps))


def finite_mechanism(file, adjacency):
    if _is_path(file):
        names = path("finite: file", file), path("finite: adjacency", adjacency)
        return Pipeline(_core.call("finite", names))
    matrix = array("finite", file, ndim=2)
    if not matrix.size:
        raise ValueError("finite: an empty matrix, need at least one row and one column")
    if isinstance(adjacency, str) and not adjacency:
        return Pipeline(_core.finite(matrix, None, None))
    pairs = array("finite: adjacency", adjacency, ndim=2)
    if pairs.shape[1] != 2 or (pairs != np.floor(pairs)).any() or (abs(pairs) > 2**53).any():
        raise ValueError("finite: adjacency, need pairs of row numbers")
    first, second = (np.ascontiguousarray(pairs[:, i], dtype=np.int64) for i in (0, 1))
    return Pipeline(_core.finite(matrix, first, second))


def affected_steps(value):
    """'1,5,9' for [1, 5, 9]."""
    if isinstance(value, str):
        return value
    steps = np.atleast_1d(array("steps", value))
    if not np.isfinite(steps).all() or (steps != np.floor(steps)).any():
        raise ValueError(f"steps = {value!r}, need whole numbers")
    return ",".join(str(int(step)) for step in steps.ravel())


def scheduled_run(*values):
    names = [parameter["name"] for parameter in _PARAMETERS]
    arguments = dict(zip(names, values))
    arguments["checkpoints"] = affected_steps(arguments["checkpoints"])
    arguments["schedule"] = path("noisy_sgd: schedule", arguments["schedule"])
    for name in _SCHEDULED:
        if is_array(arguments[name]):
            arguments[name] = array(f"noisy_sgd: {name}", arguments[name], ndim=1).tolist()
            if not arguments[name]:
                raise ValueError(f"noisy_sgd: {name} is empty, need one number for each step")
    return Pipeline(_core.call("noisy_sgd", tuple(arguments[name] for name in names)))


_PARAMETERS = next(d["parameters"] for d in _core.definitions() if d["name"] == "noisy_sgd")
_SCHEDULED = [parameter["name"] for parameter in _PARAMETERS if parameter["may_change"]]


def diffusion(kappa, time, *, bend="decreasing", rate=0.0, power=0.0, relative_error=1e-14, relative_width=1e-8):
    """Any symmetric diffusion that ran for some time, known by its steepness kappa(s) (catalogue D3).

    For its integral to be finite, kappa must fall at a `rate`, or like 1/s to a `power` above 1.

    Parameters
    ----------
    kappa : callable
        A function of time.
    time : float
        How long it ran.
    bend : {'decreasing', 'convex', 'log_convex'}, default 'decreasing'
        What is known about kappa.
    rate, power : float, default 0
        How it falls.
    relative_error : float, default 1e-14
        A bound for the error of the function itself.
    relative_width : float, default 1e-8
        How narrow the level is wanted.

    Returns
    -------
    Pipeline

    Raises
    ------
    TypeError
        If kappa is no function.

    Examples
    --------
    >>> from doeblin import diffusion, evolve
    >>> brownian = diffusion(lambda s: 0.25 / s**2, time=2.0, bend="log_convex", power=2.0)
    >>> brownian.rdp(alpha=4.0) < 0.50001
    True
    >>> (brownian | evolve(time=2.0)).rdp(alpha=4.0) < 0.250005
    True
    """
    if not callable(kappa):
        raise TypeError(f"diffusion: kappa = {kappa!r}, need a function of time")
    return Pipeline(_core.diffusion(kappa, time, bend, rate, power, relative_error, relative_width))
