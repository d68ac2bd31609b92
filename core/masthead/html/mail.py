"""The parts of an e-mail around its body: document, head and style sheets."""

from __future__ import annotations

import re
from html import escape

from masthead.html.allowed import MAIL, rebuild_input, rebuild_link
from masthead.html.markup import Rebuild, names_in, start_tag
from masthead.html.outlook import NAMESPACES, Comments
from masthead.html.references import (
    OPENING_BRACE,
    decode,
    escape_references,
    restore_references,
)
from masthead.html.styles import mail_sheet

_META = names_in(
    """color-scheme format-detection supported-color-schemes viewport
    x-apple-disable-message-reformatting"""
)
_MEDIA = re.compile(r"[\w\s():,.-]+")


class EmailDocument:
    """Collects the parts outside of an e-mail's body and puts them back around it."""

    def __init__(self) -> None:
        self._document = False
        self._html = self._body = self._title = ""
        self._metas: dict[str, str] = {}
        self._styles: list[str] = []
        self._comments = Comments()
        self._in_head = False
        self._head_comments: list[str] = []
        self.rebuild: dict[str, Rebuild] = {
            "a": _rebuild_link,
            "body": self._take_body,
            "head": self._take_head,
            "html": self._take_html,
            "input": rebuild_input,
            "meta": self._take_meta,
            "style": self._take_style,
            "title": self._take_title,
        }
        self.ends = {"head": self._end_head}

    def assemble(self, text: str) -> str:
        """Return the whole e-mail: a document if it was one, else style sheets and text."""
        styles = "".join(self._styles)
        text = self._comments.restore(text + self._comments.end())
        if not self._document:
            return styles + text
        comments = self._comments.restore("\n".join(self._head_comments))
        head = ['<meta charset="utf-8">', *self._metas.values(), self._title, styles, comments]
        return "\n".join(
            (
                f"<!DOCTYPE html>\n<html{self._html}>\n<head>",
                *filter(None, head),
                f"</head>\n<body{self._body}>",
                text.strip(),
                "</body>\n</html>\n",
            )
        )

    def take_comment(self, content: str) -> str:
        """Return the mark of a conditional comment; other comments and those in the head: blank."""
        mark = self._comments.mark(content)
        if not self._in_head:
            return mark
        if mark:
            self._head_comments.append(mark)
        return ""

    def _take_html(self, attributes: dict[str, str], _content: str) -> None:
        self._document = True
        own = [
            f' {name}="{value}"'
            for name, value in NAMESPACES.items()
            if attributes.get(name) == value
        ]
        self._html = self._html or "".join([*own, _clean_attributes(attributes)])

    def _take_head(self, _attributes: dict[str, str], _content: str) -> None:
        self._document = self._in_head = True

    def _end_head(self) -> None:
        self._in_head = False

    def _take_body(self, attributes: dict[str, str], _content: str) -> None:
        self._document = True
        self._in_head = False
        self._body = self._body or _clean_attributes(attributes)

    def _take_meta(self, attributes: dict[str, str], _content: str) -> None:
        name, content = attributes.get("name", "").lower(), attributes.get("content", "")
        if name in _META:
            self._metas.setdefault(
                name, f'<meta name="{name}" content="{restore_references(escape(content))}">'
            )

    def _take_title(self, _attributes: dict[str, str], content: str) -> None:
        title = restore_references(escape_references(decode(content).strip()))
        self._title = self._title or f"<title>{title}</title>"

    def _take_style(self, attributes: dict[str, str], content: str) -> None:
        media = attributes.get("media", "")
        limit = f' media="{media}"' if _MEDIA.fullmatch(media) else ""
        sheet = mail_sheet(restore_references(content))
        if sheet.strip():
            self._styles.append(f"<style{limit}>{sheet}</style>")


def _rebuild_link(given: dict[str, str], content: str) -> dict[str, str]:
    """Return the attributes of an ``a``; editors escape the braces of a placeholder in a link."""
    address = given.get("href", "")
    braces = {"href": address.replace(OPENING_BRACE, "{")} if OPENING_BRACE in address else {}
    return rebuild_link(given | braces, content)


def _clean_attributes(attributes: dict[str, str]) -> str:
    """Return the source of the attributes that ``div`` may have, with a leading blank."""
    cleaned = MAIL.clean(start_tag("div", attributes) + "</div>")
    return restore_references(cleaned.removeprefix("<div").removesuffix("></div>"))
