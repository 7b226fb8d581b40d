# SPDX-License-Identifier: Apache-2.0
"""An expression in any output evaluates to the number beside it."""
import json

import pytest

from conftest import ask, run

RUN = "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1)"
EXPRESSIONS = ["gaussian(sigma=2) | group(3)", "gaussian(sigma=1.1) | poisson(rate=256/60000) | compose(1000)",
               "(laplace(scale=2) | group(2)) + gaussian(sigma=3)", RUN, RUN + " | person(7)",
               "gaussian(sigma=1) | k_ary_response(k=4, p=0.7)"]


def expressions_in(value):
    """Every field of this name, wherever it stands."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "expression":
                yield inner
            yield from expressions_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from expressions_in(inner)


def same(first, second):
    return first == pytest.approx(second, rel=1e-12)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_answers(expression):
    for command, option, at in (("epsilon", "--delta", 1e-5), ("delta", "--epsilon", 0.5), ("explain", "--delta", 1e-5)):
        first = ask(command, expression, option, at, codes=(0, 3))
        asked = "delta" if command == "delta" else "epsilon"
        number = first["analysis"][-1]["after"][0][asked] if command == "explain" else first[asked]
        found = list(expressions_in(first))
        assert len(found) == 1
        again = ask(asked, found[0], option, at, codes=(0, 3))[asked]
        assert same(again["upper"], number["upper"]) and same(again["lower"], number["lower"])


def test_comparisons():
    answer = ask("compare", EXPRESSIONS[1], "--delta", 1e-5, codes=(0, 3))
    best = next(one for one in answer["analyses"] if one["name"] == answer["best"])
    assert same(ask("epsilon", answer["expression"], "--delta", 1e-5)["epsilon"]["upper"], best["epsilon"]["upper"])


@pytest.mark.parametrize("expression", ["gaussian(sigma=?) | poisson(rate=0.01) | compose(100)", "laplace(scale=?) | group(2)",
                                        "gaussian(sigma=20) | compose(?)"])
def test_calibrations_fill_the_hole(expression):
    answer = ask("calibrate", expression, "--epsilon", 1, "--delta", 1e-5)
    assert answer["open_expression"] == expression and "?" not in answer["expression"]
    delta = ask("delta", answer["expression"], "--epsilon", 1, codes=(0, 3))["delta"]
    assert delta["lower"] <= answer["delta"]["upper"] and answer["delta"]["lower"] <= delta["upper"]
    # The last digits are asked for with a narrower goal than a plain question.
    assert delta["upper"] == pytest.approx(answer["delta"]["upper"], rel=5e-3)


def test_people():
    answer = ask("people", RUN, "--delta", 1e-5, codes=(0, 3))
    worst = max(one["upper"] for one in _brackets(answer))
    assert same(ask("epsilon", answer["expression"], "--delta", 1e-5, codes=(0, 3))["epsilon"]["upper"], worst)


def _brackets(value):
    if isinstance(value, dict):
        if set(value) >= {"lower", "upper"} and isinstance(value["upper"], float):
            yield value
        for inner in value.values():
            yield from _brackets(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _brackets(inner)


@pytest.mark.parametrize("mechanism, delta", [("gaussian(sigma=4)", "1e-6"), ("laplace(scale=4)", "0"), ("gaussian(sigma=?)", "1e-6"),
                                              ("brownian(time=3)", "1e-6")])
def test_releases_have_no_expression(tmp_path, mechanism, delta):
    """Four columns at epsilon 1 had one that evaluated to .475: the language has no words for noise on a grid."""
    (tmp_path / "in.csv").write_text("a,b,c,d\n1,2,3,4\n")
    target = ["--epsilon", "1"] if "?" in mechanism else []
    path = tmp_path / "claim.json"
    answer = ask("release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--mechanism", mechanism, "--delta", delta,
                 "--bounds", "*=0:5", "--certificate", path, *target)
    assert list(expressions_in(answer)) == []
    assert json.loads(path.read_text())["expression"] is None
    assert run("verify", path).returncode == 0


def test_training(tmp_path):
    rows = "".join(f"{0.1 * (i % 10)},{0.05 * (i % 7)},{i % 2}\n" for i in range(300))
    (tmp_path / "in.csv").write_text("x,y,label\n" + rows)
    answer = ask("train", tmp_path / "in.csv", "--output", tmp_path / "run", "--label", "label", "--norm", 1, "--radius", 3, "--epsilon", 2, "--delta", 1e-5)
    assert list(expressions_in(answer)) == [answer["expression"]]
    again = ask("epsilon", answer["expression"], "--delta", 1e-5, codes=(0, 3))["epsilon"]
    assert same(again["upper"], answer["epsilon"]["upper"])
    claim = json.loads((tmp_path / "run" / "certificate.json").read_text())
    assert same(ask("epsilon", claim["expression"], "--delta", 1e-5, codes=(0, 3))["epsilon"]["upper"], answer["epsilon"]["upper"])


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_certificates(tmp_path, expression):
    path = tmp_path / "claim.json"
    answer = ask("epsilon", expression, "--delta", 1e-5, "--certificate", path, codes=(0, 3))
    claim = json.loads(path.read_text())
    assert same(ask("epsilon", claim["expression"], "--delta", 1e-5, codes=(0, 3))["epsilon"]["upper"], answer["epsilon"]["upper"])
