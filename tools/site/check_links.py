# SPDX-License-Identifier: Apache-2.0
"""Every link and picture of a folder of HTML pages leads to a file of that folder, and every #anchor to an element.

Usage: python tools/site/check_links.py FOLDER

Links to other hosts are listed, not followed: the site is built without a network. Exit code 1 when a link is broken.
"""
import html.parser
import pathlib
import sys
import urllib.parse

LINKS = {"a": "href", "link": "href", "img": "src", "script": "src", "area": "href", "source": "src", "iframe": "src"}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.anchors |= {named[key] for key in ("id", "name") if named.get(key)}
        link = named.get(LINKS.get(tag, ""))
        if link:
            self.links.append((self.getpos()[0], link))


def broken_links(folder):
    """[(page, line, link, reason)], and the hosts that are linked to."""
    folder = pathlib.Path(folder).resolve()
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    broken, hosts = [], set()
    for path, page in pages.items():
        for line, link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme in ("http", "https"):
                hosts.add(parts.netloc)
                continue
            if parts.scheme:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if folder not in target.parents or not target.is_file():
                broken.append((path.relative_to(folder), line, link, "no such file"))
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                broken.append((path.relative_to(folder), line, link, "no such anchor"))
    return broken, hosts


def require_none_broken(folder):
    broken, hosts = broken_links(folder)
    for page, line, link, reason in broken:
        print(f"{page}:{line}: {link}: {reason}", file=sys.stderr)
    if broken:
        raise SystemExit(f"links: {len(broken)} broken")
    return hosts


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("Usage: python tools/site/check_links.py FOLDER")
    others = require_none_broken(sys.argv[1])
    print("links: all resolve" + (f"; not followed: {', '.join(sorted(others))}" if others else ""))
