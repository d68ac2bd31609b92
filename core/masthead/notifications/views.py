"""The notification endpoints; each user sees only their own."""

from __future__ import annotations

from typing import Any

from masthead.http.endpoints import endpoint
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.permissions import SIGNED_IN
from masthead.http.request import Request
from masthead.notifications import schemas, services
from masthead.schemas.schema import SUCCESS


@endpoint(
    "GET",
    "/api/staff/notifications",
    name="notifications.list",
    permission=SIGNED_IN,
    query=schemas.FILTER,
    returns=schemas.NOTIFICATIONS,
    page=MOST_ROWS,
)
def list_notifications(request: Request) -> Page:
    """List your notifications, newest first."""
    return services.list_notifications(
        request.db,
        request.identity,
        request.window,
        unread_only=request.query.get("unreadOnly", False),
    )


@endpoint(
    "POST",
    "/api/staff/notifications/{id}/read",
    name="notifications.read",
    permission=SIGNED_IN,
    returns=SUCCESS,
)
def mark_read(request: Request) -> Any:
    """Mark one of your notifications as read."""
    services.mark_read(request.db, request.identity.id, request.matchdict["id"])
    return {"success": True}


@endpoint(
    "POST",
    "/api/staff/notifications/read-all",
    name="notifications.read-all",
    permission=SIGNED_IN,
    returns=schemas.MARKED,
)
def mark_all_read(request: Request) -> Any:
    """Mark all your notifications as read."""
    return {"success": True, "marked": services.mark_all_read(request.db, request.identity.id)}


@endpoint(
    "DELETE",
    "/api/staff/notifications/{id}",
    name="notifications.delete",
    permission=SIGNED_IN,
    returns=SUCCESS,
)
def delete_notification(request: Request) -> Any:
    """Delete one of your notifications."""
    services.delete_notification(request.db, request.identity.id, request.matchdict["id"])
    return {"success": True}
