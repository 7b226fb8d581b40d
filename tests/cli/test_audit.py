# SPDX-License-Identifier: Apache-2.0
"""The command audit: lower bounds on our own mechanisms, on programs and on training, against what is claimed."""
import json
import os
import shlex
import signal

import pytest

from conftest import BACKSTOP, PROGRAM, ROOT, Started, ask, run

RUNS = 1_000_000
PNSGD = "noisy_sgd(n=8, learning_rate=0.5, sigma=2, lipschitz=2, smoothness=2) | person(1)"


def audit(*arguments, codes=(0,)):
    return ask("audit", *arguments, "--insecure-seed", 1, codes=codes)


@pytest.fixture
def inputs(tmp_path):
    """Two files that differ in one line."""
    first, second = tmp_path / "with one.txt", tmp_path / "without.txt"
    first.write_text("Ada\nBob\nCy\n")
    second.write_text("Ada\nBob\n")
    return first, second


def program(*inputs, command=f"python3 {shlex.quote(str(ROOT))}/docs/data/noisy_count.py {{input}} {{seed}}"):
    return ["--command", command, "--inputs", *inputs]


@pytest.mark.parametrize("mechanism, delta", [
    ("laplace(scale=1)", 0), ("laplace(scale=0.5)", 0), ("gaussian(sigma=1)", 0.01), ("gaussian(sigma=2)", 0.01),
    ("randomized_response(p=0.75)", 0), ("randomized_response(p=0.9)", 0), (PNSGD, 0.01),
    ("noisy_sgd(n=10, learning_rate=0.5, sigma=2, lipschitz=2, smoothness=2, batch=2, epochs=2)", 0.01),
    ("noisy_iteration(steps=5, sigma=1, sensitivity=3, lipschitz=0.8)", 0.01),
])
def test_most_of_the_truth_is_reached_and_never_more(mechanism, delta):
    report = audit(mechanism, "--delta", delta, "--runs", RUNS)
    if delta > 0:
        truth = ask("epsilon", mechanism, "--delta", delta)["epsilon"]
        assert truth["upper"] - truth["lower"] < 1e-4, "the guarantee is exact"
    else:
        truth = ask("rdp", mechanism, "--alpha", "inf")["rdp"]
    assert report["verdict"] == "CONSISTENT"
    assert report["epsilon"]["claimed"] == truth["upper"]
    assert 0.8 * truth["upper"] <= report["epsilon"]["lower"] <= truth["upper"]


@pytest.mark.parametrize("mechanism", ["gaussian(sigma=1)", PNSGD, "gaussian(sigma=2) | compose(4)"])
def test_gaussian_levels_reach_any_delta(mechanism):
    report = audit(mechanism, "--delta", 1e-5, "--runs", RUNS)
    found = report["gaussian"]
    assert 0.9 * found["mu"]["claimed"] <= found["mu"]["lower"] <= found["mu"]["claimed"]
    truth = ask("epsilon", mechanism, "--delta", 1e-5)["epsilon"]["upper"]
    assert 0.8 * truth <= found["epsilon"]["lower"] <= truth
    assert report["epsilon"]["lower"] < found["epsilon"]["lower"]


@pytest.mark.parametrize("mechanism, delta", [
    ("laplace(scale=1)", 0), ("gaussian(sigma=1)", 0.01), ("gaussian(sigma=1)", 1e-5), ("randomized_response(p=0.75)", 0),
    (PNSGD, 0.01),
])
def test_a_fifth_less_noise_is_caught(mechanism, delta):
    question = (mechanism, "--delta", delta, "--runs", RUNS)
    assert audit(*question, "--noise-factor", 0.8, codes=(1,))["verdict"] == "VIOLATED"
    assert audit(*question, "--noise-factor", 1.25)["verdict"] == "CONSISTENT"


def test_the_text_says_what_was_seen():
    result = run("audit", "laplace(scale=1)", "--delta", 0, "--insecure-seed", 1)
    assert result.returncode == 0 and result.stderr == ""
    first = result.stdout.splitlines()[0]
    assert first.startswith("CONSISTENT: epsilon >= 0.9") and "epsilon <= 1 is claimed" in first and "% of it" in first
    for part in ("event       output", "of 250000 fresh runs on the", "probability >=", "confidence  0.999", "from a seed"):
        assert part in result.stdout
    result = run("audit", "gaussian(sigma=1)", "--delta", 1e-5, "--noise-factor", 0.8, "--insecure-seed", 1)
    assert result.returncode == 1
    assert result.stdout.startswith("VIOLATED: mu >= 1.2") and "with 0.8 times its noise" in result.stdout
    assert "if the mechanism is Gaussian DP" in result.stdout
    assert "seed" not in run("audit", "laplace(scale=1)", "--delta", 0, "--runs", 1000).stdout


def test_json_holds_the_event_and_the_counts():
    report = audit("randomized_response(p=0.75)", "--delta", 0, "--runs", 4000, "--confidence", 0.9)
    box = report["black_box"]
    assert report["confidence"] == 0.9 and report["seeded"] is True and report["runs"] == 4000
    assert box["likely"]["runs"] == box["rare"]["runs"] == 1000
    assert 0 < box["rare"]["hits"] < box["likely"]["hits"] < 1000
    assert box["likely"]["lower"] < box["likely"]["hits"] / 1000 and box["rare"]["upper"] > box["rare"]["hits"] / 1000
    assert len(box["intervals"]) == 1 and report["event"].startswith("output")


def test_a_seed_repeats_and_confidence_costs():
    question = ("audit", "gaussian(sigma=1) | poisson(rate=0.5)", "--runs", 20000, "--insecure-seed", 5)
    assert run(*question).stdout == run(*question).stdout
    loose = ask(*question, "--confidence", 0.9)["epsilon"]["lower"]
    assert loose > ask(*question, "--confidence", 0.999999)["epsilon"]["lower"]


def test_a_claim_can_be_stated():
    assert audit("laplace(scale=1)", "--epsilon", 1.01, "--delta", 0)["verdict"] == "CONSISTENT"
    report = audit("laplace(scale=1)", "--epsilon", 0.8, "--delta", 0, codes=(1,))
    assert report["verdict"] == "VIOLATED" and report["claimed_by"] == "--epsilon"


def test_a_plan(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('expression = "gaussian(sigma=1)"\n[target]\nepsilon = 5\ndelta = 0.02\n')
    report = audit(plan, "--runs", 100000)
    assert report["delta"] == 0.02 and report["ran"] == "gaussian(sigma=1)" and report["verdict"] == "CONSISTENT"
    plan.write_text("[noisy_sgd]\nn = 2\nlearning_rate = [0.5, 0.4]\nsigma = 1\nlipschitz = 1\nsmoothness = 1\n")
    result = run("audit", plan)
    assert result.returncode == 2 and "the same constant at every step" in result.stderr


def test_a_matrix(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("0.6,0.3,0.1\n0.3,0.4,0.3\n0.1,0.1,0.8\n")
    report = audit(f"finite('{rows}')", "--delta", 0)
    assert report["epsilon"]["lower"] >= 0.9 * report["epsilon"]["claimed"]


def test_a_program_is_audited(inputs):
    question = [*program(*inputs), "--delta", 0, "--runs", 40000, "--runs-per-call", 5000]
    report = audit(*question, "--epsilon", 1)
    assert report["verdict"] == "CONSISTENT" and report["epsilon"]["lower"] > 0.85
    assert report["event"].startswith("output")
    assert audit(*question, "--epsilon", 0.8, codes=(1,))["verdict"] == "VIOLATED"


def test_a_program_that_prints_words(inputs):
    command = "if [ $(( {seed} % 10 )) -lt 8 ] && grep -q Cy {input}; then echo yes; else echo no; fi"
    report = audit(*program(*inputs, command=command), "--labels", "--epsilon", 5, "--delta", 0.01, "--runs", 400)
    assert report["event"] in ("output = 'yes'", "output = 'no'")
    assert report["epsilon"]["lower"] > 1


def test_a_program_and_gaussian_dp(inputs):
    command = ("python3 -c 'import random,sys; r = random.Random(int(sys.argv[2])); n = len(open(sys.argv[1]).readlines());"
               "[print(n + r.gauss(0, 1)) for _ in range(5000)]' {input} {seed}")
    question = [*program(*inputs, command=command), "--delta", 1e-5, "--runs", 40000, "--runs-per-call", 5000]
    assert "gaussian" not in audit(*question, "--epsilon", 4.4)
    report = audit(*question, "--epsilon", 4.4, "--gaussian")
    assert report["verdict"] == "CONSISTENT" and report["gaussian"]["epsilon"]["lower"] > 3
    assert audit(*question, "--epsilon", 3, "--gaussian", codes=(1,))["verdict"] == "VIOLATED"


@pytest.mark.parametrize("command, more, problem", [
    ("cat {input} >&2; exit 4", [], "exit code 4: Ada"),
    ("cat {input}", [], "printed 'Ada', need finite numbers"),
    ("true {input}", [], "printed no output"),
    ("echo 1 {input} | cut -c1", ["--runs-per-call", 3], "printed 1 outputs, need 3"),
    ("wc -l < {input}; echo 1 2", ["--runs-per-call", 2], "1 numbers and then 2"),
    ("seq -s ' ' $(wc -l < {input})", [], "output = 2 numbers, need 3, as in the first run"),
    ("sleep 86400; cat {input}", ["--timeout", 0.2], "took longer than 0.2 s"),
    ("./no-such-program {input}", [], "exit code 127"),
    ("echo 1", [], "need {input}"),
    ("cat {input}", ["--timeout", 0], "--timeout = 0"),
    ("cat {input}", ["--runs-per-call", 0], "--runs-per-call = 0"),
])
def test_programs_that_fail_get_one_line(inputs, command, more, problem):
    result = run("audit", *program(*inputs, command=command), "--epsilon", 1, "--runs", 40, *more)
    assert result.returncode == 2 and result.stdout == ""
    assert problem in result.stderr and result.stderr.count("\n") == 1, result.stderr


def test_an_interrupt_ends_the_programs(inputs, tmp_path):
    command = f"echo $$ >> {shlex.quote(str(tmp_path))}/pids; sleep 86400; cat {{input}}"
    audited = Started(PROGRAM, "audit", *program(*inputs, command=command), "--epsilon", 1, "--timeout", 100 * BACKSTOP)
    pids = tmp_path / "pids"
    audited.wait_until(lambda: pids.exists() and pids.read_text().endswith("\n"))
    audited.send_signal(signal.SIGINT)
    _, errors = audited.end()
    assert audited.returncode == 130 and errors == "doeblin: interrupted\n"
    for pid in pids.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


@pytest.fixture
def people(tmp_path):
    file = tmp_path / "people.csv"
    rows = "".join(f"{k % 5 / 5},{k % 3 / 3},{k % 2}\n" for k in range(12))
    file.write_text("a,b,y\n" + rows)
    return ["--train", file, "--label", "y", "--bounds", "*=0:1", "--norm", 1, "--intercept", 0, "--radius", 0.5,
            "--learning-rate", 1, "--batch", 12]


def test_training_with_a_canary(people, tmp_path):
    before = sorted(os.listdir(tmp_path))
    report = audit(*people, "--sigma", 0.1, "--delta", 0.01, "--runs", 8000)
    assert report["verdict"] == "CONSISTENT" and report["ran"] == "training with a canary as record 12"
    assert 0.2 * report["epsilon"]["claimed"] < report["epsilon"]["lower"]
    assert 0.5 * report["gaussian"]["mu"]["claimed"] < report["gaussian"]["mu"]["lower"]
    target = audit(*people, "--epsilon", 2, "--delta", 0.01, "--runs", 400, "--canary", 3)
    assert target["epsilon"]["claimed"] <= 2 and target["ran"].endswith("record 3")
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("more, problem", [
    (["--sigma", 0.1, "--canary", 13], "canary = 13, need a private record, 1 to 12"),
    ([], "--epsilon: missing"),
    (["--sigma", 0.1, "--epsilon", 1], "--sigma: not together with --epsilon"),
    (["--sigma", 0.1, "--noise-factor", 0.8], "--noise-factor: only with an expression"),
    (["--sigma", 0.1, "--certificate", "x.json"], "--certificate: not with --train"),
    (["--sigma", 0.1, "--delta", 0], "--delta = 0"),
])
def test_training_that_makes_no_sense(people, more, problem):
    result = run("audit", *people, *more)
    assert result.returncode == 2 and problem in result.stderr and result.stderr.count("\n") == 1, result.stderr


def test_certificates(tmp_path, inputs):
    file = tmp_path / "claim.json"
    assert run("epsilon", "gaussian(sigma=1)", "--delta", "0.01", "--certificate", file).returncode == 0
    report = audit("--certificate", file)
    assert report["verdict"] == "CONSISTENT" and report["claimed_by"] == "the certificate" and report["delta"] == 0.01
    assert report["epsilon"]["lower"] >= 0.8 * report["epsilon"]["claimed"]
    assert audit("--certificate", file, "--noise-factor", 0.8, codes=(1,))["verdict"] == "VIOLATED"
    # Another mechanism, or a program, against the same claim.
    assert audit("gaussian(sigma=0.8)", "--certificate", file, codes=(1,))["verdict"] == "VIOLATED"
    question = [*program(*inputs), "--runs", 20000, "--runs-per-call", 5000, "--certificate", file]
    assert audit(*question)["verdict"] == "CONSISTENT"
    for arguments, problem in (
        (["--certificate", file, "--delta", 0.5], "--delta = 0.5, need one that the certificate has a claim about"),
        (["--certificate", file, "--epsilon", 1], "--epsilon: not with --certificate"),
        (["--certificate", tmp_path / "none.json"], "need an existing regular file"),
    ):
        result = run("audit", *arguments)
        assert result.returncode == 2 and problem in result.stderr and result.stderr.count("\n") == 1, result.stderr
    file.write_text(file.read_text().replace("0.01", "0.02", 1))
    assert run("audit", "--certificate", file).returncode == 2


@pytest.mark.parametrize("arguments, problem", [
    ([], "nothing to run"),
    (["gaussian(sigma=1)", "--command", "cat {input}"], "not several"),
    (["gaussian(sigma=-1)"], "gaussian: sigma = -1"),
    (["gausian(sigma=1)"], "did you mean 'gaussian'?"),
    (["gaussian(sigma=?)"], "'?'"),
    (["black_box(1, 1e-6)"], "audit = 'black_box', need a mechanism that can be run"),
    (["gaussian(sigma=1) | group(2)"], "audit = 'group', need a stage that can be run"),
    (["gaussian(sigma=1) | compose(100000)"], "at most 1000 numbers"),
    (["gaussian(sigma=1)", "--runs", 0], "--runs = 0, need 8 <= runs"),
    (["gaussian(sigma=1)", "--runs", 1], "--runs = 1, need 8 <= runs"),
    (["gaussian(sigma=1)", "--runs", 1.5], "--runs = 1.5"),
    (["gaussian(sigma=1)", "--runs", "nan"], "--runs"),
    (["gaussian(sigma=1)", "--confidence", 1], "--confidence = 1"),
    (["gaussian(sigma=1)", "--confidence", 0], "--confidence = 0"),
    (["gaussian(sigma=1)", "--delta", 1], "--delta = 1"),
    (["gaussian(sigma=1)", "--delta", -1], "--delta = -1"),
    (["gaussian(sigma=1)", "--epsilon", -1], "--epsilon = -1"),
    (["gaussian(sigma=1)", "--noise-factor", 0], "noise_factor = 0"),
    (["gaussian(sigma=1)", "--insecure-seed", -1], "--insecure-seed = -1"),
    (["gaussian(sigma=1)", "--inputs", "a", "b"], "--inputs: only with --command"),
    (["gaussian(sigma=1)", "--labels"], "--labels: only with --command"),
    (["gaussian(sigma=1)", "--timeout", 3], "--timeout: only with --command"),
    (["gaussian(sigma=1)", "--canary", 3], "--canary: only with --train"),
    (["gaussian(sigma=1)", "--sigma", 3], "--sigma: only with --train"),
    (["laplace(scale=1)", "--gaussian", "--delta", 0], "delta > 0 for Gaussian DP"),
    (["--command", "cat {input}", "--epsilon", 1], "--inputs"),
    (["--command", "cat {input}", "--inputs", "a", "b"], "--epsilon: missing"),
])
def test_bad_options_get_one_line(arguments, problem):
    result = run("audit", *arguments)
    assert result.returncode == 2, result.stderr
    assert problem in result.stderr and result.stderr.count("\n") == 1, result.stderr
    failed = run("audit", *arguments, "--json")
    assert problem in json.loads(failed.stdout)["error"]
