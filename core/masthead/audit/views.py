"""The audit log's endpoint."""

from __future__ import annotations

from pyramid.request import Request

from masthead.audit.services import list_entries
from masthead.paging import Page


def list_log(request: Request) -> Page:
    """What happened, newest first."""
    query = request.query
    return list_entries(
        request.db,
        request.window,
        content_type=query.get("contentType"),
        content_id=query.get("contentId"),
    )
