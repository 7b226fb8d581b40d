# SPDX-License-Identifier: Apache-2.0
"""Gaussian delta: our brackets against SciPy's plain formula, on the same inputs, in one run.

Usage: python bench/compare_scipy.py FOLDER      (the folder with theta_bench and mechanisms_bench)
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy
from scipy.special import ndtr
from scipy.stats import norm

POINTS = 100_000
ROUNDS = 5


def inputs():
    """sigma log-uniform over [1e-3, 1e9]; epsilon puts a = epsilon/mu - mu/2 between -8 and 37."""
    rng = np.random.default_rng(20261115)
    mu = 10.0 ** rng.uniform(-9, 3, POINTS)
    return np.maximum(0.0, mu * (rng.uniform(-8, 37, POINTS) + mu / 2)), mu


def plain_formula(epsilon, mu, tail):
    with np.errstate(all="ignore"):
        return tail(epsilon / mu - mu / 2) - np.exp(epsilon) * tail(epsilon / mu + mu / 2)


def best_seconds(work):
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def our_run(folder, path):
    command = [folder / "theta_bench", path, "--benchmark_format=json", "--benchmark_min_time=0.3"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {b["name"]: b for b in json.loads(done.stdout)["benchmarks"]}


def main():
    folder = pathlib.Path(sys.argv[1])
    epsilon, mu = inputs()
    tails = {"scipy.stats.norm.sf": norm.sf, "scipy.special.ndtr": lambda x: ndtr(-x)}
    ours, theirs = [], {name: [] for name in tails}
    with tempfile.NamedTemporaryFile() as file:
        np.column_stack([epsilon, mu]).tofile(file.name)
        for _ in range(ROUNDS):
            run = our_run(folder, file.name)
            ours.append(run["theta"]["items_per_second"])
            for name, tail in tails.items():
                theirs[name].append(POINTS / best_seconds(lambda: plain_formula(epsilon, mu, tail)))

    print(f"Gaussian delta at {POINTS} inputs, one core, best of {ROUNDS} alternating rounds (SciPy {scipy.__version__})\n")
    best = max(ours)
    print(f"  {'doeblin theta bracket':<24} {best / 1e6:8.2f} million/s   relative width <= {run['theta']['widest']:.2g}")
    print(f"  {'doeblin log theta':<24} {run['log_theta']['items_per_second'] / 1e6:8.2f} million/s")
    for name, tail in tails.items():
        value = plain_formula(epsilon, mu, tail)
        useless = np.mean(~np.isfinite(value) | (value <= 0))
        speed = max(theirs[name])
        print(f"  {name:<24} {speed / 1e6:8.2f} million/s   no error bound; NaN, 0 or negative on {useless:.0%}; "
              f"we are {best / speed:.1f} times as fast")
    print()
    sys.stdout.flush()
    subprocess.run([folder / "mechanisms_bench", "--benchmark_min_time=0.1"], check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
