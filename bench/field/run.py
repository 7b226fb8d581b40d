# SPDX-License-Identifier: Apache-2.0
"""Every comparison with the field in one process tree, on the same inputs: numbers, table and plots.

Usage: python bench/field/run.py BUILD_FOLDER OUTPUT_FOLDER [--again PART]...

Writes results.json (the numbers), RESULTS.md (the table) and plots/*.svg. Every answer comes from a fresh process, best of 3
rounds in alternating order; whoever takes longer than 6 s is asked once, and stopped after a minute. --again asks the questions
with PART in their name again, everybody, and keeps the rest of results.json. Exit code 1 when an answer of ours contradicts
another one of ours, or the closed form.
"""
import argparse
import dataclasses
import importlib
import importlib.metadata
import json
import os
import pathlib
import platform
import sys
import time

import results
from contest import OURS, play, truth_of
from programs import google_benchmark

MODULES = {"accounting": "Composition", "gaussian": "Gaussian deltas", "kernels": "Kernels", "noise": "Noise",
           "training": "Training"}
PEERS = ("dp-accounting", "prv-accountant", "opacus", "autodp", "scipy", "scikit-learn", "opendp", "numpy")
# Of the programs under bench/, those that a reader may ask about: (program, matching).
INSIDE = (("mechanisms_bench", "."), ("loss_composition_bench", "."), ("people_bench", "."),
          ("kernels_bench", "Sparse.*/100000|Product"), ("noise_bench", "threads:1$|Words|Normal"), ("verify_bench", "."))


def progress(text, start):
    print(f"bench: {text} ({time.monotonic() - start:.0f} s)", file=sys.stderr, flush=True)


def machine():
    """What a time depends on; no names and no paths."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return [f"{len(os.sched_getaffinity(0))} cores ({models[0] if models else platform.machine()}), {memory:.0f} GiB",
            f"Python {platform.python_version()}, {platform.libc_ver()[0]} {platform.libc_ver()[1]}"]


def versions():
    found = []
    for name in PEERS:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"{name} not installed")
    return found


def measured(module, index, contest):
    answers = play(module, index, contest)
    return {"name": contest.name, "unit": contest.unit, "releases": contest.releases, "truth": truth_of(contest, answers),
            "answers": {name: dataclasses.asdict(answer) for name, answer in answers.items()}}


def table(parts, before, start):
    """Every question, or those with one of these parts in their name and the answers of before for the others."""
    for module, title in MODULES.items():
        for index, contest in enumerate(importlib.import_module(module).CONTESTS):
            if parts and contest.name in before and not any(part in contest.name for part in parts):
                yield before[contest.name]
                continue
            progress(f"{title}: {contest.name}", start)
            yield {"group": title, **measured(module, index, contest)}


def curves(start):
    growth = importlib.import_module("growth")
    index = 0
    for curve in growth.CURVES:
        lines = {}
        for x, contest in curve.points:
            progress(f"{curve.title}: {contest.name}", start)
            for name, answer in play("growth", index, contest).items():
                if not answer.failure:
                    lines.setdefault(name, []).append((x, answer.seconds, answer.megabytes))
            index += 1
        yield {"file": curve.file, "title": curve.title, "label": curve.label, "lines": lines}


def inside(start):
    for program, matching in INSIDE:
        progress(program, start)
        for one in google_benchmark(program, matching, 0.1):
            extra = {key: one[key] for key in ("width", "gamma", "items_per_second") if key in one}
            yield {"program": program, "name": one["name"].replace("/real_time", ""), "seconds": one["seconds"], **extra}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="where the programs were built")
    parser.add_argument("output", help="where RESULTS.md goes")
    parser.add_argument("--again", metavar="PART", action="append", help="only the questions with this in their name")
    options = parser.parse_args()
    os.environ["DOEBLIN_BUILD"] = os.path.abspath(options.build)
    output = pathlib.Path(options.output)
    stored = json.loads((output / "results.json").read_text(encoding="utf-8")) if options.again else {"contests": []}
    start = time.monotonic()
    found = {"machine": machine(), "versions": versions(),
             "contests": list(table(options.again, {one["name"]: one for one in stored["contests"]}, start)),
             "curves": stored["curves"] if options.again else list(curves(start)),
             "inside": stored["inside"] if options.again else list(inside(start))}
    found["minutes"] = stored["minutes"] if options.again else (time.monotonic() - start) / 60
    results.write_atomically(output / "results.json", json.dumps(found, indent=1) + "\n")
    results.write(found, output)
    contradictions = results.contradictions(found, OURS)
    for line in contradictions:
        print(f"bench: {line}", file=sys.stderr)
    progress(f"{os.path.relpath(output / 'RESULTS.md')} is written", start)
    return 1 if contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
