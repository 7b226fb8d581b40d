# SPDX-License-Identifier: Apache-2.0
"""Contracts of functions stand in slots, a line for each: a formatter that runs them together breaks them."""
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SLOTS = "Formula|Source|Domain|Bound|Method|Cost|Errors"
RUN_TOGETHER = re.compile(rf"^\s*///.*\S +(?:{SLOTS}) {{2,}}\S", re.MULTILINE)
# A word or two of a slot that fell out of it, before a line that is still in it.
FALLEN_OUT = re.compile(rf"^\s*/// (?!{SLOTS})\S+(?: \S+)?\n\s*/// {{10}}\S", re.MULTILINE)


def problems(text):
    return [found.group(0) for pattern in (RUN_TOGETHER, FALLEN_OUT) for found in pattern.finditer(text)]


@pytest.mark.parametrize("text", ["/// Formula  a + b Bound    at most c\n", "/// Bound    at most the sum of\n/// the\n///          parts\n"])
def test_broken_slots_are_seen(text):
    assert problems(text)


def test_slots_are_whole():
    for folder in ("include", "src"):
        for file in (ROOT / folder).rglob("*.hpp"):
            assert not problems(file.read_text()), file


def test_the_formatter_leaves_them_alone():
    assert "ReflowComments: false" in (ROOT / ".clang-format").read_text()
