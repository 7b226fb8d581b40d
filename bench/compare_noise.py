# SPDX-License-Identifier: Apache-2.0
"""Exact, secure noise against NumPy's normal generator, and the speed of a release, in one run.

Usage: python bench/compare_noise.py BENCH_DIR PROGRAM [--megabytes N]

Rounds in turn, the best of each. NumPy's generator is neither secure (PCG64 can be predicted from its output) nor exact
(its doubles leak, see docs/diffusion.md): it is the speed to compare with, not a rival. Exit code 1 when two cores draw
fewer than 20 million discrete Gaussians a second, or a release is slower than 50 MB a second or needs more than 100 MB.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy

ROUNDS = 3
DRAWS = 20_000_000


def numpy_rate():
    generator = numpy.random.default_rng(1)
    out = numpy.ones(DRAWS)
    start = time.perf_counter()
    generator.standard_normal(out=out)
    return DRAWS / (time.perf_counter() - start)


def our_rates(bench):
    """Draws a second, by name, from Google Benchmark."""
    done = subprocess.run([os.path.join(bench, "noise_bench"), "--benchmark_format=json"], check=True, capture_output=True, text=True)
    return {one["name"].replace("/real_time", ""): one["items_per_second"] for one in json.loads(done.stdout)["benchmarks"]}


def write_table(path, megabytes):
    generator = numpy.random.default_rng(2)
    rows = ["".join(f",{x:.4f}" for x in row) + "\n" for row in generator.normal(50, 20, size=(10_000, 7))]
    with open(path, "w") as file:
        file.write("id,a,b,c,d,e,f,g\n")
        person = 0
        while file.tell() < megabytes * 1_000_000:
            file.write("".join(f"{person + i}{row}" for i, row in enumerate(rows)))
            person += len(rows)


def release(program, source, target, mechanism, *more):
    """Seconds and the most memory in MB."""
    start = time.perf_counter()
    process = subprocess.Popen([program, "release", source, "--output", target, "--mechanism", mechanism, "--bounds", "*=0:100",
                                "--public", "id", *more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    memory = 0
    while process.poll() is None:
        # The high-water mark of the program itself; rusage would count this process before exec.
        try:
            with open(f"/proc/{process.pid}/status") as status:
                memory = max([memory] + [int(line.split()[1]) for line in status if line.startswith("VmHWM")])
        except OSError:
            pass
        time.sleep(0.02)
    seconds = time.perf_counter() - start
    assert process.returncode == 0
    return seconds, memory / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("program")
    parser.add_argument("--megabytes", type=int, default=300)
    options = parser.parse_args()

    theirs, ours = 0.0, {}
    for _ in range(ROUNDS):
        theirs = max(theirs, numpy_rate())
        for name, rate in our_rates(options.bench).items():
            ours[name] = max(ours.get(name, 0.0), rate)
    print(f"numpy standard_normal, one core: {theirs / 1e6:.1f} million a second")
    for name, rate in ours.items():
        print(f"{name}: {rate / 1e6:.1f} million a second, {rate / theirs:.2f} times numpy's")
    fails = max(rate for name, rate in ours.items() if "Gaussian" in name and name.endswith("threads:2")) < 20e6

    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "in.csv"), os.path.join(folder, "out.csv")
        write_table(source, options.megabytes)
        megabytes = os.path.getsize(source) / 1e6
        for mechanism, *more in (["gaussian(1)"], ["laplace(1)"], ["ornstein_uhlenbeck(0.5, 1)", "--tiers", "1,2,4"]):
            seconds, memory = min(release(options.program, source, target, mechanism, *more) for _ in range(ROUNDS))
            print(f"release {mechanism} {' '.join(more)}: {megabytes:.0f} MB in {seconds:.1f} s, {megabytes / seconds:.0f} MB/s, {memory:.0f} MB of memory")
            fails |= megabytes / seconds < 50 and not more or memory > 100
    return 1 if fails else 0


if __name__ == "__main__":
    sys.exit(main())
