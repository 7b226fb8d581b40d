# SPDX-License-Identifier: Apache-2.0
"""What src/language/schemas says, for tools and tests that have no program at hand.

Usage: python tools/schemas.py      prints the dictionary of the fuzzer of expressions (tools/fuzz)
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[1]
# What expressions are made of besides names.
SYNTAX = ["inf", "1e-300", "1e308", " | ", " + ", "**", "?", "[", "]", "'1:9:2'"]


def text():
    return "".join(file.read_text() for file in sorted((ROOT / "src/language/schemas").glob("*.cpp")))


def names():
    """Sources and stages."""
    return re.findall(r'\.name = "(\w+)",\s+\.kind', text())


def parameters():
    builders = "scale|loss|share|count|number|choice|file|steps_of_a_run"
    return sorted(set(re.findall(rf'\b(?:{builders})\(\s*"(\w+)"', text())) | {"sensitivity"})


def choices():
    lists = re.findall(r'\bchoice\((?:[^{}]*?)\{([^}]*)\}', text())
    return sorted({word for one in lists for word in re.findall(r'"(\w+)"', one)})


def dictionary():
    words = [f"{name}(" for name in names()] + [f"{name}=" for name in parameters()] + choices() + SYNTAX
    return "".join(f'"{word}"\n' for word in words)


if __name__ == "__main__":
    print(dictionary(), end="")
