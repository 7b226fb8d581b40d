# SPDX-License-Identifier: Apache-2.0
"""The Python programs in examples/ run where the package is installed, and print what a newcomer would look for."""
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
PRINTS = {
    "dp_sgd.py": ["epsilon is between 2.37533 and 2.37620", "sigma = 2.021", "hidden states: 1.184 for the worst record"],
    "release_in_tiers.py": ["time 2: epsilon <= 3.30", "time 32: epsilon <= 0.73"],
}


@pytest.mark.parametrize("name", PRINTS)
def test_example(name, tmp_path):
    done = subprocess.run([sys.executable, "-W", "error", EXAMPLES / name], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert all(part in done.stdout for part in PRINTS[name]), done.stdout
