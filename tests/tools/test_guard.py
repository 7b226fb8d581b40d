# SPDX-License-Identifier: Apache-2.0
"""The guard fails on 3% more instructions, and on nothing else. (What it counts is counted by `make bench-guard`.)"""
import json
import subprocess
import sys

from tooling import ROOT

import guard


def test_ten_queries_have_a_stored_count():
    stored = json.loads((ROOT / "bench" / "guard.json").read_text())
    assert len(guard.QUERIES) == 10 and set(stored) == set(guard.QUERIES)
    assert all(count > 1e5 for count in stored.values())


def test_three_percent_more_is_too_much():
    assert not list(guard.problems({"x": 1000}, {"x": 1000}))
    assert not list(guard.problems({"x": 1029}, {"x": 1000}))
    assert not list(guard.problems({"x": 10}, {"x": 1000}))
    assert "+3.1%" in next(guard.problems({"x": 1031}, {"x": 1000}))
    assert "no count is stored" in next(guard.problems({"y": 1}, {"x": 1}))


def test_a_slower_program_fails(tmp_path, monkeypatch, capsys):
    counts = tmp_path / "counts.json"
    counts.write_text(json.dumps({name: 1000 for name in guard.QUERIES}))
    monkeypatch.setattr(guard, "counts", lambda program, queries: ((name, 1000 + 200 * (name == "dp-sgd")) for name in queries))
    monkeypatch.setattr(guard.shutil, "which", lambda name: name)
    monkeypatch.setattr(sys, "argv", ["guard.py", "program", str(counts)])
    assert guard.main() == 1
    assert "dp-sgd: 1,200 instructions, +20.0%" in capsys.readouterr().err


def test_every_query_is_a_question_that_the_program_answers():
    for arguments in guard.QUERIES.values():
        done = subprocess.run([ROOT / "build" / "doeblin", *arguments], capture_output=True, text=True)
        assert done.returncode in (0, 3), done.stderr
