# SPDX-License-Identifier: Apache-2.0
"""The functions of sources and stages are written from the schemas when the package is built: one for each of them, with every
parameter in its documentation."""
import inspect
import re

import pytest

import doeblin

SCHEMAS = {one["name"]: one for one in doeblin.stages()}


def test_every_source_and_stage_has_a_function():
    functions = [name for name, _ in inspect.getmembers(doeblin._stages, inspect.isfunction) if name in doeblin._stages.__all__]
    assert sorted(functions) == sorted(SCHEMAS) and doeblin._stages.__all__ == list(SCHEMAS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_signatures_are_those_of_the_schemas(name):
    parameters = inspect.signature(getattr(doeblin._stages, name)).parameters
    assert list(parameters) == [one["name"] for one in SCHEMAS[name]["parameters"]]
    for one in SCHEMAS[name]["parameters"]:
        default = parameters[one["name"]].default
        assert default is inspect.Parameter.empty if one["required"] else default == one["default"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_parameter_is_documented(name):
    text = inspect.getdoc(getattr(doeblin._stages, name))
    section = text.split("Parameters\n----------\n")[1].split("\n\n")[0]
    # Each has a type, its meaning, and says whether it may be left out.
    listed = re.findall(r"^(\w+) : (.+)\n    (\S.*)", section, re.MULTILINE)
    assert [one for one, _, _ in listed] == [one["name"] for one in SCHEMAS[name]["parameters"]]
    assert ([one for one, kind, _ in listed if not re.search(", (default|optional)", kind)]
            == [one["name"] for one in SCHEMAS[name]["parameters"] if one["required"]])
    assert ">>> from doeblin import " in text.split("Examples\n--------\n")[1]
