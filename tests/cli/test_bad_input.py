# SPDX-License-Identifier: Apache-2.0
"""Bad input gets one clear line on stderr and exit code 2."""
import json
import os
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import PROGRAM, run

GAUSSIAN = "gaussian(sigma=1)"

CASES = {
    "negative sigma": (("delta", "gaussian(sigma=-1)", "--epsilon", "1"), "gaussian: sigma = -1, need 0 < sigma < infinity"),
    "zero sigma": (("delta", "gaussian(sigma=0)", "--epsilon", "1"), "gaussian: sigma = 0, need 0 < sigma < infinity"),
    "nan sigma": (("delta", "gaussian(sigma=nan)", "--epsilon", "1"), "'nan' is not a number"),
    "nan epsilon": (("delta", GAUSSIAN, "--epsilon", "nan"), "epsilon = nan, need epsilon >= 0"),
    "negative epsilon": (("delta", GAUSSIAN, "--epsilon", "-1"), "epsilon = -1, need epsilon >= 0"),
    "delta 0": (("epsilon", GAUSSIAN, "--delta", "0"), "delta = 0, need 0 < delta <= 1"),
    "delta above 1": (("epsilon", GAUSSIAN, "--delta", "1.5"), "delta = 1.5, need 0 < delta <= 1"),
    "delta nan": (("epsilon", GAUSSIAN, "--delta", "nan"), "delta = nan, need 0 < delta <= 1"),
    "alpha 1": (("rdp", GAUSSIAN, "--alpha", "1"), "alpha = 1, need alpha > 1"),
    "empty pipeline": (("epsilon", "", "--delta", "0.1"), "the expression is empty"),
    "unknown stage": (("epsilon", GAUSSIAN + " | gruop(2)", "--delta", "0.1"), "did you mean 'group'?"),
    "missing argument": (("epsilon", "gaussian()", "--delta", "0.1"), "missing argument sigma"),
    "missing option": (("epsilon", GAUSSIAN), "--delta"),
    "not a number": (("epsilon", GAUSSIAN, "--delta", "abc"), "--delta = 'abc', need a number"),
    "empty number": (("epsilon", GAUSSIAN, "--delta", "1e-5,,1e-6"), "--delta = '', need a number"),
    "bad range": (("profile", GAUSSIAN, "--epsilon", "5:0:1"), "start <= stop"),
    "endless range": (("profile", GAUSSIAN, "--epsilon", "0:1:1e-300"), "at most 100000 values"),
    "unknown command": (("epsilom", GAUSSIAN), "unknown command 'epsilom', did you mean 'epsilon'?"),
    "no command": ((), "doeblin --help"),
    "unknown option": (("epsilon", GAUSSIAN, "--detla", "1e-5"), "epsilon: unknown option '--detla', did you mean '--delta'?"),
    "unknown option with its value": (("delta", GAUSSIAN, "--epsilonn=1"), "did you mean '--epsilon'?"),
    "unknown option of a group": (("audit", GAUSSIAN, "--epochz", "2"), "did you mean '--epochs'?"),
    "an option before one that is required": (("report", "a.json", "--outptu", "b.html"), "did you mean '--output'?"),
    "a parameter as an option": (("epsilon", "--sigma", "2"), "sigma is an argument of the expression, as in gaussian(sigma=2)"),
    "a synonym as an option": (("epsilon", "--noise-multiplier", "2"), "sigma is an argument of the expression, as in gaussian(sigma=2)"),
    "a synonym of an option": (("train", "a.csv", "--noise-multiplier", "2"), "did you mean '--sigma'?"),
    "an option of other commands": (("epsilon", GAUSSIAN, "--epsilon", "1"), "; 'delta', 'profile', 'explain' and others have it"),
    "an option of another command": (("epsilon", GAUSSIAN, "--tiers", "1"), "unknown option '--tiers'; 'release' has it"),
    "an option of nobody": (("epsilon", GAUSSIAN, "--frobnicate"), "unknown option '--frobnicate' (see 'doeblin epsilon --help')"),
    "missing file": (("delta", "finite('/nonexistent.csv')", "--epsilon", "1"), "an existing regular file"),
    "1 MB expression": (("delta", "(" * 10 + "1+" * 60000, "--epsilon", "1"), "longer than 65536 bytes"),
    "10,000 parentheses": (("delta", "(" * 10000 + "1" + ")" * 10000, "--epsilon", "1"), "nested deeper than"),
}


@pytest.mark.parametrize("name", CASES)
def test_one_clear_line_and_exit_2(name):
    arguments, expected = CASES[name]
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("doeblin: "), result.stderr
    assert expected in lines[0]


def test_a_megabyte_on_standard_input():
    # The kernel limits one argument to 128 KiB, so a longer expression can only come this way.
    result = subprocess.run([PROGRAM, "delta", "-", "--epsilon", "1"], input="1+" * 500_000, capture_output=True, text=True)
    assert result.returncode == 2 and result.stderr == "doeblin: expression: longer than 65536 bytes\n"


def test_compositions_of_compositions_do_not_explode():
    text = "((discrete_laplace(0.9, 1) | compose(2)) + (black_box(0.0125) | compose(2)) + zcdp(0.1)) | compose(2)"
    assert run("epsilon", text, "--delta", "1e-6").returncode in (0, 3)


def test_json_callers_get_the_error_as_json():
    result = run("delta", "gaussian(sigma=-1)", "--epsilon", "1", "--json")
    assert result.returncode == 2
    assert json.loads(result.stdout)["error"] == "gaussian: sigma = -1, need 0 < sigma < infinity"


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.characters(blacklist_characters="\0", blacklist_categories=("Cs",)), max_size=60))
def test_any_text_is_answered_or_refused(text):
    if text.startswith("-"):
        return
    # As UTF-8, whatever the locale.
    result = run("delta", os.fsdecode(text.encode()), "--epsilon", "1")
    assert result.returncode in (0, 2)
    if result.returncode == 2:
        assert len(result.stderr.splitlines()) == 1
