# SPDX-License-Identifier: Apache-2.0
"""A guard against slower code that works on noisy machines: instructions, counted by callgrind, of ten key queries.

Usage: python bench/guard.py PROGRAM COUNTS.json            fails when a query takes 3% more instructions than stored
       python bench/guard.py PROGRAM COUNTS.json --store    stores the counts of now

Counts depend on the compiler and on libm, hardly on the machine: the program is pinned to one core, so that work is not
shared out among threads, and its address space is not randomised. What every process needs (--version) is taken off.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

MOST = 1.03
QUERIES = {
    "gaussian delta": ("delta", "gaussian(sigma=1)", "--epsilon", "0:30:0.01"),
    "gaussian epsilon": ("epsilon", "gaussian(sigma=100) | compose(10000)", "--delta", "1e-5", "1e-30", "1e-250"),
    "dp-sgd": ("epsilon", "gaussian(sigma=1.1) | poisson(rate=256/60000) | compose(14000)", "--delta", "1e-5"),
    "dp-sgd tail": ("epsilon", "gaussian(sigma=1.1) | poisson(rate=256/60000) | compose(14000)", "--delta", "1e-30"),
    "laplace": ("epsilon", "laplace(scale=10) | compose(1000)", "--delta", "1e-5", "--width", "0.01"),
    "different mechanisms": ("epsilon", " + ".join(f"(gaussian({1 + i / 10}) | poisson(rate={0.01 + i / 1000}))" for i in range(10)),
                             "--delta", "1e-5"),
    "calibrate": ("calibrate", "gaussian(sigma=?) | poisson(rate=0.01) | compose(1000)", "--epsilon", "1", "--delta", "1e-5"),
    "renyi": ("epsilon", "gaussian(sigma=1.1) | poisson(rate=256/60000) | compose(14000)", "--delta", "1e-5",
              "--accountant", "renyi"),
    "hidden run": ("people", "noisy_sgd(n=10000, learning_rate=0.5, sigma=0.4, lipschitz=1, smoothness=1, diameter=1, batch=10)",
                   "--delta", "1e-5"),
    "mixing": ("mix", "truncated_geometric(states=64, ratio=0.5)", "--mechanism", "gaussian(sigma=1)", "--steps", "8"),
}


def instructions(program, arguments):
    with tempfile.TemporaryDirectory() as folder:
        command = ["setarch", "-R", "taskset", "-c", str(min(os.sched_getaffinity(0))), "valgrind", "--tool=callgrind",
                   f"--callgrind-out-file={folder}/out", os.path.abspath(program), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode not in (0, 3) or not counted:
        raise SystemExit(f"guard: doeblin {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr[-500:]}")
    return int(counted[1])


def counts(program, queries):
    start = instructions(program, ["--version"])
    for name, arguments in queries.items():
        print(f"guard: {name}", file=sys.stderr, flush=True)
        yield name, instructions(program, arguments) - start


def problems(now, stored):
    """A line for each query that is slower than it may be, or that nobody stored."""
    for name, count in now.items():
        if name not in stored:
            yield f"{name}: no count is stored; run with --store"
        elif count > MOST * stored[name]:
            yield f"{name}: {count:,} instructions, {count / stored[name] - 1:+.1%}; at most {MOST - 1:.0%} more than {stored[name]:,}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("counts")
    parser.add_argument("--store", action="store_true", help="store the counts of now")
    options = parser.parse_args()
    for needed in ("valgrind", "setarch", "taskset"):
        if not shutil.which(needed):
            raise SystemExit(f"guard: {needed} is missing")
    now = dict(counts(options.program, QUERIES))
    if options.store:
        with open(options.counts + ".partial", "w", encoding="ascii") as file:
            file.write(json.dumps(now, indent=2) + "\n")
        os.replace(options.counts + ".partial", options.counts)
        return 0
    with open(options.counts, encoding="ascii") as file:
        stored = json.load(file)
    for name, count in now.items():
        change = f"{count / stored[name] - 1:+7.1%}" if name in stored else "    new"
        print(f"{name:<22} {count:>15,} {change}")
    found = list(problems(now, stored))
    for line in found:
        print(f"guard: {line}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
