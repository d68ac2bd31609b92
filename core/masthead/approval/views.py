"""The approval endpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from masthead.approval import schemas
from masthead.approval.bulk import OPERATIONS, move_many
from masthead.approval.configuration import add_approver, list_configuration, remove_approver
from masthead.approval.detail import read_proposal
from masthead.approval.events import Transitioned
from masthead.approval.pending import list_pending
from masthead.approval.services import move
from masthead.approval.transitions import REJECT, Transition
from masthead.errors import NotFound
from masthead.http.endpoints import endpoint
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.permissions import ADMIN, SIGNED_IN
from masthead.http.request import Request
from masthead.http.revisions import plain_etag
from masthead.schemas.schema import SUCCESS

CONFIG_PATH = "/api/staff/approval-config"
NO_APPROVER = "Nobody can approve it at present. The administrators have been notified."
"""The warning in the answer to a request that nobody can approve."""


def move_item(transition: Transition, request: Request) -> Any:
    """Perform a transition of an item."""
    data = request.data
    etag = data.get("etag")
    event = move(
        request.db,
        request.instance.content_types[data["contentType"]],
        data["contentId"],
        transition,
        request.identity,
        remark=_remark(transition, data),
        revision=None if etag is None else plain_etag(etag),
    )
    return {"success": True, **_warning(event)}


def move_items(request: Request) -> Any:
    """Perform a transition of many items."""
    data = request.data
    transition = OPERATIONS[data["operation"]]
    events, failed = move_many(
        request.db, transition, data["items"], request.identity, _remark(transition, data)
    )
    return {"success": True, "affected": len(events), "failed": failed, **_warning(*events)}


def _remark(transition: Transition, data: Mapping[str, Any]) -> str | None:
    return data.get("reason") if transition is REJECT else data.get("comment") or None


def _warning(*events: Transitioned) -> dict[str, str]:
    unapprovable = any(event.approvers == 0 for event in events)
    return {"warning": NO_APPROVER} if unapprovable else {}


def list_pending_items(request: Request) -> Page:
    """List the items that wait for your approval, the oldest request first."""
    return list_pending(
        request.db, request.identity, request.window, request.query.get("contentType")
    )


@endpoint(
    "GET",
    "/api/staff/approval/{type}/{id}",
    name="approval.show",
    permission=SIGNED_IN,
    returns=schemas.PROPOSAL,
    refuses=frozenset({403}),
    path_help={"type": "The content type in the approval calls, such as `news`."},
)
def show_proposal(request: Request) -> Any:
    """Show an item with its live and its proposed values, and the moves that it has made.

    It needs the permission to read the type. `differences` compares texts by words.
    """
    kind = request.instance.content_types.get(request.matchdict["type"])
    if kind is None:
        raise NotFound
    return read_proposal(request.db, kind, request.matchdict["id"], request.identity)


@endpoint(
    "GET",
    CONFIG_PATH,
    name="approval-config.list",
    permission=ADMIN,
    returns=schemas.CONFIG,
    page=MOST_ROWS,
)
def list_approvers(request: Request) -> Page:
    """List the roles that may approve each content type."""
    return list_configuration(request.db, list(request.instance.content_types), request.window)


def create_approver(request: Request) -> Any:
    """Let a role approve a content type."""
    data = request.data
    row_id = add_approver(request.db, data["contentType"], data["roleId"], request.identity)
    return {"success": True, "id": row_id}


@endpoint(
    "DELETE",
    CONFIG_PATH + "/{id}",
    name="approval-config.delete",
    permission=ADMIN,
    returns=SUCCESS,
)
def delete_approver(request: Request) -> Any:
    """Remove a role's approval power for a content type."""
    remove_approver(request.db, request.matchdict["id"], request.identity)
    return {"success": True}
