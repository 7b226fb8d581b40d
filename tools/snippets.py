# SPDX-License-Identifier: Apache-2.0
"""The shell snippets of the README and the docs: lines '$ command' in console blocks, with their output below.

Usage: python tools/snippets.py      run every snippet and write what it prints into the page
"""
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"(```console\n)(.*?)(```)", flags=re.DOTALL)


def output_of(command):
    environment = dict(os.environ, PATH=f"{ROOT / 'build'}:{os.environ['PATH']}")
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, env=environment)
    return done.stdout + done.stderr


def commands_of(block):
    """Pairs of a command and the output shown under it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def snippets():
    """Every snippet as (page, command, output)."""
    for page in PAGES:
        for _, block, _ in BLOCK.findall(page.read_text()):
            for command, output in commands_of(block):
                yield page.name, command, output


def refresh(page):
    def rerun(match):
        parts = [f"$ {command}\n{output_of(command)}" for command, _ in commands_of(match[2])]
        return match[1] + "".join(parts) + match[3]

    page.write_text(BLOCK.sub(rerun, page.read_text()))


if __name__ == "__main__":
    for each in PAGES:
        refresh(each)
