"""Revisions of staff items as ETags, and the check for concurrent changes."""

from __future__ import annotations

from typing import Any

from masthead.errors import CHANGED, Refused, Stale
from masthead.http.request import Request


def tag_response(request: Request, revision: int) -> None:
    """Set the ETag of the response to the revision of the item."""
    request.response.etag = str(revision)


def check_revision(request: Request, revision: int) -> None:
    """Refuse a change that is based on another revision (RFC 9110 section 13.1.1).

    The client sends its revision in ``If-Match`` or as ``etag`` in the body; the latter is for
    browsers, which may not send this header across origins.

    :raises Stale: if ``If-Match`` names only other revisions.
    :raises Refused: if ``etag`` in the body is another revision.
    """
    header = request.headers.get("If-Match")
    if header is not None and header.strip() != "*":
        # Proxies that compress make strong ETags weak; they still name the same revision.
        named = {plain_etag(each) for each in header.split(",")}
        if str(revision) not in named:
            raise Stale
    sent: Any = request.data.get("etag")
    if sent is not None and plain_etag(sent) != str(revision):
        raise Refused(f"etag: {CHANGED}")


def plain_etag(text: str) -> str:
    """Return an ETag without quotes and weakness mark."""
    return text.strip().removeprefix("W/").strip('"')
