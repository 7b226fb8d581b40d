# SPDX-License-Identifier: Apache-2.0
"""One random case: its random numbers, its files, the questions it asks, and what it found."""
import json
import pathlib
import random
import tempfile

from asking import SLOW


class Case:
    """The same area, seed and number give the same case everywhere."""

    def __init__(self, program, area, seed, number):
        self.program, self.area, self.seed, self.number = program, area, seed, number
        self.rng = random.Random(f"{area} {seed} {number}")
        self.checks = self.refused = self.answered = 0
        self.violations, self.slow, self.refusals = [], [], []
        self.files = {}

    def __enter__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="adversary-")
        self.folder = pathlib.Path(self.scratch.name)
        return self

    def __exit__(self, *_):
        self.scratch.cleanup()

    def file(self, stem, rows):
        """The name of a new file with these rows, numbers written exactly."""
        name = f"{stem}{len(self.files)}.csv"
        self.files[name] = rows
        (self.folder / name).write_text("".join(",".join(map(repr, row)) + "\n" for row in rows))
        return name

    def ask(self, command, expression, values, *more):
        """The answer, or None if there is none to compare with; what must never happen is noted."""
        answer = self.program.ask(command, expression, values, self.folder, *more)
        self.checks += 1
        question = f"{command} {expression!r} at {', '.join(map(repr, values))}"
        if answer.seconds > SLOW:
            self.slow.append(f"{answer.seconds:5.1f} s  {question}{self.where()}")
        if answer.kind == "broken":
            self.object(question, answer.text, "one line and exit code 2, or numbers")
        if answer.kind == "refused":
            self.refused += 1
            self.refusals.append(f"{expression}   {answer.text}")
        if answer.kind == "fine":
            self.answered += 1
        return answer if answer.kind == "fine" else None

    def check(self, holds, question, answer, truth):
        self.checks += 1
        if not holds:
            self.object(question, answer, truth)

    def object(self, question, answer, truth):
        self.violations.append(f"VIOLATION {question}: answer {answer}, truth {truth}{self.where()}")

    def where(self):
        files = f" files {json.dumps(self.files)}" if self.files else ""
        return f"  [--area {self.area} --seed {self.seed} --case {self.number}]{files}"
