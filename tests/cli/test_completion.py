# SPDX-License-Identifier: Apache-2.0
"""What completion offers, asked of the script in bash; the scripts of the other shells ask the program the same."""
import re
import subprocess

import pytest

from conftest import PROGRAM, ROOT, run

COMMANDS = re.findall(r"^  (\w+)  ", run("--help").stdout.split("Subcommands:")[1], flags=re.MULTILINE)
CHOICES = re.findall(r"^  --([\w-]+) ((?:\w+\|)+\w+)", run("train", "--help").stdout, flags=re.MULTILINE)


def words(*typed):
    """(kind, candidates), as the program tells the scripts; the last word is being written."""
    kind, *offered = run("completion", "words", "--", *typed).stdout.splitlines()
    return kind, offered


@pytest.fixture(scope="module")
def in_bash(tmp_path_factory):
    """What the script offers in bash, in a folder with some files."""
    folder = tmp_path_factory.mktemp("files")
    for name in ("channel.csv", "chain.npy", "plan.toml", "a claim.json"):
        (folder / name).touch()
    (folder / "runs").mkdir()
    script = run("completion", "bash").stdout

    def ask(*typed):
        check = 'source /dev/stdin; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _doeblin "$1"; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", check, "bash", str(PROGRAM), *typed], input=script, capture_output=True, text=True, cwd=folder)
        assert done.stderr == ""
        return sorted(done.stdout.splitlines())

    return ask


def test_commands_and_options_end_with_a_blank(in_bash):
    assert in_bash("eps") == ["epsilon "]
    assert in_bash("epsilon", "x", "--acc") == ["--accountant "]
    assert {"--help ", "--version ", "stages "} <= set(in_bash(""))
    # Those of groups too.
    assert in_bash("audit", "--epoc") == ["--epochs "]


def test_files_and_folders(in_bash):
    assert in_bash("verify", "ch") == ["chain.npy", "channel.csv"]
    assert in_bash("verify", "'a c") == ["a claim.json"]
    assert in_bash("epsilon", "x", "--certificate", "chan") == ["channel.csv"]
    assert in_bash("report", "x", "-o", "chan") == in_bash("report", "x", "--output", "=", "chan") == ["channel.csv"]
    assert in_bash("train", "x", "--output", "") == ["runs"]
    # Two of them belong to one option.
    assert in_bash("audit", "--inputs", "x", "chai") == ["chain.npy"]


def test_choices(in_bash):
    assert in_bash("epsilon", "x", "--accountant", "") == ["auto ", "basic ", "pld ", "renyi "]
    assert in_bash("train", "x", "--order", "=", "per") == ["permuted "]
    assert in_bash("completion", "") == ["bash ", "fish ", "zsh "]
    assert in_bash("delta", "x", "--epsilon", "") == [""]


def test_an_expression_gets_its_quotes(in_bash):
    assert in_bash("epsilon", "gaus") == ["'gaussian(", "'gaussian( "]
    assert in_bash("epsilon", "'gaus") == ["gaussian(", "gaussian( "]
    assert in_bash("epsilon", "'gaussian(s") == ["gaussian(sensitivity=", "gaussian(sigma="]
    assert in_bash("epsilon", "pl") == ["plan.toml"]
    assert in_bash("epsilon", "\"black_box(1) | kernel('chan")[0] == "black_box(1) | kernel('channel.csv"
    assert "'kernel(" in in_bash("mix", "") and "channel.csv" in in_bash("mix", "")


def test_one_word_with_an_equals_sign():
    """As zsh and fish have it."""
    assert words("train", "x", "--order=per") == ("words", ["--order=permuted"])
    assert words("epsilon", "x", f"--certificate={ROOT}/READ") == ("pieces", [f"--certificate={ROOT}/README.md"])


@pytest.mark.parametrize(("option", "form"), CHOICES)
def test_what_is_offered_is_what_is_taken(option, form):
    offered = words("train", "x", f"--{option}", "")[1]
    assert offered == form.split("|")
    refused = run("train", "x", f"--{option}", "nothing").stderr
    assert sorted(re.split(", | or ", refused.strip().split("need ")[1].removeprefix("one of ").replace("'", ""))) == sorted(offered), refused


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_offers_its_options(command):
    kind, offered = words(command, "--")
    named = re.findall(r"^ {2,4}(?:-\w,)?(--[\w-]+)", run(command, "--help").stdout, flags=re.MULTILINE)
    assert kind == "words" and sorted(offered) == sorted(set(named))


def test_choices_are_those_that_are_found():
    assert dict(CHOICES)["order"] == "fixed|permuted|poisson" and len(CHOICES) >= 8


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_asks_the_program(shell):
    assert "completion words -- " in run("completion", shell).stdout


def test_nothing_is_offered_where_nothing_is_known():
    assert words("no_such_command", "") == ("words", [])
    assert words("epsilon", "'\x01)))='") == ("pieces", [])
    assert run("completion", "tcsh").returncode == 2
