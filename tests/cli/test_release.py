# SPDX-License-Identifier: Apache-2.0
"""The command release: files, tiers, errors, guarantees; and calibrate for diffusions against simulation."""
import csv
import math
import os
import random
import statistics
import subprocess

import pytest

from conftest import PROGRAM, Started, ask, run


@pytest.fixture
def survey(tmp_path):
    file = tmp_path / "survey.csv"
    file.write_text("name,age,income\nAda,36,1200\nBob,150,900\nCy,20,-5\n")
    return file


def columns(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


def released(survey, *more, output="noisy.csv"):
    """A release that may replace the one before."""
    return ["release", survey, "--output", survey.parent / output, "--force", "--bounds", "age=0:120", "--bounds", "income=0:5000", *more]


def test_a_release_has_noise_and_a_guarantee(survey):
    report = ask(*released(survey, "--mechanism", "gaussian(sigma=2)", "--public", "name"))
    assert report["rows"] == 3 and not report["void"]
    assert "clipped" not in str(report["releases"])
    truth = ask("epsilon", "gaussian(sigma=2) | compose(2)", "--delta", "1e-6")["epsilon"]
    epsilon = report["releases"][0]["epsilon"]
    assert epsilon["lower"] <= truth["upper"] and truth["lower"] <= epsilon["upper"]
    assert epsilon["upper"] <= truth["upper"] * (1 + 1e-8)
    table = columns(survey.parent / "noisy.csv")
    assert table["name"] == ["Ada", "Bob", "Cy"]
    for one in report["releases"][0]["columns"]:
        assert one["noise"] == 2 * one["sensitivity"]
        grid = one["grid"]
        assert math.log2(grid) == int(math.log2(grid)) and grid < one["noise"] / 4000
        for cell in table[one["name"]]:
            assert float(cell) / grid == int(float(cell) / grid)


def test_values_outside_the_bounds_are_told_to_the_person_at_the_keyboard_only(survey):
    result = run(*released(survey, "--mechanism", "gaussian(sigma=2)", "--drop", "name"))
    assert result.returncode == 0
    assert "1 value of age outside the bounds, clipped" in result.stderr and "not for publication" in result.stderr
    assert "clipped" not in result.stdout.replace("values are clipped to the bounds", "")
    assert set(columns(survey.parent / "noisy.csv")) == {"age", "income"}


def test_strict_refuses_and_writes_nothing(survey):
    result = run(*released(survey, "--mechanism", "gaussian(sigma=2)", "--drop", "name", "--strict"))
    assert result.returncode == 2
    assert result.stderr == f"doeblin: {survey}:3: column 'age': '150' is outside [0, 120]\n"
    assert os.listdir(survey.parent) == ["survey.csv"]


def test_a_hole_is_solved_for(survey):
    for mechanism, delta in (("gaussian(sigma=?)", "1e-6"), ("laplace(scale=?)", "0"), ("laplace(scale=?)", "1e-3"),
                             ("brownian(time=?)", "1e-9"), ("ornstein_uhlenbeck(theta=1, rho=?, time=1)", "1e-6"),
                             ("ornstein_uhlenbeck(theta=?, rho=1, time=1)", "1e-6")):
        report = ask(*released(survey, "--mechanism", mechanism, "--drop", "name", "--epsilon", "0.7", "--delta", delta))
        epsilon = report["releases"][0]["epsilon"]["upper"]
        assert epsilon <= 0.7 and epsilon >= 0.7 * (1 - 2e-3), mechanism


def test_tiers_have_the_levels_of_the_diffusion(survey):
    report = ask(*released(survey, "--mechanism", "ornstein_uhlenbeck(theta=0.5, rho=1)", "--tiers", "1,2,4", "--drop", "name"))
    assert [one["time"] for one in report["releases"]] == [1, 2, 4]
    for one in report["releases"]:
        truth = ask("epsilon", f"ornstein_uhlenbeck(0.5, 1, {one['time']}) | compose(2)", "--delta", "1e-6")["epsilon"]
        assert truth["lower"] <= one["epsilon"]["upper"] <= truth["upper"] * (1 + 1e-7)
        assert one["epsilon"]["lower"] <= truth["upper"]
        assert one["epsilon"]["lower"] >= truth["lower"] * 0.99
        assert len(columns(one["file"])["age"]) == 3
    assert sorted(os.listdir(survey.parent)) == ["noisy.tier1.csv", "noisy.tier2.csv", "noisy.tier3.csv", "survey.csv"]


def test_a_seed_repeats_and_voids(survey):
    arguments = released(survey, "--mechanism", "gaussian(sigma=1)", "--drop", "name", "--insecure-seed", "5")
    report = ask(*arguments)
    assert report["void"] is True and report["releases"][0]["epsilon"]["upper"] == "inf"
    first = (survey.parent / "noisy.csv").read_text()
    assert "VOID" in run(*arguments).stdout
    assert (survey.parent / "noisy.csv").read_text() == first
    run(*released(survey, "--mechanism", "gaussian(sigma=1)", "--drop", "name"))
    assert (survey.parent / "noisy.csv").read_text() != first


def test_every_column_must_be_declared(survey):
    for more, problem in (
        (["--bounds", "age=0:120"], "nothing is declared about column 'name'"),
        (["--bounds", "age=0:120", "--drop", "name"], "nothing is declared about column 'income'"),
        (["--drop", "name", "--drop", "age", "--drop", "income"], "neither --bounds nor --sensitivity"),
        (["--bounds", "*=0:120", "--drop", "nome", "--drop", "name"], "there is no column 'nome'"),
        (["--bounds", "height=0:3", "--bounds", "*=0:120", "--drop", "name"], "there is no column 'height'"),
    ):
        result = run("release", survey, "--output", survey.parent / "x.csv", "--mechanism", "gaussian(1)", *more)
        assert result.returncode == 2 and problem in result.stderr, (more, result.stderr)
        assert result.stderr.count("\n") == 1
        assert os.listdir(survey.parent) == ["survey.csv"]


@pytest.mark.parametrize("more, problem", [
    (["--mechanism", "gaussian(sigma=0)"], "sigma = 0"),
    (["--mechanism", "gaussian(sigma=1e-3)"], "need 1e-300 <= mu <= 100"),
    (["--mechanism", "gaussian(sigma=1e300)"], "noise"),
    (["--mechanism", "gaussian(sigma=1, sensitivity=2)"], "no parameter 'sensitivity'"),
    (["--mechanism", "gaussian(sigma=?)"], "--epsilon is missing"),
    (["--mechanism", "gaussian(sigma=?)", "--epsilon", "nan"], "epsilon"),
    (["--mechanism", "gaussian(sigma=?)", "--epsilon", "1", "--delta", "0"], "no sigma meets"),
    (["--mechanism", "poisson(0.1)"], "need gaussian(sigma), laplace(scale)"),
    (["--mechanism", "gaussian(1) | compose(2)"], "need gaussian(sigma), laplace(scale)"),
    (["--mechanism", "brownian(time=1)", "--tiers", "1,2"], "time"),
    (["--mechanism", "brownian", "--tiers", "2,1"], "increasing positive times"),
    (["--mechanism", "brownian", "--tiers", "0,1"], "increasing positive times"),
    (["--mechanism", "brownian"], "missing argument time"),
    (["--mechanism", "gaussian(1)", "--tiers", "1,2"], "brownian or ornstein_uhlenbeck"),
    (["--mechanism", "gaussian(1)", "--delta", "2"], "0 <= delta < 1"),
    (["--mechanism", "gaussian(1)", "--rows-per-person", "0"], "--rows-per-person = 0"),
    (["--mechanism", "gaussian(1)", "--rows-per-person", "1.5"], "--rows-per-person = 1.5"),
    (["--mechanism", "gaussian(1)", "--insecure-seed", "-1"], "--insecure-seed = -1"),
    (["--mechanism", "gaussian(1)", "--epsilon", "1"], "need a '?' in the mechanism"),
    (["--mechanism", "gaussian(1)", "--bounds", "age=0:1:2"], "column=low:high"),
    (["--mechanism", "gaussian(1)", "--bounds", "age=5"], "column=low:high"),
    (["--mechanism", "gaussian(1)", "--bounds", "age"], "column=..."),
    (["--mechanism", "gaussian(1)", "--bounds", "age=3:1"], "upper bound of age = 1"),
    (["--mechanism", "gaussian(1)", "--bounds", "age=0:inf"], "upper bound of age"),
    (["--mechanism", "gaussian(1)", "--sensitivity", "age=0"], "sensitivity of age = 0"),
    (["--mechanism", "gaussian(1)", "--sensitivity", "age=-2"], "sensitivity of age = -2"),
])
def test_bad_options_get_one_line(survey, more, problem):
    declared = [] if "--bounds" in more or "--sensitivity" in more else ["--bounds", "*=0:120"]
    result = run("release", survey, "--output", survey.parent / "x.csv", "--drop", "name", "--drop", "income", *declared, *more)
    assert result.returncode == 2, result.stderr
    assert problem in result.stderr and result.stderr.count("\n") == 1, result.stderr
    assert os.listdir(survey.parent) == ["survey.csv"]


def test_files_that_are_none(survey, tmp_path):
    def refused(source, target):
        result = run("release", source, "--output", target, "--mechanism", "gaussian(1)", "--bounds", "age=0:1", "--drop", "name", "--drop", "income")
        assert result.returncode == 2 and result.stderr.count("\n") == 1, result.stderr
        return result.stderr

    assert "No such file" in refused(tmp_path / "none.csv", tmp_path / "x.csv")
    assert "not a folder" in refused(tmp_path, tmp_path / "x.csv")
    assert "another file than the input" in refused(survey, survey)
    assert "No such file" in refused(survey, tmp_path / "none" / "x.csv")
    assert "No space left on device" in refused(survey, "/dev/full")
    assert survey.read_text().startswith("name,age,income\nAda")


def test_standard_input(survey):
    done = subprocess.run([PROGRAM, "release", "-", "--output", survey.parent / "x.csv", "--mechanism", "laplace(2)", "--sensitivity", "a=1", "--rows-per-person", "1"],
                          input="a\n1\n2\n", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(columns(survey.parent / "x.csv")["a"]) == 2


def test_laplace_noise_for_people_in_any_number_of_rows_needs_bounds(survey):
    arguments = ["release", survey, "--output", survey.parent / "x.csv", "--force", "--mechanism", "laplace(scale=?)", "--epsilon", "1", "--delta", "0",
                 "--sensitivity", "age=3", "--drop", "name", "--drop", "income"]
    result = run(*arguments)
    assert result.returncode == 2 and "declare bounds or fewer rows per person" in result.stderr
    for more in (["--rows-per-person", "2"], ["--bounds", "age=0:120"]):
        report = ask(*arguments, *more)
        assert report["mechanism"].startswith("laplace(scale=1.000"), report["mechanism"]


def test_lower_ends_hold_for_several_rows(survey):
    """Two cells that move by 5 each tell less than one that moves by 10."""
    report = ask("release", survey, "--output", survey.parent / "x.csv", "--mechanism", "laplace(scale=1)", "--bounds", "age=0:5",
                 "--drop", "name", "--drop", "income", "--rows-per-person", "2", "--delta", "0.1")
    two = ask("epsilon", "laplace(scale=2) | compose(2)", "--delta", "0.1", codes=(0, 3))["epsilon"]
    assert report["releases"][0]["epsilon"]["lower"] <= two["upper"]


def test_the_centre_of_the_pull_is_told(tmp_path):
    (tmp_path / "in.csv").write_text("x\n" + "0.3\n" * 100_000)
    for declared, centre in ((["--bounds", "x=0:1"], 0.5), (["--sensitivity", "x=1"], 0.0)):
        report = ask("release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--force", "--mechanism", "ornstein_uhlenbeck(0.5, 0.7, 1)", *declared)
        (one,) = report["releases"][0]["columns"]
        assert one["centre"] == centre
        mean = statistics.fmean(map(float, columns(tmp_path / "out.csv")["x"]))
        assert mean == pytest.approx(centre + one["times"] * (0.3 - centre), abs=6 * one["noise"] / math.sqrt(100_000))


def test_lower_ends_know_how_many_rows_there_are(tmp_path):
    for rows, is_zero in ((0, True), (3, True), (4, False)):
        (tmp_path / "in.csv").write_text("x\n" + "1\n" * rows)
        report = ask("release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--force", "--mechanism", "gaussian(1)", "--bounds", "x=0:1",
                     "--rows-per-person", "4")
        assert (report["releases"][0]["epsilon"]["lower"] == 0) == is_zero


def test_many_columns(tmp_path):
    (tmp_path / "in.csv").write_text(",".join(f"c{i}" for i in range(50_000)) + "\n" + ",".join(["1"] * 50_000) + "\n")
    assert run("release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--force", "--mechanism", "gaussian(sigma=10)", "--bounds", "*=0:1").returncode == 0


def test_laplace_columns_of_different_sensitivity_add_up(tmp_path):
    (tmp_path / "in.csv").write_text("a,b\n1,0.1\n")
    report = ask("release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--force", "--mechanism", "laplace(scale=10)", "--bounds", "a=0:1",
                 "--bounds", "b=0:0.1", "--sensitivity", "b=1", "--rows-per-person", "1")
    assert 0.11 <= report["releases"][0]["epsilon"]["upper"] <= 0.1101
    report = ask("release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--force", "--mechanism", "laplace(scale=?)", "--bounds", "*=0:1",
                 "--epsilon", "2", "--delta", "1e-6")
    assert 1.99 <= report["releases"][0]["epsilon"]["upper"] <= 2
    assert ask("release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--force", "--mechanism", "laplace(scale=1)", "--bounds", "*=0:1",
               "--delta", "1e-300")["releases"][0]["epsilon"]["upper"] == pytest.approx(2, rel=1e-6)


def test_modes_and_dangling_links_are_kept(survey, tmp_path):
    arguments = released(survey, "--mechanism", "gaussian(1)", "--drop", "name")
    (tmp_path / "noisy.csv").write_text("old")
    (tmp_path / "noisy.csv").chmod(0o600)
    assert run(*arguments).returncode == 0
    assert (tmp_path / "noisy.csv").stat().st_mode & 0o777 == 0o600
    (tmp_path / "noisy.csv").unlink()
    (tmp_path / "noisy.csv").symlink_to("later.csv")
    assert run(*arguments).returncode == 0
    assert (tmp_path / "noisy.csv").is_symlink() and (tmp_path / "later.csv").exists()
    with open(tmp_path / "all.txt", "w") as file:
        subprocess.run([PROGRAM, "release", survey, "--output", "/dev/stdout", "--mechanism", "gaussian(1)", "--bounds", "*=0:1", "--drop", "name"],
                       stdout=file, stderr=subprocess.DEVNULL, check=True)
    text = (tmp_path / "all.txt").read_text()
    assert text.startswith("age,income\n") and "3 rows, 2 columns" in text


def test_a_column_cannot_be_declared_twice(survey):
    for more in (["--public", "name", "--drop", "name"], ["--public", "name", "--public", "age"], ["--drop", "name", "--drop", "name"]):
        result = run(*released(survey, "--mechanism", "gaussian(1)", *more))
        assert result.returncode == 2 and "is declared twice" in result.stderr, result.stderr
    assert os.listdir(survey.parent) == ["survey.csv"]


def test_links_and_pipes(survey, tmp_path):
    arguments = released(survey, "--mechanism", "gaussian(1)", "--drop", "name")
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "noisy.csv").symlink_to("real.csv")
    assert run(*arguments).returncode == 0
    assert (tmp_path / "noisy.csv").is_symlink() and (tmp_path / "real.csv").read_text().startswith("age,income")
    shown = run("release", survey, "--output", "/dev/stdout", "--mechanism", "gaussian(1)", "--bounds", "*=0:1", "--drop", "name")
    assert shown.returncode == 0 and shown.stdout.startswith("age,income\n")
    same = subprocess.run([PROGRAM, *map(str, ["release", "-", "--output", survey, "--mechanism", "gaussian(1)", "--bounds", "age=0:1",
                                               "--drop", "name", "--drop", "income"])], stdin=open(survey), capture_output=True, text=True)
    assert same.returncode == 2 and "another file than the input" in same.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_disk_that_fills_up_leaves_no_file(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", disk], capture_output=True).returncode != 0:
        pytest.skip("no small file system can be mounted here; /dev/full is tested above")
    try:
        (tmp_path / "big.csv").write_text("x\n" + "0.5\n" * 1_000_000)
        result = run("release", tmp_path / "big.csv", "--output", disk / "x.csv", "--mechanism", "gaussian(1)", "--bounds", "x=0:1")
        assert result.returncode == 2 and "No space left on device" in result.stderr
        assert os.listdir(disk) == []
    finally:
        subprocess.run(["umount", disk], check=True)


def test_kill_leaves_no_file(tmp_path):
    process = Started(PROGRAM, "release", "-", "--output", tmp_path / "x.csv", "--mechanism", "gaussian(1)", "--bounds", "x=0:1",
                      "--progress", stdin=subprocess.PIPE)
    # More than it reads at once, and no end.
    process.stdin.write("x\n" + "0.5\n" * 3_000_000)
    process.wait_until(lambda: "rows" in process.said())
    process.kill()
    process.communicate()
    assert os.listdir(tmp_path) == []


def test_the_floating_point_attack(tmp_path):
    """For 0 < y < 1/8, fl(1 + n) is a multiple of 2^-53 and fl(0 + n) hardly ever is (Mironov 2012)."""

    def looks_like_zero(y):
        return 0 < y < 0.125 and y * 2.0**53 != int(y * 2.0**53)

    generator = random.Random(1)
    count = 100_000
    naive = {x: sum(looks_like_zero(x + generator.gauss(0, 1)) for _ in range(count)) for x in (0, 1)}
    assert naive[0] > 2000 and naive[1] == 0, "the attack works on x + normal()"
    ours = {}
    for x in (0, 1):
        (tmp_path / "in.csv").write_text("x\n" + f"{x}\n" * count)
        assert run("release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--force", "--mechanism", "gaussian(1)", "--bounds", "x=0:1").returncode == 0
        values = list(map(float, columns(tmp_path / "out.csv")["x"]))
        ours[x] = sum(map(looks_like_zero, values))
        assert statistics.fmean(values) == pytest.approx(x, abs=6 / math.sqrt(count))
    assert ours == {0: 0, 1: 0}, "and fails on a release"


def test_errors_of_diffusions_match_simulation(tmp_path):
    dimension, radius, people = 20, 3.0, 20_000
    report = ask("calibrate", "ornstein_uhlenbeck(theta=?, rho=?, time=1)", "--epsilon", "1", "--delta", "1e-5",
                 "--radius", radius, "--dimension", dimension)
    assert report["ornstein_uhlenbeck"]["error"] <= report["gaussian"]["error"]
    assert report["ornstein_uhlenbeck"]["error"] == pytest.approx(report["shrunk_gaussian"]["error"], rel=1e-9)
    value = [random.Random(2).gauss(0, 1) for _ in range(dimension)]
    length = math.hypot(*value)
    value = [x * radius / length for x in value]
    (tmp_path / "in.csv").write_text(",".join(f"c{i}" for i in range(dimension)) + "\n" + (",".join(map(str, value)) + "\n") * people)

    def errors(mechanism, factor=1.0):
        assert run("release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--force", "--mechanism", mechanism, "--sensitivity", "*=1",
                   "--rows-per-person", "1", "--insecure-seed", "3").returncode == 0
        with open(tmp_path / "out.csv") as file:
            next(file)
            return [sum((factor * float(y) - x) ** 2 for x, y in zip(value, line.split(","))) for line in file]

    ou, gauss, shrunk = report["ornstein_uhlenbeck"], report["gaussian"], report["shrunk_gaussian"]
    for mechanism, factor, predicted in (
        (f"ornstein_uhlenbeck(theta={ou['theta']!r}, rho={ou['rho']!r}, time=1)", 1.0, ou["error"]),
        (f"gaussian(sigma={gauss['sigma']!r})", 1.0, gauss["error"]),
        (f"gaussian(sigma={gauss['sigma']!r})", shrunk["shrinkage"], shrunk["error"]),
    ):
        seen = errors(mechanism, factor)
        assert statistics.fmean(seen) == pytest.approx(predicted, abs=3 * statistics.stdev(seen) / math.sqrt(people)), mechanism


def test_a_radius_that_needs_no_pull():
    for radius, time_, more in ((1e162, 1, ["--alpha", "2"]), (1e100, 1e160, ["--alpha", "2"]), (1e200, 1, ["--delta", "1e-6", "--dimension", "5"])):
        report = ask("calibrate", f"ornstein_uhlenbeck(theta=?, rho=?, time={time_})", "--epsilon", "1", "--radius", radius, *more)
        assert report["ornstein_uhlenbeck"]["error"] == pytest.approx(report["gaussian"]["error"], rel=1e-9)


@pytest.mark.parametrize("arguments, problem", [
    (["ornstein_uhlenbeck(theta=?, rho=?, time=1)", "--epsilon", "1", "--delta", "1e-6"], "--radius"),
    (["ornstein_uhlenbeck(theta=?, rho=?, time=1)", "--epsilon", "1", "--delta", "1e-6", "--dimension", "3"], "--radius is missing"),
    (["ornstein_uhlenbeck(theta=?, rho=?, time=1)", "--epsilon", "1", "--radius", "3"], "exactly one of them"),
    (["ornstein_uhlenbeck(theta=?, rho=?, time=1)", "--epsilon", "1", "--delta", "0", "--radius", "3"], "delta = 0"),
    (["ornstein_uhlenbeck(theta=?, rho=?, time=1)", "--epsilon", "1", "--delta", "1e-6", "--radius", "0"], "radius = 0"),
    (["ornstein_uhlenbeck(theta=?, rho=?, time=1)", "--epsilon", "1", "--delta", "1e-6", "--radius", "1", "--dimension", "2.5"], "dimension = 2.5"),
    (["ornstein_uhlenbeck(theta=?, rho=?, time=1)", "--epsilon", "1", "--delta", "1e-6", "--radius", "1e-300"], "a larger radius"),
    (["gaussian(?)", "--epsilon", "1", "--delta", "1e-6", "--radius", "1"], "of the form ornstein_uhlenbeck"),
])
def test_bad_calibrations_get_one_line(arguments, problem):
    result = run("calibrate", *arguments)
    assert result.returncode == 2 and problem in result.stderr and result.stderr.count("\n") == 1, result.stderr
