# SPDX-License-Identifier: Apache-2.0
"""The adversary objects to wrong numbers, is silent about right ones, and does the same again for the same seed."""
import dataclasses
import math
import os
import re
import subprocess
import sys
import types

import pytest
from tooling import ROOT

sys.path.insert(0, str(ROOT / "tools" / "adversary"))

import asking  # noqa: E402
import chains  # noqa: E402
import hunt  # noqa: E402
import laws  # noqa: E402
import mixtures  # noqa: E402
import people  # noqa: E402

PROGRAM = os.environ.get("DOEBLIN_PROGRAM", ROOT / "build" / "doeblin")


class Liar(asking.Program):
    """The program, whose answers are changed on the way."""

    def __init__(self, change=lambda answer: answer, question=lambda expression: expression):
        super().__init__(PROGRAM)
        self.change, self.question = change, question

    def ask(self, command, expression, values, folder, *more):
        answer = super().ask(command, self.question(expression), values, folder, *more)
        return dataclasses.replace(self.change(answer), text=answer.text)


def answers(function):
    return lambda answer: dataclasses.replace(answer, results=[function(*ends) for ends in answer.results])


def objections(program, area, cases):
    """Those of the first case that has some."""
    for number in cases:
        if found := hunt.attempt((program, area, 11, number))[4]:
            return found
    return []


@pytest.mark.parametrize("area", ["finite", "continuous", "composition", "kernels", "runs"])
def test_upper_ends_that_are_too_small_are_found(area):
    found = objections(Liar(answers(lambda lower, upper: (0.6 * lower, 0.6 * upper))), area, range(8))
    assert found and all("--seed 11 --case" in line and "\n" not in line for line in found)


@pytest.mark.parametrize("area", ["finite", "continuous", "runs"])
def test_lower_ends_that_are_too_large_are_found(area):
    assert objections(Liar(answers(lambda lower, upper: (1.4 * lower, 1.5 * upper))), area, range(12))


def as_one(expression):
    return re.sub(r"group\(\d\)", "group(1)", expression)


@pytest.mark.parametrize("area", ["finite", "continuous"])
def test_a_group_that_is_treated_as_one_person_is_found(area):
    def said(answer):  # by the numbers, not by the words
        for told in [answer.document.get("neighbours", {})]:
            told.update(people=AnyNumber())
        return answer

    assert objections(Liar(said, as_one), area, range(12))


class AnyNumber:
    def __eq__(self, other):
        return True


def test_a_curve_that_rises_is_found():
    def risen(answer):
        return dataclasses.replace(answer, results=[(lower, upper * (1 + 0.5 * j)) for j, (lower, upper) in enumerate(answer.results)])

    assert objections(Liar(risen), "finite", range(6))


@pytest.mark.parametrize("area", hunt.AREAS)
def test_the_program_is_right(area):
    assert objections(asking.Program(PROGRAM), area, [1]) == []


class Silent:
    """Refuses everything, and remembers what it was asked."""

    def ask(self, command, expression, values, folder, *more):
        return asking.Answer("refused", f"{command} {expression} {values}")


@pytest.mark.parametrize("area", hunt.AREAS)
def test_a_seed_is_the_same_cases(area):
    first, again, other = ([hunt.attempt((Silent(), area, seed, number)) for number in range(3)] for seed in (3, 3, 4))
    assert first == again != other and not any(result[4] for result in first)


def test_so_many_checks_are_the_same_cases_for_any_number_of_processes():
    told = []
    for jobs in (1, 2):
        lines = []
        tally = hunt.run(Silent(), ["finite"], 5, iter(range(1000)), jobs, checks=20, say=lines.append, refusals=True)
        told.append((tally.total(), lines))
    assert told[0] == told[1] and len(told[0][1]) == 20


def done(code, out="", err=""):
    return types.SimpleNamespace(returncode=code, stdout=out, stderr=err)


@pytest.mark.parametrize("process, kind", [
    (done(2, err="doeblin: no\n"), "refused"),
    (done(2, err="doeblin: no\nmore\n"), "broken"),
    (done(1, err="doeblin: internal error\n"), "broken"),
    (done(-11), "broken"),
    (done(0, out="{"), "broken"),
    (done(0, out='{"results": []}'), "broken"),
    (done(0, out='{"results": [{"delta": {"lower": 0.1, "upper": 0.2}}]}'), "fine"),
    (done(3, out='{"results": [{"delta": {"lower": 0.1, "upper": "inf"}}]}'), "fine"),
    (done(0, out='{"results": [{"delta": {"lower": 0.3, "upper": 0.2}}]}'), "broken"),
    (done(0, out='{"results": [{"delta": {"lower": NaN, "upper": 0.2}}]}'), "broken"),
])
def test_what_an_answer_may_look_like(process, kind):
    assert asking.understood("delta", [1.0], process).kind == kind


def test_no_answer_in_time_is_slow_and_no_violation(tmp_path):
    class Asleep(asking.Program):
        def run(self, arguments, folder):
            raise subprocess.TimeoutExpired("doeblin", asking.PATIENCE)

    area, checks, answered, refusals, violations, slow = hunt.attempt((Asleep("x"), "finite", 1, 1))
    assert violations == [] and len(slow) == 1


def test_coins_and_batches_are_counted_out():
    show = people.remembered(lambda data: {data: 1.0})
    coins = people.poisson(show, 0.25)((0, 1))
    assert coins == pytest.approx({(): 9 / 16, (0,): 3 / 16, (1,): 3 / 16, (0, 1): 1 / 16})
    assert people.without_replacement(show, 2)((0, 1, 2)) == pytest.approx({(0, 1): 1 / 3, (0, 2): 1 / 3, (1, 2): 1 / 3})
    assert people.with_replacement(show, 2)((0, 1)) == pytest.approx({(0, 0): 1 / 4, (0, 1): 1 / 2, (1, 1): 1 / 4})
    assert people.neighbours((0, 0, 1), (0, 1), "add_remove") and not people.neighbours((0, 1), (1, 2), "add_remove")
    assert people.neighbours((0, 1), (1, 2), "substitute") and not people.neighbours((0, 0), (1, 1), "substitute")


def test_the_best_event_is_found():
    assert laws.FinitePair({0: 0.75, 1: 0.25}, {0: 0.25, 1: 0.75}).delta(math.log(2)) == pytest.approx(0.25)
    half = lambda x: math.erfc(x / math.sqrt(2)) / 2
    truth = half(0.5) - math.e * half(1.5)
    assert mixtures.MixturePair({1.0: 1.0}, {0.0: 1.0}, "gaussian", 1.0).delta(1.0) == pytest.approx(truth, rel=1e-9)
    assert chains.NormalPair([(1.0, 1.0, 1.0)], [(1.0, 0.0, 1.0)]).delta(1.0) == pytest.approx(truth, rel=1e-9)
    laplace = mixtures.MixturePair({1.0: 1.0}, {0.0: 1.0}, "laplace", 1.0).delta(0.5)
    assert laplace == pytest.approx(1 - math.exp(-0.25), rel=1e-9)
