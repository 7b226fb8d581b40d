# SPDX-License-Identifier: Apache-2.0
"""Releases of arrays and files: the command's own bits and guarantees, exact grids, honest statistics, clear errors."""
import csv
import doctest
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import doeblin
from conftest import BACKSTOP
from doeblin import _release, release, release_file

ALL = 100_000


def written(path, table, names):
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(names)
        rows.writerows([[repr(float(x)) for x in row] for row in table])


def read(path):
    return np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


def same_bits(first, second):
    return first.shape == second.shape and (first.view(np.int64) == second.view(np.int64)).all()


def grids(entry):
    return np.array([column["grid"] for column in entry["columns"]])


# The same numbers as the command.


@pytest.mark.parametrize("mechanism, more, options", [
    ("gaussian(sigma=2)", dict(bounds=(0, 10)), ["--bounds", "*=0:10"]),
    ("gaussian(sigma=0.3)", dict(bounds=[(0, 10), (-1e-3, 2.5), (-7, 1e6)]),
     ["--bounds", "a=0:10", "--bounds", "b=-0.001:2.5", "--bounds", "c=-7:1e6"]),
    ("laplace(scale=1.5)", dict(sensitivity=2, rows_per_person=3), ["--sensitivity", "*=2", "--rows-per-person", "3"]),
    ("laplace(scale=?)", dict(bounds=(0, 1), epsilon=2), ["--bounds", "*=0:1", "--epsilon", "2"]),
    # Columns with bounds come first, as on the command line.
    ("gaussian(sigma=1)", dict(bounds={"b": (0, 1), "c": (0, 5)}, sensitivity={"a": 0.5, "c": 1}, rows_per_person=1),
     ["--bounds", "b=0:1", "--bounds", "c=0:5", "--sensitivity", "a=0.5", "--sensitivity", "c=1", "--rows-per-person", "1"]),
    ("brownian", dict(bounds=(0, 4), tiers=[1, 2.5, 7]), ["--bounds", "*=0:4", "--tiers", "1,2.5,7"]),
    ("ornstein_uhlenbeck(theta=0.5, rho=1)", dict(bounds=(2, 4), tiers=[0.5, 1]), ["--bounds", "*=2:4", "--tiers", "0.5,1"]),
])
def test_a_seed_gives_the_bits_of_the_program(program, tmp_path, mechanism, more, options):
    table = np.random.default_rng(1).uniform(-1, 12, (200, 3))
    written(tmp_path / "in.csv", table, "abc")
    asked = [program, "release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--mechanism", mechanism,
             "--insecure-seed", "7", *options, "--json", "--certificate", tmp_path / "claim.json"]
    done = subprocess.run(list(map(str, asked)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ours = release(table, mechanism, insecure_seed=7, names=list("abc"), **more)
    report = json.loads(done.stdout)
    for i, tier in enumerate(ours.tiers):
        assert same_bits(tier.values, read(report["releases"][i].pop("file")))
    assert json.loads(ours.report.to_json()) == report
    names = ["claim.json"] if len(ours.tiers) == 1 else [f"claim.tier{i + 1}.json" for i in range(len(ours.tiers))]
    for tier, name in zip(ours.tiers, names):
        theirs, mine = json.loads((tmp_path / name).read_text()), tier.certificate().content
        for one in (theirs, mine):
            one.pop("issued", None), one.pop("seal", None), one.pop("sha256", None)
        assert mine == theirs


@pytest.mark.parametrize("shape", [(100_000, 1), (40_000, 3)])
def test_long_tables_have_the_bits_of_the_program(program, tmp_path, shape):
    """Longer than what one stream of random numbers is for, however long the numbers are as texts."""
    for digits in (1, 20):
        table = np.round(np.random.default_rng(2).uniform(0, 1, shape), digits)
        names = [f"c{i}" for i in range(shape[1])]
        written(tmp_path / "in.csv", table, names)
        # Blank lines are no rows.
        if shape[1] > 1:
            text = (tmp_path / "in.csv").read_text().splitlines()
            (tmp_path / "in.csv").write_text("\n\n".join(text[:9000]) + "\n" + "\n".join(text[9000:]) + "\n\n")
        subprocess.run([program, "release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--force", "--mechanism",
                        "gaussian(1)", "--bounds", "*=0:1", "--insecure-seed", "3"], check=True, capture_output=True)
        values = table[:, 0] if shape[1] == 1 else table
        ours = release(values, "gaussian(1)", bounds=(0, 1), insecure_seed=3).values
        assert ours.shape == values.shape
        assert same_bits(ours.reshape(shape), read(tmp_path / "out.csv"))


def test_a_file_is_released_as_by_the_program(program, tmp_path):
    (tmp_path / "in.csv").write_text("name,age,income,month\nAda,36,1200,5\nBob,150,900,6\n")
    more = dict(bounds={"age": (0, 120), "*": (0, 5000)}, public="month", drop=["name"], insecure_seed=4)
    report = release_file(tmp_path / "in.csv", str(tmp_path / "ours.csv"), "gaussian(sigma=2)", **more)
    asked = [program, "release", tmp_path / "in.csv", "--output", tmp_path / "theirs.csv", "--mechanism", "gaussian(sigma=2)",
             "--bounds", "age=0:120", "--bounds", "*=0:5000", "--public", "month", "--drop", "name", "--insecure-seed", "4", "--json"]
    done = subprocess.run(list(map(str, asked)), capture_output=True, text=True, check=True)
    theirs, ours = json.loads(done.stdout), json.loads(report.to_json())
    assert theirs["releases"][0].pop("file") != ours["releases"][0].pop("file")
    assert ours == theirs and report.void
    assert (tmp_path / "ours.csv").read_text() == (tmp_path / "theirs.csv").read_text()


# Files.


def test_a_file_with_tiers_and_certificates(tmp_path):
    (tmp_path / "in.csv").write_text("x,y\n0.5,1\n0.25,0\n")
    report = release_file(tmp_path / "in.csv", tmp_path / "out.csv", "brownian", bounds=(0, 1), tiers=[1, 4],
                          certificate=tmp_path / "claim.json")
    assert report.rows == 2 and [one["time"] for one in report.releases] == [1, 4]
    assert sorted(os.listdir(tmp_path)) == ["claim.tier1.json", "claim.tier2.json", "in.csv", "out.tier1.csv", "out.tier2.csv"]
    assert doeblin.verify(tmp_path / "claim.tier2.json")
    assert read(tmp_path / "out.tier2.csv").shape == (2, 2)
    texts = release_file(tmp_path / "in.csv", tmp_path / "out.csv", doeblin.laplace(scale=2), bounds={"x": (0, 1), "y": (0, 2)})
    assert texts.delta == 0 and "clipped" not in texts.to_json().replace("values are clipped to the bounds", "")


def test_a_release_is_not_replaced(tmp_path):
    (tmp_path / "in.csv").write_text("x\n0.5\n")
    arguments = dict(mechanism="gaussian(1)", bounds=(0, 1), certificate=tmp_path / "claim.json")
    release_file(tmp_path / "in.csv", tmp_path / "out.csv", **arguments)
    first = (tmp_path / "out.csv").read_text()
    with pytest.raises(ValueError, match="a second run is a second release about the same people, and privacy losses add up; force replaces it"):
        release_file(tmp_path / "in.csv", tmp_path / "out.csv", "gaussian(1)", bounds=(0, 1))
    with pytest.raises(ValueError, match="^certificate = .*need a file that is not there yet"):
        release_file(tmp_path / "in.csv", tmp_path / "other.csv", **arguments)
    assert (tmp_path / "out.csv").read_text() == first and not (tmp_path / "other.csv").exists()
    release_file(tmp_path / "in.csv", tmp_path / "out.csv", **arguments, force=True)
    assert (tmp_path / "out.csv").read_text() != first


@pytest.mark.parametrize("more, problem", [
    (dict(bounds={"x": (0, 1)}), "nothing is declared about column 'y'"),
    (dict(bounds=(0, 1), drop="z"), "there is no column 'z'"),
    (dict(bounds=(0, 2), strict=True), "in.csv:3: column 'x': '3' is outside"),
    (dict(bounds=(0, 1), output="in.csv"), "output = "),
    (dict(bounds=(0, 1), output="-"), "output = '-'"),
    (dict(bounds=(0, 1), input="none.csv"), "No such file"),
    (dict(bounds=(0, 1), certificate="in.csv"), "certificate = "),
    (dict(bounds=(0, math.inf)), "upper bound of x"),
    (dict(bounds={"x": (0, 10**400)}), "bounds"),
    (dict(), "neither bounds nor sensitivity"),
])
def test_bad_files_leave_nothing(tmp_path, monkeypatch, more, problem):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.csv").write_text("x,y\n1,2\n3,4\n")
    arguments = {"input": "in.csv", "output": "out.csv", "mechanism": "gaussian(1)", **more}
    with pytest.raises(ValueError, match=".") as error:
        release_file(**arguments)
    assert problem in str(error.value) and "--" not in str(error.value)
    assert os.listdir(tmp_path) == ["in.csv"]


def test_types_for_files(tmp_path):
    for more in (dict(input=3), dict(output=None), dict(bounds=3), dict(bounds={"x": 3}), dict(bounds={3: (0, 1)}),
                 dict(sensitivity=[1]), dict(sensitivity={"x": "1"}), dict(drop=3), dict(public=[3]), dict(certificate=3)):
        with pytest.raises(TypeError, match=next(iter(more))):
            release_file(**{"input": tmp_path / "in.csv", "output": tmp_path / "o.csv", "mechanism": "gaussian(1)", **more})


# What is promised.


def test_guarantees_are_those_of_the_pipeline():
    table = np.random.default_rng(3).uniform(0, 1, (50, 2))
    noisy = release(table, doeblin.gaussian(sigma=2), bounds=(0, 1))
    truth = (doeblin.gaussian(sigma=2) | doeblin.compose(2)).epsilon(delta=1e-6)
    assert truth.lower <= noisy.epsilon.upper <= truth.upper * (1 + 1e-8)
    assert noisy.epsilon.lower <= truth.upper and not noisy.void and noisy.time is None
    assert noisy.report.rows == 50 and noisy.report.analysis[0]["source"] == "P1, D6"
    assert noisy.tiers == [noisy] and noisy.values.dtype == np.float64
    pure = release(table, "laplace(scale=4)", bounds=(0, 1))
    assert pure.delta == 0 and pure.epsilon == pytest.approx(0.5, rel=1e-6)
    assert release(table, "laplace(scale=4)", bounds=(0, 1), delta=1e-3).epsilon < pure.epsilon
    # With fewer rows than one person may be in, nobody is as badly off as that.
    assert release(table[:3], "gaussian(1)", bounds=(0, 1), rows_per_person=4).epsilon.lower == 0
    assert release(table[:0], "gaussian(1)", bounds=(0, 1)).values.shape == (0, 2)
    assert release([], "gaussian(1)", bounds=(0, 1)).values.shape == (0,)


@pytest.mark.parametrize("source", [doeblin.gaussian(0.1 + 0.2), doeblin.laplace(1 / 3), doeblin.brownian(math.pi),
                                    doeblin.ornstein_uhlenbeck(theta=0.1, rho=2 / 3, time=1e-3)])
def test_a_source_is_what_its_text_is(source):
    options = dict(bounds=(0, 5), insecure_seed=3)
    text = str(source).replace(", sensitivity=1", "")
    typed, written = release([1.0, 2.0], source, **options), release([1.0, 2.0], text, **options)
    assert (typed.values == written.values).all() and typed.delta == written.delta
    assert typed.report.mechanism == written.report.mechanism


@pytest.mark.parametrize("mechanism, delta", [("gaussian(sigma=?)", None), ("laplace(scale=?)", None), ("brownian(time=?)", 1e-9),
                                              ("ornstein_uhlenbeck(theta=1, rho=?, time=1)", None)])
def test_a_hole_is_solved_for(mechanism, delta):
    noisy = release([1.0, 2.0], mechanism, bounds=(0, 5), epsilon=0.7, delta=delta)
    assert 0.7 * (1 - 2e-3) <= noisy.epsilon <= 0.7


def test_tiers_are_one_path():
    values = np.full(20_000, 5.0)
    noisy = release(values, "brownian", tiers=[1, 2, 4], bounds=(0, 10))
    with pytest.raises(AttributeError, match="tiers"):
        noisy.values
    assert [tier.time for tier in noisy.tiers] == [1, 2, 4] and noisy.epsilon == noisy.tiers[0].epsilon
    assert noisy.epsilon > noisy.tiers[1].epsilon > noisy.tiers[2].epsilon
    steps = np.diff([values, *(tier.values for tier in noisy.tiers)], axis=0)
    # Independent steps whose variances are 2 (t - s) times the squared width of the bounds, 100.
    for step, variance in zip(steps, (200, 200, 400)):
        assert step.var() == pytest.approx(variance, rel=6 * math.sqrt(2 / 20_000))
    for one, other in ((0, 1), (1, 2), (0, 2)):
        assert abs(np.corrcoef(steps[one], steps[other])[0, 1]) < 6 / math.sqrt(20_000)
    certificates = noisy.certificate()
    assert len(certificates) == 3 and all(one.verify() for one in certificates)
    assert noisy.tiers[1].certificate() == certificates[1]


def test_certificates_verify_and_tampering_is_found(tmp_path):
    noisy = release(np.eye(3), "gaussian(sigma=2)", bounds=(0, 1), rows_per_person=1, names=["a", "b", "c"])
    certificate = noisy.certificate()
    verification = certificate.verify()
    assert verification and verification.verdict == "VERIFIED"
    assert doeblin.verify(certificate.write(tmp_path / "claim.json")._name)
    text = certificate.text
    upper = repr(noisy.epsilon.upper)
    assert upper in text
    (tmp_path / "claim.json").write_text(text.replace(upper, repr(noisy.epsilon.upper / 2)))
    with pytest.raises(ValueError):
        doeblin.verify(tmp_path / "claim.json")
    (tmp_path / "claim.json").write_text(text.replace('"gaussian(sigma=2)"', '"gaussian(sigma=3)"'))
    with pytest.raises(ValueError):
        doeblin.verify(tmp_path / "claim.json")
    assert "VOID" in release([1], "gaussian(1)", bounds=(0, 1), insecure_seed=1).certificate().sentence.upper()


def test_nothing_is_told_about_the_private_values():
    inside = release(np.full(5, 0.5), "gaussian(1)", bounds=(0, 1))
    outside = release(np.full(5, 77.25), "gaussian(1)", bounds=(0, 1))
    assert str(inside) == str(outside) and repr(inside) == repr(outside)
    assert inside.report == outside.report and inside.certificate().content["details"] == outside.certificate().content["details"]
    state = pickle.dumps(outside)
    assert b"77.25" not in state and b"clipped\x94" not in state
    assert "77.25" not in "".join(str(getattr(outside, name)) for name in dir(outside) if not name.startswith("__"))


def test_seeds_repeat_and_void():
    values = np.arange(10.0)
    first, second = (release(values, "gaussian(1)", bounds=(0, 9), insecure_seed=5) for _ in range(2))
    assert same_bits(first.values, second.values)
    assert first.void and first.epsilon.lower == 0 and first.epsilon.upper == math.inf and "VOID" in repr(first) and "VOID" in str(first)
    fresh = [release(values, "gaussian(1)", bounds=(0, 9)).values for _ in range(2)]
    assert not same_bits(*fresh) and not same_bits(fresh[0], first.values)
    assert not same_bits(release(values, "gaussian(1)", bounds=(0, 9), insecure_seed=6).values, first.values)


def test_a_release_can_be_pickled():
    for noisy in (release(np.eye(2), "gaussian(2)", bounds=(0, 1)), release([1.0], "brownian", tiers=[1, 2], bounds=(0, 1))):
        copy = pickle.loads(pickle.dumps(noisy))
        assert repr(copy) == repr(noisy) and copy.certificate() == noisy.certificate()
        assert all(same_bits(a.values, b.values) for a, b in zip(copy.tiers, noisy.tiers))


# What is drawn.


@pytest.mark.parametrize("mechanism, deviation, fourth", [("gaussian(sigma=2)", 2.0, 3), ("laplace(scale=0.7)", 0.7 * math.sqrt(2), 6),
                                                          ("brownian(time=0.5)", 1.0, 3)])
def test_means_and_variances(mechanism, deviation, fourth):
    values = np.random.default_rng(4).uniform(-3, 5, ALL)
    noisy = release(values, mechanism, bounds=(-3, 5))
    noise = (noisy.values - values) / 8 / deviation
    assert abs(noise.mean()) < 6 / math.sqrt(ALL)
    assert abs(noise.var() - 1) < 6 * math.sqrt((fourth - 1) / ALL)
    assert abs(np.corrcoef(noise[1:], noise[:-1])[0, 1]) < 6 / math.sqrt(ALL)


def test_ornstein_uhlenbeck_pulls_to_the_middle():
    noisy = release(np.full(ALL, 0.3), "ornstein_uhlenbeck(0.5, 0.7, 1)", bounds=(0, 1))
    (column,) = noisy.report.releases[0]["columns"]
    assert column["centre"] == 0.5 and noisy.time == 1
    expected = 0.5 + column["times"] * (0.3 - 0.5)
    assert abs(noisy.values.mean() - expected) < 6 * column["noise"] / math.sqrt(ALL)


def test_every_number_is_on_its_grid():
    table = np.random.default_rng(5).uniform(-10, 2000, (3000, 3))
    noisy = release(table, "gaussian(sigma=0.1)", bounds=[(0, 1), (-10, 2000), (0, 1e-6)])
    grid = grids(noisy.report.releases[0])
    assert (np.log2(grid) == np.round(np.log2(grid))).all()
    steps = noisy.values / grid
    assert (steps == np.round(steps)).all() and len(np.unique(steps[:, 0])) > 2000
    # Clipped, or the first column would be around 1000.
    assert abs(noisy.values[:, 0]).max() < 2


def test_integers_floats_and_views_are_the_same_values():
    table = np.arange(24).reshape(4, 6) % 7
    want = release(table.astype(float)[:, ::2], "gaussian(1)", bounds=(0, 6), insecure_seed=1).values
    for same in (table[:, ::2], np.asfortranarray(table)[:, ::2], table.astype(np.float32)[:, ::2], table[:, ::2].tolist(),
                 table.astype(">f8")[:, ::2], table.astype(np.uint8)[:, ::2], table.astype(object)[:, ::2]):
        assert same_bits(release(same, "gaussian(1)", bounds=(0, 6), insecure_seed=1).values, want)
    before = table.copy()
    release(table, "gaussian(1)", bounds=(0, 1))
    assert (table == before).all()


def test_strict_refuses_and_names_the_row():
    values = np.array([[1.0, 2.0], [3.0, 150.0]])
    with pytest.raises(ValueError, match=r"values\[1\]: column 'age': '150' is outside \[0, 120\]"):
        release(values, "gaussian(1)", bounds=(0, 120), strict=True, names=["id", "age"])
    assert release(values, "gaussian(1)", bounds=(0, 150), strict=True).values.shape == (2, 2)
    with pytest.raises(ValueError, match="what the grid holds without bounds"):
        release([1e15], "gaussian(1)", sensitivity=1)
    late = np.zeros(100_000)
    late[70_000:] = 2
    with pytest.raises(ValueError, match=r"values\[70000\]"):
        release(late, "gaussian(1)", bounds=(0, 1), strict=True)


def test_threads_draw_at_the_same_time():
    values = np.random.default_rng(6).uniform(0, 1, (20_000, 2))
    want = [release(values, "gaussian(1)", bounds=(0, 1), insecure_seed=seed).values for seed in range(8)]
    got = [None] * 8
    threads = [threading.Thread(target=lambda i=i: got.__setitem__(i, release(values, "gaussian(1)", bounds=(0, 1), insecure_seed=i).values))
               for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(same_bits(a, b) for a, b in zip(want, got))


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_ends_a_long_release():
    code = ("import numpy as np, doeblin\n"
            "values = np.zeros(30_000_000)\n"
            "print('ready', flush=True)\n"
            "while True:\n"
            "    doeblin.release(values, 'gaussian(1)', bounds=(0, 1))\n")
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    output, errors = child.communicate(timeout=BACKSTOP)
    assert output == "" and "KeyboardInterrupt" in errors, errors


# What is refused.


@pytest.mark.parametrize("values, error, problem", [
    (None, TypeError, "values"), ("abc", TypeError, "values"), (["a"], TypeError, "values"), (5.0, ValueError, "dimensions"),
    (np.zeros((2, 2, 2)), ValueError, "3 dimensions"), (np.zeros((3, 0)), ValueError, "no columns"), ([[1], [2, 3]], ValueError, "values"),
    ([1.0, math.nan], ValueError, r"values\[1\]: column 'value': 'nan' is not a finite"), ([-math.inf], ValueError, "finite"),
    ([1j], TypeError, "complex"), ([True], TypeError, "bool"), (np.array(["2020-01-01"], dtype="M8[D]"), TypeError, "datetime"),
    ([10**400], ValueError, "no double"), ([object()], TypeError, "values"), ({1: 2}, (TypeError, ValueError), "values"),
    (np.ma.masked_array([1.0, 2.0], mask=[0, 1]), ValueError, "masked"),
])
def test_bad_values(values, error, problem):
    with pytest.raises(error, match=problem):
        release(values, "gaussian(1)", bounds=(0, 1))


@pytest.mark.parametrize("more, error, problem", [
    (dict(bounds=None), ValueError, "neither bounds nor sensitivity"), (dict(bounds=3), TypeError, "bounds"),
    (dict(bounds=(0,)), ValueError, "bounds: 1, need one for each of 2"), (dict(bounds=[(0, 1)] * 3), ValueError, "bounds: 3"),
    (dict(bounds=[(0, 1), 5]), TypeError, "bounds"), (dict(bounds=("a", "b")), TypeError, "bounds"),
    (dict(bounds=(1, 0)), ValueError, "upper bound"), (dict(bounds=(0, math.inf)), ValueError, "upper bound"),
    (dict(bounds=(math.nan, 1)), ValueError, "lower bound"), (dict(bounds={"z": (0, 1)}), ValueError, "bounds: 'z'"),
    (dict(bounds=[(0, 1), None]), ValueError, "neither bounds nor sensitivity"), (dict(bounds=(0, 10**400)), ValueError, "bounds"),
    (dict(sensitivity=0), ValueError, "sensitivity"), (dict(sensitivity="x"), TypeError, "sensitivity"),
    (dict(sensitivity=[1]), ValueError, "sensitivity: 1"), (dict(sensitivity={"z": 1}), ValueError, "sensitivity: 'z'"),
    (dict(mechanism="gaussian(0)"), ValueError, "sigma = 0"), (dict(mechanism=3), TypeError, "mechanism"),
    (dict(mechanism=None), TypeError, "mechanism"), (dict(mechanism="poisson(0.1)"), ValueError, "mechanism = "),
    (dict(mechanism=doeblin.gaussian(1) | doeblin.compose(2)), ValueError, "one source"),
    (dict(mechanism=doeblin.gaussian(1, sensitivity=2)), ValueError, "sensitivity"),
    (dict(mechanism=doeblin.brownian(1), tiers=[1, 2]), ValueError, "tiers are its times"),
    (dict(mechanism=doeblin.gdp(1)), ValueError, "mechanism = "), (dict(mechanism=doeblin.compose(3)), TypeError, "mechanism"),
    (dict(mechanism="gaussian(?)"), ValueError, "epsilon is missing"), (dict(epsilon=1), ValueError, "epsilon = 1"),
    (dict(epsilon="1"), TypeError, "epsilon"), (dict(delta=2), ValueError, "delta = 2"), (dict(delta=math.nan), ValueError, "delta"),
    (dict(tiers=[1, 2]), ValueError, "tiers"), (dict(mechanism="brownian", tiers=[2, 1]), ValueError, "increasing"),
    (dict(mechanism="brownian", tiers=[]), ValueError, "tiers"), (dict(mechanism="brownian", tiers="1"), TypeError, "tiers"),
    (dict(rows_per_person=0), ValueError, "rows_per_person = 0"), (dict(rows_per_person="x"), TypeError, "rows_per_person"),
    (dict(strict=1), TypeError, "strict"), (dict(insecure_seed=-1), ValueError, "insecure_seed = -1"),
    (dict(insecure_seed=1.5), ValueError, "insecure_seed"), (dict(insecure_seed=2**60), ValueError, "insecure_seed"),
    (dict(names=["a"]), ValueError, "names: 1"), (dict(names=["a", "a"]), ValueError, "names"), (dict(names=[1, 2]), TypeError, "names"),
    (dict(names="ab"), ValueError, "names: 1"), (dict(names=["a", ""]), ValueError, "names"), (dict(names=["a", "\0"]), ValueError, "names"),
    (dict(names=["a", "\udc80"]), ValueError, "names"),
])
def test_bad_options(more, error, problem):
    arguments = {"mechanism": "gaussian(1)", "bounds": (0, 1), **more}
    with pytest.raises(error, match=problem) as caught:
        release(np.zeros((2, 2)), **arguments)
    assert "--" not in str(caught.value)


def test_odd_names_are_carried_along():
    names = ["*", "a=b:c", "\u00e4\n", "'\"\\"]
    noisy = release(np.zeros((2, 4)), "gaussian(1)", bounds={name: (0, 1) for name in names}, names=names)
    assert [column["name"] for column in noisy.report.releases[0]["columns"]] == names
    assert noisy.certificate().verify() and repr(noisy) and str(noisy)


def test_files_that_are_not_utf8(tmp_path):
    (tmp_path / "in.csv").write_bytes(b"gr\xf6\xdfe\n1\n")
    report = release_file(tmp_path / "in.csv", tmp_path / "out.csv", "gaussian(1)", bounds=(0, 1))
    assert report.rows == 1 and report.releases[0]["columns"][0]["name"].startswith("gr")
    assert (tmp_path / "out.csv").read_bytes().startswith(b"gr\xf6\xdfe\n") and str(report)


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.binary(max_size=3), st.complex_numbers(),
    st.just(10**400), st.just(object()), st.just(np.float64("nan")), st.just(np.zeros((2, 2))), st.just(np.array(3)),
    st.lists(st.one_of(st.none(), st.floats(), st.text(max_size=2), st.integers()), max_size=4), st.tuples(st.floats(), st.floats()),
    st.lists(st.tuples(st.floats(), st.floats()), max_size=3), st.dictionaries(st.text(max_size=3), st.floats(), max_size=3),
    st.just({"value": (0, 1)}), st.just(range(3)), st.just(np.array(["x", None], dtype=object)), st.sets(st.integers(), max_size=3),
    st.just(doeblin.gaussian(1)), st.just(doeblin.compose(2)), st.just("gaussian(1)"), st.just("brownian"), st.just(lambda: 1))


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.fixed_dictionaries({"values": st.one_of(st.just(np.zeros(3)), ANYTHING), "mechanism": st.one_of(st.just("gaussian(1)"), ANYTHING),
                              "bounds": st.one_of(st.just((0, 1)), ANYTHING)},
                             optional={name: ANYTHING for name in ("sensitivity", "tiers", "rows_per_person", "epsilon", "delta", "strict",
                                                                   "insecure_seed", "names")}))
def test_arguments_of_any_kind_are_refused_or_released(arguments):
    try:
        noisy = release(**arguments)
    except (ValueError, TypeError):
        return
    assert all(np.isfinite(tier.values).all() for tier in noisy.tiers)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.floats(), max_size=5), st.floats(), st.floats(),
       st.sampled_from(["gaussian", "laplace"]), st.floats(min_value=1e-30, max_value=1e30))
def test_any_numbers_are_refused_or_released_on_their_grid(values, low, high, name, noise):
    try:
        noisy = release(values, f"{name}({noise!r})", bounds=(low, high))
    except ValueError:
        return
    steps = noisy.values / grids(noisy.report.releases[0])
    assert (steps == np.round(steps)).all() and noisy.epsilon.upper >= noisy.epsilon.lower >= 0


def test_docstrings():
    assert doctest.testmod(_release).failed == 0
