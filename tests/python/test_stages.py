# SPDX-License-Identifier: Apache-2.0
"""What the documentation of a source or stage says about an argument is so."""
import math
import re

import pytest

import doeblin

PARAMETERS = [(stage["name"], parameter) for stage in doeblin.stages() for parameter in stage["parameters"]]
# Beyond what the documentation allows, by the words that it uses.
OUTSIDE = {"positive": -1.0, "from 0 to 1": 1.5, "a whole number": 2.5, "at least 0": -1.0, "at least 1": 0.0}


def said_about(stage, parameter):
    section = getattr(doeblin, stage).__doc__.split("Parameters\n")[1].split("Examples\n")[0]
    return re.search(rf"^ +{parameter} : .*\n((?:      +.*\n?)+)", section, re.MULTILINE)[1]


def call(stage, **changed):
    """The stage after a source, with values that fit unless they are changed."""
    examples = {"file": [[0, 1], [1, 0]], "share": 0.5, "choice": "", "count": 2.0}
    of = {p["name"]: p for p in next(one for one in doeblin.stages() if one["name"] == stage)["parameters"]}
    given = {name: examples.get(p["type"], 2.0) for name, p in of.items() if p["required"]}
    made = getattr(doeblin, stage)(**{**given, **changed})
    if isinstance(made, doeblin.Pipeline):
        return made
    before = {"person": doeblin.noisy_sgd(9, 0.1, 1, 1, 1), "evolve": doeblin.brownian(time=1)}
    return before.get(stage, doeblin.gaussian(sigma=1)) | made


@pytest.mark.parametrize(("stage", "parameter"), [(s, p) for s, p in PARAMETERS if not p["is_text"]])
def test_what_is_outside_its_domain_is_refused(stage, parameter):
    said = said_about(stage, parameter["name"])
    for words, value in OUTSIDE.items():
        if words in said:
            with pytest.raises(ValueError, match=rf"\b{parameter['name']}\b"):
                call(stage, **{parameter["name"]: value})


def test_choices_are_the_words_that_are_taken():
    for stage, parameter in PARAMETERS:
        kind = re.search(rf"^ +{parameter['name']} : (.*)", getattr(doeblin, stage).__doc__, re.MULTILINE)[1]
        assert all(repr(choice) in kind for choice in parameter["choices"] if choice)


def test_limits_are_numbers_or_nothing():
    limits = [(p["low"], p["high"]) for _, p in PARAMETERS if p["can_be_solved_for"]]
    assert all(not math.isnan(low) and low < high for low, high in limits)
    assert all(p["low"] is None and p["high"] is None for _, p in PARAMETERS if not p["can_be_solved_for"])
