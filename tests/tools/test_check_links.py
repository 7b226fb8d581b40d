# SPDX-License-Identifier: Apache-2.0
import tooling  # noqa: F401  (where tools are found)

import check_links


def page(folder, name, body):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"<html><body>{body}</body></html>")


def test_links_that_resolve(tmp_path):
    page(tmp_path, "index.html", '<a href="sub/one.html#here">x</a><a href="#top">x</a><p id="top"></p><img src="a.svg">')
    page(tmp_path, "sub/one.html", '<h2 id="here"></h2><a href="../index.html">x</a><a href="..">x</a>')
    (tmp_path / "a.svg").write_text("<svg/>")
    assert check_links.broken_links(tmp_path) == ([], set())


def test_links_that_do_not(tmp_path):
    page(tmp_path, "index.html", '<a href="none.html">x</a>\n<a href="one.html#none">x</a>\n<img src="b.svg"><a href="../up.html">x</a>')
    page(tmp_path, "one.html", "")
    broken, _ = check_links.broken_links(tmp_path)
    assert [(line, link, reason) for _, line, link, reason in broken] == [
        (1, "none.html", "no such file"), (2, "one.html#none", "no such anchor"), (3, "b.svg", "no such file"),
        (3, "../up.html", "no such file")]


def test_other_hosts_are_listed_only(tmp_path):
    page(tmp_path, "index.html", '<a href="https://example.org/x">x</a><a href="mailto:a@b">x</a>')
    assert check_links.broken_links(tmp_path) == ([], {"example.org"})
