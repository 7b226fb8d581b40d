# SPDX-License-Identifier: Apache-2.0
"""The C++ of the README and the docs compiles against the installed package, and runs."""
import re

import pytest

from tooling import cmake_build, installed, run  # noqa: F401

import snippets

ALL = list(snippets.blocks("cpp"))


def program_of(block):
    """A fragment is the beginning of a main(), after its includes and using directives."""
    if re.search(r"\bint main\(", block):
        return block
    lines = block.splitlines(keepends=True)
    top = [line for line in lines if re.match(r"#include|using namespace", line)]
    rest = [line for line in lines if line not in top]
    return "".join(top) + "int main() {\n" + "".join(rest) + "}\n"


@pytest.fixture(scope="session")
def built(installed, tmp_path_factory):
    source, work = tmp_path_factory.mktemp("snippets"), tmp_path_factory.mktemp("built")
    lines = ["cmake_minimum_required(VERSION 3.25)", "project(snippets LANGUAGES CXX)", "find_package(doeblin REQUIRED)"]
    for k, (_, block) in enumerate(ALL):
        (source / f"snippet{k}.cpp").write_text(program_of(block))
        lines += [f"add_executable(snippet{k} snippet{k}.cpp)", f"target_link_libraries(snippet{k} PRIVATE doeblin::pipeline)"]
    (source / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
    cmake_build(source, work, installed)
    return work


@pytest.mark.parametrize("k", range(len(ALL)), ids=[page for page, _ in ALL])
def test_snippet_runs(built, k):
    run(built / f"snippet{k}")


def test_there_are_snippets():
    assert {"README.md", "docs/index.md", "docs/howto/cmake.md"} <= {page for page, _ in ALL}


def test_nothing_stands_in_a_fence_that_is_not_run():
    for page in snippets.PAGES:
        languages = {language for language, _ in snippets.BLOCK.findall(page.read_text())}
        assert languages <= snippets.LANGUAGES, page
