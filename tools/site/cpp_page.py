# SPDX-License-Identifier: Apache-2.0
"""The C++ reference: Doxygen's pages of the installed headers, and reference/cpp.rst, a list of them by module."""
import itertools
import pathlib
import re
import subprocess
import tempfile
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import public_headers  # noqa: E402
INTRODUCTION = """\
C++
===

The public headers, a link each to its page of the reference. ``doeblin/doeblin.hpp`` is the accountant in one include;
:doc:`../howto/cmake` shows a whole program, and which component a module belongs to.

"""
SUPPORTING = """\
Included by these
-----------------

Parameters and what types are made of. Not to be included by name, as they may move.

"""


def without_dangling_links(html):
    """Doxygen links to the list of nested classes even where all of them are private, and so not listed."""
    for page in html.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        if '"#nested-classes"' in text and 'name="nested-classes"' not in text:
            page.write_text(re.sub(r'<a href="#nested-classes">.*?</a>(?: &#124;)?', "", text), encoding="utf-8")


def pages_of(tags, include):
    """{header: page} of Doxygen's tag file, with headers as they are included."""
    pages = {}
    for compound in xml.etree.ElementTree.parse(tags).getroot().findall("compound[@kind='file']"):
        header = pathlib.Path(compound.findtext("path"), compound.findtext("name"))
        pages[header.relative_to(include).as_posix()] = compound.findtext("filename")
    return pages


def doxygen(html, work):
    """Runs Doxygen, for which a warning is an error, and returns {header: page}."""
    settings = (ROOT / "docs" / "Doxyfile").read_text(encoding="utf-8")
    tags = work / "tags.xml"
    headers = " ".join(f'"include/doeblin/{header}"' for header in public_headers.public() + public_headers.supporting())
    settings += f'INPUT = {headers}\nOUTPUT_DIRECTORY = "{html.parent}"\nHTML_OUTPUT = {html.name}\nGENERATE_TAGFILE = "{tags}"\n'
    html.mkdir(parents=True, exist_ok=True)
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True, cwd=ROOT)
    without_dangling_links(html)
    # Doxygen knows the working folder without links in its path.
    return pages_of(tags, (ROOT / "include").resolve())


def summary_of(header):
    """The first sentence of the first documentation comment."""
    lines = re.search(r"((?:^ *///.*\n)+)", header.read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = " ".join(line.strip()[3:].strip() for line in lines[1].splitlines()) if lines else ""
    return re.split(r"(?<=[a-z)\]])\.(?: |$)", text)[0].replace("\\", "").replace("|", r"\|").replace("*", r"\*").replace("`", "")


def table_of(headers, pages):
    rows = [".. list-table::\n   :widths: 35 65\n\n"]
    for header in headers:
        page = pages[f"doeblin/{header}"]
        page = page if page.endswith(".html") else page + ".html"
        rows.append(f"   * - `{header} <../cpp/{page}>`__\n     - {summary_of(ROOT / 'include' / 'doeblin' / header)}\n")
    return "".join(rows) + "\n"


def write(folder, html):
    with tempfile.TemporaryDirectory() as work:
        pages = doxygen(html, pathlib.Path(work))
    parts = [INTRODUCTION]
    # Public ones are listed module by module.
    for module, headers in itertools.groupby(public_headers.public(), key=lambda header: header.partition("/")[0]):
        parts += [f"{module}\n{'-' * len(module)}\n\n", table_of(headers, pages)]
    parts += [SUPPORTING, table_of(public_headers.supporting(), pages)]
    (folder / "cpp.rst").write_text("".join(parts), encoding="utf-8")
