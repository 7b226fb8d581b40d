# SPDX-License-Identifier: Apache-2.0
"""The shell snippets of the README and the docs run, and print what they say they print."""
import sys

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))
from snippets import output_of, snippets  # noqa: E402

ALL = list(snippets())


def test_there_are_snippets():
    assert len([s for s in ALL if s[0] == "README.md"]) >= 5


@pytest.mark.parametrize("page, command, output", ALL, ids=[f"{s[0]}: {s[1][:60]}" for s in ALL])
def test_snippet(page, command, output):
    assert output_of(command).strip() == output.strip()
