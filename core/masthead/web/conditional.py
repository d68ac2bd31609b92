"""Conditional requests for cached answers (RFC 9110 section 13)."""

from __future__ import annotations

from datetime import datetime
from wsgiref.types import WSGIEnvironment

from webob.etag import ETagMatcher

from masthead.http.dates import read_date


def is_unchanged(environ: WSGIEnvironment, etag: str, changed_at: datetime | None) -> bool:
    """Whether the client has the present answer, as ``If-None-Match`` says, else a date.

    :param changed_at: the time of the answer's last change; None to ignore ``If-Modified-Since``.
    """
    tags = environ.get("HTTP_IF_NONE_MATCH")
    if tags is not None:
        return etag in ETagMatcher.parse(tags, strong=False)
    since = read_date(environ.get("HTTP_IF_MODIFIED_SINCE", ""))
    return changed_at is not None and since is not None and changed_at <= since
