# SPDX-License-Identifier: Apache-2.0
"""What the scripts that draw plots share: PROGRAM FOLDER on their command line, and files that appear as a whole."""
import os
import sys


def write_all(folder, drawings):
    """drawings: (name, function that returns the SVG)."""
    os.makedirs(folder, exist_ok=True)
    for name, draw in drawings:
        path = os.path.join(folder, name + ".svg")
        with open(path + ".partial", "w", encoding="ascii") as file:
            file.write(draw())
        os.replace(path + ".partial", path)
        print(path)


def arguments(script):
    """(program, folder)"""
    if len(sys.argv) != 3:
        raise SystemExit(f"Usage: python tools/site/{os.path.basename(script)} PROGRAM FOLDER")
    return sys.argv[1], sys.argv[2]
