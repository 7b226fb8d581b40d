# SPDX-License-Identifier: Apache-2.0
"""What Python adds to a question, and many Gaussian deltas against SciPy's formula, on the same inputs in one run.

Usage: python bench/compare_python.py FOLDER      (the folder with mechanisms_bench; the package must be installed)
"""
import json
import pathlib
import subprocess
import sys
import time
import timeit

import numpy as np
import scipy
from scipy.special import ndtr
from scipy.stats import norm

import doeblin

POINTS = 1_000_000
ROUNDS = 7


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def scalar(work, calls=20_000):
    return min(timeit.repeat(work, number=calls, repeat=5)) / calls * 1e9


def plain_formula(epsilon, mu, tail):
    with np.errstate(all="ignore"):
        return tail(epsilon / mu - mu / 2) - np.exp(epsilon) * tail(epsilon / mu + mu / 2)


def many():
    print(f"{POINTS} Gaussian deltas, best of {ROUNDS} alternating rounds (SciPy {scipy.__version__}, one core; ours all cores)\n")
    print(f"  {'sigma':>6}  {'epsilons':<10}  {'doeblin ms':>10}  {'widest':>8}  {'ndtr ms':>8}  {'norm.sf ms':>10}  {'ratios':>12}")
    for sigma in (0.1, 1.0, 10.0, 1000.0):
        sorted_epsilons = np.linspace(0, 10 / sigma, POINTS)
        for name, epsilons in (("sorted", sorted_epsilons), ("shuffled", np.random.default_rng(1).permutation(sorted_epsilons))):
            pipeline = doeblin.gaussian(sigma=sigma)
            times = {"ours": [], "ndtr": [], "sf": []}
            for _ in range(ROUNDS):
                times["ours"].append(seconds(lambda: pipeline.delta(epsilons)))
                times["ndtr"].append(seconds(lambda: plain_formula(epsilons, 1 / sigma, lambda x: ndtr(-x))))
                times["sf"].append(seconds(lambda: plain_formula(epsilons, 1 / sigma, norm.sf)))
            ours, special, stats = (1e3 * min(times[key]) for key in ("ours", "ndtr", "sf"))
            found = pipeline.delta(epsilons)
            widest = (found.width / found.upper).max()
            print(f"  {sigma:>6g}  {name:<10}  {ours:>10.2f}  {widest:>8.1e}  {special:>8.1f}  {stats:>10.1f}"
                  f"  {special / ours:>5.0f} {stats / ours:>5.0f}")
    print()


def single(folder):
    command = [folder / "mechanisms_bench", "--benchmark_format=json", "--benchmark_min_time=0.2",
               "--benchmark_filter=^(gaussian_delta|gaussian_epsilon|laplace_delta)$"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    plain = {one["name"]: one["real_time"] for one in json.loads(done.stdout)["benchmarks"]}
    gaussian, laplace = doeblin.gaussian(sigma=1.3), doeblin.laplace(scale=1.3)
    ours = {"gaussian_delta": scalar(lambda: gaussian.delta(2.0)), "gaussian_epsilon": scalar(lambda: gaussian.epsilon(1e-10)),
            "laplace_delta": scalar(lambda: laplace.delta(0.5))}
    print("one question, best of 5\n")
    print(f"  {'':<18}  {'C++ ns':>8}  {'Python ns':>9}  {'added ns':>8}")
    for name, time_here in ours.items():
        print(f"  {name:<18}  {plain[name]:>8.0f}  {time_here:>9.0f}  {time_here - plain[name]:>8.0f}")
    print()


if __name__ == "__main__":
    single(pathlib.Path(sys.argv[1]))
    many()
