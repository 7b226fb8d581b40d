# SPDX-License-Identifier: Apache-2.0
"""The installed package works outside the source tree: find_package(doeblin), compile, link, run."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).parents[2]


def test_find_package(tmp_path):
    prefix, work = tmp_path / "prefix", tmp_path / "work"
    consumer = ROOT / "tests" / "install"

    def run(*command):
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("cmake", "--install", ROOT / "build", "--prefix", prefix)
    run("cmake", "-S", consumer, "-B", work, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", work)
    assert run(work / "consumer").startswith("epsilon <= 4.37717")
    assert run(prefix / "bin" / "doeblin", "--version").startswith("doeblin ")
