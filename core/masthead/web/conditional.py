"""Conditional requests for cached answers (RFC 9110 section 13)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from wsgiref.types import WSGIEnvironment

from webob.etag import ETagMatcher

from masthead.http.dates import read_date


def known_tag(
    environ: WSGIEnvironment, tags: Sequence[str], changed_at: datetime | None
) -> str | None:
    """Return the entity tag of the form of the present answer that the client has.

    ``If-None-Match`` names it. Without one, a date may say that the client has the first form.

    :param tags: the entity tags of all forms of the answer, first of the one that it would get.
    :param changed_at: the time of the answer's last change; None to ignore ``If-Modified-Since``.
    :returns: None if the client doesn't have the answer.
    """
    sent = environ.get("HTTP_IF_NONE_MATCH")
    if sent is not None:
        matcher = ETagMatcher.parse(sent, strong=False)
        return next((tag for tag in tags if tag in matcher), None)
    since = read_date(environ.get("HTTP_IF_MODIFIED_SINCE", ""))
    unchanged = changed_at is not None and since is not None and changed_at <= since
    return tags[0] if unchanged else None
