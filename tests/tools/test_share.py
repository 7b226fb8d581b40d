# SPDX-License-Identifier: Apache-2.0
"""Shares of a long check: together they are all of it, and a later commit or day takes another one."""
import subprocess

import pytest
from tooling import ROOT, run

SHARE = ROOT / "tools" / "share"
LINES = [f"src/{i}.cpp\n" for i in range(20)]


@pytest.mark.parametrize("n", [1, 3, 12, 30])
def test_the_shares_are_everything_once(n):
    shares = [run(SHARE, f"{k}/{n}", input="".join(LINES)).splitlines(keepends=True) for k in range(n)]
    assert sorted(sum(shares, [])) == sorted(LINES)
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


def test_the_share_of_now_is_one_of_them(tmp_path):
    for folder in (ROOT, tmp_path):  # with and without history
        k, n = map(int, run(SHARE, "--now", 12, cwd=folder).split("/"))
        assert 0 <= k < n == 12


def test_a_commit_moves_the_share(tmp_path):
    def git(*arguments):
        run("git", "-c", "user.name=x", "-c", "user.email=x", *arguments, cwd=tmp_path)

    git("init", "--quiet")
    shares = []
    for _ in range(3):
        git("commit", "--quiet", "--allow-empty", "-m", "x")
        shares.append(run(SHARE, "--now", 1000, cwd=tmp_path))
    assert len(set(shares)) == 3


@pytest.mark.parametrize("share", ["3/3", "-1/3", "3", "x/3", "1/0"])
def test_a_wrong_share_fails(share):
    done = subprocess.run([SHARE, share], input="x\n", capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("share: ")
