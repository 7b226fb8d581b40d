# SPDX-License-Identifier: Apache-2.0
"""The headers that are installed, as cmake/public_headers.cmake lists them.

Usage: python tools/public_headers.py    prints the supporting headers that the public ones need, for that list
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[1]
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]doeblin/([^">]+)[">]', re.MULTILINE)


def listed(name):
    text = (ROOT / "cmake" / "public_headers.cmake").read_text(encoding="utf-8")
    return re.search(rf"set\({name}\n(.*?)\)", text, flags=re.DOTALL)[1].split()


def public():
    """What guests may include."""
    return listed("DOEBLIN_PUBLIC_HEADERS")


def supporting():
    """What is installed because a public header includes it."""
    return listed("DOEBLIN_SUPPORTING_HEADERS")


def included_by(text):
    return INCLUDE.findall(text)


def needed():
    """What the public headers include, directly or not, and is not public."""
    seen, todo = set(), list(public())
    while todo:
        header = todo.pop()
        if header not in seen:
            seen.add(header)
            todo += included_by((ROOT / "include" / "doeblin" / header).read_text(encoding="utf-8"))
    return sorted(seen - set(public()))


if __name__ == "__main__":
    print("\n".join(needed()))
