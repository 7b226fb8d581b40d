# SPDX-License-Identifier: Apache-2.0
"""The Python of the docs runs, block after block, and so does everything that is said about it."""
import ast
import pathlib
import subprocess
import sys
import warnings

import matplotlib
import pytest

import doeblin

matplotlib.use("Agg")
ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from snippets import blocks  # noqa: E402

PAGES = list(dict.fromkeys(page for page, _ in blocks("python")))


@pytest.mark.parametrize("page", PAGES)
def test_blocks_of_python_run(page):
    namespace, before = {}, set(ROOT.iterdir())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Pages also ask what is known from one side only.
        warnings.simplefilter("ignore", doeblin.AccuracyWarning)
        for _, block in (one for one in blocks("python") if one[0] == page):
            exec(compile(block, page, "exec"), namespace)
    assert set(ROOT.iterdir()) == before, "a page leaves files behind"


def test_the_pages_that_show_python_are_found():
    assert {"README.md", "docs/index.md", "docs/guides/python.md", "docs/theory/errata.md"} <= set(PAGES)


def test_the_sources_are_python_3_9():
    package = pathlib.Path(doeblin.__file__).parent
    files = sorted(package.rglob("*.py"))
    assert len(files) > 10
    for file in files:
        ast.parse(file.read_text(), filename=str(file), feature_version=(3, 9))


def test_the_package_is_not_the_source_tree():
    """In the wheel's environment, what is tested is what was installed there."""
    if sys.prefix == str(ROOT / "build" / "wheel-env"):
        assert pathlib.Path(sys.prefix) in pathlib.Path(doeblin.__file__).parents


def test_importing_brings_nothing_else():
    code = "import sys, doeblin; print([m for m in ('matplotlib', 'sklearn', 'scipy', 'dp_accounting', 'opacus', 'pandas') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_documented():
    for name in doeblin.__all__:
        assert getattr(doeblin, name).__doc__, name
