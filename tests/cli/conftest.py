# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import subprocess
import tempfile
import time

import pytest
from hypothesis import HealthCheck, settings

ROOT = pathlib.Path(__file__).parents[2]
# Another build can be tested: DOEBLIN_PROGRAM=build-debug/doeblin
PROGRAM = pathlib.Path(os.environ.get("DOEBLIN_PROGRAM", ROOT / "build" / "doeblin")).absolute()

# Seconds after which something hangs: no test is about how long a thing takes, and a machine may be slow or busy.
BACKSTOP = 900
anywhere = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("any machine", anywhere, derandomize=True, database=None)
# `make soak` looks for cases that nobody has seen.
settings.register_profile("soak", anywhere)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "any machine"))


def run(*arguments):
    """Runs the program; returns the finished process with its text output."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=BACKSTOP)


def is_open(answer):
    """Wide only because no more is known, not for want of accuracy."""
    answers = answer.get("results") or answer["analysis"][-1]["after"]
    return all(one["converged"] or one["ends"]["upper"] == "known" for one in answers)


def ask(*arguments, codes=(0,)):
    """Runs the program with --json and returns what it says."""
    result = run(*arguments, "--json")
    assert result.returncode in (*codes, 3), (arguments, result.returncode, result.stderr)
    answer = json.loads(result.stdout)
    assert result.returncode in codes or is_open(answer), (arguments, result.stdout)
    return answer


class Started(subprocess.Popen):
    """A command at work, which a test watches until it sees what it waits for."""

    def __init__(self, *command, **options):
        self._errors = tempfile.TemporaryFile()
        super().__init__([*map(str, command)], **{"stdout": subprocess.PIPE, "stderr": self._errors, "text": True, **options})

    def said(self):
        """Standard error so far."""
        return os.pread(self._errors.fileno(), 1 << 20, 0).decode()

    def wait_until(self, condition):
        """Waits for something that happens before the end of the process."""
        begin = time.monotonic()
        while not condition():
            assert self.poll() is None or condition(), f"it ended before: {self.said()}"
            assert time.monotonic() - begin < BACKSTOP, f"it hangs: {self.said()}"
            time.sleep(0.01)

    def end(self):
        """Waits for the end; what it wrote to standard output and standard error."""
        output, _ = self.communicate(timeout=BACKSTOP)
        return output, self.said()


@pytest.fixture(scope="session", autouse=True)
def program_is_built():
    assert PROGRAM.exists(), "run 'make build' first"
