# SPDX-License-Identifier: Apache-2.0
"""Writes _stages.py of the package, a function for every source and stage of the expression language, and __init__.pyi from
__init__.pyi.in, with their names.

Usage: python stages.py SCHEMAS STAGES STUB      where SCHEMAS is what src/schemas.cpp prints; the build of the wheel runs it
"""
import json
import pathlib
import re
import sys

HEADER = '''# SPDX-License-Identifier: Apache-2.0
# Written by python/stages.py when the package is built; do not edit.
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
# Examples without files, and what they print.
EXAMPLES = {
    "finite": ("finite([[0.75, 0.25], [0.25, 0.75]])", "finite(file=<2 x 2 array>)"),
    "kernel": ("black_box(epsilon=1, delta=1e-6) | kernel([[0.9, 0.1], [0.2, 0.8]], steps=3)",
               "black_box(epsilon=1, delta=1e-06) | kernel(file=<2 x 2 array>, steps=3)"),
    "lazy_walk": ("black_box(epsilon=2) | lazy_walk([[0, 1], [1, 2], [2, 0]], laziness=0.5, steps=50)",
                  "black_box(epsilon=2) | lazy_walk(file=<3 edges>, steps=50)"),
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
    value = float(parameter["default"])
    return f'float("{value}")' if value in (float("inf"), float("-inf")) else repr(value)


def signature(definition):
    texts = []
    for parameter in definition["parameters"]:
        kind, _ = WIDER.get((definition["name"], parameter["name"]), ("str" if parameter["is_text"] else "Number", ""))
        texts.append(f"{parameter['name']}: {kind}" + ("" if parameter["default"] is None else f" = {default_text(parameter)}"))
    result = "Pipeline" if definition["is_source"] else "Stage"
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
    maker = "source" if definition["is_source"] else "stage"
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
    if parameter["default"] is None:
        return kind
    if parameter["default"] == "":
        return f"{kind}, optional"
    return f"{kind}, default " + (repr(parameter["default"]) if parameter["is_text"] else f"{float(parameter['default']):g}")


def domain(parameter):
    """Where an argument may lie, as far as its type says."""
    if parameter["type"] == "scale":
        return "positive"
    if parameter["type"] == "share":
        return "from 0 to 1"
    least = "" if parameter["low"] is None else f"at least {float(parameter['low']):g}"
    return ", ".join(filter(None, ["a whole number" if parameter["type"] == "count" else "", least]))


def example_of(definition, names):
    example, printed = EXAMPLES.get(definition["name"], (definition["example"], definition["example_text"]))
    used = sorted(name for name in names if re.search(rf"\b{name}\(", example))
    return [f">>> from doeblin import {', '.join(used)}", f">>> {example}", printed]


def documentation(definition, names):
    summary = definition["summary"][0].upper() + definition["summary"][1:]
    lines = [f'"""{summary}.', "", "Parameters", "----------"]
    for parameter in definition["parameters"]:
        _, more = WIDER.get((definition["name"], parameter["name"]), ("", ""))
        meaning = "; ".join(filter(None, [parameter["meaning"], domain(parameter), more]))
        lines.append(f"{parameter['name']} : {type_text(definition, parameter)}")
        lines.append(wrapped(f"{meaning[0].upper()}{meaning[1:]}.", 116, "    "))
    lines += ["", "Examples", "--------", *example_of(definition, names), '"""']
    return "\n".join("    " + line if line else "" for line in "\n".join(lines).split("\n"))


def text(definitions):
    names = [definition["name"] for definition in definitions]
    parts = [HEADER + "".join(f'    "{d["name"]}",\n' for d in definitions) + "]\n"]
    for definition in definitions:
        parts.append(f"\n\n{signature(definition)}\n{documentation(definition, names)}\n    {body(definition)}\n")
    return "".join(parts)


def stub(definitions):
    # The stage doeblin(gamma) is doeblin.doeblin, as in __init__.py.
    names = ", ".join(f'"{d["name"]}"' for d in definitions if d["name"] != "doeblin")
    template = pathlib.Path(__file__).with_name("__init__.pyi.in").read_text()
    return template.replace("    @STAGES@", wrapped(f"{names},", 120, "    "))


def main():
    schemas, stages, package = map(pathlib.Path, sys.argv[1:])
    definitions = json.loads(schemas.read_text())
    stages.write_text(text(definitions))
    package.write_text(stub(definitions))


if __name__ == "__main__":
    main()
