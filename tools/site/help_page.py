# SPDX-License-Identifier: Apache-2.0
"""reference/help.md: what --help says, for the program and for each of its commands."""
import re
import subprocess


def help_of(program, *command):
    done = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True)
    return done.stdout.rstrip()


def commands_in(text):
    """The names under 'Subcommands:'."""
    listed = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, flags=re.MULTILINE)[1]
    return re.findall(r"^  (\S+)", listed, flags=re.MULTILINE)


def write(program, folder):
    whole = help_of(program)
    parts = ["# Help texts\n", "What `doeblin --help` and `doeblin COMMAND --help` print. [Commands](commands.md) explains it.\n",
             f"```text\n{whole}\n```\n"]
    for command in commands_in(whole):
        parts.append(f"## {command}\n\n```text\n{help_of(program, command)}\n```\n")
    (folder / "help.md").write_text("\n".join(parts), encoding="utf-8")
