"""The defaults of the organisation's name, language and time zone."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

from masthead.schemas.time_zones import find_zone
from masthead.settings import Setting, text

_TAG = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?")


def _language(value: str) -> str:
    tag = value.strip()
    if not is_language(tag):
        raise ValueError("a language tag such as de or pt-BR")
    return tag


def is_language(tag: str) -> bool:
    """Whether it is a language tag with at most a script and a region (RFC 5646)."""
    return _TAG.fullmatch(tag) is not None


def _zone(value: str) -> ZoneInfo:
    try:
        return find_zone(value.strip())
    except ValueError:
        raise ValueError("a time zone such as Europe/Berlin") from None


NAME = Setting(
    "masthead.name",
    text,
    "",
    "The name of the organisation, which pages and mails show, until staff set one. Blank shows"
    " none.",
)
LANGUAGE = Setting(
    "masthead.language",
    _language,
    "en",
    "The language of the organisation, such as de or pt-BR: that of pages and mails to readers"
    " whose own language isn't known, or has no translations. Staff can set another one.",
)
TIMEZONE = Setting(
    "masthead.timezone",
    _zone,
    "UTC",
    "The time zone of the organisation, such as Europe/Berlin, for times in pages, feeds and mails."
    " Staff can set another one.",
)
