# SPDX-License-Identifier: Apache-2.0
"""The Dobrushin coefficient of a dense kernel: ours against SciPy's pairwise cityblock distance, in one run.

Usage: python bench/compare_kernels.py BENCH_DIR [--states N]

The same random matrix for both, rounds in turn, the best time of each; ours on all cores, with the peak memory of its
process. Exit code 1 when the two disagree, or when we are less than 8 times as fast at 4096 states.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy
from scipy.spatial.distance import pdist

ROUNDS = 2


def kernel(states):
    rows = numpy.random.default_rng(1).exponential(size=(states, states))
    return rows / rows.sum(axis=1, keepdims=True)


def scipy_coefficient(rows):
    start = time.perf_counter()
    gamma = pdist(rows, "cityblock").max() / 2
    return gamma, time.perf_counter() - start


def our_coefficient(bench, path, name):
    """gamma, its width and seconds, from Google Benchmark."""
    done = subprocess.run(
        [os.path.join(bench, "kernels_bench"), f"--benchmark_filter=BM_File/{name}/", "--benchmark_format=json"],
        env={**os.environ, "DOEBLIN_KERNEL": path}, check=True, capture_output=True, text=True)
    result = json.loads(done.stdout)["benchmarks"][0]
    return result["gamma"], result["width"], result["real_time"] / 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", help="where the benchmark programs are")
    parser.add_argument("--states", type=int, default=4096)
    options = parser.parse_args()
    rows = kernel(options.states)
    theirs, ours, hockey = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.npy")
        numpy.save(path, rows)
        for _ in range(ROUNDS):
            ours.append(our_coefficient(options.bench, path, "dobrushin"))
            theirs.append(scipy_coefficient(rows))
            hockey.append(our_coefficient(options.bench, path, "hockey_stick"))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    gamma, their_seconds = min(theirs, key=lambda one: one[1])
    upper, width, seconds = min(ours, key=lambda one: one[2])
    _, hockey_width, hockey_seconds = min(hockey, key=lambda one: one[2])
    print(f"{options.states} x {options.states} dense, {os.cpu_count()} cores")
    print(f"  SciPy pdist cityblock   {their_seconds:8.2f} s   gamma {gamma:.15g}")
    print(f"  doeblin Dobrushin       {seconds:8.2f} s   gamma <= {upper:.15g}, width {width:.1e}   "
          f"{their_seconds / seconds:.1f} times as fast")
    print(f"  doeblin at epsilon = 1  {hockey_seconds:8.2f} s   width {hockey_width:.1e}   "
          f"{their_seconds / hockey_seconds:.1f} times as fast")
    print(f"  peak memory of our process, file included: {memory:.0f} MB")
    agrees = upper - width - 1e-12 <= gamma <= upper + 1e-12
    is_fast = options.states != 4096 or their_seconds >= 8 * seconds
    if not agrees:
        print("the two coefficients disagree", file=sys.stderr)
    if not is_fast:
        print("less than 8 times as fast", file=sys.stderr)
    return 0 if agrees and is_fast else 1


if __name__ == "__main__":
    sys.exit(main())
