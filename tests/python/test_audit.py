# SPDX-License-Identifier: Apache-2.0
"""Audits: the command's own bits for pipelines, functions of every kind, verdicts on true and false claims, errors."""
import doctest
import json
import math
import os
import pickle
import shlex
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import doeblin
from conftest import BACKSTOP
from doeblin import _audit, audit, audit_command

MOST = dict(runs=40_000, block=5000)


def told(program, *arguments):
    done = subprocess.run([str(program), "audit", *map(str, arguments), "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.rstrip("\n")


def laplace(scale, seed=1):
    random = np.random.default_rng(seed)
    return lambda x, n: x + random.laplace(scale=scale, size=n)


def gaussian(sigma, seed=1):
    random = np.random.default_rng(seed)
    return lambda x, n: x + random.normal(scale=sigma, size=n)


# As the command does it.


@pytest.mark.parametrize("expression, more, options", [
    ("laplace(scale=1)", dict(delta=0), ["--delta", 0]),
    ("gaussian(sigma=1)", dict(delta=1e-5, noise_factor=0.8), ["--delta", 1e-5, "--noise-factor", 0.8]),
    ("gaussian(sigma=1) | poisson(rate=0.5)", dict(runs=20_000, confidence=0.9), ["--runs", 20_000, "--confidence", 0.9]),
    ("randomized_response(p=0.75)", dict(epsilon=1, delta=0), ["--epsilon", 1, "--delta", 0]),
    ("noisy_sgd(n=8, learning_rate=0.5, sigma=2, lipschitz=2, smoothness=2) | person(1)", dict(gaussian=True), ["--gaussian"]),
])
def test_a_seed_gives_the_bits_of_the_program(program, expression, more, options):
    found = audit(expression, insecure_seed=3, **more)
    assert found.to_json() == told(program, expression, *options, "--insecure-seed", 3)
    pipeline = audit(doeblin.parse(expression), insecure_seed=3, **more)
    assert {**pipeline, "ran": ""} == {**found, "ran": ""}


def test_a_certificate_is_claim_and_mechanism(program, tmp_path):
    certificate = doeblin.gaussian(sigma=1.2).certificate(delta=1e-3)
    certificate.write(tmp_path / "claim.json")
    theirs = told(program, "--certificate", tmp_path / "claim.json", "--insecure-seed", 1)
    found = audit(certificate, insecure_seed=1)
    assert found.to_json() == theirs and found.claimed_by == "the certificate"
    assert audit(None, certificate=tmp_path / "claim.json", insecure_seed=1).to_json() == theirs
    assert audit("gaussian(sigma=0.96)", certificate=certificate, insecure_seed=1).verdict == "VIOLATED"
    assert audit(gaussian(1.2), 0, 1, certificate=certificate, **MOST)
    assert not audit(gaussian(0.6), 0, 1, certificate=str(tmp_path / "claim.json"), gaussian=True, **MOST)
    text = certificate.text.replace("0.001", "0.002", 1)
    (tmp_path / "claim.json").write_text(text)
    with pytest.raises(ValueError):
        audit(None, certificate=tmp_path / "claim.json")
    void = doeblin.release([1.0], "gaussian(1)", bounds=(0, 1), insecure_seed=1).certificate()
    with pytest.raises(ValueError, match="void"):
        audit(gaussian(1), 0, 1, certificate=void)


def test_results_have_names():
    found = audit("gaussian(sigma=1)", delta=0.01, runs=20_000, insecure_seed=1)
    assert found and found.verdict == "CONSISTENT" and found.delta == 0.01 and found.runs == 20_000
    assert 0 < found.epsilon_lower == found.epsilon["lower"] <= found.epsilon_claimed == found.epsilon["claimed"]
    assert 0.8 < found.mu_lower == found.gaussian["mu"]["lower"] <= 1
    assert audit("laplace(scale=1)", delta=0, runs=1000, insecure_seed=1).mu_lower is None
    assert str(found).startswith("CONSISTENT: epsilon >= ") and "verdict" in repr(found)
    copy = pickle.loads(pickle.dumps(found))
    assert copy == found and isinstance(copy, doeblin.Audit) and bool(copy)
    assert audit("laplace(scale=1)", runs=1000).seeded is False


def test_a_pipeline_claims_what_its_accountant_says():
    pipeline = (doeblin.laplace(scale=3) | doeblin.compose(4)).under(accountant="renyi")
    found = audit(pipeline, delta=1e-3, runs=2000, insecure_seed=1)
    assert found.epsilon_claimed == pipeline.epsilon(delta=1e-3).upper


def test_pipelines_that_cannot_be_run():
    for pipeline in (doeblin.black_box(1), doeblin.finite(np.array([[0.75, 0.25], [0.25, 0.75]])), doeblin.gaussian(1) | doeblin.group(2),
                     doeblin.noisy_sgd(n=2, learning_rate=[0.5, 0.4], sigma=1, lipschitz=1, smoothness=1)):
        with pytest.raises(ValueError):
            audit(pipeline)


# Functions.


@pytest.mark.parametrize("make, size, claim, delta", [(laplace, 1.0, 1.0, 0.0), (gaussian, 1.0, 2.0, 0.01)])
def test_a_fifth_less_noise_is_caught(make, size, claim, delta):
    if make is gaussian:
        claim = doeblin.gaussian(sigma=size).epsilon(delta=delta).upper
    more = dict(epsilon=claim, delta=delta, runs=200_000, block=20_000)
    good = audit(make(size), 0, 1, **more)
    assert good and 0.8 * claim < good.epsilon_lower <= claim
    bad = audit(make(0.8 * size), 0, 1, **more)
    assert not bad and bad.verdict == "VIOLATED" and bad.epsilon_lower > claim


def test_gaussian_claims_reach_a_small_delta():
    claim = doeblin.gaussian(sigma=1).epsilon(delta=1e-6).upper
    more = dict(epsilon=claim, delta=1e-6, gaussian=True, **MOST)
    found = audit(gaussian(1), 0, 1, **more)
    assert found and 0.85 < found.mu_lower <= 1
    assert not audit(gaussian(0.8), 0, 1, **more)


def test_outputs_one_at_a_time():
    random = np.random.default_rng(2)
    seen = []

    def noisy_count(people):
        seen.append(people)
        return len(people) + random.laplace()

    first, second = ["Ada", "Bob"], ["Ada"]
    found = audit(noisy_count, first, second, epsilon=1, delta=0)
    assert found and found.epsilon_lower > 0.7 and "noisy_count" in found.ran and found.claimed_by == "epsilon"
    # One run more tells how long an output is.
    assert len(seen) == 10_001 and all(one is first or one is second for one in seen)
    assert sum(one is second for one in seen) == 5000


@pytest.mark.parametrize("as_rows", [tuple, list, np.array, lambda row: np.array(row, dtype=np.float32)])
def test_outputs_of_several_numbers(as_rows):
    random = np.random.default_rng(3)

    def two(x):
        return as_rows([random.normal(), x + random.normal()])

    found = audit(two, 0, 1, epsilon=3, delta=0.01, runs=8000)
    assert found and found.epsilon_lower > 0.4 and len(found.black_box["weights"]) == 2
    block = audit(lambda x, n: np.array([0, x]) + random.normal(size=(n, 2)), 0, 1, epsilon=3, delta=0.01, runs=8000, block=1500)
    assert block and abs(block.epsilon_lower - found.epsilon_lower) < 1


def test_blocks_are_asked_for_as_they_are_needed():
    asked = []

    def draw(x, n):
        asked.append(n)
        return np.zeros(n) + x + np.random.default_rng(len(asked)).laplace(size=n)

    audit(draw, 0, 1, epsilon=1, delta=0, runs=10_000, block=1000)
    # 2500 four times, after the one that tells how long an output is.
    assert asked == [1, *[1000, 1000, 500] * 4]


def test_a_seeded_function_repeats():
    for make in (laplace, gaussian):
        first, second = (audit(make(1, seed=9), 0, 1, epsilon=2, runs=20_000, block=500) for _ in range(2))
        assert first.to_json() == second.to_json()


def test_labels():
    random = np.random.default_rng(4)

    def answer(bit):
        return ("no", "yes")[bit if random.random() < 0.75 else 1 - bit]

    found = audit(answer, 0, 1, epsilon=math.log(3), delta=0, labels=True)
    assert found and found.epsilon_lower > 0.8 and found.event in ("output = 'yes'", "output = 'no'")
    assert not audit(answer, 0, 1, epsilon=0.5, delta=0, labels=True)
    several = audit(lambda bit, n: [answer(bit) for _ in range(n)], 0, 1, epsilon=math.log(3), delta=0, labels=True, block=100)
    assert several and abs(several.epsilon_lower - found.epsilon_lower) < 0.3
    array = audit(lambda bit, n: np.array([answer(bit) for _ in range(n)]), 0, 1, epsilon=2, labels=True, block=100)
    assert array.event in ("output = 'yes'", "output = 'no'")
    # Anything that can be hashed; True and False are numbers as well.
    assert audit(lambda bit: (bit, None) if random.random() < 0.6 else frozenset(), 0, 1, epsilon=1, delta=0.7, labels=True, runs=1000)
    assert audit(lambda bit: bool(bit) ^ bool(random.random() < 0.25), 0, 1, epsilon=math.log(3), delta=0, runs=4000)


class Refused(Exception):
    pass


def test_what_a_function_raises_reaches_the_caller():
    raised = Refused("no")
    for more in (dict(), dict(block=100), dict(labels=True)):
        calls = []

        def fails(*arguments):
            calls.append(arguments)
            if len(calls) == 5:
                raise raised
            return 1.0 if len(arguments) == 1 else np.ones(arguments[1])

        with pytest.raises(Refused) as error:
            audit(fails, 0, 1, epsilon=1, runs=1000, **more)
        assert error.value is raised and len(calls) == 5
        assert any(entry.name == "fails" for entry in error.traceback)
    for kind in (KeyboardInterrupt, SystemExit, ValueError, MemoryError):
        with pytest.raises(kind):
            audit(lambda x: (_ for _ in ()).throw(kind), 0, 1, epsilon=1)


@pytest.mark.parametrize("function, more, error, problem", [
    (lambda x: "yes", {}, TypeError, "labels=True"), (lambda x: 1j, {}, TypeError, "output"), (lambda x: object(), {}, TypeError, "output"),
    (lambda x: None, {}, ValueError, "finite"), (lambda x: math.nan, {}, ValueError, "finite"), (lambda x: math.inf, {}, ValueError, "finite"),
    (lambda x: [], {}, ValueError, "no numbers"), (lambda x: [[1, 2], [3, 4]], {}, ValueError, "shape"), (lambda x: 10**400, {}, ValueError, "output"),
    (lambda x: [1] * (2 + x), {}, ValueError, "3 numbers"), (lambda x, n: np.ones(n + 1), dict(block=4), ValueError, "shape"),
    (lambda x, n: 3.0, dict(block=4), ValueError, "shape"), (lambda x, n: np.ones((n, 2, 2)), dict(block=4), ValueError, "shape"),
    (lambda x: [], dict(labels=True), TypeError, "hashed"), (lambda x, n: ["a"], dict(labels=True, block=4), ValueError, "labels"),
    (lambda x, n: "ab", dict(labels=True, block=2), ValueError, "labels"),
])
def test_outputs_that_are_none(function, more, error, problem):
    with pytest.raises(error, match=problem):
        audit(function, 0, 1, epsilon=1, runs=400, **more)


def test_outputs_that_change_their_length():
    lengths = iter([1] * 500 + [2] * 10_000)
    with pytest.raises(ValueError, match="different shapes|numbers"):
        audit(lambda x: [0.5] * next(lengths), 0, 1, epsilon=1, runs=4000)
    with pytest.raises(ValueError, match="runs"):
        audit(lambda x: np.zeros(2000), 0, 1, epsilon=1, runs=10**9)


def test_all_calls_come_from_the_calling_thread_and_audits_side_by_side_do_not_mix():
    results, problems = {}, []

    def work(seed):
        mine, random = threading.get_ident(), np.random.default_rng(seed)

        def draw(x):
            if threading.get_ident() != mine:
                problems.append(seed)
            return x + random.laplace()

        results[seed] = audit(draw, 0, 1, epsilon=1, delta=0, runs=4000).to_json()

    for seed in (1, 2, 3):
        work(seed)
    alone, results = results, {}
    threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == alone and not problems


def test_an_audit_within_an_audit():
    def nested(x):
        return audit("laplace(scale=1)", delta=0, runs=8, insecure_seed=1).epsilon_lower + x

    assert audit(nested, 0, 0.0, epsilon=1, runs=40)


@pytest.mark.parametrize("kind", ["a function", "a pipeline", "a program"])
def test_an_interrupt_ends_it(kind, tmp_path):
    command = f"echo $$ >> {shlex.quote(str(tmp_path))}/pids; sleep 86400; echo {{input}}"
    code = "print('ready', flush=True)\n" + {
        "a function": "import time\ndoeblin.audit(lambda x: (time.sleep(0.01), 1.0)[1], 0, 1, epsilon=1, runs=10**9)",
        "a pipeline": "doeblin.audit('gaussian(1) | compose(100)', runs=10**9)",
        "a program": f"doeblin.audit_command({command!r}, ['a', 'b'], epsilon=1, timeout=10**6)",
    }[kind]
    child = subprocess.Popen([sys.executable, "-c", f"import doeblin\n{code}\n"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    while kind == "a program" and not (tmp_path / "pids").exists():
        assert child.poll() is None
        time.sleep(0.02)
    # All of them have days of work.
    time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=BACKSTOP)
    assert "KeyboardInterrupt" in errors and child.returncode != 0, errors
    if kind == "a program":
        for pid in (tmp_path / "pids").read_text().split():
            with pytest.raises(ProcessLookupError):
                os.kill(int(pid), 0)


# Programs.


@pytest.fixture
def inputs(tmp_path):
    (tmp_path / "with one.txt").write_text("Ada\nBob\nCy\n")
    (tmp_path / "without.txt").write_text("Ada\nBob\n")
    return tmp_path / "with one.txt", tmp_path / "without.txt"


COUNT = (f"{shlex.quote(sys.executable)} -c 'import random,sys; r = random.Random(int(sys.argv[2])); n = len(open(sys.argv[1]).readlines());"
         "[print(n + r.expovariate(1) - r.expovariate(1)) for _ in range(5000)]' {input} {seed}")


def test_a_program(program, inputs):
    more = dict(delta=0, runs=40_000, runs_per_call=5000, insecure_seed=1)
    found = audit_command(COUNT, inputs, epsilon=1, **more)
    assert found.to_json() == told(program, "--command", COUNT, "--inputs", *inputs, "--epsilon", 1, "--delta", 0, "--runs", 40_000,
                                   "--runs-per-call", 5000, "--insecure-seed", 1)
    assert found and found.epsilon_lower > 0.85
    assert not audit_command(COUNT, list(map(str, inputs)), epsilon=0.8, **more)


def test_a_program_that_prints_words(inputs):
    command = "if [ $(( {seed} / 16 % 10 )) -lt 8 ] && grep -q Cy {input}; then echo yes; else echo no; fi"
    found = audit_command(command, inputs, epsilon=5, delta=0.01, runs=400, labels=True, insecure_seed=1)
    assert found.event in ("output = 'yes'", "output = 'no'") and found.epsilon_lower > 1


@pytest.mark.parametrize("more, error, problem", [
    (dict(command="exit 4 # {input}"), ValueError, "exit code 4"), (dict(command="cat {input}"), ValueError, "printed 'Ada'"),
    (dict(command="echo 1"), ValueError, "command = "), (dict(command=""), ValueError, "command"), (dict(command=3), TypeError, "command"),
    (dict(inputs=["a"]), TypeError, "inputs"), (dict(inputs="ab"), TypeError, "inputs"), (dict(inputs=[1, 2]), TypeError, "inputs"),
    (dict(epsilon=None), ValueError, "epsilon: missing"), (dict(timeout=0), ValueError, "timeout = 0"), (dict(timeout="x"), TypeError, "timeout"),
    (dict(command="sleep 86400; cat {input}", timeout=0.2), ValueError, "took longer"), (dict(runs_per_call=0), ValueError, "runs_per_call = 0"),
    (dict(labels=2), TypeError, "labels"),
])
def test_programs_that_fail(inputs, more, error, problem):
    arguments = {"command": "echo 1 # {input}", "inputs": inputs, "epsilon": 1, "runs": 40, **more}
    with pytest.raises(error, match=problem) as caught:
        audit_command(**arguments)
    assert "--" not in str(caught.value).replace("--labels", "")


# What is refused.


@pytest.mark.parametrize("arguments, more, error, problem", [
    ((), {}, TypeError, "mechanism"), ((None,), {}, TypeError, "mechanism"), ((3,), {}, TypeError, "mechanism"),
    (("gausian(1)",), {}, ValueError, "did you mean 'gaussian'"), (("gaussian(?)",), {}, ValueError, "'\\?'"),
    (("gaussian(1)", 0, 1), {}, ValueError, "a: only with a function"), (("gaussian(1)",), dict(block=5), ValueError, "block: only"),
    (("gaussian(1)",), dict(labels=True), ValueError, "labels: only"), (("gaussian(1)",), dict(runs=0), ValueError, "runs = 0"),
    (("gaussian(1)",), dict(runs=1.5), ValueError, "runs = 1.5"), (("gaussian(1)",), dict(runs="many"), TypeError, "runs"),
    (("gaussian(1)",), dict(runs=1e10), ValueError, "runs"), (("gaussian(1)",), dict(confidence=1), ValueError, "confidence = 1"),
    (("gaussian(1)",), dict(confidence=math.nan), ValueError, "confidence"), (("gaussian(1)",), dict(delta=1), ValueError, "delta = 1"),
    (("gaussian(1)",), dict(epsilon=-1), ValueError, "epsilon = -1"), (("gaussian(1)",), dict(noise_factor=0), ValueError, "noise_factor = 0"),
    (("gaussian(1)",), dict(insecure_seed=-1), ValueError, "insecure_seed"), (("gaussian(1)",), dict(gaussian=1), TypeError, "gaussian"),
    (("laplace(1)",), dict(gaussian=True, delta=0), ValueError, "delta > 0 for Gaussian DP"),
    (("gaussian(1)",), dict(certificate="none.json"), ValueError, "none.json"), (("gaussian(1)",), dict(certificate=3), TypeError, "certificate"),
    ((abs,), dict(epsilon=1), TypeError, "a, b: missing"), ((abs, 0, 1), {}, ValueError, "epsilon: missing"),
    ((abs, 0, 1), dict(epsilon=1, noise_factor=2), ValueError, "noise_factor: only"),
    ((abs, 0, 1), dict(epsilon=1, insecure_seed=1), ValueError, "insecure_seed: only"),
    ((abs, 0, 1), dict(epsilon=1, block=0), ValueError, "block = 0"), ((abs, 0, 1), dict(epsilon=1, block="x"), TypeError, "block"),
    ((abs, 0, 1), dict(epsilon=1, block=1.5), ValueError, "block = 1.5"), ((abs, 0, 1), dict(epsilon=1, labels=1), TypeError, "labels"),
    ((abs, 0, 1), dict(epsilon=1, runs=4), ValueError, "runs = 4"), ((abs, 0, 1), dict(epsilon=1, delta=-1), ValueError, "delta = -1"),
])
def test_bad_options(arguments, more, error, problem):
    with pytest.raises(error, match=problem) as caught:
        audit(*arguments, **more)
    assert "--" not in str(caught.value)


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.binary(max_size=3), st.complex_numbers(),
    st.just(10**400), st.just(object()), st.just(np.zeros(2)), st.just(np.array(1)), st.lists(st.floats(), max_size=3),
    st.just(doeblin.laplace(1)), st.just(doeblin.compose(2)), st.just("laplace(1)"), st.just(abs), st.just(np.float32(0.5)))
OUTPUTS = st.one_of(ANYTHING, st.just([[1]]), st.just([1, "x"]), st.just([1, [2]]), st.just({}), st.just(np.zeros((2, 0))))


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(st.just("laplace(1)"), ANYTHING),
       st.fixed_dictionaries({"runs": st.one_of(st.just(100), ANYTHING.filter(lambda x: x is not None))}, optional={
           name: ANYTHING for name in ("a", "b", "epsilon", "delta", "certificate", "gaussian", "confidence", "noise_factor", "insecure_seed",
                                       "block", "labels")}))
def test_arguments_of_any_kind_are_refused_or_audited(mechanism, arguments):
    try:
        audit(mechanism, **arguments)
    except (ValueError, TypeError):
        pass


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(OUTPUTS, min_size=1, max_size=3), st.booleans(), st.sampled_from([1, 2, 3]))
def test_outputs_of_any_kind_are_refused_or_audited(outputs, labels, block):
    turn = iter(range(1000))

    def function(*arguments):
        return outputs[next(turn) % len(outputs)]

    try:
        found = audit(function, 0, 1, epsilon=1, runs=20, labels=labels, block=block)
    except (ValueError, TypeError):
        return
    assert found.verdict in ("CONSISTENT", "VIOLATED") and json.loads(found.to_json())


def test_docstrings():
    assert doctest.testmod(_audit).failed == 0
