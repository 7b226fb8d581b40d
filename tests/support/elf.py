# SPDX-License-Identifier: Apache-2.0
"""What a finished program or module says about how it was built."""
import subprocess


def readelf(path, *options):
    return subprocess.run(["readelf", "--wide", *options, path], capture_output=True, text=True, check=True).stdout


def assert_hardened(path):
    """Its tables of addresses are read-only once it runs, and its stack and copies are checked."""
    assert "DYN" in readelf(path, "--file-header").split("Type:")[1].splitlines()[0], "loaded at any address"
    segments, dynamic = readelf(path, "--segments"), readelf(path, "--dynamic")
    assert "GNU_RELRO" in segments and "NOW" in dynamic, "full RELRO"
    stack = next(line for line in segments.splitlines() if "GNU_STACK" in line)
    assert " RWE " not in stack, "nothing on the stack is run"
    symbols = readelf(path, "--dyn-syms")
    assert "__stack_chk_fail" in symbols, "-fstack-protector-strong"
    assert any("_chk" in line and "stack_chk" not in line for line in symbols.splitlines()), "_FORTIFY_SOURCE"
