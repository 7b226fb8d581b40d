# SPDX-License-Identifier: Apache-2.0
"""A script in percent format as a Jupyter notebook without outputs.

Usage: python tools/notebook.py SCRIPT NOTEBOOK
"""
import json
import os
import re
import sys


def cells(script):
    """[(is_text, line of the marker, source)]; what stands before the first marker can only be comments."""
    head, *parts = re.split(r"^(# %%.*)\n", script + "\n", flags=re.MULTILINE)
    if not parts or any(line.strip() and not line.startswith("#") for line in head.splitlines()):
        raise ValueError("need cells that start with '# %%', and only comments before the first one")
    found, line = [], head.count("\n") + 1
    for marker, body in zip(parts[::2], parts[1::2]):
        is_text = marker.split()[2:3] == ["[markdown]"]
        source = re.sub(r"^# ?", "", body, flags=re.MULTILINE) if is_text else body
        found.append((is_text, line, source.strip("\n")))
        line += 1 + body.count("\n")
    return found


def notebook(script):
    """The notebook as nbformat 4 describes it."""
    made = []
    for k, (is_text, _, source) in enumerate(cells(script), start=1):
        cell = {"id": f"cell-{k}", "cell_type": "markdown" if is_text else "code", "metadata": {}}
        cell["source"] = source.splitlines(keepends=True)
        made.append(cell if is_text else {**cell, "execution_count": None, "outputs": []})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def main():
    if len(sys.argv) != 3:
        raise SystemExit("Usage: python tools/notebook.py SCRIPT NOTEBOOK")
    with open(sys.argv[1], encoding="utf-8") as file:
        made = notebook(file.read())
    with open(sys.argv[2] + ".partial", "w", encoding="utf-8") as file:
        file.write(json.dumps(made, indent=1, ensure_ascii=False) + "\n")
    os.replace(sys.argv[2] + ".partial", sys.argv[2])


if __name__ == "__main__":
    main()
