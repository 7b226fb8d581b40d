# SPDX-License-Identifier: Apache-2.0
"""The snippets of the README and the docs. Whatever stands in a fence is run:

    console   lines '$ command', each with its output below: run from the root of the project, with the program on the path
    python    run in the order of the page, in one interpreter
    cpp       compiled against the installed package, and run; without a main() it is the beginning of one

Usage: python tools/snippets.py [PAGE...]      run every console snippet and write what it prints into the page
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LANGUAGES = {"console", "python", "cpp", "{toctree}"}  # the last one is for Sphinx
BLOCK = re.compile(r"^```([^`\n]*)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)


def output_of(command):
    if not (ROOT / "build" / "doeblin").exists():
        raise SystemExit("snippets: build/doeblin is missing, need 'make build'")
    # Other tools may print and sort as a locale says.
    environment = dict(os.environ, PATH=f"{ROOT / 'build'}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    done = subprocess.run(["bash", "-c", command], capture_output=True, encoding="utf-8", cwd=ROOT, env=environment)
    return done.stdout + done.stderr


def name_of(page):
    return str(page.relative_to(ROOT))


def blocks(language):
    """(page, text) of every fence in this language."""
    for page in PAGES:
        for found, text in BLOCK.findall(page.read_text(encoding="utf-8")):
            if found == language:
                yield name_of(page), text


def commands_of(block):
    """Pairs of a command and the output shown under it. A command goes on in the next line after a backslash."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, output = re.match(r"((?:[^\n]*\\\n)*[^\n]*)\n?(.*)", part, flags=re.DOTALL).groups()
        yield command, output


def snippets():
    """Every console snippet as (page, command, output)."""
    for page, block in blocks("console"):
        for command, output in commands_of(block):
            yield page, command, output


def refresh(page):
    def rerun(match):
        if match[1] != "console":
            return match[0]
        parts = [f"$ {command}\n{output_of(command)}" for command, _ in commands_of(match[2])]
        return "```console\n" + "".join(parts) + "```"

    page.write_text(BLOCK.sub(rerun, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    for each in [pathlib.Path(name).absolute() for name in sys.argv[1:]] or PAGES:
        refresh(each)
