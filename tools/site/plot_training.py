# SPDX-License-Identifier: Apache-2.0
"""The plots of docs/guides/training.md: how well training on data/spambase.csv does, and what everybody's guarantee is.

Usage: python tools/site/plot_training.py PROGRAM FOLDER [--measure]

Draws from docs/data/training_accuracy.csv and docs/data/training_runs.csv. With --measure these are made first, by
real runs with secure noise, which takes about ten minutes.
"""
import csv
import hashlib
import html
import json
import math
import os
import pathlib
import statistics
import sys
import tempfile

from drawings import write_all
from plot_iteration import BOTTOM, LEFT, RIGHT, Panel, ask, epsilons_of_people, legend, picture
from plot_subsampling import WIDTH

ROOT = pathlib.Path(__file__).parents[2]
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
          "ordinary": ("ordinary composition, the same settings", "#c8511b", "8 4", 2.2),
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
                noise = ["--sigma", repr(run["sigma"]["decimal"]),
                         "--learning-rate", repr(run["learning_rate"]["decimal"])]
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


def rows_of(path):
    with open(path, encoding="ascii", newline="") as file:
        return list(csv.DictReader(file))


def majority():
    """The accuracy of always saying "no spam", on the records that `train` holds out: see Split in data_file.hpp."""
    lines = (ROOT / "data" / "spambase.csv").read_bytes().split(b"\n")[1:]
    contents = [line.strip() for line in lines if line.strip()]
    hashes = [hashlib.blake2b(bytes(8) + content, digest_size=32).digest() for content in contents]
    held_out = [content for content, digest in zip(contents, hashes)
                if int.from_bytes(digest[:8], "little") < 0.2 * 2**64]
    return sum(content.endswith(b",0") for content in held_out) / len(held_out)


class Axes(Panel):
    """A panel with ticks of its own on both axes; y is linear or logarithmic."""

    def __init__(self, box, x_range, y_range, log_x=True, log_y=False):
        super().__init__(box, x_range, (1, 10), log_x)
        self.scale = math.log10 if log_y else float
        self.y_low, self.y_high = map(self.scale, y_range)

    def y(self, value):
        share = (self.scale(value) - self.y_low) / (self.y_high - self.y_low)
        return self.bottom - share * (self.bottom - self.top)

    def axes(self, x_ticks, y_ticks, x_label, y_label, title="", unit=""):
        text = []
        for value in y_ticks:
            y = self.y(value)
            text.append(f'<line x1="{self.left}" y1="{y:.1f}" x2="{self.right}" y2="{y:.1f}" stroke="#dddddd"/>'
                        f'<text x="{self.left - 8}" y="{y + 4:.1f}" text-anchor="end">{value:g}{unit}</text>')
        for value in x_ticks:
            x = self.x(value)
            text.append(f'<line x1="{x:.1f}" y1="{self.top}" x2="{x:.1f}" y2="{self.bottom}" stroke="#dddddd"/>'
                        f'<text x="{x:.1f}" y="{self.bottom + 18}" text-anchor="middle">{value:g}</text>')
        middle = (self.left + self.right) / 2
        text.append(f'<text x="{middle}" y="{self.bottom + 40}" text-anchor="middle">{html.escape(x_label)}</text>'
                    f'<text transform="translate({self.left - 52} {(self.top + self.bottom) / 2}) rotate(-90)" '
                    f'text-anchor="middle">{html.escape(y_label)}</text>'
                    f'<text x="{middle}" y="{self.top - 10}" text-anchor="middle">{html.escape(title)}</text>')
        return text

    def polyline(self, points, colour, dashes, width):
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        return [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
                f'stroke-dasharray="{dashes}" stroke-linejoin="round"/>']

    def words(self, x, y, text, anchor="end"):
        return [f'<text x="{self.x(x):.1f}" y="{self.y(y) - 7:.1f}" font-size="12" text-anchor="{anchor}">'
                f'{html.escape(text)}</text>']


def accuracy(_):
    """Accuracy against epsilon: means, and from the worst to the best run."""
    rows = rows_of(ACCURACY)
    height = 480
    panel = Axes((LEFT, 108, WIDTH - RIGHT, height - BOTTOM), (0.088, 9.1), (30, 98))
    parts = legend([STYLES[variant] for variant in VARIANTS], columns=1)
    parts += panel.axes(TARGETS, range(30, 100, 10), f"epsilon at delta = {DELTA}",
                        "accuracy on 991 e-mails held out", unit=" %")
    best = next(100 * float(row["accuracy"]) for row in rows if row["variant"] == "without_noise")
    for value, x, anchor, text in ((best, 0.092, "start", "the best model without noise"),
                                   (100 * majority(), 8.8, "end", '"no spam", whatever the e-mail')):
        parts += panel.polyline([(0.088, value), (9.1, value)], "#444444", "1 3", 1.6)
        parts += panel.words(x, value, f"{text}: {value:.1f} %", anchor)
    for place, variant in enumerate(VARIANTS):
        _, colour, dashes, width = STYLES[variant]
        points = []
        for target in TARGETS:
            values = [100 * float(row["accuracy"]) for row in rows
                      if row["variant"] == variant and float(row["epsilon"]) == target]
            points.append((target, statistics.mean(values)))
            # Next to each other, so that every range can be seen.
            x = panel.x(target) + 7 * (place - 1)
            parts.append(f'<line x1="{x:.1f}" y1="{panel.y(min(values)):.1f}" x2="{x:.1f}" '
                         f'y2="{panel.y(max(values)):.1f}" stroke="{colour}" stroke-width="2" stroke-opacity="0.55"/>')
        parts += panel.polyline(points, colour, dashes, width)
        for target, value in points:
            x, y = panel.x(target), panel.y(value)
            parts.append(MARKERS[variant].format(x=x, y=y, left=x - 4, top=y - 4, high=y - 6, colour=colour))
    return picture(f"Spam or not: means of {REPETITIONS} runs, bars from the worst to the best", height, parts)


def people(binary):
    """Everybody's epsilon: by record in one run, and against the target."""
    rows = [row for row in rows_of(RUNS) if row["variant"] == "hidden"]
    shown = next(row for row in rows if float(row["epsilon"]) == SHOWN)
    height, top, bottom = 440, 100, 440 - BOTTOM
    entries = {"ordinary": ("ordinary composition", "#c8511b", "8 4", 2.2),
               "worst": ("worst record", "#10222e", "", 1.8),
               "median": ("median record (left: each record)", "#1b6ca8", "", 2.8),
               "best": ("best record", "#f0b429", "2 4", 2)}
    parts = legend(list(entries.values()), columns=2)
    label = f"epsilon at delta = {DELTA}"
    records = epsilons_of_people(binary, shown["expression"], DELTA)
    last = len(records)
    left = Axes((LEFT, top, 356, bottom), (1, last), (0.5, 10), log_x=False, log_y=True)
    parts += left.axes((1, 1000, 2000, 3000), (0.5, 1, 2, 5, 10), "record", label, f"target {SHOWN}, record by record")
    for name in ("ordinary", "worst"):
        parts += left.polyline([(1, float(shown[name])), (last, float(shown[name]))], *entries[name][1:])
    parts += left.polyline(records, *entries["median"][1:])
    parts += left.polyline([(1, float(shown["best"])), (last, float(shown["best"]))], *entries["best"][1:])
    parts += left.words(last * 0.96, float(shown["ordinary"]), f"ordinary composition: {float(shown['ordinary']):.2f}")
    parts += left.words(last * 0.96, float(shown["worst"]), f"worst {float(shown['worst']):.2f}, median "
                        f"{float(shown['median']):.3f}, best {float(shown['best']):.3f}")
    right = Axes((444, top, WIDTH - RIGHT, bottom), (0.09, 8.9), (0.05, 100), log_y=True)
    parts += right.axes(TARGETS, (0.1, 1, 10, 100), "target for the worst record", label, "against the target")
    for name, (_, *style) in entries.items():
        parts += right.polyline([(float(row["epsilon"]), float(row[name])) for row in rows], *style)
    return picture("Batch 80, 50 epochs, hidden states: everybody's epsilon", height, parts)


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--measure"]):
        raise SystemExit("Usage: python tools/site/plot_training.py PROGRAM FOLDER [--measure]")
    binary, folder = sys.argv[1], sys.argv[2]
    if sys.argv[3:]:
        measure(binary)
    write_all(folder, (("training_accuracy", lambda: accuracy(binary)), ("training_people", lambda: people(binary))))


if __name__ == "__main__":
    main()
