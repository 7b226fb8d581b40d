# SPDX-License-Identifier: Apache-2.0
"""Subsampling, composition, calibration and comparison through the program."""
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ask, run

DP_SGD = "gaussian(sigma=1.1) | poisson(rate=256/60000) | compose({})"
# At delta 1e-5, by Bromwich inversion with mpmath (tools/reference/bromwich.py).
TRUTH = {1: 0.04834166708, 1000: 0.5986851441, 14000: 2.375837627, 100000: 7.270792856, 1000000: 31.58672802}


@pytest.mark.parametrize("steps", TRUTH)
def test_dp_sgd_encloses_the_truth(steps):
    answer = ask("epsilon", DP_SGD.format(steps), "--delta", 1e-5)
    lower, upper = answer["epsilon"]["lower"], answer["epsilon"]["upper"]
    assert lower <= TRUTH[steps] * (1 + 1e-9) and TRUTH[steps] * (1 - 1e-9) <= upper
    assert upper - lower <= 2e-3
    assert answer["relation"] == "add_remove" and answer["converged"]


def test_a_billion_steps():
    ends = ask("epsilon", DP_SGD.format("1e9"), "--delta", 1e-5)["epsilon"]
    assert 12000 < ends["lower"] and ends["upper"] - ends["lower"] <= 0.01 * ends["upper"]


def test_width_is_obeyed():
    for width in (1e-1, 1e-2, 1e-4):
        ends = ask("epsilon", DP_SGD.format(1000), "--delta", 1e-6, "--width", width)["epsilon"]
        assert ends["upper"] - ends["lower"] <= width


def test_accountants_agree():
    answers = {name: ask("epsilon", DP_SGD.format(1000), "--delta", 1e-6, "--accountant", name)["epsilon"]
               for name in ("auto", "pld", "renyi", "basic")}
    assert max(a["lower"] for a in answers.values()) <= min(a["upper"] for a in answers.values())
    assert answers["auto"]["upper"] <= answers["renyi"]["upper"] <= answers["basic"]["upper"]


@settings(max_examples=15, deadline=None)
@given(sigma=st.floats(0.7, 5), rate=st.floats(0.001, 0.5), steps=st.integers(1, 300), delta=st.floats(1e-9, 1e-3))
def test_epsilon_and_delta_are_inverse(sigma, rate, steps, delta):
    expression = f"gaussian(sigma={sigma!r}) | poisson(rate={rate!r}) | compose({steps})"
    epsilon = ask("epsilon", expression, "--delta", repr(delta), codes=(0, 3))["epsilon"]
    at_upper = ask("delta", expression, "--epsilon", repr(epsilon["upper"]), codes=(0, 3))["delta"]
    assert at_upper["lower"] <= delta
    if epsilon["lower"] > 0:
        at_lower = ask("delta", expression, "--epsilon", repr(epsilon["lower"]), codes=(0, 3))["delta"]
        assert at_lower["upper"] >= delta


def test_calibrate():
    answer = ask("calibrate", "gaussian(sigma=?) | poisson(rate=0.01) | compose(10000)", "--epsilon", 1, "--delta", 1e-5)
    assert answer["stage"] == "gaussian" and answer["parameter"] == "sigma"
    assert answer["delta"]["upper"] <= 1e-5
    assert 0 < answer["value"] - answer["misses"] <= 1e-4
    filled = f"gaussian(sigma={answer['value']!r}) | poisson(rate=0.01) | compose(10000)"
    assert ask("epsilon", filled, "--delta", 1e-5, "--width", 1e-4)["epsilon"]["upper"] <= 1 + 1e-4


def test_calibrate_when_nothing_is_needed():
    answer = ask("calibrate", "gaussian(sigma=100) | poisson(rate=?)", "--epsilon", 1, "--delta", 1e-3)
    assert answer["value"] == 1 and answer["misses"] is None


def test_compare():
    answer = ask("compare", DP_SGD.format(1000), "--delta", 1e-5)
    names = [row["name"] for row in answer["analyses"]]
    assert names == ["best", "pld", "renyi", "renyi-cks", "renyi-textbook", "basic", "black-box"]
    assert answer["best"] == "best"
    uppers = [row["epsilon"]["upper"] for row in answer["analyses"]]
    assert uppers[0] == min(uppers)
    mixed = ask("compare", "zcdp(0.1) + laplace(1)", "--epsilon", 2)
    # What is known by its profile alone is a pair too (C7).
    assert next(row for row in mixed["analyses"] if row["name"] == "pld")["delta"]["upper"] < 0.1


def test_explain_names_the_sampling_rule():
    assert "exact pair" in run("explain", "gaussian(1) | poisson(0.1)").stdout
    assert "black box" in run("explain", "zcdp(0.1) | poisson(0.1)").stdout


@pytest.mark.parametrize("arguments, part", [
    (["epsilon", "gaussian(1) | poisson(1.5)", "--delta", "1e-5"], "poisson: rate = 1.5, need 0 < rate <= 1"),
    (["epsilon", "gaussian(1) | poisson(0.1, relation='swap')", "--delta", "1e-5"], "'add_remove' or 'substitute'"),
    (["epsilon", "gaussian(1) | without_replacement(10, 20)", "--delta", "1e-5"], "m <= n"),
    (["epsilon", "gaussian(1) | poisson(0.1) | without_replacement(10, 2)", "--delta", "1e-5"], "Covered: poisson"),
    (["epsilon", "gaussian(1)", "--delta", "1e-5", "--width", "0"], "--width = 0, need 1e-7 <= width <= 1"),
    (["epsilon", "gaussian(1)", "--delta", "1e-5", "--accountant", "fast"], "auto, pld, renyi or basic"),
    (["epsilon", "gaussian(?)", "--delta", "1e-5"], "a hole '?' is for calibrate"),
    (["calibrate", "gaussian(1)", "--epsilon", "1", "--delta", "1e-5"], "no hole"),
    (["calibrate", "gaussian(?) | compose(?)", "--epsilon", "1", "--delta", "1e-5"], "a second hole"),
    (["calibrate", "rdp(alpha=?, epsilon=1)", "--epsilon", "1", "--delta", "1e-5"], "not monotone"),
    (["calibrate", "gaussian(?)", "--epsilon", "1", "--delta", "1"], "0 <= delta < 1"),
    (["calibrate", "gaussian(sigma=1) | compose(?)", "--epsilon", "0.1", "--delta", "1e-9"], "no value of k meets"),
    (["compare", "gaussian(1)", "--epsilon", "1", "--delta", "1e-5"], "need one of them"),
])
def test_bad_questions_get_one_line(arguments, part):
    result = run(*arguments)
    assert result.returncode == 2
    assert part in result.stderr and result.stderr.count("\n") == 1
    assert json.loads(run(*arguments, "--json").stdout)["error"]


@pytest.mark.parametrize("expression, delta, bound", [
    ("gaussian(sigma=1) | poisson(rate=1e-4) | compose(1000)", 1e-79, 11),
    ("gaussian(sigma=0.001) | poisson(rate=0.1) | compose(2)", 1e-5, 2e6),
])
def test_where_the_grid_has_no_end_another_accountant_does(expression, delta, bound):
    answer = ask("epsilon", expression, "--delta", delta, codes=(3,))
    assert answer["epsilon"]["upper"] <= bound and not answer["converged"]


def test_what_has_no_renyi_curve_can_be_compared():
    expression = "black_box(epsilon=1, delta=1e-9) | with_replacement(n=5, m=3) | compose(10)"
    assert ask("epsilon", expression, "--delta", 1e-5, "--accountant", "renyi")["epsilon"]["upper"] == "inf"
    uppers = {one["name"]: one["epsilon"]["upper"] for one in ask("compare", expression, "--delta", 1e-5)["analyses"]}
    assert uppers["renyi"] == "inf" and uppers["best"] < 20


def test_draws_with_replacement_have_a_renyi_curve():
    expression = "gaussian(sigma=2) | with_replacement(n=5, m=3) | compose(10)"
    uppers = {one["name"]: one["epsilon"]["upper"] for one in ask("compare", expression, "--delta", 1e-5)["analyses"]}
    assert uppers["best"] < 6 and uppers["best"] <= uppers["renyi"] < 20


def test_asking_for_too_much_gives_what_can_be_had():
    """Grids for a width of 1e-5 do not reach a million releases; the answer is then that of the narrowest that do."""
    ends = ask("epsilon", DP_SGD.format(10**6), "--delta", 1e-5, "--width", 1e-5, codes=(3,))["epsilon"]
    assert ends["lower"] <= TRUTH[10**6] <= ends["upper"] and ends["upper"] - ends["lower"] <= 1e-3
