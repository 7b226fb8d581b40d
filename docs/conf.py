# SPDX-License-Identifier: Apache-2.0
"""The documentation site. `make docs` (tools/site/build.py) prepares its sources, with plots and API pages, and builds it."""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))

project = "Doeblin"
author = "The Doeblin developers"
copyright = "The Doeblin developers, Apache-2.0"
extensions = ["myst_parser", "sphinx.ext.autodoc", "catalogue", "mathml", "plain_docstrings"]

# Sources -------------------------------------------------------------------------------------------------------------
exclude_patterns = ["_*", "data", "plots"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_dmath_double_inline = False
nitpicky = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_inherit_docstrings = False

# Pages ---------------------------------------------------------------------------------------------------------------
html_theme = "furo"
html_title = "Doeblin"
html_static_path = ["_static"]
html_css_files = ["doeblin.css"]
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"
pygments_style = "friendly"
pygments_dark_style = "monokai"
