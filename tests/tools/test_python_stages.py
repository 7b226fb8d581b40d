# SPDX-License-Identifier: Apache-2.0
"""python/doeblin/_stages.py is written from the schemas: a function for each of them, and every parameter in its documentation, which the
site shows as a list."""
import ast
import re
import sys

import pytest
from tooling import ROOT

import schemas

sys.path.insert(0, str(ROOT / "docs/_extensions"))
import plain_docstrings  # noqa: E402

TREE = ast.parse((ROOT / "python/doeblin/_stages.py").read_text())
FUNCTIONS = {node.name: node for node in TREE.body if isinstance(node, ast.FunctionDef)}


def test_every_source_and_stage_has_a_function():
    assert sorted(FUNCTIONS) == sorted(schemas.names())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_documented(name):
    parameters = [one.arg for one in FUNCTIONS[name].args.args]
    needed = len(parameters) - len(FUNCTIONS[name].args.defaults)
    text = ast.get_docstring(FUNCTIONS[name])
    section = text.split("Parameters\n----------\n")[1].split("\n\n")[0]
    # Each has a type, its meaning, and says whether it may be left out.
    listed = re.findall(r"^(\w+) : (.+)\n    (\S.*)", section, re.MULTILINE)
    assert [one for one, _, _ in listed] == parameters
    assert [one for one, kind, _ in listed if not re.search(", (default|optional)", kind)] == parameters[:needed]
    assert ">>> from doeblin import " in text.split("Examples\n--------\n")[1]


def test_parameters_are_a_list_on_the_site():
    lines = ["Adds noise.", "", "Parameters", "----------", "sigma : float, default 1", "    Deviation of `x`;", "    positive.", "",
             "Examples", "--------", ">>> f()", "1"]
    assert plain_docstrings.as_restructured_text(lines) == [
        "Adds noise.", "", ".. rubric:: Parameters", "", "``sigma`` : float, default 1", "    Deviation of ``x``;", "    positive.", "",
        ".. rubric:: Examples", "", "", ">>> f()", "1", ""]
