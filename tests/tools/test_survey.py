# SPDX-License-Identifier: Apache-2.0
"""docs/reference/support.md says how well every stage after every source is known; the program says the same."""
import re
import subprocess
import sys

import pytest
from tooling import PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "tools"))
import survey  # noqa: E402

CELLS = survey.cells_of(survey.PAGE.read_text())
# Slow is no failure here: time is for bench.
NO_HURRY = 3600.0


def now(n):
    share = subprocess.run([ROOT / "tools/share", "--now", str(n)], capture_output=True, text=True, check=True).stdout
    return int(share.split("/")[0])


def test_every_question_has_a_cell():
    asked = {(question.table, question.row, question.column) for question in survey.questions()}
    assert asked == set(CELLS)
    assert len(asked) > 323


def test_few_are_refused_or_wide():
    words = list(CELLS.values())
    assert sum(word == "refused" for word in words) <= 3
    wide = [word for word in words if word == "upper only" or 0 < int((re.findall(r"\((\d+)%\)", word) or [0])[0]) < 65]
    assert len(wide) <= MOST_WIDE


# Every run of the tests asks some, and many runs ask all.
@pytest.mark.parametrize("question", list(survey.questions())[now(12)::12], ids=lambda question: question.expression)
def test_the_page_says_what_the_program_says(question):
    answer = survey.asked(PROGRAM, question, NO_HURRY)
    assert answer.cell == CELLS[question.table, question.row, question.column]
