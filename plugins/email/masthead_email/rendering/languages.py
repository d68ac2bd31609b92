"""The language of a letter in its HTML: the attributes ``lang`` and ``dir``."""

from __future__ import annotations

import re
from html import escape

from masthead import text_direction

_ROOT = re.compile(
    r"(?P<before>(?:\s|<!doctype[^>]*>|<!--.*?-->)*)<html(?P<attributes>(?:\s[^>]*)?)>",
    re.IGNORECASE | re.DOTALL,
)
_LANGUAGE = re.compile(r"""\slang\s*=\s*["']?([\w-]+)""", re.IGNORECASE | re.ASCII)
_DIRECTION = re.compile(r"\sdir\s*=", re.IGNORECASE)


def with_language(html: str, language: str) -> str:
    """Return HTML whose root element names the language and its direction.

    Attributes that are there already stay. HTML without a root element is returned unchanged.

    :param language: the tag of the language of HTML that names none.
    """
    root = _ROOT.match(html)
    if root is None:
        return html
    attributes = root["attributes"]
    named = _LANGUAGE.search(attributes)
    if named is None:
        attributes += f' lang="{language}"'
    if not _DIRECTION.search(attributes):
        attributes += f' dir="{text_direction(named[1] if named else language)}"'
    return f"{root['before']}<html{attributes}>{html[root.end() :]}"


def whole_page(html: str, language: str, title: str) -> str:
    """Return HTML as a page with a root element that names the language.

    :param title: the title of a page that has no root element yet.
    """
    if _ROOT.match(html) is None:
        html = (
            "<!DOCTYPE html>\n<html>\n<head>\n"
            f'<meta charset="utf-8">\n<title>{escape(title)}</title>\n</head>\n'
            f"<body>\n{html}\n</body>\n</html>\n"
        )
    return with_language(html, language)
