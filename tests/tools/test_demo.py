# SPDX-License-Identifier: Apache-2.0
"""What 'make run' shows after the build: every command succeeds, and the plots are where it says."""
from tooling import ROOT, run


def test_the_plots_are_where_it_says():
    shown = run(ROOT / "tools" / "demo")
    paths = [line.split()[0] for line in shown.split("\nPlots:\n")[1].splitlines()]
    assert len(paths) == 3
    assert all("<svg" in (ROOT / path).read_text(encoding="utf-8") for path in paths)
