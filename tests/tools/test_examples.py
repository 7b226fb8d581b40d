# SPDX-License-Identifier: Apache-2.0
"""Every program in examples/ runs as its first lines say, and prints what a newcomer would look for."""
import os
import subprocess

import pytest

from tooling import ROOT, cmake_build, installed, run  # noqa: F401

EXAMPLES = ROOT / "examples"
ON_PATH = dict(os.environ, PATH=f"{ROOT / 'build'}:{os.environ['PATH']}")
SHELL = {
    "first_epsilon.sh": ["claim.json: VERIFIED", "upper end: 0.49"],
    "train_a_model.sh": ["run/certificate.json: VERIFIED", "line,prediction,probability"],
}
IN_CPP = ["every state public: 2.37533 <= epsilon <= 2.37620", "hidden, record 39: epsilon <= 1.36109",
          "refused: sigma = -1, need 0 < sigma < infinity"]


@pytest.mark.parametrize("name", SHELL)
def test_shell(name, tmp_path):
    out = run(EXAMPLES / name, env=ON_PATH, cwd=tmp_path)
    assert all(part in out for part in SHELL[name]), out
    assert not list(tmp_path.iterdir())


def test_training_takes_a_file(tmp_path):
    data = tmp_path / "mine.csv"
    data.write_text("age,hours,late\n" + "".join(f"{20 + i % 50},{i % 60},{int(i % 60 > 30)}\n" for i in range(400)))
    assert "VERIFIED" in run(EXAMPLES / "train_a_model.sh", data, env=ON_PATH, cwd=tmp_path)


def test_cpp(installed, tmp_path):
    cmake_build(EXAMPLES, tmp_path, installed)
    out = run(tmp_path / "hidden_run")
    assert all(part in out for part in IN_CPP), out


def test_each_is_listed_and_tested():
    programs = {path.name for path in EXAMPLES.iterdir() if path.suffix in (".sh", ".py", ".cpp")}
    listed = (EXAMPLES / "README.md").read_text()
    assert len(programs) >= 5 and all(f"`{name}`" in listed for name in programs)
    in_python = (ROOT / "tests" / "python" / "test_examples.py").read_text()
    assert programs == {*SHELL, "hidden_run.cpp", *(name for name in programs if f'"{name}"' in in_python)}


def test_a_failing_step_fails_the_example(tmp_path):
    done = subprocess.run([EXAMPLES / "train_a_model.sh", tmp_path / "missing.csv"], env=ON_PATH, capture_output=True, text=True)
    assert done.returncode != 0
