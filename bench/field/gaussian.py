# SPDX-License-Identifier: Apache-2.0
"""Gaussian deltas, many at once: our brackets against the plain formula with SciPy's normal tails, on the same inputs.

The width is the largest relative one; of the formula, which has no error bound, the largest relative error.
"""
import math
import os
import tempfile
import time

from contest import OURS, Contest
from programs import google_benchmark

POINTS = 1_000_000
PAIRS = 100_000
REPETITIONS = 7


def best_of(work):
    """Seconds of the fastest, and what it returned."""
    best = math.inf
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        found = work()
        best = min(best, time.perf_counter() - start)
    return best, found


def formula(tail_name):
    import numpy
    from scipy.special import ndtr
    from scipy.stats import norm

    tail = {"ndtr": lambda x: ndtr(-x), "sf": norm.sf}[tail_name]

    def delta(epsilon, mu):
        with numpy.errstate(all="ignore"):
            return tail(epsilon / mu - mu / 2) - numpy.exp(epsilon) * tail(epsilon / mu + mu / 2)

    return delta


def one_level():
    import numpy

    return numpy.linspace(0.0, 10.0, POINTS), 1.0


def our_array():
    import doeblin

    epsilons, mu = one_level()
    pipeline = doeblin.gaussian(sigma=1 / mu)

    def work():
        seconds, found = best_of(lambda: pipeline.delta(epsilons))
        return {"seconds": seconds, "ends": (0.0, ((found.upper - found.lower) / found.upper).max())}

    return work


def scipy_array(tail_name):
    import numpy

    import doeblin

    epsilons, mu = one_level()
    delta = formula(tail_name)

    def work():
        seconds, values = best_of(lambda: delta(epsilons, mu))
        known = doeblin.gaussian(sigma=1 / mu).delta(epsilons).upper
        return {"seconds": seconds, "ends": (0.0, numpy.max(numpy.abs(values / known - 1)))}

    return work


def many_levels():
    """sigma log-uniform over [1e-3, 1e9]; epsilon puts a = epsilon/mu - mu/2 between -8 and 37."""
    import numpy

    rng = numpy.random.default_rng(20261115)
    mu = 10.0 ** rng.uniform(-9, 3, PAIRS)
    return numpy.maximum(0.0, mu * (rng.uniform(-8, 37, PAIRS) + mu / 2)), mu


def our_pairs():
    import numpy

    inputs = numpy.column_stack(many_levels())

    def work():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "inputs")
            inputs.tofile(path)
            found = google_benchmark("theta_bench", "^theta$", 0.3, arguments=[path])[0]
        return {"seconds": PAIRS / found["items_per_second"], "ends": (0.0, found["widest"])}

    return work


def scipy_pairs(tail_name):
    import numpy

    epsilons, mu = many_levels()
    delta = formula(tail_name)

    def work():
        seconds, values = best_of(lambda: delta(epsilons, mu))
        useless = numpy.mean(~numpy.isfinite(values) | (values <= 0))
        return {"seconds": seconds, "ends": (0.0, math.inf), "remark": f"NaN, 0 or negative on {useless:.0%}"}

    return work


def contest(name, ours, theirs):
    return Contest(name, {OURS: ours, "SciPy, special.ndtr": lambda: theirs("ndtr"), "SciPy, stats.norm.sf": lambda: theirs("sf")},
                   truth=lambda: (0.0, 0.0), unit="relative", limited=False)


CONTESTS = [
    contest(f"{POINTS:,} Gaussian deltas, sigma 1, epsilon 0 to 10", our_array, scipy_array),
    contest(f"{PAIRS:,} Gaussian deltas, sigma 1e-3 to 1e9, one core", our_pairs, scipy_pairs),
]
