# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import signal
import subprocess

import pytest
from hypothesis import HealthCheck, settings

ROOT = pathlib.Path(__file__).parents[2]
# The program that the package must agree with, bit by bit.
PROGRAM = pathlib.Path(os.environ.get("DOEBLIN_PROGRAM", ROOT / "build" / "doeblin")).absolute()

# A job in the background ignores Ctrl-C, and so would the processes that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Seconds after which something hangs: no test is about how long a thing takes, and a machine may be slow or busy.
BACKSTOP = 900
anywhere = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("any machine", anywhere, derandomize=True, database=None)
# `make soak` looks for cases that nobody has seen.
settings.register_profile("soak", anywhere)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "any machine"))


@pytest.fixture(scope="session")
def program():
    """The command-line program."""
    assert PROGRAM.exists(), f"{PROGRAM} is missing: run 'make build' first"
    return PROGRAM


@pytest.fixture(scope="session")
def ask(program):
    """What the program says with --json."""

    def run(*arguments, codes=(0,), cwd=None):
        done = subprocess.run([program, *map(str, arguments), "--json"], capture_output=True, text=True, timeout=BACKSTOP, cwd=cwd)
        assert done.returncode in (*codes, 3), (arguments, done.returncode, done.stderr)
        answer = json.loads(done.stdout)
        # Wide only because no more is known, not for want of accuracy.
        assert done.returncode in codes or all(one["converged"] or one["ends"]["upper"] == "known"
                                               for one in answer.get("results") or answer["analysis"][-1]["after"])
        return answer

    return run
