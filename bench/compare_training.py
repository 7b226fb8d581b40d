# SPDX-License-Identifier: Apache-2.0
"""A private pass over 1,000,000 x 100 records against the same algorithm in NumPy, and one rank against two.

Usage: python bench/compare_training.py BENCH_DIR PROGRAM [--records N]

Rounds in turn, the best of each; one thread for each side. NumPy draws inexact normals from a generator that can be
predicted; its batch products are BLAS. Exit code 1 when a batch of 64 takes more than twice the time without noise, a
batch of 1 more than 1.3 times the time of its draws, NumPy is faster, or two ranks are less than 1.6 times as fast as
one on batches of 1024.
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import json
import subprocess
import sys
import tempfile
import time

import numpy

ROUNDS = 3
DIMENSION = 100
RATE, RHO, SIGMA, RADIUS = 0.5, 1e-4, 0.05, 10.0


def our_milliseconds(bench):
    """By name, from Google Benchmark."""
    done = subprocess.run([os.path.join(bench, "descent_bench"), "--benchmark_format=json"], check=True, capture_output=True, text=True)
    return {one["name"]: one["real_time"] for one in json.loads(done.stdout)["benchmarks"]}


def project(w):
    norm = numpy.sqrt(w @ w)
    return w * (RADIUS / norm) if norm > RADIUS else w


def numpy_milliseconds(features, labels, batch):
    """One pass; the noise is drawn in large blocks, as NumPy likes it."""
    generator = numpy.random.default_rng(1)
    steps = len(labels) // batch
    block = max(1, 1_000_000 // DIMENSION)
    start = time.perf_counter()
    w = numpy.zeros(DIMENSION)
    for step in range(steps):
        if step % block == 0:
            noise = generator.standard_normal((min(block, steps - step), DIMENSION))
            noise *= RATE * SIGMA
        if batch == 1:
            row, label = features[step], labels[step]
            slope = -label / (1.0 + numpy.exp(label * (row @ w)))
            w = project(w * (1.0 - RATE * RHO) - (RATE * slope) * row + noise[step % block])
        else:
            rows, label = features[step * batch : (step + 1) * batch], labels[step * batch : (step + 1) * batch]
            slopes = -label / (1.0 + numpy.exp(label * (rows @ w)))
            w = project(w * (1.0 - RATE * RHO) - (RATE / batch) * (slopes @ rows) + noise[step % block])
    return 1e3 * (time.perf_counter() - start)


def rank_seconds(program, data, ranks, folder):
    """Of the training alone: every rank reads the whole file."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    start = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run(
        start + [program, "train", data, "--classes", "-1|1", "--norm", "1", "--intercept", "0", "--radius", "10", "--sigma", "0.05",
                 "--learning-rate", "0.5", "--batch", "1024", "--epochs", "4", "--output", folder, "--json"],
        check=True, capture_output=True, text=True, env=environment)
    return json.loads(done.stdout)["seconds"]["training"]


def best(times):
    return {name: min(one[name] for one in times) for name in times[0]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("program")
    parser.add_argument("--records", type=int, default=1_000_000, help="of NumPy and of the ranks")
    options = parser.parse_args()
    generator = numpy.random.default_rng(2)
    features = (generator.random((options.records, DIMENSION)) - 0.5) * 0.2
    labels = numpy.where(features[:, 0] + features[:, 1] > 0, 1.0, -1.0)
    ours, theirs, ranks = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data.npy")
        numpy.save(data, numpy.column_stack([features, labels]))
        for _ in range(ROUNDS):
            ours.append(our_milliseconds(options.bench))
            theirs.append({batch: numpy_milliseconds(features, labels, batch) for batch in (1, 64)})
            ranks.append({count: rank_seconds(options.program, data, count, os.path.join(folder, "run")) for count in (1, 2)})
    ours, theirs, ranks = best(ours), best(theirs), best(ranks)
    scale = 1_000_000 / options.records
    failed = []

    def line(what, ratio, limit, is_at_most):
        good = ratio <= limit if is_at_most else ratio >= limit
        print(f"{what:<58} {ratio:6.2f}  ({'at most' if is_at_most else 'at least'} {limit})")
        if not good:
            failed.append(what)

    for name, milliseconds in ours.items():
        print(f"{name:<58} {milliseconds:8.1f} ms")
    for batch, milliseconds in theirs.items():
        print(f"NumPy, batch {batch:<45} {milliseconds * scale:8.1f} ms")
    for count, seconds in ranks.items():
        print(f"{count} rank{'s' if count > 1 else ''}, batch 1024, 4 epochs{'':<33} {1e3 * seconds:8.1f} ms")
    line("batch 64: private / without noise", ours["BM_Private/64"] / ours["BM_WithoutNoise/64"], 2.0, True)
    line("batch 1: private / drawing its noise", ours["BM_Private/1"] / ours["BM_Draws/1"], 1.3, True)
    line("batch 64: NumPy / private", theirs[64] * scale / ours["BM_Private/64"], 1.0, False)
    line("batch 1: NumPy / private", theirs[1] * scale / ours["BM_Private/1"], 1.0, False)
    line("batch 1024: one rank / two ranks", ranks[1] / ranks[2], 1.6, False)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
