"""The parts of an e-mail around its text: document, head, style sheets."""

from __future__ import annotations

import re
from html import escape, unescape

from masthead.html.allowed import MAIL, rebuild_link
from masthead.html.markup import Rebuild, attributes_of, names_in
from masthead.html.styles import mail_sheet

__all__ = ["Letter"]

_META = names_in(
    """color-scheme format-detection supported-color-schemes viewport
    x-apple-disable-message-reformatting"""
)
_MEDIA = re.compile(r"[\w\s():,.-]+")


class Letter:
    """Collects what stands outside of an e-mail's text, and puts it back around it."""

    def __init__(self) -> None:
        self._document = False
        self._html = self._body = self._title = ""
        self._metas: dict[str, str] = {}
        self._styles: list[str] = []
        self.rebuild: dict[str, Rebuild] = {
            "a": rebuild_link,
            "body": self._take_body,
            "head": self._take_head,
            "html": self._take_html,
            "meta": self._take_meta,
            "style": self._take_style,
            "title": self._take_title,
        }

    def assemble(self, text: str) -> str:
        """Return the whole e-mail: a document if it came as one, else style sheets and text."""
        styles = "".join(self._styles)
        if not self._document:
            return styles + text
        head = ['<meta charset="utf-8">', *self._metas.values(), self._title, styles]
        return "\n".join(
            (
                f"<!DOCTYPE html>\n<html{self._html}>\n<head>",
                *filter(None, head),
                f"</head>\n<body{self._body}>",
                text.strip(),
                "</body>\n</html>\n",
            )
        )

    def _take_html(self, attributes: str, _content: str) -> None:
        self._document = True
        self._html = self._html or _clean_attributes(attributes)

    def _take_head(self, _attributes: str, _content: str) -> None:
        self._document = True

    def _take_body(self, attributes: str, _content: str) -> None:
        self._document = True
        self._body = self._body or _clean_attributes(attributes)

    def _take_meta(self, attributes: str, _content: str) -> None:
        given = attributes_of(attributes)
        name, content = given.get("name", "").lower(), given.get("content", "")
        if name in _META:
            self._metas.setdefault(name, f'<meta name="{name}" content="{escape(content)}">')

    def _take_title(self, _attributes: str, content: str) -> None:
        title = escape(unescape(content).strip(), quote=False)
        self._title = self._title or f"<title>{title}</title>"

    def _take_style(self, attributes: str, content: str) -> None:
        media = attributes_of(attributes).get("media", "")
        limit = f' media="{media}"' if _MEDIA.fullmatch(media) else ""
        sheet = mail_sheet(content)
        if sheet.strip():
            self._styles.append(f"<style{limit}>{sheet}</style>")


def _clean_attributes(source: str) -> str:
    """Return the attributes of ``html`` or ``body`` that a ``div`` could have, a blank in front."""
    return MAIL.clean(f"<div{source}></div>").removeprefix("<div").removesuffix("></div>")
