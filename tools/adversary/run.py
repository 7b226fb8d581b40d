#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random expressions against a harness that counts out what they say: people, coins, batches, maps and noise.

Usage: tools/adversary/run.py [--checks N | --cases N | --seconds S] [--seed S] [--program build/doeblin] [--area NAME]...

It knows what a user reads (README.md, docs, `doeblin stages`) and no formula of the program. Exit code 1 on a violation, each of which
is one line with what repeats it; a question that takes longer than 20 seconds is slow, not wrong.
"""
import argparse
import itertools
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from asking import PATIENCE, Program  # noqa: E402
from hunt import AREAS, run  # noqa: E402


def today():
    return int(time.time() // 86400)


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checks", type=int, help="stop after so many checks")
    parser.add_argument("--seconds", type=float, help="stop after so many seconds (60 unless --checks)")
    parser.add_argument("--seed", type=int, help="a day's own unless given")
    parser.add_argument("--program", default=str(HERE.parents[1] / "build" / "doeblin"))
    parser.add_argument("--area", action="append", choices=AREAS, help="this area only; can be repeated")
    parser.add_argument("--cases", type=int, help="so many cases of every area")
    parser.add_argument("--case", type=int, help="this case only")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds for one question")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--refusals", action="store_true", help="show what was refused")
    return parser.parse_args(words)


def main(words):
    options = arguments(words)
    seed = today() if options.seed is None else options.seed
    endless = options.case is None and options.cases is None
    seconds = 60.0 if endless and options.seconds is None and options.checks is None else options.seconds
    print(f"adversary: seed {seed}", flush=True)
    numbers = itertools.count() if endless else range(options.cases) if options.case is None else [options.case]
    program = Program(pathlib.Path(options.program).resolve(), options.patience)
    tally = run(program, options.area or AREAS, seed, numbers, options.jobs, options.checks, seconds,
                lambda line: print(line, flush=True), options.refusals)
    print(*tally.lines(), sep="\n")
    return 1 if tally.violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
