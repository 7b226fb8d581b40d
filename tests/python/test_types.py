# SPDX-License-Identifier: Apache-2.0
"""The stubs say what the package is: by stubtest, and for programs that are checked by mypy."""
import ast
import os
import pathlib
import re
import shutil
import runpy
import subprocess
import sys
import typing

import pytest
import typing_extensions

import doeblin
from conftest import BACKSTOP
from doeblin import _core, _training

PACKAGE = pathlib.Path(doeblin.__file__).parent

# What stubtest is not to look at, as regular expressions.
ALLOWED = r"""
# Functions and classes of nanobind are of types of its own and show no signature; their names are compared below.
doeblin\._core\..*
# They are made for type checkers only, in a file that has its annotations inside.
doeblin\._stages\.(Number|Path)
"""

RIGHT = '''
from __future__ import annotations

import pathlib
import tempfile
from collections import OrderedDict
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import doeblin
from doeblin import *
from doeblin.bridges import opacus
from doeblin.bridges.dp_accounting import DoeblinAccountant, pipeline_of
from doeblin.estimators import PrivateClassifier, PrivateRegressor

folder = pathlib.Path(tempfile.mkdtemp())

# The algebra.
source = gaussian(sigma=2, sensitivity=1)
assert_type(source, Pipeline)
assert_type(source | poisson(rate=0.1) | compose(10), Pipeline)
assert_type(poisson(rate=0.1) | compose(10), Stage)
assert_type(source + laplace(2), Pipeline)
assert_type(sum([source, source], black_box(0.0)), Pipeline)
total = sum([source, source])
assert isinstance(total, Pipeline)
assert_type(source | doeblin.doeblin(gamma=0.5), Pipeline)
assert_type(kernel(np.eye(2)) | kernel([[0.5, 0.5], [0.5, 0.5]], steps=2), Stage)
assert_type(source.under(accountant="renyi", width=1e-3), Pipeline)
assert_type(parse("gaussian(sigma=2)"), Pipeline)
assert_type(diffusion(lambda s: 0.25 / s**2, time=2.0, bend="log_convex", power=2.0), Pipeline)
assert_type(stages(), "list[dict[str, Any]]")
assert_type(source.relation + source.expression + doeblin.__version__, str)
(folder / "plan.toml").write_text('expression = "gaussian(sigma=2)"\\n')
assert_type(plan(folder / "plan.toml").pipeline, Pipeline)
assert_type(plan(str(folder / "plan.toml")).epsilon, Optional[float])

# Questions.
epsilon = source.epsilon(delta=1e-6)
assert_type(epsilon, Bracket)
plain: float = epsilon
assert_type(2 * epsilon, float)
assert_type(epsilon.lower + epsilon.upper + epsilon.width, float)
assert_type(1.5 in epsilon, bool)
assert_type(Bracket(1, np.float64(2)), Bracket)
assert_type(source.epsilon(1), Bracket)
assert_type(source.epsilon(np.float64(1e-6)), Bracket)
assert_type(source.epsilon(np.float32(1e-6)), Bracket)
assert_type(source.delta(np.int64(1)), Bracket)
assert_type(source.delta(epsilon), Bracket)
assert_type(source.rdp(alpha=float("inf")), Bracket)
many = source.epsilon([1e-5, 1e-6])
assert_type(many, Brackets)
assert_type(source.epsilon((1e-5, 1)), Brackets)
assert_type(source.delta(range(3)), Brackets)
assert_type(source.delta([[1, 2.5], [0, 1]]), Brackets)
assert_type(source.delta(np.linspace(0, 1, 3)), Brackets)
assert_type(source.delta(np.arange(3)), Brackets)
assert_type(source.rdp(many), Brackets)
assert_type(many.lower, NDArray[np.float64])
assert_type(many.shape, "tuple[int, ...]")
assert_type(many[:1], Brackets)
assert_type(many.max(), Bracket)
first: Bracket = many[0]
assert_type(len(many) + many.size, int)
array: NDArray[Any] = np.sqrt(np.asarray(many)) + 2 * many

# Reports.
profile = source.profile(epsilon=[0, 0.5])
assert_type(profile, Profile)
assert_type(profile.delta, Brackets)
assert_type(source.explain(delta=1e-5, alpha=[2, 3]), Explanation)
assert_type(source.explain().analysis, "list[dict[str, Any]]")
assert_type(source.compare(epsilon=1).best, str)
assert_type(source.compare().report(folder / "comparison.html"), str)
assert_type(source.explain().to_json(), str)
entry: Any = source.explain().relation
values: dict[str, Any] = source.explain()
run = noisy_sgd(n=4, learning_rate=0.5, sigma=[2, 2, 2, 3], lipschitz=1, smoothness=0.5, diameter=1)
everybody = run.people(delta=1e-5)
assert_type(everybody, People)
assert_type(everybody[0], Bracket)
assert_type([one.upper for one in everybody], "list[float]")
assert_type(everybody.quantiles([0.5, 1]), NDArray[np.float64])
assert_type(everybody.report, Report)
certificate = source.certificate(delta=1e-6)
assert_type(certificate, Certificate)
assert_type(certificate.write(folder / "certificate.json"), Certificate)
assert_type(Certificate.read(str(folder / "certificate.json")), Certificate)
assert_type(certificate.content, "dict[str, Any]")
assert_type(verify(folder / "certificate.json").verdict, str)
assert_type(bool(certificate.verify(verbose=True)), bool)
assert_type(report(certificate, comparison=False), str)

# Solving.
found = calibrate(lambda s: gaussian(sigma=s) | compose(10), epsilon=1, delta=1e-5)
assert_type(found, Calibration)
assert_type(found.pipeline, Pipeline)
assert_type(float(found) + found.value, float)
assert_type(found.delta, Bracket)
assert_type(calibrate("laplace(scale=?)", epsilon=1, delta=0), Calibration)
assert_type(calibrate("ornstein_uhlenbeck(theta=?, rho=?, time=1)", 1, alpha=2, radius=1, dimension=3), Report)
walk = mix([[0.75, 0.25], [0.5, 0.5]], mechanism=source, at=[0.5, 1], steps=4)
assert_type(walk, Mixing)
assert_type(walk.svg(), str)

# Data.
noisy = release(np.array([36, 41]), "gaussian(sigma=2)", bounds=(0, 120))
assert_type(noisy, Release)
assert_type(noisy.values, NDArray[np.float64])
assert_type(noisy.epsilon, Bracket)
assert_type(noisy.time, Optional[float])
assert_type(noisy.tiers, "list[Release]")
proof: Certificate = noisy.certificate()
release([[1, 2], [3, 4]], laplace(2), bounds=[(0, 5), (0, 9)], names=["a", "b"], tiers=None, rows_per_person=1)
release([[1, 2], [3, 4]], laplace(2), bounds={"a": (0, 5)}, sensitivity={"b": 3}, names=("a", "b"), rows_per_person=1)
(folder / "survey.csv").write_text("name,age\\nAda,36\\nBob,41\\n")
survey, released = folder / "survey.csv", str(folder / "noisy.csv")
assert_type(release_file(survey, released, source, bounds={"age": (0, 120)}, drop="name"), Report)

X, y = np.linspace(-1, 1, 400).reshape(200, 2), np.arange(200) % 2
trained = train(X, y, classes=[0, 1], norm=1, radius=5, sigma=2, delta=1e-6, batch=20, epochs=2, bounds=(-1, 1))
assert_type(trained, Training)
assert_type(trained.certificate, Certificate)
assert_type(trained.epsilon, Bracket)
assert_type(trained.model, Model)
assert_type(trained.model.scores(X), NDArray[np.float64])
assert_type(trained.model.write(folder / "model.json"), Model)
(folder / "data.csv").write_text("a,b\\n" + "0.5,1\\n0.2,0\\n" * 50)
assert_type(
    train_file(folder / "data.csv", label="b", classes=["0", "1"], bounds={"a": (0, 1)}, norm=1, radius=5, sigma=2,
               delta=1e-6, batch=20, output=str(folder / "trained")),
    Training,
)
assert_type(audit_training(X, y, classes=[0, 1], norm=1, radius=5, sigma=2, delta=1e-2, batch=20, runs=100), Audit)
assert_type(predict_file(folder / "trained" / "model.json", folder / "data.csv", folder / "predicted.csv"), None)

heard = audit(laplace(scale=1), delta=0, runs=1000, insecure_seed=1)
assert_type(heard, Audit)
assert_type(heard.epsilon_lower, float)
assert_type(heard.mu_lower, Optional[float])
assert_type(audit(lambda people, n: np.zeros(n), [1], [], epsilon=1, delta=0, runs=100, block=50).verdict, str)
assert_type(audit_command("echo 1 # {input}", ["/dev/null", "/dev/zero"], epsilon=1, delta=0, runs=10), Audit)

# Of others.
classifier = PrivateClassifier(epsilon=2, classes=[0, 1], batch=20).fit(X, y)
assert_type(classifier, PrivateClassifier)
assert_type(classifier.epsilon_, Bracket)
assert_type(classifier.certificate_, Certificate)
assert_type(PrivateRegressor(label_bounds=(0, 1), loss_width=1.0, batch=20).fit(X, y).intercept_, float)
accountant = opacus.DoeblinAccountant()
accountant.step(noise_multiplier=1.1, sample_rate=0.01)
assert_type(accountant.get_epsilon(delta=1e-5, alphas=[2]), float)
assert_type(accountant.get_epsilon_bracket(1e-5), Bracket)
saved: OrderedDict[str, Any] = OrderedDict()
assert_type(accountant.state_dict(saved), "OrderedDict[str, Any]")
assert_type(DoeblinAccountant("add_remove").get_delta_bracket(1), Bracket)
assert_type(DoeblinAccountant().get_epsilon(1e-5), float)
'''

# What a type checker must object to, line by line.
WRONG = '''
import doeblin
from doeblin import *
from doeblin.bridges.dp_accounting import DoeblinAccountant
from doeblin.bridges.opacus import DoeblinAccountant as OpacusAccountant
from doeblin.estimators import PrivateClassifier

source = gaussian(sigma=2)
gaussian("x")  # wrong
gaussian(scale=2)  # wrong
source + compose(3)  # wrong
source | gaussian(sigma=1)  # wrong
compose(3) | source  # wrong
compose(3) + compose(3)  # wrong
source.epsilon(delta="a")  # wrong
source.epsilon(["a"])  # wrong
source.epsilon(None)  # wrong
source.epsilon(1e-5).uper  # wrong
source.epsilon(1e-5).lower = 1.0  # wrong
source.epsilon([1e-5]).verdict  # wrong
source.under("renyi")  # wrong
source.compare(delta=[1e-5])  # wrong
source.certificate(1e-5).write(3)  # wrong
calibrate(source, epsilon=1, delta=1e-5)  # wrong
calibrate(lambda s: 2 * s, 1)  # wrong
calibrate("gaussian(sigma=?)", epsilon=1, delta=1e-5, radius="x")  # wrong
release([1.0], 3)  # wrong
release([1.0], "gaussian(sigma=1)", bounds={"a": 3})  # wrong
train([[1.0]], [1])  # wrong
train_file("data.csv", nrom=1)  # wrong
audit_training("data.csv", output="folder")  # wrong
verify(3)  # wrong
parse(source)  # wrong
PrivateClassifier(1.0, 1e-6, 2.0)  # wrong
DoeblinAccountant(width="x")  # wrong
OpacusAccountant().step(1.1, 0.01)  # wrong
source.epsilon(1e-5)
'''


def checked(*arguments, cwd):
    """What a module of mypy prints, and its exit code."""
    environment = {**os.environ, "MYPY_FORCE_COLOR": "0"}
    # They are run elsewhere.
    paths = environment.get("PYTHONPATH", "")
    environment["PYTHONPATH"] = os.pathsep.join(os.path.abspath(path) for path in paths.split(os.pathsep) if path)
    done = subprocess.run([sys.executable, "-m", *map(str, arguments)], capture_output=True, text=True, timeout=BACKSTOP,
                          cwd=cwd, env=environment)
    return done.stdout + done.stderr, done.returncode


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """Checks files and folders strictly."""
    folder = tmp_path_factory.mktemp("mypy")

    def check(*files):
        return checked("mypy", "--strict", "--config-file=", f"--cache-dir={folder / 'cache'}", "--no-pretty",
                       "--hide-error-context", *files, cwd=folder)

    return check


def test_stubs_are_what_the_package_is(tmp_path):
    allowed = tmp_path / "allowed"
    allowed.write_text(ALLOWED)
    output, code = checked("mypy.stubtest", "doeblin", "--concise", "--allowlist", allowed, cwd=tmp_path)
    assert code == 0, output


def test_names_of_the_compiled_module():
    stub = ast.parse((PACKAGE / "_core.pyi").read_text())
    of_classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    assert functions | set(of_classes) | {"version"} == {name for name in dir(_core) if not name.startswith("_")}
    for name, node in of_classes.items():
        methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        made = vars(getattr(_core, name))
        assert methods - {"__init__"} <= set(made), name
        assert {one for one in made if not one.startswith("_")} <= methods, name


@pytest.mark.parametrize("function, options", [
    ("train_file", _training._RUN_OPTIONS | _training._TRAIN_OPTIONS),
    ("audit_training", _training._RUN_OPTIONS | {"canary", "runs", "confidence", "gaussian", "insecure_seed"}),
])
def test_options_that_are_collected_at_run_time(function, options):
    # stubtest lets a stub name any options in place of **options.
    stub = ast.parse((PACKAGE / "_training.pyi").read_text())
    node = next(node for node in stub.body if isinstance(node, ast.FunctionDef) and node.name == function)
    assert {argument.arg for argument in node.args.kwonlyargs} == options


def test_a_right_program(mypy, tmp_path):
    program = tmp_path / "right.py"
    program.write_text(RIGHT)
    output, code = mypy(program)
    assert code == 0, output


def test_a_right_program_gets_these_types(monkeypatch, tmp_path):
    def is_a(value, kind):
        if typing.get_origin(kind) is typing.Union:
            return any(is_a(value, one) for one in typing.get_args(kind))
        return isinstance(value, typing.get_origin(kind) or kind)

    def assert_type(value, kind):
        if isinstance(kind, str):
            kind = eval(kind, vars(typing) | vars(doeblin))
        assert value is None if kind is None else is_a(value, kind), (value, kind)

    monkeypatch.setattr(typing_extensions, "assert_type", assert_type)
    program = tmp_path / "right.py"
    program.write_text(RIGHT)
    runpy.run_path(str(program))


def test_wrong_lines_are_found(mypy, tmp_path):
    program = tmp_path / "wrong.py"
    program.write_text(WRONG)
    output, code = mypy(program)
    assert code == 1, output
    found = {int(line) for line in re.findall(r"wrong\.py:(\d+): error", output)}
    wrong = {number for number, line in enumerate(WRONG.splitlines(), start=1) if line.endswith("# wrong")}
    assert found == wrong, output


def test_stubs_are_strict(mypy, tmp_path):
    # In site-packages mypy would not look for mistakes.
    copied = shutil.copytree(PACKAGE, tmp_path / "doeblin", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    output, code = mypy(*pathlib.Path(copied).rglob("*.pyi"))
    assert code == 0, output
