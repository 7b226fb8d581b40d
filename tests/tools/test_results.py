# SPDX-License-Identifier: Apache-2.0
"""The table of `make bench`: who is compared with whom, and what counts as ahead."""
import json
import math

from tooling import ROOT

import charts
import results


def answer(lower, upper, seconds, failure="", remark=""):
    return {"lower": lower, "upper": upper, "seconds": seconds, "megabytes": 50.0, "failure": failure, "remark": remark}


def contest(**peers):
    ours = {"doeblin": answer(0.9995, 1.0005, 0.02), "doeblin, width 0.1": answer(0.96, 1.04, 0.002),
            "doeblin, width 0.0001": answer(0.99995, 1.00005, 0.2)}
    return {"group": "g", "name": "q", "unit": "", "releases": 0, "truth": (0.99995, 1.00005), "answers": {**ours, **peers}}


def test_one_end_is_compared_with_one_end_that_is_as_near():
    one = contest(loose=answer(math.nan, 1.2, 0.004), sharp=answer(math.nan, 1.0002, 0.4))
    assert results.standing(one, "loose") == (2.0, "doeblin, width 0.1")
    assert results.standing(one, "sharp") == (2.0, "doeblin, width 0.0001")


def test_two_ends_are_compared_with_a_bracket_that_is_as_narrow():
    one = contest(peer=answer(0.999, 1.001, 2.0))
    assert results.standing(one, "peer") == (100.0, "doeblin")


def test_a_peer_that_is_quicker_or_narrower_is_listed():
    one = contest(quick=answer(math.nan, 1.2, 0.001), narrow=answer(0.99999, 1.00001, 9.0))
    listed = list(results.behind({"contests": [one]}))
    assert [(name, peer) for name, peer, _ in listed] == [("q", "quick"), ("q", "narrow")]
    assert listed[0][2] == 0.5 and math.isnan(listed[1][2])


def test_answers_that_are_none_are_shown_and_not_compared():
    one = contest(unsound=answer(math.nan, 0.9, 1e-6), failed=answer(math.nan, math.nan, math.inf, "out of memory (4 GB)"),
                  endless=answer(math.nan, math.inf, 1e-6))
    assert not list(results.behind({"contests": [one]}))
    notes = {row[1]: row[-1] for row in results.rows(one)}
    assert "UNSOUND" in notes["unsound"] and notes["failed"] == "out of memory (4 GB)" and notes["endless"] == "no upper end"


def test_our_own_contradictions_are_found():
    one = contest()
    one["answers"]["doeblin"] = answer(1.1, 1.2, 0.01)
    assert "WRONG" in next(results.contradictions({"contests": [one]}, "doeblin"))


def test_the_stored_results_make_the_stored_table():
    found = json.loads((ROOT / "bench" / "results.json").read_text())
    assert results.markdown(found) == (ROOT / "bench" / "RESULTS.md").read_text()
    for chart in charts.all_charts(found):
        assert charts.svg(chart) == (ROOT / "bench" / "plots" / f"{chart.file}.svg").read_text()
    assert not list(results.contradictions(found, "doeblin"))
    assert "not explained yet" not in results.markdown(found)
    assert len({name for one in found["contests"] for name in one["answers"] if not name.startswith("doeblin")}) >= 8
