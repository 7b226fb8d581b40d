# SPDX-License-Identifier: Apache-2.0
"""Everything the command line computes, Python computes: the same names, the same bits."""
import json
import math
import subprocess
import warnings

import numpy as np
import pytest
import scipy.sparse

import doeblin
from doeblin import *  # noqa: F403: expressions are evaluated as Python

EXPRESSIONS = [
    "gaussian(sigma=2)",
    "laplace(scale=1) | group(3)",
    "twice_laplace(1, 2)",
    "randomized_response(p=0.75) | binary_symmetric(flip=0.1)",
    "discrete_gaussian(sigma=4)",
    "discrete_laplace(scale=2, sensitivity=1) | compose(3)",
    "black_box(epsilon=1, delta=1e-6) | poisson(rate=0.1)",
    "gdp(mu=0.5) + zcdp(rho=0.1)",
    "rdp(alpha=8, epsilon=0.5)",
    "tcdp(rho=0.1, omega=10) | compose(4)",
    "brownian(time=2) | evolve(time=1)",
    "ornstein_uhlenbeck(theta=0.5, rho=1, time=2)",
    "gaussian(sigma=1.1) | poisson(rate=256/60000) | compose(1000)",
    "gaussian(sigma=2) | with_replacement(n=1000, m=50)",
    "laplace(scale=1) | without_replacement(n=1000, m=50)",
    "(gaussian(sigma=4) | compose(30)) + laplace(scale=10) + (laplace(scale=20) | poisson(rate=0.1))",
    "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1)",
    "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1, order='permuted') | compose(2)",
    "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5) | person(39)",
    "noisy_iteration(steps=10, sigma=1, sensitivity=1, lipschitz=0.9, affected='1,5')",
    "gaussian(sigma=1) | k_ary_response(k=4, p=0.7) | doeblin(gamma=0.5)",
    "gaussian(sigma=1) | dobrushin(gamma=0.5) | ultra_mixing(gamma=0.5)",
    "gaussian(sigma=1) | projected_gaussian(sigma=0.5, low=0, high=1, lipschitz=0.9, steps=10)",
    "laplace(scale=1) | projected_laplace(sigma=0.5, low=0, high=1)",
    "discrete_gaussian(sigma=2) | truncated_geometric(states=5, ratio=0.5)",
]


def number(value):
    return {"inf": math.inf, "-inf": -math.inf}.get(value, value)


def ends(bracket):
    return bracket.lower, bracket.upper


def said(json_bracket):
    return number(json_bracket["lower"]), number(json_bracket["upper"])


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_numbers_and_derivations(ask, expression):
    pipeline = eval(expression, vars(doeblin) | {"doeblin": doeblin.doeblin})
    parsed = doeblin.parse(expression)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", doeblin.AccuracyWarning)
        for one in (pipeline, parsed):
            theirs = ask("epsilon", expression, "--delta", "1e-5", codes=(0, 3))
            assert ends(one.epsilon(delta=1e-5)) == said(theirs["epsilon"])
            assert one.relation == theirs["relation"]
            assert [step["stage"] for step in one.steps] == [step["stage"] for step in theirs["analysis"]]
            assert one.steps == json.loads(json.dumps(theirs["analysis"]))
            assert ends(one.delta(epsilon=0.5)) == said(ask("delta", expression, "--epsilon", "0.5", codes=(0, 3))["delta"])
            assert ends(one.rdp(alpha=4)) == said(ask("rdp", expression, "--alpha", "4", codes=(0, 3))["rdp"])


@pytest.mark.parametrize("accountant", ["pld", "renyi", "basic"])
def test_settings(ask, accountant):
    expression = "laplace(scale=10) | compose(50)"
    theirs = ask("epsilon", expression, "--delta", "1e-6", "--accountant", accountant, codes=(0, 3))
    ours = doeblin.parse(expression).under(accountant=accountant).epsilon(1e-6)
    assert ends(ours) == said(theirs["epsilon"])
    wide = ask("epsilon", expression, "--delta", "1e-6", "--width", "0.1", codes=(0, 3))
    assert ends(doeblin.parse(expression).under(width=0.1).epsilon(1e-6)) == said(wide["epsilon"])


def plain(report):
    """A report without what only the program's call adds: its expression as it was written."""
    return {key: value for key, value in json.loads(report if isinstance(report, str) else report.to_json()).items()
            if key != "expression"}


def without(answer, *keys):
    return {key: value for key, value in answer.items() if key not in ("expression", "open_expression", *keys)}


def test_reports(ask):
    expression = "gaussian(sigma=1.1) | poisson(rate=0.01) | compose(100)"
    pipeline = doeblin.parse(expression)
    assert plain(pipeline.explain(delta=1e-6, epsilon=[0.5, 1])) == without(
        ask("explain", expression, "--delta", "1e-6", "--epsilon", "0.5,1"))
    assert plain(pipeline.compare(delta=1e-5)) == without(ask("compare", expression, "--delta", "1e-5"))
    assert plain(pipeline.compare(epsilon=0.5)) == without(ask("compare", expression, "--epsilon", "0.5"))
    run = "noisy_sgd(n=60, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=1, diameter=2)"
    people = doeblin.parse(run).people(delta=1e-6)
    assert plain(people.report) == without(ask("people", run, "--delta", "1e-6"))
    assert plain(doeblin.parse(run).people(epsilon=1).report) == without(ask("people", run, "--epsilon", "1"))
    table = ask("profile", "laplace(scale=1)")
    profile = doeblin.laplace(scale=1).profile()
    assert [ends(x) for x in profile.delta] == [said(row["delta"]) for row in table["results"]]
    assert profile.epsilon.tolist() == [row["epsilon"] for row in table["results"]]


def test_people_files(ask, tmp_path):
    run = "noisy_sgd(n=30, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=1, diameter=2)"
    ask("people", run, "--delta", "1e-6", "--csv", tmp_path / "people.csv", "--svg", tmp_path / "people.svg")
    people = doeblin.parse(run).people(delta=1e-6)
    rows = np.loadtxt(tmp_path / "people.csv", delimiter=",", skiprows=1)
    assert np.array_equal(rows[:, 1], people.lower) and np.array_equal(rows[:, 2], people.upper)
    assert people.svg().count("<path") == (tmp_path / "people.svg").read_text().count("<path")


@pytest.mark.parametrize("expression, function, target", [
    ("gaussian(sigma=?) | compose(10)", lambda s: gaussian(sigma=s) | compose(10), (1, 1e-5)),
    ("gaussian(sigma=?) | poisson(rate=0.01) | compose(100)",
     lambda s: gaussian(sigma=s) | poisson(rate=0.01) | compose(100), (1, 1e-5)),
    ("laplace(scale=20) | compose(?)", lambda k: laplace(scale=20) | compose(k), (2, 1e-6)),
    ("laplace(scale=?)", laplace, (1, 0)),
])
def test_calibration(ask, expression, function, target):
    epsilon, delta = target
    theirs = ask("calibrate", expression, "--epsilon", epsilon, "--delta", delta)
    for ours in (calibrate(expression, epsilon, delta), calibrate(function, epsilon=epsilon, delta=delta)):
        assert without(json.loads(ours.to_json())) == without(theirs)
        assert ours.pipeline.delta(epsilon) <= delta


def test_diffusion_calibration(ask):
    expression = "ornstein_uhlenbeck(theta=?, rho=?, time=1)"
    theirs = ask("calibrate", expression, "--epsilon", 1, "--delta", 1e-6, "--radius", 10, "--dimension", 50)
    assert json.loads(calibrate(expression, 1, 1e-6, radius=10, dimension=50).to_json()) == theirs


def test_mix(ask, tmp_path):
    matrix = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.25, 0.25, 0.5]])
    np.save(tmp_path / "kernel.npy", matrix)
    theirs = ask("mix", tmp_path / "kernel.npy", "--mechanism", "gaussian(sigma=1)", "--steps", 5, "--target-epsilon", 0.1)
    ours = mix(tmp_path / "kernel.npy", mechanism="gaussian(sigma=1)", steps=5, target_epsilon=0.1)
    assert without(json.loads(ours.to_json()), "mechanism") == without(theirs, "mechanism")
    for held in (matrix, matrix.tolist(), np.asfortranarray(matrix)):
        memory = mix(held, mechanism=gaussian(sigma=1), steps=5, target_epsilon=0.1)
        assert without(json.loads(memory.to_json()), "kernel", "mechanism") == without(theirs, "kernel", "mechanism")
    from_sparse = mix(scipy.sparse.csr_matrix(matrix), mechanism=gaussian(sigma=1), steps=5)
    assert ends(from_sparse.dobrushin["gamma"]) == said(theirs["dobrushin"]["gamma"])
    named = ask("mix", "k_ary_response(k=4, p=0.7) | doeblin(gamma=0.5)", "--steps", 3)
    assert json.loads(mix(k_ary_response(k=4, p=0.7) | doeblin.doeblin(gamma=0.5), steps=3).to_json())["steps"] == named["steps"]


def test_files_and_arrays_are_the_same(tmp_path):
    matrix = np.array([[0.75, 0.25], [0.5, 0.5]])
    np.savetxt(tmp_path / "matrix.csv", matrix, delimiter=",")
    (tmp_path / "pairs.csv").write_text("1,2\n")
    (tmp_path / "edges.txt").write_text("0 1\n1 2\n2 0\n0 3\n")
    for from_file, from_array in [
        (finite(tmp_path / "matrix.csv"), finite(matrix)),
        (finite(tmp_path / "matrix.csv", tmp_path / "pairs.csv"), finite(matrix, [[0, 1]])),
        (black_box(1, 1e-6) | kernel(tmp_path / "matrix.csv", steps=3), black_box(1, 1e-6) | kernel(matrix, steps=3)),
        (black_box(1, 1e-6) | lazy_walk(str(tmp_path / "edges.txt"), steps=3),
         black_box(1, 1e-6) | lazy_walk([[0, 1], [1, 2], [2, 0], [0, 3]], steps=3)),
    ]:
        assert ends(from_file.epsilon(1e-7)) == ends(from_array.epsilon(1e-7))
        assert ends(from_file.delta(0.3)) == ends(from_array.delta(0.3))


def test_schedules(ask, tmp_path):
    rates = np.linspace(0.5, 0.1, 40)
    sigmas = np.full(40, 2.0)
    (tmp_path / "schedule.csv").write_text(
        "learning_rate,sigma\n" + "".join(f"{a!r},{b!r}\n" for a, b in zip(rates.tolist(), sigmas.tolist())))
    constants = dict(n=40, lipschitz=1, smoothness=0.5, diameter=1)
    ours = noisy_sgd(learning_rate=rates, sigma=sigmas, **constants)
    theirs = ask("epsilon", f"noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1, schedule='{tmp_path}/schedule.csv')", "--delta", "1e-5")
    assert ends(ours.epsilon(1e-5)) == said(theirs["epsilon"])
    assert (ours + gaussian(sigma=10)).epsilon(1e-5) > ours.epsilon(1e-5)
    certificate = ours.certificate(delta=1e-5)
    assert certificate.verify().verdict in ("VERIFIED", "NOT CHECKED")
    both = noisy_sgd(learning_rate=rates, sigma=sigmas, **constants) + noisy_sgd(learning_rate=0.5, sigma=2, **constants)
    assert both.certificate(delta=1e-5).verify().verdict in ("VERIFIED", "NOT CHECKED")
    written = doeblin.parse(ours.expression)
    assert ends(written.epsilon(1e-5)) == ends(ours.epsilon(1e-5))
    assert ends(ours.epsilon(1e-5)) == said(ask("epsilon", ours.expression, "--delta", "1e-5")["epsilon"])
    hidden = noisy_sgd(learning_rate=0.5, sigma=2, **constants)
    shown = noisy_sgd(learning_rate=0.5, sigma=2, checkpoints=[10, 20], **constants)
    assert shown.expression.count("checkpoints='10,20'") == 1 and shown.epsilon(1e-5) >= hidden.epsilon(1e-5).lower


def test_plans(ask, tmp_path):
    (tmp_path / "plan.toml").write_text('name = "survey"\nexpression = "gaussian(sigma=3) | compose(7)"\n[target]\nepsilon = 1\ndelta = 1e-6\n')
    plan = doeblin.plan(tmp_path / "plan.toml")
    theirs = ask("epsilon", tmp_path / "plan.toml")
    assert (plan.name, plan.epsilon, plan.delta) == ("survey", 1.0, 1e-6)
    assert ends(plan.pipeline.epsilon(plan.delta)) == said(theirs["epsilon"])


def test_certificates(ask, tmp_path):
    expression = "gaussian(sigma=2) | compose(10)"
    ask("epsilon", expression, "--delta", "1e-6", "--certificate", tmp_path / "theirs.json")
    ours = doeblin.parse(expression).certificate(delta=1e-6)
    assert ours.text == (tmp_path / "theirs.json").read_text()
    ours.write(tmp_path / "ours.json")
    assert Certificate.read(tmp_path / "ours.json") == ours
    assert ask("verify", tmp_path / "ours.json")["verdict"] == "VERIFIED"
    assert verify(tmp_path / "theirs.json") and ours.verify(verbose=True)["checks"]
    run = "noisy_sgd(n=30, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=1, diameter=2)"
    ask("people", run, "--delta", "1e-6", "--certificate", tmp_path / "people.json")
    assert doeblin.parse(run).certificate(delta=1e-6, people=True).text == (tmp_path / "people.json").read_text()
    page = report(tmp_path / "ours.json", tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page and page.startswith("<!DOCTYPE html>")
    assert report(doeblin.parse(expression).compare()).startswith("<!DOCTYPE html>")
    with pytest.raises(ValueError, match="another file"):
        report(tmp_path / "ours.json", tmp_path / "ours.json")


def test_tampering_is_refuted(tmp_path):
    certificate = (gaussian(sigma=2) | compose(10)).certificate(delta=1e-6)
    (tmp_path / "forged.json").write_text(certificate.text.replace("sigma", "sigmb", 1))
    with pytest.raises(ValueError):
        verify(tmp_path / "forged.json")
    with pytest.raises(ValueError):
        Certificate.read(tmp_path / "missing.json")


def test_training_is_the_command(ask, tmp_path):
    rng = np.random.default_rng(3)
    X = rng.uniform(-1, 1, (300, 3))
    y = (X[:, 0] > 0.1).astype(float)
    np.save(tmp_path / "data.npy", np.column_stack([X, y]))
    options = dict(norm=1, radius=3, epsilon=2, delta=1e-5, batch=10, epochs=2, insecure_seed=5)
    theirs = ask("train", tmp_path / "data.npy", "--norm", 1, "--radius", 3, "--epsilon", 2, "--delta", 1e-5, "--batch", 10,
                 "--epochs", 2, "--insecure-seed", 5, "--output", tmp_path / "run")
    arrays = train(X, y, classes=[0, 1], **options)
    files = train_file(tmp_path / "data.npy", **options)
    for ours in (arrays, files):
        assert without(json.loads(ours.to_json()), "seconds", "files") == without(theirs, "seconds", "files")
        written = json.loads((tmp_path / "run" / "model.json").read_text())
        assert json.loads(ours.model.text)["parameters"] == written["parameters"]
        assert ours.certificate.text == (tmp_path / "run" / "certificate.json").read_text()
    with_files = train_file(tmp_path / "data.npy", output=tmp_path / "again", certificate=tmp_path / "c.json", **options)
    assert (tmp_path / "c.json").read_text() == with_files.certificate.text
    assert (tmp_path / "again" / "model.json").read_text() == with_files.model.text + "\n"
    predict_file(tmp_path / "run" / "model.json", tmp_path / "data.npy", tmp_path / "predictions.csv")
    predicted = np.loadtxt(tmp_path / "predictions.csv", delimiter=",", skiprows=1)
    assert np.array_equal(predicted[:, 1], arrays.model.predict(X))
    probabilities = arrays.model.predict_proba(X).max(axis=1)
    assert np.allclose(predicted[:, 2], probabilities, rtol=1e-12)


def test_audit_of_training_is_the_command(ask, tmp_path):
    rng = np.random.default_rng(3)
    X = rng.uniform(0, 1, (40, 2))
    y = (X[:, 0] > 0.5).astype(float)
    np.save(tmp_path / "data.npy", np.column_stack([X, y]))
    theirs = ask("audit", "--train", tmp_path / "data.npy", "--norm", 1, "--radius", 3, "--sigma", 0.5, "--runs", 200,
                 "--insecure-seed", 4)
    for ours in (audit_training(tmp_path / "data.npy", norm=1, radius=3, sigma=0.5, runs=200, insecure_seed=4),
                 audit_training(X, y, classes=[0, 1], norm=1, radius=3, sigma=0.5, runs=200, insecure_seed=4)):
        assert without(json.loads(ours.to_json()), "subject") == without(theirs, "subject")


def test_every_command_has_its_function(program):
    """What `doeblin --help` lists and what Python offers for it."""
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    commands = {line.split()[0] for line in text.split("Subcommands:")[1].split("Example:")[0].splitlines() if line.startswith("  ") and line[2] != " "}
    python = {"epsilon": Pipeline.epsilon, "delta": Pipeline.delta, "profile": Pipeline.profile, "rdp": Pipeline.rdp,
              "explain": Pipeline.explain, "compare": Pipeline.compare, "calibrate": calibrate, "people": Pipeline.people,
              "mix": mix, "release": doeblin.release_file, "train": train_file, "predict": predict_file, "verify": verify,
              "audit": doeblin.audit, "report": report, "stages": doeblin.stages}
    assert commands - {"completion"} == set(python)
    assert [one["name"] for one in doeblin.stages()] == doeblin._stages.__all__
