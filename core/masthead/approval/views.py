"""The approval endpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from masthead.approval import schemas
from masthead.approval.bulk import OPERATIONS, move_many
from masthead.approval.configuration import add_approver, list_configuration, remove_approver
from masthead.approval.declaration import Approvable
from masthead.approval.detail import read_proposal
from masthead.approval.events import Transitioned
from masthead.approval.pending import list_pending
from masthead.approval.services import move
from masthead.approval.transitions import REJECT, Transition
from masthead.approval.votes import list_able
from masthead.errors import Forbidden, NotFound
from masthead.http.endpoints import endpoint
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.permissions import ADMIN, SIGNED_IN
from masthead.http.request import Request
from masthead.http.revisions import plain_etag
from masthead.schemas.schema import SUCCESS

CONFIG_PATH = "/api/staff/approval-config"
TYPE_HELP = {"type": "The content type in the approval calls, such as `news`."}
NO_APPROVER = "Nobody can approve it at present. The administrators have been notified."
TOO_FEW = "Fewer users can approve it than have to. The administrators have been notified."
"""The warnings in the answer to a request that nobody, or not enough users, can approve."""


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
        reviewer_id=data.get("reviewerId"),
        until=data.get("until"),
    )
    return {"success": True, **_warning(event), **_tally(event)}


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
    """Return a warning if too few users can approve a requested item."""
    counted = [(it.approvers, it.required) for it in events if it.approvers is not None]
    if any(approvers == 0 for approvers, _ in counted):
        return {"warning": NO_APPROVER}
    too_few = any(approvers < required for approvers, required in counted)
    return {"warning": TOO_FEW} if too_few else {}


def _tally(event: Transitioned) -> dict[str, int]:
    """Return the approvals of an item that needs several."""
    if event.approvals is None:
        return {}
    return {"approvals": event.approvals, "required": event.required}


def list_pending_items(request: Request) -> Page:
    """List the items that wait for your approval, the oldest request first."""
    return list_pending(
        request.db,
        request.identity,
        request.window,
        request.query.get("contentType"),
        assigned_to_me=request.query.get("assignedToMe", False),
    )


@endpoint(
    "GET",
    "/api/staff/approval-reviewers/{type}",
    name="approval-reviewers.list",
    permission=SIGNED_IN,
    returns=schemas.REVIEWERS,
    refuses=frozenset({403}),
    page=MOST_ROWS,
    path_help=TYPE_HELP,
)
def list_reviewers(request: Request) -> Page:
    """List the users who can approve what you request, for the reviewer of a request.

    It needs the permission to write the type.
    """
    kind = _kind(request)
    if not request.identity.may(kind.write_permission):
        raise Forbidden
    return list_able(request.db, kind, request.identity.id, request.window)


@endpoint(
    "GET",
    "/api/staff/approval/{type}/{id}",
    name="approval.show",
    permission=SIGNED_IN,
    returns=schemas.PROPOSAL,
    refuses=frozenset({403}),
    path_help=TYPE_HELP,
)
def show_proposal(request: Request) -> Any:
    """Show an item with its live and its proposed values, and the moves that it has made.

    It needs the permission to read the type. `differences` compares texts by words.
    """
    return read_proposal(request.db, _kind(request), request.matchdict["id"], request.identity)


def _kind(request: Request) -> Approvable:
    """Return the kind of content that the address names.

    :raises NotFound: if there is none.
    """
    kind = request.instance.content_types.get(request.matchdict["type"])
    if kind is None:
        raise NotFound
    return kind


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
    needs_login=True,
    returns=SUCCESS,
)
def delete_approver(request: Request) -> Any:
    """Remove a role's approval power for a content type."""
    remove_approver(request.db, request.matchdict["id"], request.identity)
    return {"success": True}
