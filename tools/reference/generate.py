# SPDX-License-Identifier: Apache-2.0
"""Writes the truth tables of tests/data, or checks the ones that are there.

    python tools/reference/generate.py [table ...]          write all tables, or the named ones
    python tools/reference/generate.py --check [table ...]  recompute a random 3% of the rows at doubled precision
"""

import argparse
import importlib
import os
import random
import sys
import time

from table import read, write

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "data")
MODULES = [
    "normal",
    "gaussian",
    "theta_batch",
    "laplace",
    "twice_laplace",
    "twice_laplace_rdp",
    "randomized_response",
    "black_box",
    "discrete_laplace",
    "discrete_gaussian",
    "renyi_conversion",
    "poisson_gaussian",
    "poisson_gaussian_rdp",
    "poisson_laplace",
    "with_replacement",
    "sampled_groups",
    "twice_laplace_groups",
    "composed_poisson_gaussian",
    "composed_laplace",
    "composed_randomized_response",
    "iteration_shift",
    "iteration_contraction",
    "iteration_stop",
    "iteration_sampled",
    "mixing_apply",
    "mixing_projected",
    "mixing_finite",
    "mixing_k_ary",
    "mixing_geometric",
    "diffusion",
    "diffusion_error",
    "discrete_pmf",
    "grid_gaussian",
    "training_losses",
    "binomial_confidence",
]


def all_tables():
    return {table.name: table for name in MODULES for table in importlib.import_module(name).TABLES}


def generate(table):
    rows = table.rows()
    lines = []
    for k, inputs in enumerate(rows):
        try:
            lines.append(table.line(inputs))
        except ArithmeticError as error:
            raise ArithmeticError("%s%s: %s" % (table.name, inputs, error)) from error
        if k % 50 == 0 and sys.stderr.isatty():
            print("\r%s: %d/%d" % (table.name, k, len(rows)), end="", file=sys.stderr, flush=True)
    write(os.path.join(DATA, table.name + ".csv"), table.header(), lines)
    return len(lines)


def check(table, rng):
    """Recomputes a sample of the committed rows; returns how many, and complains about every difference."""
    header, lines = read(os.path.join(DATA, table.name + ".csv"))
    if header != table.header():
        raise SystemExit("%s: header %s, need %s" % (table.name, header, table.header()))
    sample = rng.sample(lines, max(3, round(0.03 * len(lines))))
    for line in sample:
        inputs = [float.fromhex(cell) for cell in line[: len(table.inputs)]]
        again = table.line(inputs, precision=2)
        if again != line:
            raise SystemExit("%s: committed %s, recomputed %s" % (table.name, line, again))
    return len(sample)


def main():
    tables = all_tables()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", nargs="*", help="one of: " + ", ".join(tables))
    parser.add_argument("--check", action="store_true", help="recompute a sample instead of writing")
    parser.add_argument("--seed", type=int, default=None, help="of the sample that --check draws")
    options = parser.parse_args()
    unknown = [name for name in options.table if name not in tables]
    if unknown:
        parser.error("unknown table: " + ", ".join(unknown))
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(10**6)
    rng = random.Random(seed)
    if options.check:
        print("seed %d" % seed, file=sys.stderr)
    os.makedirs(DATA, exist_ok=True)
    for name in options.table or tables:
        start = time.monotonic()
        count = check(tables[name], rng) if options.check else generate(tables[name])
        seconds = time.monotonic() - start
        clear = "\r" if sys.stderr.isatty() else ""
        print("%s%s: %d rows, %.1f s" % (clear, name, count, seconds), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
