# SPDX-License-Identifier: Apache-2.0
"""The C++ reference finds every header wherever the project was cloned to."""
import pathlib

import pytest
import tooling  # noqa: F401  (where tools are found)

import cpp_page

TAGS = """<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<tagfile>
  <compound kind="file">
    <name>bracket.hpp</name>
    <path>{include}/doeblin/core/</path>
    <filename>bracket_8hpp.html</filename>
  </compound>
  <compound kind="class">
    <name>doeblin::Bracket</name>
    <filename>classdoeblin_1_1Bracket.html</filename>
  </compound>
</tagfile>
"""


@pytest.mark.parametrize("clone", ["/home/ada/doeblin", "/home/doeblin/work", "/doeblin/doeblin/doeblin", "/a folder/of doeblin/x", "/src"])
def test_the_folder_of_the_clone_may_have_any_name(clone, tmp_path):
    include = pathlib.Path(clone, "include")
    (tmp_path / "tags.xml").write_text(TAGS.format(include=include), encoding="utf-8")
    assert cpp_page.pages_of(tmp_path / "tags.xml", include) == {"doeblin/core/bracket.hpp": "bracket_8hpp.html"}
