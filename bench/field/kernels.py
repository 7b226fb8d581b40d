# SPDX-License-Identifier: Apache-2.0
"""The Dobrushin coefficient of one random dense kernel: half the largest distance of two rows.

Ours uses all cores and returns a bracket with the pair that attains it; the others return distances of all pairs.
"""
import os
import tempfile
import time

from contest import OURS, Contest
from programs import google_benchmark

STATES = 4096


def kernel(states):
    import numpy

    rows = numpy.random.default_rng(1).exponential(size=(states, states))
    return rows / rows.sum(axis=1, keepdims=True)


def ours(states=STATES):
    import numpy

    rows = kernel(states)

    def work():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kernel.npy")
            numpy.save(path, rows)
            found = google_benchmark("kernels_bench", "BM_File/dobrushin/", DOEBLIN_KERNEL=path)[0]
        return {"seconds": found["seconds"], "ends": (found["gamma"] - found["width"], found["gamma"])}

    return work


def scipy_distances(states=STATES):
    from scipy.spatial.distance import pdist

    rows = kernel(states)

    def work():
        start = time.perf_counter()
        gamma = pdist(rows, "cityblock").max() / 2
        return {"seconds": time.perf_counter() - start, "remark": f"{gamma:.12f}, no error bound"}

    return work


def scikit_learn_distances():
    from sklearn.metrics import pairwise_distances_chunked

    rows = kernel(STATES)

    def work():
        start = time.perf_counter()
        gamma = max(part.max() for part in pairwise_distances_chunked(rows, metric="manhattan", n_jobs=-1)) / 2
        return {"seconds": time.perf_counter() - start, "remark": f"{gamma:.12f}, no error bound"}

    return work


CONTESTS = [
    Contest(f"Dobrushin coefficient of {STATES} dense states", {
        OURS: ours,
        "SciPy, pdist cityblock": scipy_distances,
        "scikit-learn, manhattan": scikit_learn_distances,
    }, unit="gamma", limited=False),
]
