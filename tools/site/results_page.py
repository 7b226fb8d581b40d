# SPDX-License-Identifier: Apache-2.0
"""results.md: the table and the plots of the last `make bench`, made again from its numbers (bench/results.json)."""
import json
import pathlib
import sys

BENCH = pathlib.Path(__file__).parents[2] / "bench"
sys.path.insert(0, str(BENCH / "field"))
import results  # noqa: E402


def write(source):
    results.write(json.loads((BENCH / "results.json").read_text(encoding="utf-8")), source, "results.md")
