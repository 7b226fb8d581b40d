# SPDX-License-Identifier: Apache-2.0
"""What others may learn from files, messages and processes beside what is released."""
import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from conftest import BACKSTOP, PROGRAM, ROOT, run
from test_certificate import sealed
from test_train import LONG, SMALL, start, write_small

sys.path.insert(0, str(ROOT / "tests" / "support"))
from elf import assert_hardened, readelf  # noqa: E402

SECRET = "root:$6$salt$hash:19000:0:99999:7:::"


@pytest.fixture
def small(tmp_path):
    return write_small(tmp_path / "small.csv")


def mode(path):
    return oct(os.stat(path).st_mode & 0o7777)


@pytest.mark.parametrize("mask", [0, 0o022, 0o077])
def test_private_files_are_for_their_owner_whatever_the_umask(small, tmp_path, mask):
    def under_mask(*arguments):
        subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True, preexec_fn=lambda: os.umask(mask))

    under_mask("train", small, "--output", tmp_path / "new" / "run", *SMALL)
    folder = tmp_path / "new" / "run"
    assert mode(folder) == mode(folder.parent) == "0o700"
    for name in ("people.csv", "people.svg", "report.txt"):
        assert mode(folder / name) == "0o600", name
    # What is meant for others follows the umask.
    for name in ("model.json", "certificate.json"):
        assert mode(folder / name) == oct(0o666 & ~mask), name
    under_mask("predict", folder / "model.json", small, "--output", tmp_path / "predictions.csv")
    assert mode(tmp_path / "predictions.csv") == "0o600"
    # A file that everybody could read does not make the next one so.
    (folder / "people.csv").chmod(0o644)
    under_mask("train", small, "--output", folder, *SMALL, "--force")
    assert mode(folder / "people.csv") == "0o600"


def test_checkpoints_are_for_their_owner(small, tmp_path):
    process = subprocess.Popen([PROGRAM, "train", small, "--output", tmp_path / "run", *LONG, "--checkpoint", tmp_path / "saved", "--key-file", tmp_path / "key",
                                "--checkpoint-every", "0"], stderr=subprocess.DEVNULL, preexec_fn=lambda: os.umask(0))
    while not (tmp_path / "saved").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.wait()
    assert mode(tmp_path / "saved") == mode(tmp_path / "key") == "0o600"


def test_a_checkpoint_is_ended_by_one_process_only(small, tmp_path):
    place = ["--checkpoint", tmp_path / "saved", "--key-file", tmp_path / "key", "--checkpoint-every", "0"]
    first = start(small, tmp_path / "one", *LONG, *place)
    first.wait_until((tmp_path / "saved").exists)
    first.send_signal(signal.SIGSTOP)
    second = run("train", small, "--output", tmp_path / "two", *LONG, *place)
    assert second.returncode == 2
    assert second.stderr == (f"doeblin: checkpoint = '{tmp_path / 'saved'}', need a run that no other process goes on with: both would release a "
                             "model, with noise in common\n")
    assert not (tmp_path / "two").exists()
    # A process that is gone blocks nobody.
    first.kill()
    first.communicate()
    assert (tmp_path / "saved.lock").exists()
    last = start(small, tmp_path / "one", *LONG, *place)
    assert last.wait(timeout=BACKSTOP) == 0
    assert sorted(os.listdir(tmp_path)) == ["key", "one", "small.csv"]


def test_a_run_whose_lock_was_removed_releases_nothing(small, tmp_path):
    place = ["--checkpoint", tmp_path / "saved", "--key-file", tmp_path / "key"]
    process = start(small, tmp_path / "run", *LONG, *place)
    process.wait_until((tmp_path / "saved.lock").exists)
    (tmp_path / "saved.lock").unlink()
    _, problems = process.end()
    assert process.returncode == 2 and "nothing is released" in problems
    assert not (tmp_path / "run").exists()


@pytest.fixture
def secret(tmp_path):
    file = tmp_path / "shadow"
    file.write_text(SECRET + "\nada:$6$other$thing:19000:0:99999:7:::\n")
    return file


def test_verify_shows_nothing_of_the_files_that_a_certificate_names(tmp_path, secret):
    kernel = tmp_path / "kernel"
    for text, expression in (("0.5,0.5\n0.25,0.75\n", f"gaussian(sigma=2) | kernel(file='{kernel}', steps=2)"),
                             ("0 1\n1 2\n", f"gaussian(sigma=2) | lazy_walk(file='{kernel}', laziness=0.5, steps=2)")):
        kernel.write_text(text)
        assert run("epsilon", expression, "--delta", "1e-6", "--certificate", tmp_path / "claim.json").returncode in (0, 3)
        # The author cannot read the file and does not know its hash.
        kernel.write_text(secret.read_text())
        for command in (["verify", tmp_path / "claim.json", "--verbose"], ["verify", tmp_path / "claim.json", "--json"]):
            result = run(*command)
            assert result.returncode == 1 and f"the file {kernel} is another one than was certified" in result.stdout
            assert "salt" not in result.stdout + result.stderr and "19000" not in result.stdout + result.stderr
        assert run("report", tmp_path / "claim.json", "--output", tmp_path / "page.html").returncode == 0
        page = (tmp_path / "page.html").read_text()
        assert "another one than was certified" in page and "salt" not in page
        audited = run("audit", "--certificate", tmp_path / "claim.json")
        assert audited.returncode == 2 and "salt" not in audited.stdout + audited.stderr


def test_verify_shows_nothing_even_to_those_who_know_the_hash(tmp_path, secret):
    kernel = tmp_path / "kernel"
    kernel.write_text("0.5,0.5\n0.25,0.75\n")
    assert run("epsilon", f"gaussian(sigma=2) | kernel(file='{kernel}', steps=2)", "--delta", "1e-6", "--certificate", tmp_path / "claim.json").returncode in (0, 3)
    content = json.loads((tmp_path / "claim.json").read_text())
    for text, line in ((secret.read_text(), ":1"), (f"0.5,0.5\n{SECRET},0.75\n", ":2"), ("0.123456,0.2\n0.25,0.75\n", ":1"),
                       (f"%%MatrixMarket {SECRET}\n", ":1")):
        kernel.write_text(text)
        content["inputs"][0]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
        (tmp_path / "claim.json").write_text(json.dumps(sealed(content)))
        result = run("verify", tmp_path / "claim.json", "--verbose")
        assert result.returncode == 1
        assert f"{kernel}{line}: not what the expression needs there (what it contains is not shown)" in result.stdout
        assert run("report", tmp_path / "claim.json", "--output", tmp_path / "page.html").returncode == 0
        for shown in (result.stdout, result.stderr, (tmp_path / "page.html").read_text()):
            assert "salt" not in shown and "0.123456" not in shown


@pytest.mark.parametrize("command", ["cat '{input}'", 'cat "{input}"', "sh -c 'wc -l < {input}'"])
def test_a_path_inside_of_quotes_is_refused(tmp_path, command):
    """The path of an input would end the quotes, and the shell would run what it says."""
    inputs = [tmp_path / "a; touch stolen", tmp_path / "b"]
    for one in inputs:
        one.write_text("1\n")
    result = subprocess.run([PROGRAM, "audit", "--command", command, "--inputs", *inputs, "--epsilon", "1", "--delta", "0", "--runs", "8"],
                            capture_output=True, text=True, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == f"doeblin: --command = '{command}', need {{input}} outside of quotes: it is quoted when it is filled in\n"
    assert not (tmp_path / "stolen").exists()


def core_limit(process):
    for line in open(f"/proc/{process.pid}/limits"):
        if line.startswith("Max core file size"):
            return line.split()[4]


@pytest.mark.parametrize("arguments", [
    ["release", "-", "--output", "out.csv", "--mechanism", "gaussian(1)", "--bounds", "*=0:1"],
    ["train", "-", "--output", "run", *SMALL],
    ["predict", "model/model.json", "-"],
    ["audit", "--train", "pipe.csv", *SMALL],
])
def test_commands_that_read_records_leave_no_core_file(small, tmp_path, arguments):
    """Looked at while they wait for their input."""
    assert run("train", small, "--output", tmp_path / "model", *SMALL).returncode == 0
    os.mkfifo(tmp_path / "pipe.csv")
    if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        pytest.skip("no process can leave a core file here")
    allowed = (1 << 20, resource.getrlimit(resource.RLIMIT_CORE)[1])
    process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, allowed))
    try:
        deadline = time.monotonic() + BACKSTOP
        while core_limit(process) != "0" and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        assert core_limit(process) == "0"
    finally:
        process.kill()
        process.communicate()


def test_the_program_is_hardened():
    assert_hardened(PROGRAM)
    assert "PIE" in readelf(PROGRAM, "--dynamic")
    module = PROGRAM.parent / "doeblin_mpi.so"
    if module.exists():
        assert "NOW" in readelf(module, "--dynamic") and "GNU_RELRO" in readelf(module, "--segments")
