"""Conditional requests for cached answers (RFC 9110 section 13)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from wsgiref.types import WSGIEnvironment

from webob.etag import ETagMatcher

_LONGEST_DATE = 64


def is_unchanged(environ: WSGIEnvironment, etag: str, changed_at: datetime | None) -> bool:
    """Whether the client has the present answer, as ``If-None-Match`` says, else a date.

    :param changed_at: the time of the answer's last change; None to ignore ``If-Modified-Since``.
    """
    tags = environ.get("HTTP_IF_NONE_MATCH")
    if tags is not None:
        return etag in ETagMatcher.parse(tags, strong=False)
    since = read_date(environ.get("HTTP_IF_MODIFIED_SINCE", ""))
    return changed_at is not None and since is not None and changed_at <= since


def http_date(moment: datetime) -> str:
    """Return a time in the format of HTTP headers, to the second."""
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def read_date(text: str) -> datetime | None:
    """Return the time of a header in one of the three formats of HTTP; None if it has none."""
    if len(text) > _LONGEST_DATE:
        return None
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
