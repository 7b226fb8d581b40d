# SPDX-License-Identifier: Apache-2.0
"""Iterative runs through the program: people, compare, calibrate, plans."""
import csv
import xml.etree.ElementTree as ElementTree

import pytest

from conftest import ask, run

RUN = "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1)"
SECOND = ("noisy_sgd(n=40, learning_rate=0.7, sigma=1, lipschitz=1, smoothness=0.5, strong_convexity=0.4, "
          "diameter=1)")
ANALYSES = ["best", "shift", "contraction", "asoodeh", "balle", "feldman", "public"]


def test_compare_shows_every_analysis():
    rows = {row["name"]: row for row in ask("compare", f"{RUN} | person(39)", "--delta", "1e-5")["analyses"]}
    assert list(rows) == ANALYSES
    assert rows["best"]["epsilon"]["upper"] <= 1.37
    assert abs(rows["balle"]["epsilon"]["upper"] - 5.30) < 0.005
    assert abs(rows["asoodeh"]["epsilon"]["upper"] - 2.75) < 0.005
    assert all(rows["best"]["epsilon"]["upper"] <= row["epsilon"]["upper"] * (1 + 1e-9) for row in rows.values())


@pytest.mark.parametrize("analysis", ANALYSES)
def test_a_certificate_of_every_analysis_verifies(analysis, tmp_path):
    claim = tmp_path / "claim.json"
    expression = RUN.replace("n=40", "n=10").replace("diameter=1", f"diameter=1, analysis='{analysis}'")
    ask("epsilon", f"{expression} | person(9)", "--delta", "1e-5", "--certificate", claim)
    assert "claim.json: VERIFIED" in run("verify", claim).stdout


def test_compare_says_why_one_does_not_apply():
    done = run("compare", RUN.replace("diameter=1", "diameter=inf"))
    assert done.returncode == 0
    assert "need a finite diameter" in done.stdout
    schedule_free = run("compare", RUN.replace("smoothness=0.5", "smoothness=0.5, epochs=3"))
    assert "need one (a single epoch)" in schedule_free.stdout


def test_people_of_the_second_figure(tmp_path):
    table, plot = tmp_path / "people.csv", tmp_path / "people.svg"
    report = ask("people", SECOND, "--delta", "1e-5", "--epsilon", "1", "--csv", str(table), "--svg", str(plot))
    assert report["records"] == 40
    by_epsilon, by_delta = report["answers"]
    assert by_epsilon["worst"]["first"] == 40 and by_epsilon["best"]["first"] == 1
    assert [q["share"] for q in by_epsilon["quantiles"]][0] == 1.0
    rows = list(csv.DictReader(table.open()))
    assert [int(row["person"]) for row in rows] == list(range(1, 41))
    assert float(rows[29]["epsilon_upper"]) <= 0.001
    single = ask("epsilon", f"{SECOND} | person(30)", "--delta", "1e-5")
    assert float(rows[29]["epsilon_upper"]) == pytest.approx(single["epsilon"]["upper"], rel=1e-6)
    assert float(rows[39]["delta_upper"]) == by_delta["worst"]["delta"]["upper"]
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
    assert not list(tmp_path.glob("*.part"))


def test_people_of_a_million():
    million = "noisy_sgd(n=1e6, learning_rate=0.01, sigma=1, lipschitz=1, smoothness=1, diameter=1)"
    report = ask("people", million, "--delta", "1e-6")
    assert report["records"] == 10**6
    quantiles = [q["epsilon"] for q in report["answers"][0]["quantiles"]]
    assert quantiles == sorted(quantiles, reverse=True)
    assert quantiles[-1] == 0


def test_people_need_a_run():
    for expression in ("gaussian(sigma=1)", f"{RUN} | person(3)", RUN.replace("diameter=1", "diameter=1, order=poisson")):
        done = run("people", expression)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr


def test_local_guarantee_is_always_shown():
    for extra in ("", ", output=uniform_stop", ", order=permuted", ", noise=laplace", ", order=poisson, batch=20"):
        changed = RUN.replace("diameter=1", "diameter=1" + extra)
        assert "I14" in run("explain", changed).stdout, extra


def test_assumptions_are_marked():
    steps = ask("explain", SECOND)["analysis"]
    statuses = {a["text"]: a["status"] for step in steps for a in step["assumptions"]}
    assert any("Lipschitz" in text and status == "checked" for text, status in statuses.items())
    assert any("convex" in text and status == "asserted" for text, status in statuses.items())
    assert any("no state but the released one" in text and status == "asserted" for text, status in statuses.items())


def test_predictions_are_shown_for_a_dimension():
    assert "excess loss" in run("explain", RUN.replace("diameter=1", "diameter=1, dimension=5")).stdout
    assert "excess loss" not in run("explain", RUN).stdout


@pytest.mark.parametrize("hole, safer", [
    ("sigma=?", lambda x: x * 1.01),
    ("n=?, order=permuted", lambda x: x + 50),
    ("public_tail=?", lambda x: x + 1),
    ("epochs=?, public_tail=20, batch=20", lambda x: max(1, x - 1)),
    ("learning_rate=?, public_tail=20", lambda x: min(4 * (1 - 1e-15), x * 1.01)),
])
def test_calibrate(hole, safer):
    arguments = {"n": "n=1000", "learning_rate": "learning_rate=0.3", "sigma": "sigma=2", "lipschitz": "lipschitz=1",
                 "smoothness": "smoothness=0.5", "diameter": "diameter=1"}
    arguments.pop(hole.split("=")[0], None)
    expression = f"noisy_sgd({', '.join([*arguments.values(), hole])})"
    found = ask("calibrate", expression, "--epsilon", "0.4", "--delta", "1e-5")
    for value in (found["value"], safer(found["value"])):
        filled = expression.replace("?", repr(value))
        reached = ask("delta", filled, "--epsilon", "0.4")["delta"]["upper"]
        assert reached <= 1e-5 * (1 + 1e-9), (filled, reached)


def test_plan(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('name = "demo"\n[target]\nepsilon = 1\ndelta = 1e-6\n[noisy_sgd]\nn = 4\n'
                    'learning_rate = [0.5, 0.4, 0.3, 0.2]\nsigma = 2.0\nlipschitz = 1\nsmoothness = 0.5\ndiameter = 1.0\n')
    report = ask("epsilon", str(plan))
    assert report["delta"] == 1e-6 and report["epsilon"]["upper"] < 4.9
    assert ask("people", str(plan))["records"] == 4
    assert ask("delta", str(plan))["epsilon"] == 1
    assert ask("compare", str(plan))["best"] == "best"
    plan.write_text(plan.read_text().replace("sigma = 2.0", 'sigma = "?"'))
    assert ask("calibrate", str(plan))["value"] > 0


def test_long_schedule_from_a_file(tmp_path):
    schedule = tmp_path / "steps.csv"
    steps = 200_000
    with schedule.open("w") as file:
        file.write("learning_rate,sigma\n")
        for t in range(steps):
            file.write(f"{0.5 / (1 + t / steps)},{1 + t % 3}\n")
    scheduled = f"noisy_sgd(n={steps}, learning_rate=1, sigma=1, lipschitz=1, smoothness=0.5, schedule='{schedule}')"
    report = ask("people", scheduled, "--delta", "1e-6")
    assert report["records"] == steps
    # Nothing follows the last record.
    assert report["answers"][0]["worst"]["first"] == steps


@pytest.mark.parametrize("change, names", [
    ("sigma=0", "sigma = 0"),
    ("sigma=-1", "sigma = -1"),
    ("n=0", "n = 0"),
    ("n=inf", "n = inf"),
    ("strong_convexity=0.6", "strong_convexity = 0.6"),
    ("diameter=0", "diameter = 0"),
    ("batch=41", "batch = 41"),
    ("batch=0", "batch = 0"),
    ("epochs=1.5", "epochs = 1.5"),
    ("public_tail=40", "public_tail = 40"),
    ("order=sideways", "order = 'sideways'"),
    ("output=first", "output = 'first'"),
    ("noise=uniform", "noise = 'uniform'"),
    ("analysis=magic", "analysis = 'magic'"),
    ("relation=add_remove", "relation = 'add_remove'"),
    ("checkpoints='50'", "checkpoints = 50"),
    ("checkpoints='x'", "checkpoints = 'x'"),
    ("schedule='/nowhere'", "schedule = '/nowhere'"),
    ("learning_rate=1e-300", "learning_rate * sigma"),
])
def test_bad_runs_are_refused_in_one_line(change, names):
    key = change.split("=")[0]
    parts = [p for p in RUN[len("noisy_sgd("):-1].split(", ") if p.split("=")[0] != key]
    done = run("epsilon", f"noisy_sgd({', '.join([*parts, change])})", "--delta", "1e-5")
    assert done.returncode == 2, done.stdout
    assert done.stderr.count("\n") == 1 and names in done.stderr, done.stderr


@pytest.mark.parametrize("expression, smallest, largest", [
    ("noisy_sgd(n=1, learning_rate=1, sigma=1, lipschitz=1, smoothness=1, diameter=1)", 0, 20),
    ("noisy_sgd(n=5, learning_rate=1, sigma=1, lipschitz=1, smoothness=1, strong_convexity=1) | person(2)", 0, 0),
    ("noisy_sgd(n=5, learning_rate=3, sigma=1, lipschitz=1, smoothness=1) | person(2)", 0.1, 20),
    ("noisy_sgd(n=5, learning_rate=1, sigma=1, lipschitz=0, smoothness=1)", 0, 0),
    ("noisy_sgd(n=1e6, learning_rate=1, sigma=1, lipschitz=1, smoothness=1, strong_convexity=0.5) | person(1)", 0, 1e-9),
    ("noisy_iteration(steps=1e9, sigma=1, sensitivity=1)", 0, 1e-3),
])
def test_edges_give_numbers(expression, smallest, largest):
    value = ask("epsilon", expression, "--delta", "1e-6")["epsilon"]["upper"]
    assert smallest <= value <= largest


def test_files_that_cannot_be_written(tmp_path):
    done = run("people", RUN, "--csv", str(tmp_path / "no" / "people.csv"))
    assert done.returncode == 2 and "--csv" in done.stderr


def test_help_has_an_example():
    assert "doeblin people 'noisy_sgd(" in run("people", "--help").stdout
