"""An item as an approver sees it: its values, their differences from the live ones, its moves."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session, joinedload

from masthead.approval.deadlines import deadline
from masthead.approval.declaration import PENDING, Approvable
from masthead.approval.models import ApprovalRequest
from masthead.approval.settings import FOUR_EYES
from masthead.approval.votes import key_of, list_votes, required_of
from masthead.audit.models import AuditEntry
from masthead.auth.caller import Caller
from masthead.auth.models import User
from masthead.errors import Forbidden, NotFound
from masthead.history.approved import kept_as
from masthead.history.comparing import compare
from masthead.history.reading import Values, fit, newest_revision
from masthead.history.snapshots import Kept, Snapshot
from masthead.instance import instance_of

_MOVES = 100
"""The number of moves in an answer, the newest ones."""
_PUBLISHING = ("content.publish", "content.unpublish", "content.go-live", "content.drop-staged")


def read_proposal(
    session: Session, content_type: Approvable, item_id: int, caller: Caller
) -> dict[str, Any]:
    """Return an item with its live and its proposed values, by wire name.

    :raises Forbidden: if the caller may not read the type.
    :raises NotFound: for an item that doesn't exist.
    """
    check_reading(content_type, caller)
    item = session.get(content_type.model, item_id)
    if item is None:
        raise NotFound("Content not found")
    waiting = _waiting(session, content_type, item)
    voted = any(each["counts"] and each["user"].id == caller.id for each in waiting["votes"])
    return {
        "contentType": content_type.name,
        "label": content_type.label,
        "id": item.id,
        "title": content_type.shown_title(item),
        "approvalStatus": item.approval_status,
        "requestedAt": item.approval_requested_at,
        "requestedBy": _user(session, item.approval_requested_by),
        "comment": item.approval_comment,
        "staged": getattr(item, "staged", None) is not None,
        "etag": str(item.revision),
        "mayApprove": not voted and _may_approve(session, content_type, item, caller),
        "moves": _moves(session, content_type, item),
        **waiting,
        **_compared(session, content_type, item),
    }


def check_reading(content_type: Approvable, caller: Caller) -> None:
    """Refuse a caller who may not read a type.

    :raises Forbidden: without the permission.
    """
    if not caller.may(content_type.read_permission):
        raise Forbidden


def _waiting(session: Session, content_type: Approvable, item: Any) -> dict[str, Any]:
    """Return the approvals, the reviewer and the deadline of an item; null unless it is pending."""
    facts: dict[str, Any] = {"required": required_of(session, content_type)}
    if item.approval_status != PENDING:
        return {**facts, "votes": [], "reviewer": None, "deadline": None}
    request = session.get(ApprovalRequest, tuple(key_of(content_type, item).values()))
    return {
        **facts,
        "votes": list_votes(session, content_type, item),
        "reviewer": None if request is None else _user(session, request.reviewer_id),
        "deadline": deadline(instance_of(session), content_type.name, item.approval_requested_at),
    }


def _compared(session: Session, content_type: Approvable, item: Any) -> dict[str, Any]:
    kept = kept_as(instance_of(session), content_type.name)
    if kept is None:
        return {"live": None, "proposed": None, "differences": []} | _NO_REVISION
    proposed = kept.snapshot(session, item)
    live = kept.live_snapshots(session, [item])[0] if item.published else None
    after = _fitting(session, kept, proposed)
    before = _fitting(session, kept, live or Snapshot({}))
    return {
        "live": live and live.values,
        "proposed": proposed.values,
        "differences": compare(session, kept, before, after),
        "digest": proposed.digest,
        "revision": _number(session, kept, item, proposed),
    }


_NO_REVISION = {"digest": None, "revision": None}


def _fitting(session: Session, kept: Kept, snapshot: Snapshot) -> Values:
    return fit(session, kept, snapshot.values, snapshot.names)


def _number(session: Session, kept: Kept, item: Any, proposed: Snapshot) -> int | None:
    newest = newest_revision(session, kept, item.id)
    return newest.number if newest is not None and newest.digest == proposed.digest else None


def _user(session: Session, user_id: int | None) -> User | None:
    return None if user_id is None else session.get(User, user_id)


def _may_approve(session: Session, content_type: Approvable, item: Any, caller: Caller) -> bool:
    involved = caller.id in (item.approval_requested_by, item.edited_by)
    barred = involved and instance_of(session).settings[FOUR_EYES]
    may = content_type.name in caller.approves and not barred
    return may and item.approval_status == PENDING


def _moves(session: Session, content_type: Approvable, item: Any) -> list[dict[str, Any]]:
    """Return the newest moves of an item, the last one first."""
    entries = (
        select(AuditEntry)
        .where(AuditEntry.content_type == content_type.name, AuditEntry.content_id == item.id)
        .where(or_(AuditEntry.action.startswith("approval."), AuditEntry.action.in_(_PUBLISHING)))
        .order_by(AuditEntry.at.desc(), AuditEntry.id.desc())
        .limit(_MOVES)
        .options(joinedload(AuditEntry.actor))
    )
    return [
        {
            "at": entry.at,
            "actor": entry.actor,
            "action": entry.action,
            **{name: entry.detail.get(name) for name in ("comment", "reason", "revision")},
        }
        for entry in session.scalars(entries)
    ]
