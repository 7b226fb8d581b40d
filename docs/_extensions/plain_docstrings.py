# SPDX-License-Identifier: Apache-2.0
"""Docstrings of the Python package are plain text with `code` in backticks and examples; autodoc wants reStructuredText."""
import re

SPECIAL = re.compile(r"([\\*|]|(?<=\w)_(?=\W|$))")


def escaped(line):
    """Backticks become code, and nothing else is markup."""
    parts = line.split("`")
    if len(parts) % 2 == 0:
        return SPECIAL.sub(r"\\\1", line.replace("`", "'"))
    return "".join(f"``{part}``" if k % 2 else SPECIAL.sub(r"\\\1", part) for k, part in enumerate(parts))


def indent_of(line):
    return len(line) - len(line.lstrip())


def as_restructured_text(lines):
    """Paragraphs stay, examples become code blocks, and indented lines keep their line breaks."""
    result, k = [], 0
    while k < len(lines):
        if lines[k].lstrip().startswith(">>>"):
            result.append("")
            while k < len(lines) and lines[k].strip():
                result.append(lines[k].lstrip())
                k += 1
            result.append("")
        elif lines[k].strip() and indent_of(lines[k]) > 0:
            result.append("")
            while k < len(lines) and lines[k].strip() and indent_of(lines[k]) > 0:
                result.append("| " + "\N{NO-BREAK SPACE}" * (indent_of(lines[k]) - 4) + escaped(lines[k].lstrip()))
                k += 1
            result.append("")
        else:
            result.append(escaped(lines[k]))
            k += 1
    return result


def process(app, what, name, obj, options, lines):
    lines[:] = as_restructured_text(lines)


def setup(app):
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
