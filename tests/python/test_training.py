# SPDX-License-Identifier: Apache-2.0
"""Training from arrays: what is refused before anything is spent, what is written, what is void."""
import json
import math
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import doeblin
from conftest import BACKSTOP
from doeblin import Model, train, train_file

RNG = np.random.default_rng(2)
X = RNG.uniform(-1, 1, (200, 2))
Y = (X[:, 0] > 0).astype(int)
RUN = dict(classes=[0, 1], norm=1, radius=3, epsilon=2, delta=1e-5, batch=20)


def test_names_of_classes_are_kept(tmp_path):
    names = np.array(["no", "yes"])[Y]
    trained = train(X, names, **{**RUN, "classes": ["yes", "no"]}, output=tmp_path / "run")
    assert set(trained.model.predict(X)) <= {"yes", "no"}
    for model in (Model.read(tmp_path / "run" / "model.json"), Model.read(trained.model.write(tmp_path / "m.json") and tmp_path / "m.json")):
        assert np.array_equal(model.predict(X), trained.model.predict(X)) and model.guarantee == trained.model.guarantee
    numbers = train(X, 2 * Y - 1, **{**RUN, "classes": [-1, 1]}).model
    again = Model(numbers.text)
    assert again.classes.tolist() == [-1, 1] and again.classes.dtype.kind == "i"


def test_a_model_is_not_replaced(tmp_path):
    train(X, Y, **RUN, output=tmp_path / "run")
    first = (tmp_path / "run" / "model.json").read_text()
    with pytest.raises(ValueError, match="^output = .*a second run is a second release about the same people, and privacy losses add up; force replaces it"):
        train(X, Y, **RUN, output=tmp_path / "run")
    assert (tmp_path / "run" / "model.json").read_text() == first
    train(X, Y, **RUN, output=tmp_path / "run", force=True)
    assert (tmp_path / "run" / "model.json").read_text() != first
    # A certificate without a folder.
    trained = train(X, Y, **RUN, certificate=tmp_path / "claim.json")
    assert (tmp_path / "claim.json").read_text() == trained.certificate.text
    with pytest.raises(ValueError, match="^certificate = .*a file that is not there yet"):
        train(X, Y, **RUN, certificate=tmp_path / "claim.json")
    train(X, Y, **RUN, certificate=tmp_path / "claim.json", force=True)


def test_numbers_can_be_learnt():
    trained = train(X, X[:, 0], loss="huber", label_bounds=(-1, 1), norm=2, radius=3, epsilon=5, batch=20, epochs=10)
    assert trained.epsilon <= 5 and np.corrcoef(trained.model.predict(X), X[:, 0])[0, 1] > 0.5
    with pytest.raises(ValueError, match="predict_proba"):
        trained.model.predict_proba(X)


def test_a_seed_voids_everything():
    trained = train(X, Y, **RUN, insecure_seed=1)
    assert trained.void and trained.epsilon.upper == math.inf and "VOID" in repr(trained)
    assert "VOID" in trained.model.guarantee and not trained.certificate.content.get("claims")


@pytest.mark.parametrize("change, name", [
    (dict(classes=[0]), "classes"), (dict(classes=[0, 0]), "classes"), (dict(classes=["", "a"]), "classes"),
    (dict(classes=["01", "1"]), "classes"), (dict(classes=[3, 4]), "y"), (dict(norm=None), "norm"), (dict(norm=0), "norm"),
    (dict(norm="a"), "norm"), (dict(radius=None), "radius"), (dict(epsilon=None), "epsilon"), (dict(epsilon=-1), "epsilon"),
    (dict(epsilon=math.nan), "epsilon"), (dict(delta=0), "delta"), (dict(sigma=1), "sigma"), (dict(batch=0), "batch"),
    (dict(batch=1.5), "batch"), (dict(epochs=-1), "epochs"), (dict(bounds=(1, 0)), "bounds"), (dict(bounds=[(0, 1)] * 3), "bounds"),
    (dict(bounds=5), "bounds"), (dict(loss="hinge"), "loss"), (dict(loss=3), "loss"), (dict(domain="cube"), "domain"), (dict(box=(0, 1)), "box"),
    (dict(order="random"), "order"), (dict(release="first"), "release"), (dict(noise="none"), "noise"), (dict(relation="x"), "relation"),
    (dict(test_fraction=2), "test_fraction"), (dict(test_is_public=1), "test_is_public"), (dict(insecure_seed=-1), "insecure_seed"),
    (dict(certificate="/nonexistent/c.json"), "certificate"), (dict(output="/proc/x"), "output"), (dict(checkpoint="x\0y"), "checkpoint"),
    (dict(accountant="x"), "accountant"), (dict(width=5), "width"), (dict(label_bounds=(0, 1)), "label_bounds"), (dict(memory=-1), "memory"),
])
def test_mistakes_name_the_parameter(change, name):
    with pytest.raises((TypeError, ValueError), match=name):
        train(X, Y, **{**RUN, **change})


@pytest.mark.parametrize("features, labels, name", [
    (X[:, 0], Y, "X"), (X[:0], Y[:0], "X"), (X, Y[:5], "y"), (X, None, "y"), (None, Y, "X"), (X * math.nan, Y, "X"), (X * math.inf, Y, "X"),
    ("x", Y, "X"), (X.astype(complex), Y, "X"), (X, X, "y"), (np.ma.masked_array(X, mask=X > 0.5), Y, "X"),
    (X, np.ma.masked_array(Y, mask=Y > 0), "y"), (X, [0, "a"] * 100, "y"),
])
def test_wrong_records_name_the_parameter(features, labels, name):
    with pytest.raises((TypeError, ValueError), match=name) as mistake:
        train(features, labels, **RUN)
    assert "0.1" not in str(mistake.value)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["norm", "radius", "epsilon", "delta", "batch", "epochs", "bounds", "loss", "domain", "order", "release", "intercept", "regularisation", "learning_rate", "public_tail", "classes", "relation", "split_by", "output", "width"]),
       st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(-2, 2), st.just(math.nan), st.just(math.inf), st.text(max_size=3).filter(lambda s: "/" not in s and not s), st.lists(st.floats(), max_size=3), st.just({}), st.just(object())))
def test_no_option_crashes(name, value):
    try:
        train(X[:20], Y[:20], **{**RUN, "batch": 5, name: value})
    except (TypeError, ValueError):
        pass


@pytest.mark.parametrize("name", ["output", "certificate", "checkpoint", "key_file"])
def test_an_empty_path_is_refused(name):
    with pytest.raises(ValueError, match=name):
        train(X, Y, **{**RUN, name: ""})


def test_unknown_options_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.column_stack([X, Y]))
    with pytest.raises(TypeError, match="nrm"):
        train_file(tmp_path / "a.npy", nrm=1)
    with pytest.raises(TypeError, match="label"):
        doeblin.audit_training(X, Y, label="1", norm=1, radius=1, sigma=1)


def test_one_ctrl_c_ends_it():
    code = ("import numpy as np, doeblin, sys\n"
            "X = np.random.default_rng(1).uniform(-1, 1, (4000, 2)); y = (X[:, 0] > 0).astype(int)\n"
            "try:\n"
            "    print('ready', flush=True)\n"
            "    while True:\n"
            "        doeblin.train(X, y, classes=[0, 1], norm=1, radius=3, epsilon=1, batch=1, epochs=2000)\n"
            "except KeyboardInterrupt:\n"
            "    sys.exit(7)\n")
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    # One is enough, whatever the run is doing when it comes.
    assert process.wait(BACKSTOP) == 7


@pytest.mark.parametrize("last", ["0.5,1\n", "wrong\n"])
def test_ctrl_c_while_it_reads_is_not_lost(last):
    code = ("import doeblin, sys\n"
            "try:\n"
            "    doeblin.train_file('-', label='y', classes=['0', '1'], norm=1, radius=3, epsilon=1)\n"
            "except KeyboardInterrupt:\n"
            "    sys.exit(7)\n")
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, text=True)
    # More than a pipe holds: when it is written, the run is reading.
    process.stdin.write("x,y\n" + "0.5,1\n" * 400_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    process.stdin.write(last)
    process.stdin.close()
    assert process.wait(BACKSTOP) == 7


@pytest.mark.parametrize("phase", ["steps", "people"])
def test_ctrl_c_in_a_later_phase_is_not_lost(phase, tmp_path):
    code = ("import numpy as np, doeblin, sys\n"
            "X = np.random.default_rng(1).uniform(-1, 1, (4000, 2)); y = (X[:, 0] > 0).astype(int)\n"
            "doeblin.show_progress(True)\n"
            "try:\n"
            "    doeblin.train(X, y, classes=[0, 1], norm=1, radius=3, sigma=2, batch=1, output=sys.argv[1])\n"
            "    sys.stdin.read()\n"
            "except KeyboardInterrupt:\n"
            "    sys.exit(7)\n")
    process = subprocess.Popen([sys.executable, "-c", code, tmp_path / "run"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # Each phase says at once that it has begun. Had the run ended by now, Ctrl-C would end what comes after it.
    assert any(phase in line for line in iter(process.stderr.readline, ""))
    process.send_signal(signal.SIGINT)
    assert process.wait(BACKSTOP) == 7
