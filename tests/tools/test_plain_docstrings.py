# SPDX-License-Identifier: Apache-2.0
"""The site shows the parameters of a Python function as a list."""
import sys

from tooling import ROOT

sys.path.insert(0, str(ROOT / "docs/_extensions"))
import plain_docstrings  # noqa: E402


def test_parameters_are_a_list_on_the_site():
    lines = ["Adds noise.", "", "Parameters", "----------", "sigma : float, default 1", "    Deviation of `x`;", "    positive.", "",
             "Examples", "--------", ">>> f()", "1"]
    assert plain_docstrings.as_restructured_text(lines) == [
        "Adds noise.", "", ".. rubric:: Parameters", "", "``sigma`` : float, default 1", "    Deviation of ``x``;", "    positive.", "",
        ".. rubric:: Examples", "", "", ">>> f()", "1", ""]
