# SPDX-License-Identifier: Apache-2.0
"""Cases of all areas, one after another or several at once, and what they found together."""
import collections
import importlib
import multiprocessing
import time
import traceback

from case import Case

AREAS = ["finite", "continuous", "composition", "kernels", "runs", "properties"]


def attempt(task):
    """One case, in a process of its own: how many checks, and what was found."""
    program, area, seed, number = task
    with Case(program, area, seed, number) as case:
        try:
            importlib.import_module(f"areas.{area}").one(case)
        except Exception:  # a fault of the harness must be seen, and must not hide other cases
            case.object("the harness", traceback.format_exc().replace("\n", " / "), "no exception")
        return case.area, case.checks, case.answered, case.refusals, case.violations, case.slow


def tasks(program, areas, seed, numbers):
    for number in numbers:
        for area in areas:
            yield program, area, seed, number


class Tally:
    def __init__(self):
        self.checks, self.cases, self.answers, self.refused = (collections.Counter() for _ in range(4))
        self.violations, self.slow = [], []

    def add(self, result):
        area, checks, answered, refusals, violations, slow = result
        self.checks[area] += checks
        self.cases[area] += 1
        self.answers[area] += answered
        self.refused[area] += len(refusals)
        self.violations += violations
        self.slow += slow

    def total(self):
        return self.checks.total()

    def lines(self):
        for area, cases in self.cases.items():
            questions = self.answers[area] + self.refused[area]
            yield f"  {area:12} {cases:6} cases {self.checks[area]:8} checks, {self.refused[area]} of {questions} questions refused"
        yield f"adversary: {self.total()} checks, {len(self.violations)} violations, {len(self.slow)} slow"


def run(program, areas, seed, numbers, jobs, checks=None, seconds=None, say=print, refusals=False):
    """Cases until there are enough checks, or the time is over. Results are taken in order: the same seed and number of checks are the
    same cases."""
    tally, start = Tally(), time.monotonic()
    with multiprocessing.Pool(jobs) as pool:
        for result in pool.imap(attempt, tasks(program, areas, seed, numbers)):
            before = tally.total()
            tally.add(result)
            if tally.total() // 10000 > before // 10000:
                say(f"adversary: {tally.total()} checks so far, {len(tally.violations)} violations")
            for line in [*result[4], *(f"SLOW {line}" for line in result[5]), *(result[3] if refusals else [])]:
                say(line)
            if checks is not None and tally.total() >= checks or seconds is not None and time.monotonic() - start >= seconds:
                break
        pool.terminate()
    return tally
