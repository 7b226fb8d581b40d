# SPDX-License-Identifier: Apache-2.0
"""Progress is for people who wait: on a terminal, or where --progress asks for it; and it tells nothing about data."""
import os
import pty
import re
import signal
import threading

import pytest

from conftest import BACKSTOP, PROGRAM, ROOT, Started, run

LINE = r"doeblin: (\d+ (of \d+ )?[a-z ]+|reading|predicting), \d+ s"
SGD = "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1)"
TRAIN = ["--label", "y", "--norm", "1", "--radius", "3", "--learning-rate", "0.5"]
# Days of work.
ENDLESS = [*TRAIN, "--sigma", "0.5", "--epochs", "10000000", "--classes", "|".join(map(str, range(1000)))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Data, a model with its certificate, and room."""
    folder = tmp_path_factory.mktemp("progress")
    (folder / "data.csv").write_text("a,b,y\n" + "".join(f"{i % 7 / 7:.6f},{i % 5 / 5:.6f},{i % 2}\n" for i in range(60)))
    assert run("train", folder / "data.csv", *TRAIN, "--sigma", "0.5", "--output", folder / "run").returncode == 0
    return folder


def commands(folder):
    """A question to each command, with what is counted."""
    data, model = folder / "data.csv", folder / "run" / "model.json"
    return {
        "epsilon": (["gaussian(sigma=1)", "--delta", "1e-5"], "1 of 1 values"),
        "delta": (["zcdp(0.1)", "--epsilon", "1"], "1 of 1 values"),
        "profile": (["zcdp(0.1)", "--epsilon", "1"], "1 of 1 values"),
        "rdp": (["laplace(scale=1)", "--alpha", "2"], "1 of 1 values"),
        "explain": (["laplace(scale=1)"], "1 of 1 values"),
        "compare": (["laplace(scale=10) | compose(100)"], " values"),
        "calibrate": (["gaussian(sigma=?)", "--epsilon", "1", "--delta", "1e-5"], "1 evaluations"),
        "people": ([SGD], "of 40 values"),
        "mix": ([ROOT / "docs" / "data" / "channel.csv"], " values"),
        "release": ([data, "--output", folder / "noisy.csv", "--force", "--mechanism", "gaussian(1)", "--bounds", "*=0:1"], "60 rows"),
        "train": ([data, *TRAIN, "--epsilon", "1", "--output", folder / "other", "--force"], "steps"),
        "predict": ([model, data, "--output", folder / "predicted.csv"], "predicting"),
        "verify": ([folder / "run" / "certificate.json"], "claims"),
        "audit": (["laplace(scale=1)", "--runs", "1000"], "of 1000 runs"),
        "report": ([folder / "run" / "certificate.json", "--output", folder / "page.html"], " values"),
    }


@pytest.mark.parametrize("command", commands(ROOT))
def test_what_is_asked_for_is_shown_and_nothing_else(folder, command):
    arguments, counted = commands(folder)[command]
    quiet = run(command, *arguments)
    assert "doeblin:" not in quiet.stderr
    told = run(command, *arguments, "--progress")
    assert told.returncode == quiet.returncode
    lines = [line for line in told.stderr.splitlines() if line not in quiet.stderr.splitlines()]
    assert any(counted in line for line in lines), told.stderr
    assert all(re.fullmatch(LINE, line) for line in lines), told.stderr


def test_every_command_takes_it_that_may_take_long():
    listed = re.findall(r"^  (\w+)  ", run("--help").stdout.split("Subcommands:")[1], flags=re.MULTILINE)
    assert set(listed) == {*commands(ROOT), "stages", "completion"}
    for command in listed:
        assert ("--progress" in run(command, "--help").stdout) == (command not in ("stages", "completion"))


def watched_terminal():
    """A terminal, what was written to it so far, and who reads that until nobody has the terminal open any more."""
    ours, theirs = pty.openpty()
    shown = bytearray()

    def read():
        try:
            while some := os.read(ours, 4096):
                shown.extend(some)
        except OSError:
            pass  # the end, on Linux

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    return theirs, shown, reader


def test_on_a_terminal_it_is_shown_and_elsewhere_it_is_not(folder, tmp_path):
    terminal, shown, reader = watched_terminal()
    seen = Started(PROGRAM, "train", folder / "data.csv", *ENDLESS, "--output", tmp_path / "seen", stderr=terminal)
    os.close(terminal)
    unseen = Started(PROGRAM, "train", folder / "data.csv", *ENDLESS, "--output", tmp_path / "unseen", "--checkpoint", tmp_path / "saved",
                     "--key-file", tmp_path / "key", "--checkpoint-every", "0")
    unseen.wait_until((tmp_path / "saved").exists)
    seen.wait_until(lambda: shown.count(b"steps") >= 2)
    for process in (seen, unseen):
        process.send_signal(signal.SIGINT)
    assert unseen.end()[1] == "doeblin: interrupted; the same command goes on from the checkpoint\n"
    seen.end()
    reader.join(BACKSTOP)
    text = bytes(shown).decode()
    assert re.fullmatch(rf"(\r{LINE})+\r\ndoeblin: interrupted; nothing was written\r\n", text), text
