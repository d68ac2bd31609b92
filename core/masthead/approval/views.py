"""The approval endpoints."""

from __future__ import annotations

from typing import Any

from masthead.approval.configuration import add_approver, list_configuration, remove_approver
from masthead.approval.services import move
from masthead.approval.transitions import Transition
from masthead.http.paging import Page
from masthead.http.request import Request
from masthead.http.revisions import plain_etag


def move_item(transition: Transition, request: Request) -> Any:
    """Take an item through a transition."""
    data = request.data
    etag = data.get("etag")
    move(
        request.db,
        request.instance.content_types[data["contentType"]],
        data["contentId"],
        transition,
        request.identity,
        reason=data.get("reason"),
        revision=None if etag is None else plain_etag(etag),
    )
    return {"success": True}


def list_approvers(request: Request) -> Page:
    """Who may approve what."""
    return list_configuration(request.db, list(request.instance.content_types), request.window)


def create_approver(request: Request) -> Any:
    """Let a role approve a content type."""
    data = request.data
    row_id = add_approver(request.db, data["contentType"], data["roleId"], request.identity)
    return {"success": True, "id": row_id}


def delete_approver(request: Request) -> Any:
    """Take a role's approval power for a content type away."""
    remove_approver(request.db, request.matchdict["id"], request.identity)
    return {"success": True}
