# SPDX-License-Identifier: Apache-2.0
"""Progress is shown on a terminal, which there is none here, or where it is asked for."""
import re

import pytest

from doeblin import compose, gaussian, laplace, show_progress, train


@pytest.fixture(autouse=True)
def as_before():
    yield
    show_progress(None)


def test_it_is_shown_when_asked_for(capfd):
    pipeline = laplace(scale=10) | compose(100)
    for asked in (None, False):
        show_progress(asked)
        pipeline.compare(delta=1e-5)
        assert capfd.readouterr() == ("", "")
    show_progress()
    pipeline.compare(delta=1e-5)
    output, lines = capfd.readouterr()
    assert output == "" and re.fullmatch(r"(doeblin: 1 of \d+ values, 0 s\n)+", lines), lines


def test_training_counts_steps_and_shows_no_data(capfd):
    show_progress(True)
    train([[0.123456], [0.654321]] * 10, [0, 1] * 10, classes=[0, 1], norm=1, radius=1, sigma=1)
    shown = capfd.readouterr().err
    assert "20 of 20 steps" in shown and all(re.fullmatch(r"doeblin: (\d+ (of \d+ )?[a-z ]+|reading), \d+ s", line) for line in shown.splitlines())


@pytest.mark.parametrize("wrong", [1, "yes", 0.5])
def test_what_is_neither_yes_nor_no_is_refused(wrong):
    with pytest.raises(TypeError, match="show_progress: shown = "):
        show_progress(wrong)
    assert gaussian(1).epsilon(delta=1e-5) < 5
