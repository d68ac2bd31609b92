"""Revisions of staff items as ETags, and how a client says which one it has read."""

from __future__ import annotations

from typing import Any

from masthead.errors import CHANGED, Refused, Stale
from masthead.http.request import Request


def tag_response(request: Request, revision: int) -> None:
    """Send the item's revision as the answer's ETag."""
    request.response.etag = str(revision)


def check_revision(request: Request, revision: int) -> None:
    """Refuse a change of what the client hasn't read (RFC 9110 section 13.1.1).

    The revision read comes in ``If-Match``, or as ``etag`` in the body, for browsers that may send
    no such header across origins.

    :raises Stale: where ``If-Match`` names other revisions only.
    :raises Refused: where the body's ``etag`` is another one.
    """
    header = request.headers.get("If-Match")
    if header is not None and header.strip() != "*":
        # A proxy that compresses makes a strong ETag weak; it still names the same revision.
        named = {plain_etag(each) for each in header.split(",")}
        if str(revision) not in named:
            raise Stale
    sent: Any = request.data.get("etag")
    if sent is not None and plain_etag(sent) != str(revision):
        raise Refused(f"etag: {CHANGED}")


def plain_etag(text: str) -> str:
    """An ETag without quotes and weakness mark."""
    return text.strip().removeprefix("W/").strip('"')
