# SPDX-License-Identifier: Apache-2.0
"""Guests see the headers of cmake/public_headers.cmake, and nothing that those do not need."""
from tooling import ROOT

import public_headers
import snippets

PUBLIC = set(public_headers.public())


def for_guests():
    """What guests read: {name: text} of examples and C++ snippets."""
    texts = [(path, path.read_text()) for folder in ("examples", "tests/install") for path in (ROOT / folder).glob("*.cpp")]
    return texts + list(snippets.blocks("cpp"))


def test_each_is_there_once():
    every = public_headers.public() + public_headers.supporting()
    assert len(every) == len(set(every))
    assert all((ROOT / "include" / "doeblin" / header).is_file() for header in every)


def test_what_public_headers_include_is_installed_and_nothing_else():
    # After a new #include: python tools/public_headers.py prints the list.
    assert public_headers.supporting() == public_headers.needed()


def test_examples_include_public_headers_only():
    for name, text in for_guests():
        assert set(public_headers.included_by(text)) <= PUBLIC, name


def test_another_header_is_seen():
    assert set(public_headers.included_by("#include <doeblin/core/rounding.hpp>\n")) == {"core/rounding.hpp"}
    assert "core/rounding.hpp" not in PUBLIC


def test_there_are_about_forty():
    assert len(PUBLIC) <= 45
