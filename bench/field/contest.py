# SPDX-License-Identifier: Apache-2.0
"""A question with those who answer it: every answer in a fresh process, rounds in alternating order, the best of several.

A contestant is a function of no argument that prepares (imports, inputs) and returns the work that is timed; the work
returns (lower, upper), with NaN for an end that it does not have, or None where there is nothing to enclose.
"""
import dataclasses
import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import typing

ROUNDS = 3
SECONDS = 60  # limits of a process
BYTES = 4 << 30
ONCE_FROM = 6.0  # whoever takes longer than this is asked once
REPEAT_FOR = 0.3  # seconds of repetition within a process, for quick answers
OURS = "doeblin"


@dataclasses.dataclass(frozen=True)
class Contest:
    name: str
    contestants: typing.Mapping[str, typing.Callable]
    # A narrow enclosure of the truth by other means, in the same process as a contestant; None: our narrowest answer.
    truth: typing.Optional[typing.Callable] = None
    # What 'width' means here, if it is not an epsilon.
    unit: str = ""
    limited: bool = True  # by BYTES; inputs of the larger contests need more
    releases: int = 0  # where it stands in the plots of growth with releases


@dataclasses.dataclass
class Answer:
    lower: float = math.nan
    upper: float = math.nan
    seconds: float = math.inf
    megabytes: float = 0.0
    failure: str = ""
    remark: str = ""

    @property
    def is_one_sided(self):
        return math.isnan(self.lower)

    def width(self, truth_lower):
        """Of a bracket; for one end its distance to the truth."""
        return self.upper - (truth_lower if self.is_one_sided else self.lower)


def timed(work):
    """Seconds of the best, the ends, and a remark. A work that times itself returns these as a dictionary."""
    best, spent = math.inf, 0.0
    while spent < REPEAT_FOR:
        start = time.perf_counter()
        found = work()
        seconds = time.perf_counter() - start
        if isinstance(found, dict):
            return found["seconds"], found.get("ends"), found.get("remark", "")
        best, spent = min(best, seconds), spent + seconds
    return best, found, ""


def answer_here(contest, name):
    """Inside the process of a contestant: its answer as a line of JSON."""
    if contest.limited:
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    try:
        seconds, ends, remark = timed(contest.contestants[name]())
        lower, upper = ends or (math.nan, math.nan)
        answer = {"lower": float(lower), "upper": float(upper), "seconds": seconds, "remark": remark}
    except ImportError as error:
        answer = {"failure": f"not installed ({error})"}
    except MemoryError:
        answer = {"failure": f"out of memory ({BYTES >> 30} GB)"}
    except Exception as error:
        text = " ".join(str(error).split())
        answer = {"failure": f"refuses: {text[:120]}"}
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print("\n" + json.dumps({**answer, "megabytes": children}))


def answer_of(module, index, name):
    """Asks in a fresh process."""
    command = [sys.executable, os.path.join(os.path.dirname(__file__), "worker.py"), module, str(index), name]
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, start_new_session=True)
        timer = threading.Timer(SECONDS, lambda: os.killpg(process.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
        late = time.perf_counter() - start >= SECONDS
        out.seek(0)
        text = out.read().decode()
    peak = usage.ru_maxrss / 1024
    if late:
        return Answer(failure=f"stopped after {SECONDS} s", megabytes=peak)
    if process.returncode != 0 or not text.strip():
        return Answer(failure=f"crashed (exit code {process.returncode})", megabytes=peak)
    found = json.loads(text.strip().splitlines()[-1])
    return Answer(**{**found, "megabytes": max(peak, found["megabytes"])})


def play(module, index, contest):
    """{name: answer}, the fastest of each with the most memory; all rounds give the same numbers."""
    tried = {name: [] for name in contest.contestants}
    for turn in range(ROUNDS):
        names = list(tried) if turn % 2 == 0 else list(reversed(tried))
        for name in names:
            before = tried[name]
            if before and (before[0].failure or before[0].seconds > ONCE_FROM):
                continue
            before.append(answer_of(module, index, name))
    best = {}
    for name, answers in tried.items():
        fastest = min(answers, key=lambda one: one.seconds)
        best[name] = dataclasses.replace(fastest, megabytes=max(one.megabytes for one in answers))
    return best


def truth_of(contest, answers):
    """The narrowest enclosure that we have."""
    if contest.truth:
        return contest.truth()
    ours = [one for name, one in answers.items() if name.startswith(OURS) and not one.failure and not math.isnan(one.lower)]
    if not ours:
        return math.nan, math.nan
    return max(one.lower for one in ours), min(one.upper for one in ours)
