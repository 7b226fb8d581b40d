# SPDX-License-Identifier: Apache-2.0
"""The installed package works outside the source tree: find_package(doeblin), compile, link, run."""
from tooling import ROOT, cmake_build, installed, run  # noqa: F401


def test_find_package(installed, tmp_path):
    cmake_build(ROOT / "tests" / "install", tmp_path, installed)
    assert run(tmp_path / "consumer").startswith("epsilon <= 4.37717")
    assert run(installed / "bin" / "doeblin", "--version").startswith("doeblin ")
