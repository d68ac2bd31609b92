"""The audit log's endpoint."""

from __future__ import annotations

from masthead.audit.services import list_entries
from masthead.http.paging import Page
from masthead.http.request import Request


def list_log(request: Request) -> Page:
    """What happened, newest first."""
    query = request.query
    return list_entries(
        request.db,
        request.window,
        content_type=query.get("contentType"),
        content_id=query.get("contentId"),
    )
