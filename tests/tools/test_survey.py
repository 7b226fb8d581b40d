# SPDX-License-Identifier: Apache-2.0
"""docs/reference/support.md says how well every stage after every source is known; the program says the same."""
import os
import re

import pytest
from tooling import ROOT, run

import survey

PROGRAM = os.environ.get("DOEBLIN_PROGRAM", ROOT / "build" / "doeblin")
CELLS = survey.cells_of(survey.PAGE.read_text())
# To become less, and never more.
MOST_WIDE = 15
# Slow is no failure here.
NO_HURRY = 3600.0


def share_of_now(n):
    return int(run(ROOT / "tools/share", "--now", n).split("/")[0])


def test_every_question_has_a_cell():
    asked = {(question.table, question.row, question.column) for question in survey.questions()}
    assert asked == set(CELLS)
    assert len(asked) > 323


def test_few_are_refused_or_wide():
    words = list(CELLS.values())
    assert sum(word == "refused" for word in words) <= 3
    shares = [int(share[1]) for word in words if (share := re.fullmatch(r"two-sided \((\d+)%\)", word))]
    assert sum(share < 65 for share in shares) + words.count("upper only") <= MOST_WIDE


# Every run of the tests asks some, and many runs ask all.
@pytest.mark.parametrize("question", list(survey.questions())[share_of_now(12)::12], ids=lambda question: question.expression)
def test_the_page_says_what_the_program_says(question):
    answer = survey.asked(PROGRAM, question, NO_HURRY)
    assert answer.cell == CELLS[question.table, question.row, question.column]
