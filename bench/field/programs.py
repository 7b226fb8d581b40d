# SPDX-License-Identifier: Apache-2.0
"""Our programs, as contestants call them. DOEBLIN_BUILD is the folder that they were built in."""
import json
import os
import subprocess

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def path_of(*names):
    return os.path.join(os.environ["DOEBLIN_BUILD"], *names)


def google_benchmark(program, matching=".", seconds=None, arguments=(), **environment):
    """The benchmarks of a program: name, seconds, and their counters."""
    command = [path_of("bench", program), *arguments, f"--benchmark_filter={matching}", "--benchmark_format=json"]
    command += [f"--benchmark_min_time={seconds}"] if seconds else []
    done = subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True, text=True)
    found = [one for one in json.loads(done.stdout)["benchmarks"] if not one.get("error_occurred")]
    return [{**one, "seconds": one["real_time"] * UNITS[one["time_unit"]]} for one in found]
