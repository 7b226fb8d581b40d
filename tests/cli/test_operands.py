# SPDX-License-Identifier: Apache-2.0
"""Certificates as operands: what was certified is computed with like anything else."""
import json

import pytest
from conftest import ask, run

PARTS = {"a.json": "gaussian(sigma=4) | poisson(rate=0.1)", "b.json": "laplace(scale=8) | compose(2)",
         "c.json": "gaussian(sigma=5)"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, expression in PARTS.items():
        ask("epsilon", expression, "--delta", "1e-6", "--certificate", name)
    return tmp_path


@pytest.mark.parametrize("expression", ["{a.json}", "{a.json} + {b.json}", "{c.json} | compose(12)", "({c.json} | group(2)) + {b.json}",
                                        "{c.json} | poisson(rate=0.01)"])
def test_a_certificate_is_what_it_is_about(folder, expression):
    named, written = expression, expression
    for name, text in PARTS.items():
        named, written = named.replace("{%s}" % name, f"'{name}'"), written.replace("{%s}" % name, f"({text})")
    ours, theirs = (ask("epsilon", one, "--delta", "1e-6", codes=(0, 3)) for one in (named, written))
    assert ours["epsilon"] == theirs["epsilon"] and ours["analysis"] == theirs["analysis"] and ours["neighbours"] == theirs["neighbours"]
    assert ours["expression"] == named


def test_a_certificate_of_certificates_verifies(folder):
    ask("epsilon", "('a.json' | compose(1)) + 'c.json'", "--delta", "1e-6", "--certificate", "both.json")
    done = run("verify", "both.json")
    assert done.returncode == 0 and "VERIFIED" in done.stdout, done.stdout
    # Nothing in it depends on the files any more.
    for name in PARTS:
        (folder / name).unlink()
    assert run("verify", "both.json").returncode == 0
    assert "a.json" not in (folder / "both.json").read_text()
    assert ask("epsilon", "'both.json'", "--delta", "1e-6")["relation"] == "add_remove"


def test_plans_and_holes_take_them(folder):
    (folder / "plan.toml").write_text("expression = \"'a.json' + laplace(scale=?)\"\n[target]\nepsilon = 2\ndelta = \"1/1000000\"\n")
    found = ask("calibrate", "plan.toml")
    same = ask("calibrate", f"({PARTS['a.json']}) + laplace(scale=?)", "--epsilon", "2", "--delta", "1e-6")
    assert found["value"] == same["value"] and found["target"] == same["target"]


def refused(*arguments):
    done = run(*arguments)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and not done.stdout, (done.stdout, done.stderr)
    return done.stderr


def test_what_was_changed_is_refused(folder):
    file = folder / "c.json"
    file.write_text(file.read_text().replace('"sha256": "', '"sha256": "0', 1))
    assert "c.json: /seal: " in refused("epsilon", "'c.json'", "--delta", "1e-6")
    assert "nothing.json" in refused("epsilon", "'nothing.json' | compose(2)", "--delta", "1e-6")
    file.write_text("{}")
    assert "c.json" in refused("epsilon", "'b.json' + 'c.json'", "--delta", "1e-6")


def test_relations_are_lifted_where_that_is_sound(folder):
    fixed = "gaussian(sigma=8) | without_replacement(n=10, m=2)"
    ask("epsilon", fixed, "--delta", "1e-6", "--certificate", "d.json")
    lifted = ask("epsilon", "'a.json' + 'd.json'", "--delta", "1e-6", "--certificate", "both.json")
    assert lifted["relation"] == "substitute" and lifted["neighbours"]["people"] == 1
    assert [step["source"] for step in lifted["analysis"] if step["stage"] == "as substitution"] == ["C9, C4"]
    # The exchange itself, and two people who come or go.
    exact = ask("epsilon", f"(gaussian(sigma=4) | poisson(rate=0.1, relation='substitute')) + ({fixed})", "--delta", "1e-6")
    group = ask("epsilon", f"({PARTS['a.json']} | group(2)) + gdp(0.1)", "--delta", "1e-6", codes=(0, 3))
    assert exact["epsilon"]["lower"] <= lifted["epsilon"]["upper"] <= group["epsilon"]["upper"]
    assert lifted["epsilon"]["lower"] <= exact["epsilon"]["upper"]
    done = run("verify", "both.json")
    assert done.returncode == 0, done.stdout


def test_what_does_not_fit_is_refused(folder):
    zeroed = "noisy_sgd(n=10, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=1, relation='zero_out')"
    assert "need the same relation on both sides" in refused("epsilon", f"'a.json' + {zeroed}", "--delta", "1e-6")
    assert "a stage" in refused("epsilon", "gdp(1) | 'c.json'", "--delta", "1e-6")


def test_releases_name_the_way_out(folder):
    (folder / "in.csv").write_text("a\n1\n2\n")
    release = ("release", "in.csv", "--output", "out.csv", "--mechanism", "gaussian(sigma=4)", "--bounds", "a=0:1")
    ask(*release, "--certificate", "release.json")
    claimed = json.loads((folder / "release.json").read_text())["claim"]["values"][0]
    message = refused("epsilon", "'release.json'", "--delta", "1e-6")
    assert "release.json: a release" in message and "write what it claims instead, black_box(epsilon=" in message
    box = message[message.index("black_box"):message.index(", which holds")]
    assert ask("epsilon", box, "--delta", claimed["delta"]["decimal"])["epsilon"]["upper"] == claimed["upper"]["decimal"]
    ask(*release, "--force", "--insecure-seed", "7", "--certificate", "void.json")
    assert "void, no guarantee: the noise was drawn from a seed" in refused("epsilon", "'void.json'", "--delta", "1e-6")
