# SPDX-License-Identifier: Apache-2.0
"""The page that walks through the code names functions and files that are there, and draws the modules as they are."""
import re

import pytest
from tooling import ROOT

import check_layers
import plot_modules

PAGE = (ROOT / "docs/guides/how_an_answer_is_made.md").read_text()
ROWS = re.findall(r"^\|.*?`(\w+)` \| `([\w/.]+)` \|", PAGE, re.MULTILINE)


def test_the_tables_are_read():
    assert len(ROWS) > 20 and ("parse_syntax", "src/language/syntax.cpp") in ROWS


@pytest.mark.parametrize(("function", "file"), ROWS)
def test_every_function_is_in_its_file(function, file):
    assert re.search(rf"\b{function}\b", (ROOT / file).read_text())


def test_every_path_is_there():
    paths = re.findall(r"`((?:src|include|tools|python)/[\w/.]+)`", PAGE)
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_what_follows_from_other_lines_is_not_drawn():
    assert plot_modules.reduced({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == {"a": ["b"], "b": ["c"], "c": []}


def test_every_module_is_drawn_once_and_always_in_the_same_place():
    graph = check_layers.includes(ROOT)
    drawn = plot_modules.drawing(graph)
    assert sorted(re.findall(r">(\w+)</text>", drawn)) == sorted(check_layers.BUILDS_ON)
    assert drawn == plot_modules.drawing(dict(reversed(graph.items())))


def test_boxes_of_a_row_do_not_overlap():
    graph = plot_modules.reduced(check_layers.includes(ROOT))
    height = plot_modules.heights(graph)
    x = plot_modules.places(graph, height)
    apart = [abs(x[a] - x[b]) for a in graph for b in graph if a < b and height[a] == height[b]]
    assert min(apart) > plot_modules.BOX[0]
