# SPDX-License-Identifier: Apache-2.0
"""The compiled module is built like the program."""
import pathlib
import sys

from doeblin import _core

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from elf import assert_hardened  # noqa: E402


def test_the_module_is_hardened():
    assert_hardened(_core.__file__)
