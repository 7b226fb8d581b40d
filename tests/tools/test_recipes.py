# SPDX-License-Identifier: Apache-2.0
"""What CONTRIBUTING.md lists for a new source, stage, analysis, loss or command is there for every one that exists.

A line of a recipe is '- `path`: `mention` words, but for `one`, `another`'. In the path and the mention x stands for the name, and
kX for the name of its enumerator."""
import re

import pytest
from tooling import ROOT

import schemas

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


def found_in(files, pattern):
    text = "".join(file.read_text() for file in sorted(ROOT.glob(files)))
    return list(dict.fromkeys(re.findall(pattern, text)))


# How the names of each kind are found out, and two of them, in case they are not.
KINDS = {
    "A source or a stage": (schemas.names(), {"gaussian", "compose"}),
    "An analysis of hidden runs": (found_in("include/doeblin/core/run_analysis.hpp", r'\{"(\w+)", RunAnalysis::k'), {"best", "public"}),
    "A loss": (found_in("src/training/losses.def", r"(?m)^DOEBLIN_LOSS\((\w+)\)$"), {"logistic", "squared"}),
    "A command": (found_in("src/cli/*.cpp", r'\badd_(?:subcommand|command|question)\((?:\s*app,)?(?:\s*exit_code,)?\s*"(\w+)"'),
                  {"epsilon", "train"}),
}


def recipe(kind):
    """(path, mention, names that need none)"""
    section = CONTRIBUTING.split(f"**{kind}.**")[1].split("\n\n**")[0]
    for line in re.findall(r"^- (.*(?:\n  .*)*)", section, re.MULTILINE):
        path, rest = re.fullmatch(r"`(\S+)`: (.*)", line, re.DOTALL).groups()
        # Two backticks and a space around what holds a backtick itself.
        mention = re.match(r"`` (.+?) ``|`([^`]+)`", rest)
        excepted = re.search(r"but for ((?:`\w+`(?:, )?)+)", rest)
        yield path, mention[1] or mention[2], re.findall(r"\w+", excepted[1]) if excepted else []


def named(text, name):
    camel = "k" + "".join(part.capitalize() for part in name.split("_"))
    return re.sub(r"\bkX\b", camel, re.sub(r"(?<![a-zA-Z0-9])x(?![a-zA-Z0-9])", name, text))


def mentions(text, mention):
    before = r"\b" if re.match(r"\w", mention) else ""
    after = r"\b" if re.search(r"\w$", mention) else ""
    return re.search(before + re.escape(mention) + after, text) is not None


LINES = [(kind, *line) for kind in KINDS for line in recipe(kind)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_names_are_found(kind):
    names, some = KINDS[kind]
    assert some <= set(names) and len([line for line in LINES if line[0] == kind]) >= 5


@pytest.mark.parametrize(("kind", "path", "mention", "excepted"), LINES)
def test_every_place_has_everything(kind, path, mention, excepted):
    missing = []
    for name in KINDS[kind][0]:
        files = sorted(ROOT.glob(named(path, name)))
        if name not in excepted and not any(mentions(file.read_text(), named(mention, name)) for file in files):
            missing.append(name)
    assert missing == [], f"{path} does not say {mention}"


def test_what_is_missing_is_seen():
    assert named("src/*/stages/x.cpp", "group") == "src/*/stages/group.cpp"
    assert named("RunAnalysis::kX", "two_words") == "RunAnalysis::kTwoWords" and named("text x_maker()", "a") == "text a_maker()"
    assert mentions("a gaussian b", "gaussian") and not mentions("a discrete_gaussian b", "gaussian")
