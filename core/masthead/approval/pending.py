"""The list of all items that wait for the caller's approval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row, Select, Subquery, func, literal, select, text, union_all
from sqlalchemy.orm import Session

from masthead.approval.declaration import Approvable
from masthead.approval.settings import FOUR_EYES
from masthead.auth.caller import Caller
from masthead.auth.models import User
from masthead.http.paging import Page, Window
from masthead.instance import instance_of


def list_pending(
    session: Session, caller: Caller, window: Window, content_type: str | None = None
) -> Page:
    """Return a page of the pending items that the caller may approve, the oldest request first.

    :param content_type: keeps only the items of this type.
    """
    kinds = [
        kind
        for name, kind in instance_of(session).content_types.items()
        if name in caller.approves and content_type in (None, name)
    ]
    if not kinds:
        return Page([], 0)
    items = union_all(*map(_pending, kinds)).subquery()
    total = session.scalar(select(func.count()).select_from(items)) or 0
    rows = session.execute(_page(items).limit(window.limit).offset(window.offset)).all()
    labels = {kind.name: kind.label for kind in kinds}
    four_eyes = instance_of(session).settings[FOUR_EYES]
    return Page([_describe(row, labels, caller.id if four_eyes else None) for row in rows], total)


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


def _page(items: Subquery) -> Select[Any]:
    its = items.c
    rows = select(items, User).outerjoin(User, User.id == its.requested_by)
    return rows.order_by(its.requested_at.asc().nulls_last(), its.content_type, its.id)


def _describe(row: Row[Any], labels: Mapping[str, str], barred: int | None) -> dict[str, Any]:
    """Return the answer of a row.

    :param barred: the id of a user who may not approve what they requested or edited.
    """
    involved = (row.requested_by, row.edited_by)
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
        "mayApprove": barred is None or barred not in involved,
    }
