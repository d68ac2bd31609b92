"""Compiling MJML into the HTML of a letter."""

from __future__ import annotations

import re
from typing import Any, Final

from masthead import Html, Str
from masthead_email.base import LONG_TEXT
from masthead_email.mjml.source import MjmlSource

MISSING: Final = "MJML needs the extra mjml of the plugin: pip install 'masthead-email[mjml]'"
# The compiler puts icons of its makers' sites into social links, accordions and carousels. Each
# recipient would then load them, and so tell these sites of the letter.
_FOREIGN_ICON = re.compile(r'src="(https://(?:i\.imgur\.com|www\.mailjet\.com)/[^"]*+)"')


class Compiled(str):
    """The MJML of a letter, with the HTML that it becomes."""

    html: str | None = None
    """The sanitised HTML; None if the compiler isn't installed."""


class Mjml(Str):
    """A letter in MJML. It is compiled when it is read, before any transaction."""

    def __init__(self) -> None:
        super().__init__(LONG_TEXT)

    def parse(self, value: Any) -> Compiled:
        """Return the source with its HTML."""
        source = Compiled(super().parse(value))
        source.html = compile_mjml(source)
        return source


def compile_mjml(source: str) -> str | None:
    """Return the sanitised HTML of a letter in MJML; None if the compiler isn't installed.

    :raises ValueError: for a mistake in the source; the message has the line and the element.
    """
    try:
        from mjml import mjml2html
    except ImportError:
        return None
    document = MjmlSource(source)
    elements = document.read()
    try:
        # Without fonts of its own the compiler links to none; there is no loader of includes.
        html = mjml2html(elements, disable_comments=False, fonts={})
    except ValueError as error:
        raise ValueError(f"MJML can't be compiled: {error}") from None
    for icon in _FOREIGN_ICON.findall(html):
        if icon not in elements:
            raise ValueError(
                f"The icon {icon} is on another site: set src of mj-social-element, "
                "icon-wrapped-url and icon-unwrapped-url of mj-accordion, "
                "left-icon and right-icon of mj-carousel"
            )
    return Html(mail=True).parse(document.filled(html))
