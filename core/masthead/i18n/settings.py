"""The settings of language, time zone, and the deployer's own texts."""

from __future__ import annotations

import re
from pathlib import Path
from zoneinfo import ZoneInfo

from masthead.settings import Setting, folder, text

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
        return ZoneInfo(value.strip())
    # ZoneInfo raises several kinds of errors for names that aren't known, such as folders.
    except (OSError, ValueError, LookupError):
        raise ValueError("a time zone such as Europe/Berlin") from None


def _folder(value: str) -> Path | None:
    return Path(folder(value)) if value.strip() else None


NAME = Setting(
    "masthead.name",
    text,
    "",
    "The name of the organisation, which pages and mails show. Blank shows none.",
)
LANGUAGE = Setting(
    "masthead.language",
    _language,
    "en",
    "The language of the organisation, such as de or pt-BR: that of pages and mails to readers"
    " whose own language isn't known, or has no translations.",
)
TIMEZONE = Setting(
    "masthead.timezone",
    _zone,
    "UTC",
    "The time zone of the organisation, such as Europe/Berlin, for times in pages and mails.",
)
TEXTS = Setting(
    "masthead.texts",
    _folder,
    "",
    "Folder with templates and translations that replace those of Masthead; see docs/texts.md."
    " Blank uses those of Masthead.",
)
