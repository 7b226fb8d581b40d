# SPDX-License-Identifier: Apache-2.0
"""The plots of docs/training.md: how well training on data/spambase.csv does, and what everybody's guarantee is.

Usage: python tools/plot_training.py BINARY OUTPUT_DIR [--measure]

Draws from docs/data/training_accuracy.csv and docs/data/training_runs.csv. With --measure these are made first, by
real runs with secure noise, which takes about half an hour.
"""
import csv
import json
import os
import pathlib
import statistics
import sys
import tempfile

from plot_iteration import BOTTOM, LEFT, RIGHT, Panel, ask, epsilons_of_people, legend, picture
from plot_subsampling import WIDTH

ROOT = pathlib.Path(__file__).parents[1]
ACCURACY = ROOT / "docs" / "data" / "training_accuracy.csv"
RUNS = ROOT / "docs" / "data" / "training_runs.csv"

DELTA = "1e-5"
TARGETS = (0.1, 0.25, 0.5, 1, 2, 4, 8)
REPETITIONS = 20
SETTINGS = ["--label", "spam", "--bounds", "*_freq_*=0:1", "--bounds", "capital_run_average=1:10",
            "--bounds", "capital_run_longest=1:100", "--bounds", "capital_run_total=1:1000", "--norm", "1",
            "--intercept", "0.5", "--radius", "10", "--regularisation", "0.001", "--delta", DELTA,
            "--test-fraction", "0.2", "--test-is-public", "--data-is-public"]
# name: options, whether the guarantee is that of ordinary composition
VARIANTS = {"hidden": (["--batch", "80", "--epochs", "50"], False),
            "ordinary": (["--batch", "80", "--epochs", "50"], True),
            "full_batch": (["--batch", "3610", "--epochs", "100"], True)}
# label, colour, dashes, width
STYLES = {"hidden": ("hidden states, batch 80, 50 epochs", "#1b6ca8", "", 3),
          "ordinary": ("ordinary composition, the same run", "#c8511b", "8 4", 2.2),
          "full_batch": ("ordinary composition, full batch, 100 epochs", "#2a8a57", "2 4", 2.6)}
MARKERS = {"hidden": '<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>',
           "ordinary": '<rect x="{left:.1f}" y="{top:.1f}" width="8" height="8" fill="{colour}"/>',
           "full_batch": '<path d="M{x:.1f} {high:.1f}l5.5 9.5h-11z" fill="{colour}"/>'}
# The one whose records are shown one by one.
SHOWN = 1


def trained(binary, *options):
    """What one run says, as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        return json.loads(ask(binary, "train", str(ROOT / "data" / "spambase.csv"), *SETTINGS, *options,
                              "--output", folder, "--json"))


def ordinary_sigma(binary, run, options, target):
    """The noise at which ordinary composition of the run meets the target; the learning rate does not matter to it."""
    batch, epochs = options[1], options[3]
    expression = (f"noisy_sgd(n={run['records']:.0f}, learning_rate=1, sigma=?, "
                  f"lipschitz={run['lipschitz']['decimal']!r}, smoothness={run['smoothness']['decimal']!r}, "
                  f"batch={batch}, epochs={epochs}, analysis='public', rounding=1e-9)")
    answer = ask(binary, "calibrate", expression, "--epsilon", repr(target), "--delta", DELTA, "--json")
    return json.loads(answer)["value"]


def measure(binary):
    accuracy = [("variant", "epsilon", "run", "accuracy", "loss")]
    runs = [("variant", "epsilon", "learning_rate", "sigma", "worst", "median", "best", "ordinary", "expression")]
    first = trained(binary, "--sigma", "0.1", "--compare-without-noise")
    for variant, (options, is_ordinary) in VARIANTS.items():
        for target in TARGETS:
            noise = ["--epsilon", repr(target)]
            if is_ordinary:
                noise = ["--sigma", repr(ordinary_sigma(binary, first["run"], options, target))]
            for k in range(1, REPETITIONS + 1):
                answer = trained(binary, *options, *noise)
                reached = answer["ordinary_composition" if is_ordinary else "epsilon"]["upper"]
                if not target * 0.999 <= reached <= target * (1 + 1e-6):
                    raise SystemExit(f"{variant}: epsilon is {reached}, the target was {target}")
                test, run, people = answer["test"], answer["run"], answer["people"]
                accuracy.append((variant, target, k, round(test["accuracy"], 5), round(test["loss"], 5)))
                # What was solved for is kept, so that it is solved for once.
                noise = ["--sigma", repr(run["sigma"]["decimal"]), "--learning-rate", repr(run["learning_rate"]["decimal"])]
            runs.append((variant, target, run["learning_rate"]["decimal"], run["sigma"]["decimal"],
                         people["worst"]["upper"], people["median"], people["best"]["upper"],
                         answer["ordinary_composition"]["upper"], answer["expression"]))
            print(variant, target, statistics.mean(row[3] for row in accuracy[-REPETITIONS:]), flush=True)
    without = first["test"]["without_noise"]
    accuracy.append(("without_noise", "", "", round(without["accuracy"], 5), round(without["loss"], 5)))
    for path, rows in ((ACCURACY, accuracy), (RUNS, runs)):
        with open(str(path) + ".partial", "w", encoding="ascii", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
        os.replace(str(path) + ".partial", path)


if __name__ == "__main__":
    measure(sys.argv[1])
