# SPDX-License-Identifier: Apache-2.0
"""Every public function says what its parameters are, as a list that documentation tools can show."""
import inspect
import re

import pytest

import doeblin

FUNCTIONS = [getattr(doeblin, name) for name in doeblin.__all__ if inspect.isfunction(getattr(doeblin, name))]
METHODS = [method for name, method in vars(doeblin.Pipeline).items() if inspect.isfunction(method) and name[0] != "_"]


def section(function, title):
    """What stands under a title of the docstring."""
    found = re.search(rf"^{title}\n-{{{len(title)}}}\n(.*?)(?=^\w+\n-+\n|\Z)", inspect.getdoc(function), re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


@pytest.mark.parametrize("function", FUNCTIONS + METHODS, ids=lambda one: one.__qualname__)
def test_every_parameter_is_documented(function):
    # Names, possibly several, with a line about them below.
    entries = re.findall(r"^(\S.*)\n +\S", section(function, "Parameters"), re.MULTILINE)
    documented = [name.strip() for entry in entries for name in entry.split(" : ")[0].split(",")]
    stars = {inspect.Parameter.VAR_KEYWORD: "**", inspect.Parameter.VAR_POSITIONAL: "*"}
    has = [stars.get(one.kind, "") + one.name for one in inspect.signature(function).parameters.values() if one.name != "self"]
    assert sorted(documented) == sorted(has)


@pytest.mark.parametrize("function", [one for one in FUNCTIONS + METHODS if ">>> " in one.__doc__], ids=lambda one: one.__qualname__)
def test_examples_have_a_section(function):
    assert ">>> " in section(function, "Examples")
