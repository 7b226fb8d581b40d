# SPDX-License-Identifier: Apache-2.0
"""Formulas as MathML, which browsers draw themselves: no script, no fonts, no network.

A displayed formula ends in \\tag{I2}, the id of the catalogue entry that it belongs to; the id is printed beside it and
links there. A formula without a known id is a warning, and warnings are errors in `make docs`.
"""
import re

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging

from catalogue import CATALOGUE, anchor_of, known_ids

LOGGER = logging.getLogger(__name__)
TAG = re.compile(r"\\tag\{([^}]*)\}")


def mathml(latex, node, display):
    try:
        return convert(latex, display="block" if display else "inline")
    except Exception as error:  # the converter raises many kinds, all of which mean that it could not read the formula
        LOGGER.warning("cannot typeset %r: %r", latex, error, location=node)
        return ""


def visit_inline(self, node):
    self.body.append(mathml(node.astext(), node, display=False))
    raise nodes.SkipNode


def tags_of(self, node, latex):
    """The ids of a displayed formula as links."""
    ids = [one.strip() for tag in TAG.findall(latex) for one in tag.split(",")]
    unknown = [one for one in ids if one not in known_ids(self.builder.env)]
    if not ids or unknown:
        LOGGER.warning("a displayed formula needs \\tag{ID} with ids of the catalogue; this one has %s", ids, location=node)
    page = self.builder.get_relative_uri(self.builder.current_docname, CATALOGUE)
    return ", ".join(f'<a href="{page}#{anchor_of(one)}">{one}</a>' for one in ids if one not in unknown)


def visit_display(self, node):
    latex = node.astext()
    formula = mathml(TAG.sub("", latex).strip(), node, display=True)
    self.body.append(f'<div class="formula"><div class="formula-body">{formula}</div>'
                     f'<div class="formula-id">{tags_of(self, node, latex)}</div></div>\n')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
