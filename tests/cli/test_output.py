# SPDX-License-Identifier: Apache-2.0
"""What the commands print, for people and for machines."""
import json
import re
import shlex
import subprocess

import pytest

from conftest import PROGRAM, ask, run

GAUSSIAN = "gaussian(sigma=1)"


def test_json_of_one_answer():
    got = ask("epsilon", "gaussian(sigma=2) | compose(10)", "--delta", "1e-6")
    assert got["delta"] == 1e-6
    assert 8.3062 < got["epsilon"]["lower"] <= got["epsilon"]["upper"] < 8.3063
    assert got["relation"] == "neutral"
    assert got["converged"] is True
    assert [step["source"] for step in got["analysis"]] == ["P1", "C5"]
    first = got["analysis"][0]
    assert first["stage"] == "gaussian(sigma=2, sensitivity=1)"
    assert {a["status"] for a in first["assumptions"]} <= {"checked", "asserted"}
    assert got["expression"] == "gaussian(sigma=2) | compose(10)"


def test_json_of_several_answers():
    got = ask("delta", GAUSSIAN, "--epsilon", "0", "0.5,1", "2:3:0.5")
    assert [r["epsilon"] for r in got["results"]] == [0, 0.5, 1, 2, 2.5, 3]
    uppers = [r["delta"]["upper"] for r in got["results"]]
    assert uppers == sorted(uppers, reverse=True)


def test_infinity_is_a_string():
    got = ask("epsilon", "black_box(1, 1e-6)", "--delta", "1e-7")
    assert got["epsilon"] == {"lower": "inf", "upper": "inf"}
    assert ask("rdp", "laplace(0.5)", "--alpha", "inf")["alpha"] == "inf"


def test_ranges_hit_round_numbers_and_their_end():
    got = ask("profile", GAUSSIAN, "--epsilon", "0:5:0.1")
    epsilons = [r["epsilon"] for r in got["results"]]
    assert len(epsilons) == 51 and epsilons[3] == 0.3 and epsilons[-1] == 5


def test_profile_has_a_default_range():
    assert len(ask("profile", "laplace(1)")["results"]) == 11
    one = ask("profile", "laplace(1)", "--epsilon", "1")
    assert len(one["results"]) == 1 and one["results"][0]["delta"] == one["delta"]


def test_text_rounds_outward():
    line = run("delta", GAUSSIAN, "--epsilon", "1").stdout.splitlines()[0]
    assert line == "delta <= 0.126937 (>= 0.126936) at epsilon = 1"
    exact = ask("delta", GAUSSIAN, "--epsilon", "1")["delta"]
    assert 0.126936 <= exact["lower"] <= exact["upper"] <= 0.126937


def test_explain_shows_before_and_after():
    text = run("explain", "laplace(scale=2) | group(3)", "--epsilon", "1").stdout
    assert "1. laplace(scale=2, sensitivity=1)   [P2]" in text
    assert "2. group(k=3)   [C4]" in text
    assert "delta = 0  ->  delta <= 0.2212 (>= 0.221199)" in text
    assert "asserted  one person moves the released value by at most 1" in text


def test_explain_json_has_answers_after_every_step():
    got = ask("explain", "(gdp(1) | compose(4)) + laplace(1)", "--delta", "1e-5", "--epsilon", "1", "--alpha", "2")
    assert [step["stage"] for step in got["analysis"]] == ["gdp(mu=1)", "compose(k=4)", "laplace(scale=1, sensitivity=1)", "+"]
    assert all(len(step["after"]) == 3 for step in got["analysis"])


def test_tail_below_the_doubles():
    got = ask("delta", GAUSSIAN, "--epsilon", "50")["delta"]
    assert got == {"lower": 0.0, "upper": 5e-324}


def test_too_wide_is_said_and_has_its_own_exit_code(tmp_path):
    # Rows that sum to 1 only within 1e-12 leave a Renyi divergence near 0 undecided.
    matrix = tmp_path / "m.csv"
    matrix.write_text("0.1,0.2,0.7\n0.1,0.2,0.7000000000001\n")
    result = run("rdp", f"finite('{matrix}')", "--alpha", "1.0000001", "--json")
    assert result.returncode == 3
    assert json.loads(result.stdout)["converged"] is False


@pytest.mark.parametrize("command", ["epsilon", "delta", "profile", "rdp", "explain", "stages", "completion"])
def test_every_command_has_help_with_an_example(command):
    result = run(command, "--help")
    assert result.returncode == 0
    assert re.search(r"Examples?:\n  doeblin " + command, result.stdout)


def test_examples_in_help_run():
    for command in ["epsilon", "delta", "profile", "rdp", "explain"]:
        for line in run(command, "--help").stdout.splitlines():
            if line.startswith("  doeblin "):
                shell = line.strip().replace("doeblin", shlex.quote(str(PROGRAM)), 1)
                assert subprocess.run(["bash", "-c", shell], capture_output=True).returncode == 0, line


def test_version_and_stages():
    assert re.fullmatch(r"doeblin \d+\.\d+\.\d+\n", run("--version").stdout)
    stages = run("stages").stdout
    assert "gaussian(sigma, sensitivity=1)" in stages and "compose(k)" in stages


def test_expression_from_standard_input():
    done = subprocess.run([PROGRAM, "delta", "-", "--epsilon", "1", "--json"], input=GAUSSIAN + "\n", capture_output=True, text=True)
    assert json.loads(done.stdout)["delta"] == ask("delta", GAUSSIAN, "--epsilon", "1")["delta"]
