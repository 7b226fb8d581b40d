# SPDX-License-Identifier: Apache-2.0
"""Writes python/doeblin/_stages.py: a function for every source and stage of the expression language.

Usage: python tools/python_stages.py [--check]      (with the package installed)
"""
import pathlib
import re
import sys

import doeblin
from doeblin import _core

FILE = pathlib.Path(__file__).parents[1] / "python" / "doeblin" / "_stages.py"

HEADER = '''# SPDX-License-Identifier: Apache-2.0
# Written by tools/python_stages.py; do not edit.
"""Every source and stage of the expression language, as a function of the same name."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Sequence, Union

from . import _core
from ._build import affected_steps, finite_mechanism, graph_walk, markov_kernel, scheduled_run, source, stage
from ._pipeline import Pipeline, Stage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    Number = Union[float, np.floating[Any], np.integer[Any], _core.Open]
    Path = Union[str, "os.PathLike[str]"]

__all__ = [
'''

# Parameters that take more in Python than a text or a number: their annotation, and what else is said about them.
WIDER = {
    ("finite", "file"): ("Union[Path, ArrayLike]", "or the matrix itself"),
    ("finite", "adjacency"): ("Union[Path, ArrayLike]", "or pairs of rows of the matrix, counted from 0"),
    ("kernel", "file"): ("Union[Path, ArrayLike, Any]", "or the matrix itself, NumPy or SciPy sparse"),
    ("lazy_walk", "file"): ("Union[Path, ArrayLike]", "or an array of edges, nodes counted from 0"),
    ("noisy_sgd", "learning_rate"): ("Union[Number, ArrayLike]", "or one number for each step"),
    ("noisy_sgd", "sigma"): ("Union[Number, ArrayLike]", "or one number for each step"),
    ("noisy_sgd", "lipschitz"): ("Union[Number, ArrayLike]", "or one number for each step"),
    ("noisy_sgd", "batch"): ("Union[Number, ArrayLike]", "or one number for each step"),
    ("noisy_sgd", "checkpoints"): ("Union[str, Sequence[int], ArrayLike]", "or a sequence of them"),
    ("noisy_sgd", "schedule"): ("Path", ""),
    ("noisy_iteration", "affected"): ("Union[str, Sequence[int], ArrayLike]", "or a sequence of them"),
}
# Examples without files.
EXAMPLES = {
    "finite": "finite([[0.75, 0.25], [0.25, 0.75]])",
    "kernel": "black_box(epsilon=1, delta=1e-6) | kernel([[0.9, 0.1], [0.2, 0.8]], steps=3)",
    "lazy_walk": "black_box(epsilon=2) | lazy_walk([[0, 1], [1, 2], [2, 0]], laziness=0.5, steps=50)",
}
BODIES = {
    "finite": "return finite_mechanism(file, adjacency)",
    "kernel": "return markov_kernel(file, steps)",
    "lazy_walk": "return graph_walk(file, laziness, steps)",
}


def wrapped(text, width, indent):
    lines, line = [], ""
    for word in text.split():
        if line and len(indent) + len(line) + 1 + len(word) > width:
            lines.append(indent + line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join([*lines, indent + line])


def default_text(parameter):
    if parameter["is_text"]:
        return '"' + parameter["default"] + '"'
    value = parameter["default"]
    return f'float("{value}")' if value in (float("inf"), float("-inf")) else repr(value)


def signature(definition):
    texts = []
    for parameter in definition["parameters"]:
        kind, _ = WIDER.get((definition["name"], parameter["name"]), ("str" if parameter["is_text"] else "Number", ""))
        texts.append(f"{parameter['name']}: {kind}" + ("" if parameter["required"] else f" = {default_text(parameter)}"))
    result = "Pipeline" if definition["kind"] == "source" else "Stage"
    line = f"def {definition['name']}({', '.join(texts)}) -> {result}:"
    if len(line) <= 120:
        return line
    return f"def {definition['name']}(\n    " + ",\n    ".join(texts) + f",\n) -> {result}:"


def body(definition):
    name = definition["name"]
    if name in BODIES:
        return BODIES[name]
    arguments = [p["name"] for p in definition["parameters"]]
    if name == "noisy_sgd":
        return f"return scheduled_run(\n        {', '.join(arguments[:10])},\n        {', '.join(arguments[10:])})"
    arguments = [f"affected_steps({a})" if a == "affected" else a for a in arguments]
    comma = "," if len(arguments) == 1 else ""
    maker = "source" if definition["kind"] == "source" else "stage"
    line = f'return {maker}("{name}", ({", ".join(arguments)}{comma}))'
    if len(line) <= 116:
        return line
    return f'return {maker}(\n        "{name}",\n        ({", ".join(arguments)}{comma}),\n    )'


def type_text(definition, parameter):
    """As numpydoc writes it: a type or the choices, and the default."""
    annotation, _ = WIDER.get((definition["name"], parameter["name"]), ("", ""))
    if parameter["choices"]:
        kind = "{" + ", ".join(repr(choice) for choice in parameter["choices"] if choice) + "}"
    else:
        kind = {"file": "path-like", "steps": "str", "count": "int"}.get(parameter["type"], "float")
    if "ArrayLike" in annotation:
        kind += " or array-like"
    if parameter["required"]:
        return kind
    if parameter["default"] == "":
        return f"{kind}, optional"
    return f"{kind}, default {parameter['default']!r}" if parameter["is_text"] else f"{kind}, default {parameter['default']:g}"


def domain(parameter):
    """Where an argument may lie, as far as its type says."""
    if parameter["type"] == "scale":
        return "positive"
    if parameter["type"] == "share":
        return "from 0 to 1"
    least = "" if parameter["low"] is None else f"at least {parameter['low']:g}"
    return ", ".join(filter(None, ["a whole number" if parameter["type"] == "count" else "", least]))


def example_of(definition):
    example = EXAMPLES.get(definition["name"], definition["example"])
    names = sorted({d["name"] for d in _core.definitions() if re.search(rf"\b{d['name']}\(", example)})
    return [f">>> from doeblin import {', '.join(names)}", f">>> {example}", repr(eval(example, vars(doeblin)))]


def documentation(definition):
    summary = definition["summary"][0].upper() + definition["summary"][1:]
    lines = [f'"""{summary}.', "", "Parameters", "----------"]
    for parameter in definition["parameters"]:
        _, more = WIDER.get((definition["name"], parameter["name"]), ("", ""))
        meaning = "; ".join(filter(None, [parameter["meaning"], domain(parameter), more]))
        lines.append(f"{parameter['name']} : {type_text(definition, parameter)}")
        lines.append(wrapped(f"{meaning[0].upper()}{meaning[1:]}.", 116, "    "))
    lines += ["", "Examples", "--------", *example_of(definition), '"""']
    return "\n".join("    " + line if line else "" for line in "\n".join(lines).split("\n"))


def text():
    definitions = _core.definitions()
    parts = [HEADER + "".join(f'    "{d["name"]}",\n' for d in definitions) + "]\n"]
    for definition in definitions:
        parts.append(f"\n\n{signature(definition)}\n{documentation(definition)}\n    {body(definition)}\n")
    return "".join(parts)


def main():
    written = text()
    if "--check" in sys.argv[1:]:
        if FILE.read_text() != written:
            sys.exit(f"{FILE} is not what tools/python_stages.py writes")
        return
    FILE.write_text(written)


if __name__ == "__main__":
    main()
