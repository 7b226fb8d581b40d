# SPDX-License-Identifier: Apache-2.0
"""Ids such as I2 in running text become links to their entry in the catalogue (docs/theory/catalogue.md).

An entry of the catalogue is a heading that begins with its id: '### I2 Optimal shifts'. Headings, code, links and the
catalogue itself stay as they are.
"""
import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

CATALOGUE = "theory/catalogue"
FORM = r"(?:[PCSMIDN][1-9][0-9]?)"
HEADING = re.compile(rf"^#+ +({FORM})\b", flags=re.MULTILINE)
MENTION = re.compile(rf"(?<![\w.\[-])({FORM})(?![\w.]*\w)")
NOT_INSIDE = (nodes.literal, nodes.literal_block, nodes.reference, nodes.title, nodes.math, nodes.math_block, nodes.raw)


def known_ids(environment):
    """Read once from the source of the catalogue."""
    if not hasattr(environment, "doeblin_catalogue_ids"):
        with open(environment.doc2path(CATALOGUE), encoding="utf-8") as page:
            environment.doeblin_catalogue_ids = frozenset(HEADING.findall(page.read()))
    return environment.doeblin_catalogue_ids


def anchor_of(one):
    return f"id-{one.lower()}"


def is_inside(node, kinds):
    while node is not None:
        if isinstance(node, kinds):
            return True
        node = node.parent
    return False


class CatalogueAnchors(SphinxPostTransform):
    """Gives the section of entry I2 the anchor id-i2, whatever its title says."""

    default_priority = 400

    def run(self, **_):
        if self.env.docname != CATALOGUE:
            return
        for section in self.document.findall(nodes.section):
            match = re.match(rf"({FORM})\b", section.next_node(nodes.title).astext())
            if match:
                section["ids"].append(anchor_of(match[1]))


class CatalogueLinks(SphinxPostTransform):
    default_priority = 410

    def run(self, **_):
        if self.env.docname == CATALOGUE:
            return
        ids = known_ids(self.env)
        for text in list(self.document.findall(nodes.Text)):
            if MENTION.search(text) and not is_inside(text, NOT_INSIDE):
                text.parent.replace(text, list(self.linked(text.astext(), ids)))

    def linked(self, text, ids):
        uri = self.app.builder.get_relative_uri(self.env.docname, CATALOGUE)
        end = 0
        for match in MENTION.finditer(text):
            if match[1] not in ids:
                continue
            yield nodes.Text(text[end:match.start()])
            yield nodes.reference("", match[1], internal=True, refuri=f"{uri}#{anchor_of(match[1])}", classes=["catalogue-id"])
            end = match.end()
        yield nodes.Text(text[end:])


def setup(app):
    app.add_post_transform(CatalogueAnchors)
    app.add_post_transform(CatalogueLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
