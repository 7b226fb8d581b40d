# SPDX-License-Identifier: Apache-2.0
"""One question to the program, and what came back: an answer, a refusal, silence for too long, or a failure."""
import dataclasses
import json
import math
import subprocess
import time

PATIENCE = 20.0
SLOW = 5.0


@dataclasses.dataclass
class Answer:
    kind: str  # "fine", "refused", "slow" or "broken"
    text: str = ""  # the message of a refusal, what is wrong with a broken one
    results: list = dataclasses.field(default_factory=list)  # (lower, upper) for each value asked about
    document: dict = dataclasses.field(default_factory=dict)
    seconds: float = 0.0  # infinite if there was none in time


def number(value):
    return math.inf if value == "inf" else float(value)


def command_line(command, expression, values):
    option = {"delta": "--epsilon", "epsilon": "--delta", "rdp": "--alpha"}[command]
    return [command, expression, option, *(repr(value) for value in values)]


class Program:
    """The program at a path; files of an expression are looked for in `folder`."""

    def __init__(self, path, patience=PATIENCE):
        self.path, self.patience = str(path), patience

    def run(self, arguments, folder):
        return subprocess.run([self.path, *arguments], capture_output=True, text=True, timeout=self.patience, cwd=folder)

    def ask(self, command, expression, values, folder, *more):
        start = time.monotonic()
        try:
            done = self.run([*command_line(command, expression, values), "--json", *more], folder)
        except subprocess.TimeoutExpired:
            return Answer("slow", f"no answer in {self.patience:g} s", seconds=math.inf)
        answer = understood(command, values, done)
        answer.seconds = time.monotonic() - start
        return answer


def understood(command, values, done):
    if done.returncode == 2:
        lines = done.stderr.splitlines()
        if len(lines) != 1 or not lines[0].startswith("doeblin: "):
            return Answer("broken", f"a refusal of {len(lines)} lines: {done.stderr!r}")
        return Answer("refused", lines[0])
    if done.returncode not in (0, 3):
        return Answer("broken", f"exit code {done.returncode}: {done.stderr!r}")
    try:
        document = json.loads(done.stdout)
        results = [(number(row[command]["lower"]), number(row[command]["upper"])) for row in document["results"]]
    except (ValueError, KeyError, TypeError) as error:
        return Answer("broken", f"unreadable answer: {error!r}")
    if len(results) != len(values):
        return Answer("broken", f"{len(results)} answers to {len(values)} questions")
    if any(math.isnan(end) for ends in results for end in ends):
        return Answer("broken", "an end is not a number")
    if any(lower > upper for lower, upper in results):
        return Answer("broken", f"a lower end above its upper end: {results}")
    return Answer("fine", results=results, document=document)
