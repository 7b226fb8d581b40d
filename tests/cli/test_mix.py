# SPDX-License-Identifier: Apache-2.0
"""Kernels through the program: mix, pipelines with kernels, malformed files."""
import itertools
import math
import struct
import xml.etree.ElementTree as ElementTree

import pytest

from conftest import ask, run

ROWS = [[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]]


@pytest.fixture
def channel(tmp_path):
    file = tmp_path / "channel.csv"
    file.write_text("".join(",".join(map(str, row)) + "\n" for row in ROWS))
    return file


def hockey_stick(p, q, epsilon):
    return sum(max(0.0, a - math.exp(epsilon) * b) for a, b in zip(p, q))


def test_mix_reports_every_coefficient(channel):
    report = ask("mix", channel, "--at", "0.5,1")
    assert report["states"] == 3 and report["entries"] == 9
    for one in report["coefficients"]:
        truth = max(hockey_stick(p, q, one["epsilon"]) for p, q in itertools.permutations(ROWS, 2))
        assert one["gamma"]["lower"] <= truth + 1e-15 and truth <= one["gamma"]["upper"] + 1e-15
        assert one["gamma"]["upper"] - one["gamma"]["lower"] < 1e-14
        first, second = (ROWS[k - 1] for k in one["states"])
        assert hockey_stick(first, second, one["epsilon"]) == pytest.approx(truth, rel=1e-12)
    assert [one["epsilon"] for one in report["coefficients"]] == [0, 0.5, 1]
    smallest = [min(column) for column in zip(*ROWS)]
    assert report["doeblin"]["gamma"]["upper"] == pytest.approx(1 - sum(smallest), rel=1e-12)
    assert report["doeblin"]["minorising"] == pytest.approx([x / sum(smallest) for x in smallest])
    ultra = report["ultra_mixing"]
    assert ultra["gamma"]["upper"] == pytest.approx(1 - 0.05 / 0.8, rel=1e-12)
    assert (ultra["output"], ultra["states"]) == (2, [1, 2])


def test_mix_shows_effects_in_order(channel):
    report = ask("mix", channel, "--epsilon", "1", "--delta", "1e-6")
    effects = {one["name"]: one for one in report["effects"]}
    assert list(effects) == ["best", "kernel", "dobrushin", "doeblin", "ultra-mixing", "published-doeblin",
                             "published-ultra", "none"]
    for key in ("delta", "epsilon"):
        uppers = {name: one[key]["upper"] for name, one in effects.items()}
        assert all(uppers["best"] <= upper * (1 + 1e-9) for upper in uppers.values())
        assert uppers["ultra-mixing"] <= uppers["published-ultra"]
        assert uppers["doeblin"] <= uppers["published-doeblin"]


def test_mix_tabulates_steps_and_finds_the_target(channel, tmp_path):
    plot = tmp_path / "mix.svg"
    report = ask("mix", channel, "--steps", "6", "--target-epsilon", "0.1", "--svg", plot)
    assert [one["steps"] for one in report["steps"]] == [1, 2, 3, 4, 5, 6]
    for before, after in itertools.pairwise(report["steps"]):
        for key in ("dobrushin", "delta", "epsilon"):
            assert after[key]["upper"] <= before[key]["upper"]
    steps = report["target"]["steps"]
    assert steps == 11
    reached = ask("delta", f"black_box(1, 1e-6) | kernel('{channel}', steps={steps})", "--epsilon", "0.1")
    missed = ask("delta", f"black_box(1, 1e-6) | kernel('{channel}', steps={steps - 1})", "--epsilon", "0.1")
    assert reached["delta"]["upper"] <= 1e-6 < missed["delta"]["lower"]
    root = ElementTree.parse(plot).getroot()
    assert root.tag.endswith("svg") and len(list(root.iter("{http://www.w3.org/2000/svg}path"))) >= 3
    calibrated = ask("calibrate", f"black_box(1, 1e-6) | kernel('{channel}', steps=?)", "--epsilon", "0.1", "--delta",
                     "1e-6")
    assert calibrated["value"] == steps


def test_a_target_that_no_number_of_steps_reaches(tmp_path):
    file = tmp_path / "identity.csv"
    file.write_text("1,0\n0,1\n")
    report = ask("mix", file, "--steps", "1", "--target-epsilon", "0.5")
    assert report["target"]["steps"] == "inf"
    assert "no number of steps" in run("mix", file, "--steps", "1", "--target-epsilon", "0.5").stdout


def test_mix_takes_products_and_formulas(channel):
    product = ask("mix", f"kernel('{channel}') | k_ary_response(3, 0.5)", "--steps", "1")
    lambda_ = 0.25
    alone = ask("mix", channel, "--steps", "1")["dobrushin"]["gamma"]["upper"]
    assert product["dobrushin"]["gamma"]["upper"] == pytest.approx(lambda_ * alone, rel=1e-9)
    formula = ask("mix", "projected_gaussian(0.5, lipschitz=0.9)", "--mechanism", "gaussian(1)", "--steps", "3")
    assert "states" not in formula
    effects = {one["name"]: one for one in formula["effects"]}
    assert "reason" in effects["doeblin"] and effects["best"]["delta"]["upper"] < 0.02
    text = run("mix", "k_ary_response(4, 0.7)").stdout
    assert "Dobrushin" in text and "steps" in text


def test_the_pipeline_of_the_issue():
    report = ask("epsilon",
                 "gaussian(sigma=1) | projected_gaussian(sigma=0.5, low=0, high=1, lipschitz=0.9, steps=10)", "--delta",
                 "1e-6")
    assert report["epsilon"]["upper"] < 0.03
    assert [line["source"] for line in report["analysis"]] == ["P1", "M2"]


def test_exact_beside_the_bounds(channel, tmp_path):
    mechanism = tmp_path / "m.csv"
    laws = [[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]]
    mechanism.write_text("".join(",".join(map(str, row)) + "\n" for row in laws))
    rows = {row["name"]: row["delta"] for row in
            ask("compare", f"finite('{mechanism}') | kernel('{channel}')", "--epsilon", "0.2")["analyses"]}
    after = [[sum(law[x] * ROWS[x][y] for x in range(3)) for y in range(3)] for law in laws]
    truth = max(hockey_stick(after[0], after[1], 0.2), hockey_stick(after[1], after[0], 0.2))
    assert rows["best"]["lower"] <= truth <= rows["best"]["upper"]
    assert rows["best"]["upper"] - rows["best"]["lower"] < 1e-13
    assert all(truth <= row["upper"] for row in rows.values())
    assert all(row["lower"] <= truth for row in rows.values())


def npy(header, data):
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


MALFORMED = {
    "length.csv": (b"0.5,0.5\n0.5,0.25,0.25\n", "length.csv:2: 3 values"),
    "negative.csv": (b"0.5,0.5\n-0.5,1.5\n", "negative.csv:2: row 2, column 1 = -0.5"),
    "nan.csv": (b"0.5,0.5\n\nnan,1\n", "nan.csv:3: column 1 = 'nan'"),
    "tiny.csv": (b"0.5,0.5\n1e-400,1\n", "tiny.csv:2: column 1 = '1e-400'"),
    "sum.csv": (b"0.5,0.5\n0.5,0.6\n", "sum.csv:2: sum of row 2 = 1.1"),
    "empty.csv": (b"", "need at least one row"),
    "bytes.csv": (bytes(range(256)) * 100, "bytes.csv:"),
    "claim.npy": (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (16384, 16384), }", b""), "claim.npy: 16384"),
    "short.npy": (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4096, 4096), }", b"12345678"),
                  "short.npy: 8 bytes of data"),
    "claim.mtx": (b"%%MatrixMarket matrix array real general\n16384 16384\n0\n", "claim.mtx:2: 16384"),
    "count.mtx": (b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n", "count.mtx:3: 1 entries"),
    "index.mtx": (b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 9 1\n", "index.mtx:4: column = 9"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_files(name, tmp_path):
    content, message = MALFORMED[name]
    file = tmp_path / name
    file.write_bytes(content)
    for command in (["mix", file], ["delta", f"gaussian(1) | kernel('{file}')", "--epsilon", "1"]):
        done = run(*command)
        assert done.returncode == 2 and done.stdout == ""
        assert message in done.stderr and done.stderr.count("\n") == 1


def test_two_gigabytes_of_zeros(tmp_path):
    # A sparse file: the header is right about its size, which is too large.
    file = tmp_path / "zeros.npy"
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (16384, 16384), }"
    with file.open("wb") as out:
        out.write(npy(header, b""))
        out.truncate(len(npy(header, b"")) + 2**31)
    done = run("mix", file)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "zeros.npy: 16384 x 16384" in done.stderr
    # And without a header: one endless line.
    with file.open("wb") as out:
        out.truncate(2**31)
    done = run("mix", file)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "zeros.npy:1: line too long" in done.stderr


@pytest.mark.parametrize("arguments, message", [
    (["mix", "gaussian(1)"], "expected kernels only"),
    (["mix", "nowhere.csv"], "need an existing regular file"),
    (["mix", "dobrushin(0.5)", "--delta", "0"], "--delta = 0"),
    (["mix", "dobrushin(0.5)", "--epsilon", "-1"], "--epsilon = -1"),
    (["mix", "dobrushin(0.5)", "--steps", "0"], "--steps = 0"),
    (["mix", "dobrushin(0.5)", "--at", "-1"], "--at = -1"),
    (["mix", "dobrushin(0.5)", "--target-delta", "2"], "--target-delta = 2"),
    (["mix", "dobrushin(1.5)"], "gamma = 1.5"),
    (["mix", "dobrushin(0.5)", "--svg", "/nonexistent/x.svg"], "--svg"),
    (["delta", "gaussian(1) | kernel('nowhere.csv')", "--epsilon", "1"], "need an existing regular file"),
    (["delta", "gaussian(1) | truncated_geometric(5000, 0.5)", "--epsilon", "1"], "states = 5000"),
    (["delta", "gaussian(1) | projected_gaussian(0)", "--epsilon", "1"], "sigma = 0"),
])
def test_bad_input(arguments, message):
    done = run(*arguments)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and message in done.stderr


def test_kernels_that_do_not_fit(channel, tmp_path):
    mechanism = tmp_path / "m.csv"
    mechanism.write_text("0.5,0.5\n0.25,0.75\n")
    for kernel in (f"kernel('{channel}')", "k_ary_response(5, 0.5)", "k_ary_response(1000, 0.5)"):
        done = run("delta", f"finite('{mechanism}') | {kernel}", "--epsilon", "1")
        assert done.returncode == 2 and "need the 2 outputs of the mechanism" in done.stderr
    oblong = tmp_path / "oblong.csv"
    oblong.write_text("0.5,0.25,0.25\n0.25,0.5,0.25\n")
    assert "steps = 2" in run("mix", f"kernel('{oblong}', steps=2)").stderr
    assert run("mix", oblong).returncode == 0
    assert run("mix", oblong, "--target-epsilon", "0.1").returncode == 2
