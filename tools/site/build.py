# SPDX-License-Identifier: Apache-2.0
"""The documentation site, without a network: plots by the program, generated pages, Sphinx, links checked.

Usage: python tools/site/build.py PROGRAM FOLDER     (needs the wheel and docs/requirements.txt; warnings are errors)

FOLDER/source gets a copy of docs/ with what is generated, FOLDER/html the site.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import time

import check_links
import cpp_page
import help_page
import papers_page
import results_page
import schema_page

ROOT = pathlib.Path(__file__).parents[2]
PLOTS = ("subsampling", "iteration", "mixing", "diffusion", "training", "report", "modules")


def draw(program, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in PLOTS:
        subprocess.run([sys.executable, ROOT / "tools" / "site" / f"plot_{name}.py", program, folder],
                       check=True, stdout=subprocess.DEVNULL)


def sphinx(source, html):
    # Not -n in conf.py alone: what cannot be resolved must fail here.
    subprocess.run([sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-n", "-q", source, html], check=True)


def steps(program, source, html):
    """(what, work), in order. The C++ reference is made by Doxygen, beside the pages of Sphinx."""
    yield "plots", lambda: draw(program, source / "plots")
    yield "the four papers", lambda: papers_page.write(source / "tutorials", source / "plots")
    yield "help texts", lambda: help_page.write(program, source / "reference")
    yield "certificate schema", lambda: schema_page.write(source / "reference")
    yield "benchmark results", lambda: results_page.write(source)
    yield "C++ reference", lambda: cpp_page.write(source / "reference", html / "cpp")
    yield "pages", lambda: sphinx(source, html)
    yield "links", lambda: check_links.require_none_broken(html)


def main():
    if len(sys.argv) != 3:
        raise SystemExit("Usage: python tools/site/build.py PROGRAM FOLDER")
    program, folder = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).absolute()
    source, html = folder / "source", folder / "html"
    for old in (source, html):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(ROOT / "docs", source, ignore=shutil.ignore_patterns("__pycache__", "plots"))
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    for what, work in steps(program, source, html):
        start = time.monotonic()
        work()
        print(f"docs: {what}, {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
    print(f"docs: {os.path.relpath(html / 'index.html')}", file=sys.stderr)


if __name__ == "__main__":
    main()
