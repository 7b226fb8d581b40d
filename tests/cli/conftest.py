# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
# Another build can be tested: DOEBLIN_PROGRAM=build-debug/doeblin
PROGRAM = pathlib.Path(os.environ.get("DOEBLIN_PROGRAM", ROOT / "build" / "doeblin")).absolute()


def run(*arguments, timeout=60):
    """Runs the program; returns the finished process with its text output."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=timeout)


def ask(*arguments, codes=(0,)):
    """Runs the program with --json and returns what it says."""
    result = run(*arguments, "--json")
    assert result.returncode in codes, (arguments, result.returncode, result.stderr)
    return json.loads(result.stdout)


@pytest.fixture(scope="session", autouse=True)
def program_is_built():
    assert PROGRAM.exists(), "run 'make build' first"
