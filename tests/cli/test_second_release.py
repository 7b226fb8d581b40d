# SPDX-License-Identifier: Apache-2.0
"""What release and train wrote is not replaced by accident: running twice is two releases."""
import os
import shutil
import signal
import subprocess
import time

import pytest

from conftest import BACKSTOP, PROGRAM, run
from test_train import LONG, SMALL, start, start_training, write_small

WHY = "a second run is a second release about the same people, and privacy losses add up; --force replaces it\n"


@pytest.fixture
def small(tmp_path):
    return write_small(tmp_path / "small.csv")


def released(folder, *more, source=None):
    (folder / "in.csv").write_text("x\n1\n2\n")
    return run("release", source or folder / "in.csv", "--output", folder / "out.csv", "--mechanism", "gaussian(1)", "--bounds", "x=0:1", *more)


def refused(result, option, path, need):
    assert result.returncode == 2 and result.stdout == "", result.stderr
    assert result.stderr == f"doeblin: {option} = '{path}', need {need}: {WHY}"


def test_a_release_is_not_replaced(tmp_path):
    assert released(tmp_path).returncode == 0
    first = (tmp_path / "out.csv").read_text()
    # Before anything is read: the input need not even be there.
    refused(released(tmp_path, source=tmp_path / "none.csv"), "--output", tmp_path / "out.csv", "a file that is not there yet")
    assert (tmp_path / "out.csv").read_text() == first
    assert released(tmp_path, "--force").returncode == 0
    assert (tmp_path / "out.csv").read_text() != first


def test_tiers_and_certificates_are_not_replaced(tmp_path):
    (tmp_path / "in.csv").write_text("x\n1\n2\n")
    arguments = ["release", tmp_path / "in.csv", "--mechanism", "brownian", "--tiers", "1,4", "--bounds", "x=0:1"]
    assert run(*arguments, "--output", tmp_path / "a.csv", "--certificate", tmp_path / "a.json").returncode == 0
    os.unlink(tmp_path / "a.tier1.csv")
    refused(run(*arguments, "--output", tmp_path / "a.csv"), "--output", tmp_path / "a.tier2.csv", "a file that is not there yet")
    os.unlink(tmp_path / "a.tier1.json")
    refused(run(*arguments, "--output", tmp_path / "b.csv", "--certificate", tmp_path / "a.json"), "--certificate",
            tmp_path / "a.tier2.json", "a file that is not there yet")
    assert sorted(os.listdir(tmp_path)) == ["a.tier2.csv", "a.tier2.json", "in.csv"]
    assert run(*arguments, "--force", "--output", tmp_path / "a.csv", "--certificate", tmp_path / "a.json").returncode == 0


def test_of_two_releases_at_the_same_time_one_appears(tmp_path):
    """Both find nothing there when they start."""
    processes = []
    for _ in range(2):
        source, sink = os.pipe()
        processes.append((sink, subprocess.Popen([PROGRAM, "release", "-", "--output", tmp_path / "out.csv", "--mechanism", "gaussian(1)", "--bounds", "x=0:1"],
                                                 stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)))
        os.close(source)
    # Both wait for the end of their input, of which the second one also has the first one's end.
    time.sleep(0.5)
    codes = []
    for number, (sink, process) in reversed(list(enumerate(processes))):
        os.write(sink, b"x\n" + b"1\n" * (number + 1))
        os.close(sink)
        _, problems = process.communicate(timeout=BACKSTOP)
        codes.append(process.returncode)
    assert codes == [0, 2] and WHY in problems
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 3 and os.listdir(tmp_path) == ["out.csv"]


def test_a_model_is_not_replaced(small, tmp_path):
    arguments = ["--output", tmp_path / "run", *SMALL, "--certificate", tmp_path / "claim.json"]
    assert run("train", small, *arguments).returncode == 0
    first = (tmp_path / "run" / "model.json").read_text()
    refused(run("train", tmp_path / "none.csv", *arguments), "--output", tmp_path / "run", "a folder without a model.json")
    refused(run("train", tmp_path / "none.csv", "--output", tmp_path / "other", *arguments[2:]), "--certificate", tmp_path / "claim.json",
            "a file that is not there yet")
    assert (tmp_path / "run" / "model.json").read_text() == first and not (tmp_path / "other").exists()
    assert run("train", small, *arguments, "--force").returncode == 0
    assert (tmp_path / "run" / "model.json").read_text() != first


def test_a_folder_without_a_model_is_written_to(small, tmp_path):
    """As one that a killed run left, or one for other files too."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "report.txt").write_text("of a run that was killed")
    assert run("train", small, "--output", tmp_path / "run", *SMALL).returncode == 0
    assert "of a run" not in (tmp_path / "run" / "report.txt").read_text()


def test_of_two_runs_at_the_same_time_one_is_refused(small, tmp_path):
    first = start_training(small, tmp_path / "run")
    second = run("train", small, "--output", tmp_path / "run", *SMALL)
    assert second.returncode == 2
    assert second.stderr == f"doeblin: --output = '{tmp_path / 'run'}', need a folder that no other run is about to write to\n"
    first.send_signal(signal.SIGKILL)
    first.communicate()
    assert run("train", small, "--output", tmp_path / "run", *SMALL).returncode == 0


def test_runs_that_go_on_need_no_force(small, tmp_path):
    arguments = [*LONG, "--checkpoint", tmp_path / "saved", "--key-file", tmp_path / "key", "--certificate", tmp_path / "claim.json"]
    while True:
        process = start(small, tmp_path / "run", *arguments, "--checkpoint-every", "0")
        process.wait_until((tmp_path / "saved").exists)
        process.send_signal(signal.SIGINT)
        process.end()
        if process.returncode == 130:
            break
        # It came to its end before; a new one begins.
        shutil.rmtree(tmp_path / "run")
        (tmp_path / "claim.json").unlink()
    # As if it had been killed while it wrote, the model last.
    (tmp_path / "claim.json").write_text("half of the outputs")
    assert run("train", small, "--output", tmp_path / "run", *arguments).returncode == 0
    # Finished: the same command would be another run.
    refused(run("train", small, "--output", tmp_path / "run", *arguments), "--output", tmp_path / "run", "a folder without a model.json")
