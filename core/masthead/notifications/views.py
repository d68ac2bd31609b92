"""The notification endpoints; everybody sees their own only."""

from __future__ import annotations

from typing import Any

from masthead.http.paging import Page
from masthead.http.request import Request
from masthead.notifications import services


def list_notifications(request: Request) -> Page:
    """The caller's notifications, newest first."""
    return services.list_notifications(
        request.db,
        request.identity.id,
        request.window,
        unread_only=request.query.get("unreadOnly", False),
    )


def mark_read(request: Request) -> Any:
    """One of them has been read."""
    services.mark_read(request.db, request.identity.id, request.matchdict["id"])
    return {"success": True}


def mark_all_read(request: Request) -> Any:
    """All of them have been read."""
    return {"success": True, "marked": services.mark_all_read(request.db, request.identity.id)}


def delete_notification(request: Request) -> Any:
    """One of them goes for good."""
    services.delete_notification(request.db, request.identity.id, request.matchdict["id"])
    return {"success": True}
