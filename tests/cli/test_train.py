# SPDX-License-Identifier: Apache-2.0
"""The commands train and predict: files, guarantees, errors, crashes, several processes."""
import csv
import json
import math
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import time

import pytest

from conftest import BACKSTOP, PROGRAM, ROOT, Started, ask, run

SPAMBASE = ROOT / "data" / "spambase.csv"
SPAM = ["--label", "spam", "--bounds", "*_freq_*=0:1", "--bounds", "capital_run_average=1:10",
        "--bounds", "capital_run_longest=1:100", "--bounds", "capital_run_total=1:1000", "--norm", "1", "--intercept", "0.5",
        "--radius", "10", "--regularisation", "0.001", "--batch", "80", "--epochs", "50", "--delta", "1e-5"]
SMALL = ["--label", "y", "--norm", "1", "--radius", "3", "--sigma", "0.5", "--learning-rate", "0.5"]
FILES = {"model.json", "certificate.json", "people.csv", "people.svg", "report.txt"}


def write_small(path, count=40, seed=1, classes=("0", "1")):
    generator = random.Random(seed)
    rows = []
    for _ in range(count):
        a, b = generator.uniform(-1, 1), generator.uniform(-1, 1)
        rows.append(f"{a:.4f},{b:.4f},{classes[int((a + b > 0) * (len(classes) - 1))]}")
    path.write_text("a,b,y\n" + "\n".join(rows) + "\n")
    return path


@pytest.fixture
def small(tmp_path):
    return write_small(tmp_path / "small.csv")


def train(data, folder, *more):
    """A run into a folder that may hold the one before."""
    return ask("train", data, "--output", folder, "--force", *more)


def refused(tmp_path, *arguments):
    """The one line of an error; nothing must have been written."""
    result = run("train", *arguments, "--output", tmp_path / "refused")
    assert result.returncode == 2, (arguments, result.stdout, result.stderr)
    assert result.stdout == "" and result.stderr.count("\n") == 1
    assert not (tmp_path / "refused").exists()
    return result.stderr


def test_a_run_leaves_model_certificate_and_people(small, tmp_path):
    report = train(small, tmp_path / "run", *SMALL)
    assert set(os.listdir(tmp_path / "run")) == FILES
    assert {pathlib.Path(f).name for f in report["files"]} == FILES
    certificate = json.loads((tmp_path / "run" / "certificate.json").read_text())
    claim = certificate["claim"]
    assert claim["values"][0]["upper"]["decimal"] == report["epsilon"]["upper"] and not certificate["void"]
    assert claim["relation"] == "substitute" and claim["people"]["records"] == 40
    # The claim can be asked for again, and rests on what the run did.
    again = ask("epsilon", certificate["expression"], "--delta", "1e-6")["epsilon"]
    assert again["upper"] == pytest.approx(report["epsilon"]["upper"], rel=1e-9)
    checked = [a["text"] for a in certificate["derivation"][0]["assumptions"] if a["status"] == "checked"]
    assert any("drawn exactly" in text for text in checked)
    with open(tmp_path / "run" / "people.csv") as file:
        people = list(csv.DictReader(file))
    assert [int(one["line"]) for one in people] == list(range(2, 42))
    assert max(float(one["epsilon_upper"]) for one in people) == pytest.approx(report["epsilon"]["upper"], rel=1e-6)
    assert float(people[0]["epsilon_upper"]) < float(people[-1]["epsilon_upper"])
    constants = certificate["program"]["arguments"]
    assert constants["sigma"]["decimal"] == 0.5
    assert float.fromhex(constants["lipschitz"]["hexadecimal"]) == constants["lipschitz"]["decimal"]


def test_nothing_of_the_records_is_in_the_certificate(small, tmp_path):
    train(small, tmp_path / "run", *SMALL, "--insecure-seed", "1")
    first = (tmp_path / "run" / "certificate.json").read_text()
    write_small(small, seed=2)
    train(small, tmp_path / "run", *SMALL, "--insecure-seed", "1")
    assert (tmp_path / "run" / "certificate.json").read_text() == first


def test_the_target_is_met(small, tmp_path):
    for epsilon, more in ((1.0, []), (0.3, ["--epochs", "5", "--batch", "8"]), (1.0, ["--order", "permuted"]), (2.0, ["--release", "skip"]),
                          (1.0, ["--order", "poisson", "--batch", "4"]), (1.0, ["--relation", "zero_out"]), (1.0, ["--public-tail", "10"])):
        report = train(small, tmp_path / "run", "--label", "y", "--norm", "1", "--radius", "3", "--epsilon", epsilon, *more)
        assert report["epsilon"]["upper"] <= epsilon, more
        # Solved for, not guessed: a little less noise would miss it. With a random order the levels of I22 are on a grid, where the bound
        # takes steps.
        assert report["epsilon"]["upper"] > (0.9 if "permuted" in more else 0.98) * epsilon, more


def test_a_public_tail_protects_the_others_better(small, tmp_path):
    plain = train(small, tmp_path / "run", *SMALL)
    tail = train(small, tmp_path / "run", *SMALL, "--public-tail", "20")
    assert tail["epsilon"]["upper"] < 0.5 * plain["epsilon"]["upper"]
    assert tail["run"]["private_records"] == 20
    assert len((tmp_path / "run" / "people.csv").read_text().splitlines()) == 21


def test_spambase_is_learnt_at_epsilon_2(tmp_path):
    """Within 5 points of the optimum without noise, for the worst person."""
    for seed in (1, 2, 3):
        report = train(SPAMBASE, tmp_path / "run", *SPAM, "--epsilon", "2", "--test-fraction", "0.2", "--test-is-public", "--data-is-public",
                       "--compare-without-noise", "--insecure-seed", seed)
        assert report["epsilon"]["upper"] <= 2.0
        assert report["test"]["without_noise"]["accuracy"] > 0.92
        assert report["test"]["accuracy"] >= report["test"]["without_noise"]["accuracy"] - 0.05
        assert report["people"]["median"] < 1.5 and report["ordinary_composition"]["lower"] > 10


def test_seeds_void_the_guarantee_everywhere(small, tmp_path):
    report = train(small, tmp_path / "run", *SMALL, "--insecure-seed", "1")
    assert report["void"] and "VOID" in report["claim"]
    for name in ("model.json", "certificate.json", "report.txt"):
        assert "VOID" in (tmp_path / "run" / name).read_text()
    model = (tmp_path / "run" / "model.json").read_text()
    train(small, tmp_path / "again", *SMALL, "--insecure-seed", "1")
    assert (tmp_path / "again" / "model.json").read_text() == model
    assert not (tmp_path / "run" / "people.csv").exists()
    assert "VOID" in run("predict", tmp_path / "run" / "model.json", small).stderr
    train(small, tmp_path / "again", *SMALL, "--insecure-seed", "2")
    assert (tmp_path / "again" / "model.json").read_text() != model


def test_secure_runs_differ(small, tmp_path):
    models = set()
    for _ in range(3):
        train(small, tmp_path / "run", *SMALL)
        models.add((tmp_path / "run" / "model.json").read_text())
    assert len(models) == 3


def test_test_figures_need_a_declaration(small, tmp_path):
    hidden = run("train", small, *SMALL, "--test-fraction", "0.3", "--output", tmp_path / "run")
    assert "accuracy" not in hidden.stdout and "not declared public" in hidden.stdout
    assert train(small, tmp_path / "run", *SMALL, "--test-fraction", "0.3")["test"] is None
    shown = train(small, tmp_path / "run", *SMALL, "--test-fraction", "0.3", "--test-is-public")
    assert shown["test"]["records"] + shown["run"]["records"] == 40
    assert "that is not held out either" in shown["claim"]
    position = train(small, tmp_path / "run", *SMALL, "--test-fraction", "0.3", "--test-is-public", "--split-by", "position")
    assert "held out" not in position["claim"]
    other = write_small(tmp_path / "other.csv", seed=9)
    assert train(small, tmp_path / "run", *SMALL, "--test", other, "--test-is-public")["test"]["records"] == 40


def test_predictions_use_the_encoding_of_the_training(small, tmp_path):
    train(small, tmp_path / "run", "--label", "y", "--norm", "1", "--radius", "3", "--sigma", "0.001", "--learning-rate", "0.5", "--epochs", "50")
    model = tmp_path / "run" / "model.json"
    rows = list(csv.DictReader(run("predict", model, small).stdout.splitlines()))
    truth = [line.split(",")[-1] for line in small.read_text().splitlines()[1:]]
    assert sum(row["prediction"] == y for row, y in zip(rows, truth)) >= 38
    assert all(0.5 <= float(row["probability"]) <= 1 for row in rows)
    # Without the label, with the columns in another order, into a file.
    shuffled = tmp_path / "shuffled.csv"
    shuffled.write_text("b,extra,a\n" + "".join(f"{b},x,{a}\n" for a, b, _ in (r.split(",") for r in small.read_text().splitlines()[1:])))
    result = run("predict", model, shuffled, "--output", tmp_path / "out.csv")
    assert result.returncode == 0 and result.stdout == ""
    assert list(csv.DictReader((tmp_path / "out.csv").read_text().splitlines())) == rows
    missing = tmp_path / "missing.csv"
    missing.write_text("a\n1\n")
    for arguments in ((model, missing), (small, small), (tmp_path / "no.json", small), (model, tmp_path / "no.csv")):
        result = run("predict", *arguments)
        assert result.returncode == 2 and result.stderr.count("\n") == 1


def test_several_classes_are_runs_against_the_rest(tmp_path):
    data = write_small(tmp_path / "d.csv", 60)
    text = data.read_text().splitlines()
    data.write_text("\n".join([text[0]] + [row[:-1] + ("red", "green", "blue")[i % 3] for i, row in enumerate(text[1:])]) + "\n")
    report = train(data, tmp_path / "run", *SMALL, "--classes", "red|green|blue")
    assert report["run"]["tasks"] == 3
    assert len(json.loads((tmp_path / "run" / "model.json").read_text())["parameters"]) == 3
    # Together they are one run, in which a record has sqrt(3) times the say.
    slope = 1 / (1 + math.exp(-3 * math.sqrt(2)))
    assert report["run"]["lipschitz"]["decimal"] == pytest.approx(math.sqrt(3) * math.sqrt(2) * slope, rel=1e-5)
    assert report["run"]["diameter"]["decimal"] == pytest.approx(6 * math.sqrt(3))
    assert {row["prediction"] for row in csv.DictReader(run("predict", tmp_path / "run" / "model.json", data).stdout.splitlines())} <= {"red", "green", "blue"}


def test_numbers_are_predicted_with_bounded_labels(tmp_path):
    data = tmp_path / "d.csv"
    data.write_text("x,y\n" + "".join(f"{i / 50:.2f},{2 * i / 50 + 1:.3f}\n" for i in range(50)))
    for loss in (["--loss", "squared"], ["--loss", "huber", "--loss-width", "0.5"]):
        report = train(data, tmp_path / "run", "--label", "y", "--label-bounds", "0:3", *loss, "--norm", "1", "--radius", "4",
                       "--sigma", "0.001", "--learning-rate", "0.4", "--epochs", "200", "--test", data, "--test-is-public")
        assert report["test"]["root_mean_squared_error"] < 0.2
    rows = list(csv.DictReader(run("predict", tmp_path / "run" / "model.json", data).stdout.splitlines()))
    assert abs(float(rows[25]["prediction"]) - 2) < 0.2


def test_laplace_noise_and_one_parameter(tmp_path):
    data = tmp_path / "d.csv"
    data.write_text("x,y\n" + "0.5,1\n-0.5,0\n" * 10)
    report = train(data, tmp_path / "run", *SMALL, "--intercept", "0", "--noise", "laplace")
    assert report["run"]["dimension"] == 1 and "noise='laplace'" in report["expression"]
    assert "parameters = 2, need a single one for Laplace noise" in refused(tmp_path, data, *SMALL, "--noise", "laplace")


def test_libsvm_and_npy(tmp_path):
    sparse = tmp_path / "d.libsvm"
    sparse.write_text("".join(f"{i % 2} 1:{(i % 2) * 0.5} 7:0.25\n" for i in range(30)))
    report = train(sparse, tmp_path / "run", "--norm", "1", "--radius", "3", "--sigma", "0.5", "--learning-rate", "0.5", "--features", "9")
    assert report["run"]["dimension"] == 10
    assert run("predict", tmp_path / "run" / "model.json", sparse).stdout.count("\n") == 31
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (20, 3), }".ljust(117) + b"\n"
    table = tmp_path / "d.npy"
    table.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + b"".join(struct.pack("<3d", i / 40, -i / 50, i % 2) for i in range(20)))
    assert train(table, tmp_path / "run", "--norm", "1", "--radius", "3", "--sigma", "0.5", "--learning-rate", "0.5")["run"]["records"] == 20


def test_records_beyond_memory_go_to_a_scratch_file(small, tmp_path):
    (tmp_path / "scratch").mkdir()
    train(small, tmp_path / "run", *SMALL, "--insecure-seed", "4")
    train(small, tmp_path / "spilled", *SMALL, "--insecure-seed", "4", "--memory", "0", "--scratch", tmp_path / "scratch")
    assert (tmp_path / "run" / "model.json").read_text() == (tmp_path / "spilled" / "model.json").read_text()
    assert os.listdir(tmp_path / "scratch") == []


def test_predictions_of_theory_stand_beside_what_was_reached(small, tmp_path):
    report = train(small, tmp_path / "run", *SMALL, "--test", small, "--test-is-public")
    assert report["predicted_excess_loss"] > 0
    assert report["test"]["loss"] - report["test"]["least_loss"] <= report["predicted_excess_loss"]
    assert "prediction (I12)" in (tmp_path / "run" / "report.txt").read_text()
    assert train(small, tmp_path / "run", *SMALL, "--epochs", "2")["predicted_excess_loss"] is None


@pytest.mark.parametrize("text, expected", [
    ("a,b,y\n0.1,0.2,1\n0.3,1\n", ":3"),
    ("a,b,y\n0.1,0.2,1\n0.3,0.2,1,5\n", ":3"),
    ("a,b,y\n0.1,nan,1\n", ":2"),
    ("a,b,y\n0.1,inf,1\n", ":2"),
    ("a,b,y\n0.1,,1\n", ":2"),
    ("a,b,y\n0.1,red,1\n", ":2"),
    ("a,b,y\n0.1,0.2,\n", ":2"),
    ("a,b,y\n0.1,0.2,2\n", ":2"),
    ("a,b,y\n0.1,0.2,1\n0.1,0.2,yes\n", ":3"),
    ("", "empty"),
    ("a,b,y\n", "no record"),
    ("a,b\n0.1,0.2\n", "'y'"),
    ("a,a,y\n0.1,0.2,1\n", "'a'"),
    ("a,b,y\n\"0.1,0.2,1\n", ":2"),
    ("\x00\x01\x02", "need"),
])
def test_malformed_data(tmp_path, text, expected):
    data = tmp_path / "bad.csv"
    data.write_text(text)
    assert expected in refused(tmp_path, data, *SMALL)


def test_a_line_without_end_is_refused_at_once(tmp_path):
    """Of whatever comes through the pipe hardly anything is read."""
    process = Started(PROGRAM, "train", "-", *SMALL, "--output", tmp_path / "refused", stdin=subprocess.PIPE)
    sent = 0
    with pytest.raises(BrokenPipeError):
        process.stdin.write("a,b,y\n")
        while sent < 1 << 30:
            process.stdin.write("0" * (1 << 20))
            process.stdin.flush()
            sent += 1 << 20
    output, problems = process.end()
    assert process.returncode == 2 and output == "" and ":2" in problems and problems.count("\n") == 1
    assert sent < 64 << 20 and os.listdir(tmp_path) == []


@pytest.mark.parametrize("change, expected", [
    (["--radius", "-1"], "radius = -1"),
    (["--radius", "nan"], "radius"),
    (["--radius", "inf"], "radius"),
    (["--norm", "0"], "norm = 0"),
    (["--norm", "inf"], "norm"),
    (["--sigma", "0"], "sigma = 0"),
    (["--sigma", "1e-15"], "sigma"),
    (["--learning-rate", "0"], "--learning-rate = 0"),
    (["--batch", "41"], "batch = 41"),
    (["--batch", "0"], "batch = 0"),
    (["--batch", "1.5"], "--batch = 1.5"),
    (["--epochs", "0"], "epochs = 0"),
    (["--epochs", "1e12"], "epochs"),
    (["--loss", "hinge"], "'hinge'"),
    (["--loss", "squared"], "label-bounds"),
    (["--loss-width", "1"], "--loss-width"),
    (["--domain", "sphere"], "'sphere'"),
    (["--domain", "box"], "--box"),
    (["--order", "random"], "'random'"),
    (["--relation", "add_remove"], "add_remove"),
    (["--release", "skip", "--batch", "7"], "divisor"),
    (["--public-tail", "40"], "public_tail = 40"),
    (["--delta", "0"], "--delta = 0"),
    (["--epsilon", "1"], "--sigma"),
    (["--test-fraction", "1"], "--test-fraction = 1"),
    (["--bounds", "c=0:1"], "'c'"),
    (["--bounds", "a=1:0"], "low"),
    (["--bounds", "a"], "COLUMN=LOW:HIGH"),
    (["--categorical", "a"], "COLUMN="),
    (["--drop", "z"], "'z'"),
    (["--label", "z"], "'z'"),
    (["--classes", "1"], "classes"),
    (["--classes", "0|"], "--classes"),
    (["--checkpoint", "x"], "--key-file"),
    (["--key-file", "x"], "--checkpoint"),
    (["--compare-without-noise"], "public"),
    (["--insecure-seed", "-1"], "--insecure-seed"),
    (["--memory", "-1"], "--memory"),
])
def test_bad_options(small, tmp_path, change, expected):
    options = dict(zip(SMALL[::2], SMALL[1::2]))
    flags = [c for c in change if c == "--compare-without-noise"]
    change = [c for c in change if c not in flags]
    options.update(zip(change[::2], change[1::2]))
    if "epsilon" in expected:
        options.pop("--sigma")
    assert expected in refused(tmp_path, small, *(word for pair in options.items() for word in pair), *flags)


def test_declarations_are_asked_for(small, tmp_path):
    for missing in ("--norm", "--radius", "--sigma"):
        options = [word for name, value in zip(SMALL[::2], SMALL[1::2]) if name != missing for word in (name, value)]
        assert ("--epsilon" if missing == "--sigma" else missing) in refused(tmp_path, small, *options)


def test_outputs_that_cannot_be_written_are_found_out_first(small, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    result = run("train", small, *SMALL, "--output", blocked)
    assert result.returncode == 2 and "--output" in result.stderr and blocked.read_text() == ""


# Steps for some seconds of work, in small pieces; and for days, so that whatever ends such a run comes before its end.
LONG = SMALL + ["--epochs", "600000"]
ENDLESS = SMALL + ["--epochs", "10000000", "--classes", "|".join(map(str, range(1000)))]


def start(data, folder, *more):
    return Started(PROGRAM, "train", data, "--output", folder, *more)


def start_training(data, folder, *more):
    """An endless run that has made its first steps."""
    process = start(data, folder, *ENDLESS, "--progress", *more)
    process.wait_until(lambda: "steps" in process.said())
    return process


def interrupted_after_a_save(data, folder, saved, *more):
    """The same, interrupted when its checkpoint is there."""
    process = start(data, folder, *ENDLESS, "--checkpoint", saved, "--checkpoint-every", "0", *more)
    process.wait_until(saved.exists)
    process.send_signal(signal.SIGINT)
    process.end()
    assert process.returncode == 130


def version_of(file):
    """Another one whenever it was written again."""
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns


def test_killed_at_fifty_moments(small, tmp_path):
    """The run goes on each time, nothing readable is left on the disk, and the claim is the same in the end."""
    folder, saved = tmp_path / "run", tmp_path / "saved"
    checkpoint = [*LONG, "--checkpoint", saved, "--key-file", tmp_path / "key", "--checkpoint-every", "0"]
    generator = random.Random(5)
    kills = 0
    sizes = set()
    while kills < 50 or not saved.exists():
        before = version_of(saved)
        process = start(small, folder, *checkpoint)
        # At once, or a moment after the next save.
        if generator.random() < 0.7:
            process.wait_until(lambda: version_of(saved) != before)
            time.sleep(generator.uniform(0.0, 0.05))
        process.kill()
        _, problems = process.end()
        if process.returncode == 0:
            # It came to its end before; a new one begins.
            assert set(os.listdir(folder)) == FILES
            shutil.rmtree(folder)
            continue
        assert process.returncode == -signal.SIGKILL, problems
        kills += 1
        assert not folder.exists() or os.listdir(folder) == []
        # A kill in the middle of a save may leave an encrypted file under a temporary name, which the next run removes.
        # The file of the lock stays too, but without its lock.
        assert {name for name in os.listdir(tmp_path) if not name.endswith(".part")} <= {"small.csv", "saved", "saved.lock", "key", "run"}
        if saved.exists():
            sizes.add(saved.stat().st_size)
    # Of a run on its way, and of one that has arrived and has its files to write.
    assert len(sizes) <= 2
    last = saved.read_bytes()
    done = start(small, folder, *checkpoint)
    _, problems = done.end()
    assert done.returncode == 0, problems
    assert set(os.listdir(tmp_path)) == {"small.csv", "key", "run"}
    model = json.loads((folder / "model.json").read_text())
    values = model["parameters"][0]
    assert all(math.isfinite(x) and abs(x) <= 3 for x in values)
    assert not any(struct.pack("<d", x) in last for x in values)
    assert b"parameter" not in last and oct(os.stat(tmp_path / "key").st_mode & 0o777) == "0o600"
    certificate = json.loads((folder / "certificate.json").read_text())
    fresh = train(small, tmp_path / "fresh", *LONG)
    assert certificate["claim"]["values"][-1]["upper"]["decimal"] == pytest.approx(fresh["epsilon"]["upper"], rel=1e-6)
    assert certificate == json.loads((tmp_path / "fresh" / "certificate.json").read_text())


def test_seeded_runs_do_not_go_on_without_their_seed(small, tmp_path):
    saved, key = tmp_path / "saved", ["--key-file", tmp_path / "key"]
    for first, second in ((["--insecure-seed", "1"], []), ([], ["--insecure-seed", "1"]), (["--insecure-seed", "1"], ["--insecure-seed", "2"])):
        interrupted_after_a_save(small, tmp_path / "run", saved, *key, *first)
        assert "the same options" in refused(tmp_path, small, *ENDLESS, "--checkpoint", saved, *key, *second)
        saved.unlink()


def test_the_input_is_not_overwritten(small, tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    data = folder / "people.csv"
    data.write_text(small.read_text())
    result = run("train", data, *SMALL, "--output", folder)
    assert result.returncode == 2 and "would be overwritten" in result.stderr
    assert data.read_text() == small.read_text()


@pytest.mark.parametrize("more", [["--order", "poisson", "--batch", "8", "--regularisation", "0.1"], ["--order", "permuted"], ["--release", "skip"], []])
def test_hopeless_noise_and_many_classes_are_planned(small, tmp_path, more):
    for sigma in ("0.3", "0.01"):
        result = run("train", small, *SMALL[:6], "--sigma", sigma, "--learning-rate", "0.5", "--classes", "0|1|2|3|4", "--output", tmp_path / f"run{sigma}", *more)
        assert result.returncode == 0


def test_without_a_checkpoint_a_kill_leaves_nothing(small, tmp_path):
    process = start_training(small, tmp_path / "run")
    process.kill()
    process.end()
    assert os.listdir(tmp_path / "run") == [] and set(os.listdir(tmp_path)) == {"small.csv", "run"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_runs_end_in_good_order(small, tmp_path, number):
    for more, words in (([], "nothing was written"), (["--checkpoint", tmp_path / "saved", "--key-file", tmp_path / "key"], "goes on from the checkpoint")):
        process = start_training(small, tmp_path / "run", *more)
        process.send_signal(number)
        output, problems = process.end()
        assert process.returncode == 130 and words in problems and output == ""
        assert not (tmp_path / "run").exists()
    assert (tmp_path / "saved").exists()


def test_checkpoints_belong_to_their_run_and_key(small, tmp_path):
    interrupted_after_a_save(small, tmp_path / "run", tmp_path / "saved", "--key-file", tmp_path / "key")
    place = ["--checkpoint", tmp_path / "saved", "--key-file", tmp_path / "key"]
    assert "the same options" in refused(tmp_path, small, *ENDLESS[:-1], ENDLESS[-1] + "|1000", *place)
    assert "the key that it was made with" in refused(tmp_path, small, *ENDLESS, *place[:2], "--key-file", tmp_path / "other")
    assert "the same options" in refused(tmp_path, small, *ENDLESS, *place, "--domain", "l1_ball")
    os.chmod(tmp_path / "key", 0o644)
    assert "chmod 600" in refused(tmp_path, small, *ENDLESS, *place)
    os.chmod(tmp_path / "key", 0o600)
    changed = write_small(tmp_path / "changed.csv", seed=7)
    assert "the same records" in refused(tmp_path, changed, *ENDLESS, *place)
    saved = bytearray((tmp_path / "saved").read_bytes())
    saved[-1] ^= 1
    (tmp_path / "saved").write_bytes(saved)
    assert "nobody changed" in refused(tmp_path, small, *ENDLESS, *place)


needs_mpi = pytest.mark.skipif(not (ROOT / "build" / "doeblin_mpi.so").exists() or shutil.which("mpirun") is None,
                               reason="MPI is not installed (tools/setup mpi)")
MPI = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1")


def ranks(count, *arguments):
    return ["mpirun", "--oversubscribe", "-n", str(count), *map(str, arguments)]


@needs_mpi
@pytest.mark.parametrize("more", [[], ["--order", "poisson"], ["--order", "permuted"]])
def test_ranks_give_the_same_bits(small, tmp_path, more):
    options = [*SMALL, "--batch", "8", "--epochs", "3", "--insecure-seed", "3", "--test-fraction", "0.2", "--test-is-public", *more]
    train(small, tmp_path / "alone", *options)
    for count in (2, 3):
        folder = tmp_path / f"ranks{count}"
        done = subprocess.run(ranks(count, PROGRAM, "train", small, "--output", folder, *options), capture_output=True, text=True, timeout=BACKSTOP, env=MPI)
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("public test records") == 1
        for name in ("model.json", "certificate.json"):
            assert (folder / name).read_text() == (tmp_path / "alone" / name).read_text()


@needs_mpi
def test_a_lost_rank_ends_the_job_without_output(small, tmp_path):
    # Each rank leaves its number, under its rank.
    numbered = ["sh", "-c", 'echo $$ > "$0.$OMPI_COMM_WORLD_RANK"; exec "$@"', tmp_path / "pid"]
    process = Started(*ranks(2), *numbered, PROGRAM, "train", small, "--output", tmp_path / "run", *ENDLESS, "--progress", env=MPI)
    # The folder is there before the first record is read.
    process.wait_until(lambda: "reading" in process.said())
    os.kill(int((tmp_path / "pid.1").read_text()), signal.SIGKILL)
    process.end()
    assert process.returncode != 0
    assert os.listdir(tmp_path / "run") == []


@needs_mpi
def test_ranks_refuse_with_one_line(small, tmp_path):
    for arguments in ((small, *SMALL, "--batch", "0"), (tmp_path / "no.csv", *SMALL), (small, "--label", "y")):
        for _ in range(30):
            done = subprocess.run(ranks(2, PROGRAM, "train", *arguments, "--output", tmp_path / "run"), capture_output=True, text=True, timeout=BACKSTOP, env=MPI)
            assert done.returncode == 2
            # mpirun now and then loses what a process wrote right before its end.
            if "doeblin:" in done.stderr:
                break
        assert done.stderr.count("doeblin:") == 1
