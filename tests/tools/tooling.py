# SPDX-License-Identifier: Apache-2.0
"""What the tests of tools share. Importing it makes tools and benchmarks importable, so it comes first."""
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
for folder in ("tools", "tools/site", "bench", "bench/field"):
    sys.path.insert(0, str(ROOT / folder))


def run(*command, **options):
    """Standard output of a command that must succeed."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """The prefix of an installation of what was built."""
    prefix = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", ROOT / "build", "--prefix", prefix)
    return prefix


def cmake_build(source, work, prefix, *options):
    run("cmake", "-S", source, "-B", work, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug", *options)
    run("cmake", "--build", work, "--parallel", os.environ.get("JOBS", "2"))
