"""The list of all items that wait for the caller's approval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    Row,
    Select,
    String,
    Subquery,
    cast,
    func,
    literal,
    select,
    text,
    union_all,
)
from sqlalchemy.orm import Session, aliased

from masthead.approval.deadlines import deadline
from masthead.approval.declaration import Approvable
from masthead.approval.models import ApprovalRequest
from masthead.approval.settings import FOUR_EYES, REQUIRED
from masthead.approval.votes import voted_among, votes_among
from masthead.auth.caller import Caller
from masthead.auth.models import User
from masthead.http.paging import Page, Window
from masthead.instance import Instance, instance_of

_Reviewer = aliased(User, name="reviewer")


def list_pending(
    session: Session,
    caller: Caller,
    window: Window,
    content_type: str | None = None,
    *,
    assigned_to_me: bool = False,
) -> Page:
    """Return a page of the pending items that the caller may approve, the oldest request first.

    :param content_type: keeps only the items of this type.
    :param assigned_to_me: keeps only the items whose reviewer is the caller.
    """
    kinds = {
        name: kind
        for name, kind in instance_of(session).content_types.items()
        if name in caller.approves and content_type in (None, name)
    }
    if not kinds:
        return Page([], 0)
    items = pending_items(kinds)
    if assigned_to_me:
        items = items.where(ApprovalRequest.reviewer_id == caller.id)
    total = session.scalar(select(func.count()).select_from(items.subquery())) or 0
    page = items.limit(window.limit).offset(window.offset).subquery()
    found = session.execute(_page(session, page, caller))
    labels = {kind.name: kind.label for kind in kinds.values()}
    instance = instance_of(session)
    return Page([_describe(row, labels, instance, caller) for row in found], total)


def pending_items(kinds: Mapping[str, Approvable]) -> Select[Any]:
    """Select the pending items of some types with their requests, the oldest request first."""
    items = union_all(*map(_pending, kinds.values())).subquery()
    its = items.c
    request = ApprovalRequest
    return (
        select(items, request.reviewer_id, request.reminded_at, request.escalated_at)
        .outerjoin(
            request, (request.kind == its.content_type) & (request.item == cast(its.id, String))
        )
        .order_by(its.requested_at.asc().nulls_last(), its.content_type, its.id)
    )


def _pending(kind: Approvable) -> Select[Any]:
    columns = kind.model.__table__.c
    return select(
        literal(kind.name).label("content_type"),
        columns.id,
        kind.shown_titles().label("title"),
        columns.approval_requested_at.label("requested_at"),
        columns.approval_requested_by.label("requested_by"),
        columns.edited_by,
        kind.has_staged_edits().label("staged"),
        columns.approval_comment.label("comment"),
        columns.revision,
        # Text, because only a constant lets the database use the partial index.
    ).where(text(f"{kind.model.__table__.name}.approval_status = 'pending'"))


def _page(session: Session, items: Subquery, caller: Caller) -> Select[Any]:
    """Select items with the requester, the reviewer, the number of votes and the caller's vote."""
    its = items.c
    votes = votes_among(session, its).label("approvals")
    return (
        select(items, User, _Reviewer, votes, voted_among(its, caller.id).label("voted"))
        .outerjoin(User, User.id == its.requested_by)
        .outerjoin(_Reviewer, _Reviewer.id == its.reviewer_id)
        .order_by(its.requested_at.asc().nulls_last(), its.content_type, its.id)
    )


def _describe(
    row: Row[Any], labels: Mapping[str, str], instance: Instance, caller: Caller
) -> dict[str, Any]:
    """Return the answer of a row.

    Nobody approves a revision twice, nor under four eyes what they have requested or edited.
    """
    barred = instance.settings[FOUR_EYES] and caller.id in (row.requested_by, row.edited_by)
    return {
        "contentType": row.content_type,
        "label": labels[row.content_type],
        "id": row.id,
        "title": row.title,
        "requestedAt": row.requested_at,
        "requestedBy": row.User,
        "staged": bool(row.staged),
        "comment": row.comment,
        "etag": str(row.revision),
        "mayApprove": not (barred or row.voted),
        "approvals": row.approvals,
        "required": instance.settings[REQUIRED][row.content_type],
        "reviewer": row.reviewer,
        "deadline": deadline(instance, row.content_type, row.requested_at),
    }
