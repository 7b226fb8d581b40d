# SPDX-License-Identifier: Apache-2.0
"""Docstrings of the Python package are plain text with `code` in backticks, examples, and sections in the style of numpydoc; autodoc
wants reStructuredText."""
import re

# Sections whose entries have their meaning below.
LISTS = ("Parameters", "Returns", "Raises", "Warns")
SPECIAL = re.compile(r"([\\*|]|(?<=\w)_(?=\W|$))")


def escaped(line):
    """Backticks become code, and nothing else is markup."""
    parts = line.split("`")
    if len(parts) % 2 == 0:
        return SPECIAL.sub(r"\\\1", line.replace("`", "'"))
    return "".join(f"``{part}``" if k % 2 else SPECIAL.sub(r"\\\1", part) for k, part in enumerate(parts))


def indent_of(line):
    return len(line) - len(line.lstrip())


def is_underlined(lines, k):
    return k + 1 < len(lines) and len(lines[k]) > 0 and lines[k + 1] == "-" * len(lines[k])


def parameter_list(lines):
    """'name : type', or either alone, with its meaning below becomes a definition."""
    for line in lines:
        name, sign, kind = line.partition(" : ")
        yield f"    {escaped(line.strip())}" if indent_of(line) else f"``{name}``{sign}{escaped(kind)}"


def as_restructured_text(lines):
    """Paragraphs stay, examples become code blocks, indented lines keep their line breaks, and sections of entries are lists."""
    result, k = [], 0
    while k < len(lines):
        if is_underlined(lines, k):
            result += [f".. rubric:: {lines[k]}", ""]
            k += 2
            if lines[k - 2] in LISTS:
                end = next((i for i in range(k, len(lines)) if not lines[i].strip()), len(lines))
                result += parameter_list(lines[k:end])
                k = end
        elif lines[k].lstrip().startswith(">>>"):
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
