"""The configuration of the documentation's website: its Markdown files and their order.

The website's root is the repository's root, so links work on both: a link to a page opens that
page, a link to a folder opens its README, and a link to another file opens a copy of that file.
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx

NAVIGATION = {
    "Deployers": [
        "docs/quickstart",
        "docs/deploy",
        "docs/operations",
        "docs/settings",
        "docs/commands",
        "docs/cdn",
        "docs/email",
        "docs/single-sign-on",
        "docs/texts",
        "docs/moving",
        "docs/scaling",
        "CHANGELOG",
        "SECURITY",
    ],
    "Editors": [
        "docs/editing",
        "docs/permissions",
        "docs/contacts",
        "docs/header-names",
        "docs/webhooks",
    ],
    "Client developers": [
        "docs/clients",
        "docs/rest-api",
        "docs/endpoints",
        "docs/audit-actions",
        "clients/*/README",
    ],
    "Plugin authors": [
        "docs/plugin-tutorial",
        "docs/hooks",
        "docs/plugin-api",
        "docs/reference",
        "docs/migrations",
        "examples/*/README",
    ],
    "Core and plugins": ["core/README", "plugins/*/README"],
    "Maintainers": [
        "CONTRIBUTING",
        "CODE_OF_CONDUCT",
        "docs/development",
        "docs/decisions/README",
        "docs/decisions/0*",
    ],
}
"""The pages by audience. A page that is missing here fails the build."""

project = "Masthead"
copyright = "Masthead contributors"  # noqa: A001 (the name that Sphinx reads)
root_doc = "README"
include_patterns = [
    "*.md",
    "clients/*/README.md",
    "core/README.md",
    "docs/*.md",
    "docs/*/*.md",
    "examples/*/README.md",
    "plugins/*/README.md",
]
exclude_patterns = [".*", "build", "dist"]
extensions = ["myst_parser"]
myst_heading_anchors = 6
html_theme = "furo"
html_title = "Masthead"
html_copy_source = False
html_show_sphinx = False


FOLDER = re.compile(r"\]\((?![a-z]+:)([^)#\s]+/)\)")
"""A link that ends with the path of a folder."""


def setup(app: Sphinx) -> None:
    """Register the site's own preparation of pages with Sphinx."""
    app.connect("source-read", prepare_page)


def prepare_page(app: Sphinx, page: str, source: list[str]) -> None:
    """Point links to folders at their READMEs; append the navigation to the front page."""
    source[0] = FOLDER.sub(r"](\1README.md)", source[0])
    if page == app.config.root_doc:
        source[0] += "".join(map(toctree, NAVIGATION, NAVIGATION.values()))


def toctree(caption: str, pages: list[str]) -> str:
    """Return a part of the navigation in MyST's Markdown."""
    options = f":hidden:\n:glob:\n:caption: {caption}"
    return "\n".join(["", "```{toctree}", options, "", *pages, "```", ""])
