"""How the audit log joins core."""

from __future__ import annotations

from masthead.audit import schemas, views
from masthead.auth.permissions import ADMIN
from masthead.hookspecs import hookimpl
from masthead.paging import MOST_ROWS
from masthead.routes import Endpoint


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """The log, for administrators."""
    return [
        Endpoint(
            name="audit.list",
            method="GET",
            path="/api/staff/audit-log",
            view=views.list_log,
            permission=ADMIN,
            summary="List what happened, newest first",
            returns=schemas.ENTRIES,
            query=schemas.FILTER,
            page=MOST_ROWS,
        )
    ]
