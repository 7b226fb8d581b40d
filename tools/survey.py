#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Everyday questions to the program: which stage after which source is answered, how narrowly, and how fast.

Usage: tools/survey.py [PROGRAM]            prints every question with its answer, width and time
       tools/survey.py [PROGRAM] --write    writes docs/reference/support.md: words only, no times
       tools/survey.py [PROGRAM] --verify   prints what `verify` says about every answer's certificate, and its time

Every question is epsilon at one delta, in a process of its own.
"""
import argparse
import concurrent.futures
import dataclasses
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/reference/support.md"
DELTA = "1e-6"
TIME_LIMIT = 60.0
# Wider than this, relatively, is not narrow; wider than the second is wide.
NARROW, WIDE = 0.01, 0.35

SOURCES = {
    "gaussian": "gaussian(sigma=1)",
    "laplace": "laplace(scale=1)",
    "twice_laplace": "twice_laplace(scale1=1, scale2=0.5)",
    "randomized_response": "randomized_response(p=0.7)",
    "discrete_gaussian": "discrete_gaussian(sigma=2, sensitivity=2)",
    "discrete_laplace": "discrete_laplace(scale=1.5)",
    "finite": "finite('mechanism.csv')",
    "black_box": "black_box(epsilon=1, delta=1e-9)",
    "zcdp": "zcdp(rho=0.2)",
    "rdp": "rdp(alpha=12, epsilon=1)",
}
POISSON, EXCHANGED = "poisson(rate=0.05)", "poisson(rate=0.05, relation='substitute')"
WITHOUT, WITH = "without_replacement(n=1000, m=50)", "with_replacement(n=1000, m=50)"
WITH_ADDED = "with_replacement(n=1000, m=50, relation='add_remove')"
KERNEL, STEP = "k_ary_response(k=4, p=0.7)", "projected_gaussian(sigma=0.5, low=0, high=1)"
# Tables of stages: heading, then columns.
STAGES = {
    "Sampling": {
        "alone": "",
        "`poisson`": POISSON,
        "`poisson`, exchanged": EXCHANGED,
        "`without_replacement`": WITHOUT,
        "`with_replacement`": WITH,
        "`with_replacement`, added": WITH_ADDED,
    },
    "Groups": {
        "`group`": "group(3)",
        "`poisson`, `group`": f"{POISSON} | group(3)",
        "`group`, `poisson`": f"group(3) | {POISSON}",
        "`without_replacement`, `group`": f"{WITHOUT} | group(2)",
        "`with_replacement`, `group`": f"{WITH} | group(2)",
        "`poisson`, `compose`, `group`": f"{POISSON} | compose(100) | group(2)",
    },
    "Composition": {
        "`compose`": "compose(100)",
        "`poisson`, `compose`": f"{POISSON} | compose(1000)",
        "`poisson` exchanged, `compose`": f"{EXCHANGED} | compose(100)",
        "`without_replacement`, `compose`": f"{WITHOUT} | compose(100)",
        "`with_replacement`, `compose`": f"{WITH} | compose(100)",
        "`compose`, `poisson`": f"compose(10) | {POISSON}",
        "`compose`, `group`": "compose(10) | group(2)",
    },
    "Mixing": {
        "`dobrushin`": "dobrushin(gamma=0.5)",
        "`doeblin`": "doeblin(gamma=0.5)",
        "`ultra_mixing`": "ultra_mixing(gamma=0.5)",
        "`k_ary_response`": KERNEL,
        "`projected_gaussian`": STEP,
        "`k_ary_response`, `compose`": f"{KERNEL} | compose(10)",
        "`compose`, `k_ary_response`": f"compose(10) | {KERNEL}",
        "`poisson`, `projected_gaussian`": f"{POISSON} | {STEP}",
    },
}
RUN = "n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1"
RUNS = {
    "fixed order": f"noisy_sgd({RUN})",
    "three epochs": f"noisy_sgd({RUN}, epochs=3)",
    "batches": f"noisy_sgd({RUN}, batch=4, epochs=5)",
    "permuted": f"noisy_sgd({RUN}, order='permuted')",
    "random stop": f"noisy_sgd({RUN}, output='uniform_stop')",
    "skipping": f"noisy_sgd({RUN}, output='skip')",
    "Poisson batches": f"noisy_sgd({RUN}, order='poisson', batch=4, epochs=5)",
    "Laplace noise": f"noisy_sgd({RUN}, noise='laplace')",
    "`noisy_iteration`": "noisy_iteration(steps=10, sigma=1, sensitivity=1, lipschitz=0.9)",
}
AFTER_RUNS = {
    "alone": "",
    "`group`": "group(2)",
    "`compose`": "compose(10)",
    "`without_replacement`": "without_replacement(n=1000, m=40)",
    "`k_ary_response`": KERNEL,
}


@dataclasses.dataclass(frozen=True)
class Question:
    table: str
    row: str
    column: str
    expression: str


@dataclasses.dataclass(frozen=True)
class Answer:
    lower: float
    upper: float
    seconds: float
    refusal: str = ""

    @property
    def width(self):
        """Relative to the upper end."""
        if self.upper in (0.0, self.lower):
            return 0.0
        return (self.upper - self.lower) / self.upper if self.upper < float("inf") else float("inf")

    @property
    def word(self):
        if self.refusal:
            return "refused"
        if self.width <= NARROW:
            return "tight"
        return "two-sided" if self.lower > 0.0 else "upper only"

    @property
    def cell(self):
        return self.word + (f" ({100 * self.lower / self.upper:.0f}%)" if self.word == "two-sided" else "")


def then(source, stages):
    return f"{source} | {stages}" if stages else source


def questions():
    for table, columns in STAGES.items():
        for (row, source), (column, stages) in itertools.product(SOURCES.items(), columns.items()):
            yield Question(table, f"`{row}`", column, then(source, stages))
    for (row, left), (column, right) in itertools.combinations(SOURCES.items(), 2):
        yield Question("Sums", f"`{row}`", f"`{column}`", f"{left} + {right}")
    for (row, source), (column, stages) in itertools.product(RUNS.items(), AFTER_RUNS.items()):
        # A sample has as many records as the run takes, in one order or another.
        if row == "`noisy_iteration`" and "n=1000" in stages:
            stages = stages.replace("m=40", "m=50")
        yield Question("Hidden runs", row, column, then(source, stages))


def number(value):
    return float("inf") if value == "inf" else float(value)


def asked(program, question, time_limit=TIME_LIMIT):
    command = [str(program), "epsilon", question.expression, "--delta", DELTA, "--json"]
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "docs/data", timeout=time_limit)
    except subprocess.TimeoutExpired:
        return Answer(0.0, float("inf"), time_limit, "no answer in time")
    seconds = time.monotonic() - start
    if done.returncode not in (0, 3):
        return Answer(0.0, float("inf"), seconds, done.stderr.strip())
    epsilon = json.loads(done.stdout)["epsilon"]
    return Answer(number(epsilon["lower"]), number(epsilon["upper"]), seconds)


@dataclasses.dataclass(frozen=True)
class Verdict:
    word: str
    seconds: float
    reason: str = ""


def verdict(program, question, time_limit=TIME_LIMIT):
    """Of the certificate of a question's answer; empty where there is no answer."""
    def run(*arguments):
        return subprocess.run([str(program), *arguments], capture_output=True, text=True, cwd=ROOT / "docs/data",
                              timeout=time_limit)

    with tempfile.TemporaryDirectory() as folder:
        claim = str(pathlib.Path(folder) / "claim.json")
        start = time.monotonic()
        try:
            if run("epsilon", question.expression, "--delta", DELTA, "--certificate", claim).returncode not in (0, 3):
                return Verdict("", 0.0)
            start = time.monotonic()
            done = run("verify", claim, "--verbose")
        except subprocess.TimeoutExpired:
            return Verdict("NOT IN TIME", time.monotonic() - start)
    lines = done.stdout.splitlines()
    word = lines[0].split(": ", 1)[-1] if lines else done.stderr.strip()
    reasons = [line.strip() for before, line in zip(lines, lines[1:]) if before.startswith(f"  {word} ")]
    return Verdict(word, time.monotonic() - start, reasons[0] if reasons and done.returncode else "")


def answers(program, jobs=1):
    todo = list(questions())
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return dict(zip(todo, pool.map(lambda question: asked(program, question), todo)))


def counts(found):
    values = list(found.values())
    return {
        "questions": len(values),
        "refused": sum(1 for one in values if one.refusal),
        "above 1 s": sum(1 for one in values if one.seconds > 1.0),
        "above 100 ms": sum(1 for one in values if one.seconds > 0.1),
        "wider than 35%": sum(1 for one in values if not one.refusal and one.width > WIDE),
    }


def cells_of(text):
    """{(table, row, column): cell} of the page."""
    found, table, columns = {}, None, None
    for line in text.splitlines():
        if line.startswith("## "):
            table, columns = line[3:], None
        elif table and line.startswith("|") and not line.startswith("|---"):
            row, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            if columns is None:
                columns = cells
            else:
                found.update({(table, row, column): cell for column, cell in zip(columns, cells, strict=True) if cell})
    return found


def page(found):
    lines = [
        "# What follows what",
        "",
        "Every stage takes what every source makes, but for a few cells. The tables say how well the result is known, as epsilon at",
        f"delta = {DELTA}:",
        "",
        "- *tight*: both ends within 1% of each other;",
        "- *two-sided*: the lower end, which somebody is known to reach, is this share of the upper end;",
        "- *upper only*: the bound holds, and nobody is known who comes near: the source says less than a mechanism is",
        "  (a black box, a Renyi bound), or the best bound known is not known to be reached;",
        "- *refused*: no number would be true; the reason stands below the table.",
        "",
        "Columns are stages in the order in which they are written. The sources are",
        "",
        *(f"- `{source}`" for source in SOURCES.values()),
        "",
        "and the stages `" + "`, `".join([POISSON, WITHOUT, WITH, KERNEL, STEP]) + "`.",
        "`tools/survey.py --write` asks the questions and writes this page.",
    ]
    for table in dict.fromkeys(question.table for question in found):
        cells = {(q.row, q.column): (q, one) for q, one in found.items() if q.table == table}
        rows = list(dict.fromkeys(row for row, _ in cells))
        columns = list(dict.fromkeys(column for _, column in cells))
        lines += ["", f"## {table}", "", "| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
        refusals = []
        for row in rows:
            words = []
            for column in columns:
                question, one = cells.get((row, column), (None, None))
                if one is None:
                    words.append("")
                    continue
                words.append(one.cell)
                if one.refusal:
                    refusals.append(f"- `{question.expression}`: {one.refusal}")
            lines.append(f"| {row} | " + " | ".join(words) + " |")
        if refusals:
            lines += ["", *refusals]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default=ROOT / "build/doeblin", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    parser.add_argument("--verify", action="store_true", help="print the verdicts on the certificates")
    options = parser.parse_args()
    if options.verify:
        for question in questions():
            one = verdict(options.program.resolve(), question)
            print(f"{one.seconds:7.1f} s  {one.word:11}  {question.expression}  {one.reason}".rstrip(), flush=True)
        return 0
    found = answers(options.program.resolve())
    if options.write:
        PAGE.write_text(page(found))
    for question, one in found.items():
        value = one.refusal or f"[{one.lower:.6g}, {one.upper:.6g}] {100 * one.width:.1f}%"
        print(f"{one.seconds * 1000:7.0f} ms  {one.word:10}  {question.expression}  {value}")
    print(", ".join(f"{name}: {count}" for name, count in counts(found).items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
