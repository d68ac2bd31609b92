"""The audit log's endpoint."""

from __future__ import annotations

from masthead.audit import schemas
from masthead.audit.services import list_entries
from masthead.http.endpoints import endpoint
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.permissions import ADMIN
from masthead.http.request import Request


@endpoint(
    "GET",
    "/api/staff/audit-log",
    name="audit.list",
    permission=ADMIN,
    query=schemas.FILTER,
    returns=schemas.ENTRIES,
    page=MOST_ROWS,
)
def list_log(request: Request) -> Page:
    """List the audit log, newest first."""
    query = request.query
    return list_entries(
        request.db,
        request.window,
        content_type=query.get("contentType"),
        content_id=query.get("contentId"),
    )
