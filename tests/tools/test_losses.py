# SPDX-License-Identifier: Apache-2.0
"""A loss is the files that CONTRIBUTING.md lists (test_recipes.py), and no others."""
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
LOSSES = re.findall(r"^DOEBLIN_LOSS\((\w+)\)$", (ROOT / "src/training/losses.def").read_text(), re.MULTILINE)
# Words of everyday language, which only count as names when they are quoted.
WORDS = {"squared"}


def listed():
    """The paths of the recipe, with x for the name of the loss."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    return re.findall(r"^- `(\S+)`:", text.split("**A loss.**")[1].split("\n\n**")[0], re.MULTILINE)


def mentions(text, name):
    camel = "k" + "".join(part.capitalize() for part in name.split("_"))
    quoted = rf"[\"'`]{name}[\"'`]"
    return re.search(quoted if name in WORDS else rf"\b({name}|{camel})\b", text) is not None


def test_the_list_is_short_and_true():
    assert len(LOSSES) >= 4
    assert "src/training/losses/x.cpp" in listed() and "src/training/losses.def" in listed()
    assert len(listed()) <= 5
    for name in LOSSES:
        for path in listed():
            assert (ROOT / path.replace("/x.", f"/{name}.")).is_file(), path


def test_no_other_file_knows_a_loss_by_name():
    allowed = {path.replace("/x.", f"/{name}.") for path in listed() for name in LOSSES}
    found = [(str(file.relative_to(ROOT)), name)
             for folder in ("src", "include", "python")
             for file in sorted((ROOT / folder).rglob("*"))
             if file.suffix in (".cpp", ".hpp", ".def", ".py", ".pyi") and str(file.relative_to(ROOT)) not in allowed
             for name in LOSSES if mentions(file.read_text(), name)]
    assert found == []


def test_a_mention_is_seen():
    assert mentions('loss = "squared"', "squared") and not mentions("the mean squared error", "squared")
    assert mentions("LossKind::kSmoothedHinge", "smoothed_hinge") and mentions("by the logistic model", "logistic")
