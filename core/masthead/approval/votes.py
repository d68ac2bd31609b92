"""Votes: an item is approved when as many users as its type requires have approved it.

A vote counts for the revision that the user has approved, as long as the user may approve the item.
So an edit, which raises the revision, drops all votes.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, String, and_, cast, delete, func, select
from sqlalchemy.orm import Session

from masthead.approval.declaration import Approvable
from masthead.approval.models import ApprovalRequest, ApprovalVote
from masthead.approval.settings import FOUR_EYES, REQUIRED
from masthead.auth.approvers import Approver, approvers
from masthead.auth.caller import Caller
from masthead.auth.models import User, user_roles
from masthead.db import utcnow
from masthead.db.upsert import upsert
from masthead.errors import ProblemCode, wrong_field
from masthead.http.paging import Page, Window
from masthead.instance import instance_of

Key = dict[str, str]


def key_of(content_type: Approvable, item: Any) -> Key:
    """Return the columns that name an item in the tables of requests and votes."""
    return {"kind": content_type.name, "item": str(item.id)}


def required_of(session: Session, content_type: Approvable) -> int:
    """Return the number of users who have to approve an item of a type."""
    numbers = instance_of(session).settings[REQUIRED]
    return numbers[content_type.name]


def begin_request(
    session: Session, content_type: Approvable, item: Any, reviewer_id: int | None
) -> None:
    """Store the request of a locked item, which has no votes yet."""
    votes = delete(ApprovalVote).where(*_about(content_type, item))
    session.execute(votes.execution_options(synchronize_session=False))
    key = key_of(content_type, item)
    facts = {"reviewer_id": reviewer_id, "reminded_at": None, "escalated_at": None}
    upsert(session, ApprovalRequest, {**key, **facts}, facts)


def check_reviewer(
    session: Session, content_type: Approvable, item: Any, requester_id: int | None, user_id: int
) -> None:
    """Refuse a reviewer who can't approve the item.

    :raises Invalid: naming the field.
    """
    able = able_users(session, content_type, requester_id, item.edited_by)
    if session.scalar(able.where(User.id == user_id)) is None:
        raise wrong_field("reviewerId", ProblemCode.NOT_ALLOWED, "This user can't approve the item")


def able_users(session: Session, content_type: Approvable, *involved: int | None) -> Select[int]:
    """Select the ids of the enabled users who can approve an item of a type.

    :param involved: the users who requested or edited it.
    """
    able = select(User.id).where(
        User.id.in_(approvers(content_type.name)), User.disabled.is_(False)
    )
    if instance_of(session).settings[FOUR_EYES]:
        barred = [each for each in involved if each is not None]
        able = able.where(User.id.not_in(barred))
    return able


def awaited_users(
    session: Session, content_type: Approvable, item: Any, reviewer_id: int | None
) -> Select[int]:
    """Select the ids of the users whose approval a pending item waits for.

    They are the reviewer if that approval is enough, otherwise all who can approve it and haven't.
    """
    able = able_users(session, content_type, item.approval_requested_by, item.edited_by)
    if reviewer_id is not None and required_of(session, content_type) == 1:
        asked = able.where(User.id == reviewer_id)
        if session.scalar(asked) is not None:
            return asked
    voted = select(ApprovalVote.user_id).where(
        *_about(content_type, item), ApprovalVote.revision == item.revision
    )
    return able.where(User.id.not_in(voted))


def vote(
    session: Session, content_type: Approvable, item: Any, caller: Caller, comment: str | None
) -> bool:
    """Store the caller's vote for the present revision of a locked item.

    :returns: whether it is new.
    """
    mine = (*_about(content_type, item), ApprovalVote.user_id == caller.id)
    if session.scalar(select(ApprovalVote.revision).where(*mine)) == item.revision:
        return False
    key = {**key_of(content_type, item), "user_id": caller.id}
    facts = {"revision": item.revision, "at": utcnow(), "comment": comment}
    upsert(session, ApprovalVote, {**key, **facts}, facts)
    return True


def count_votes(session: Session, content_type: Approvable, item: Any) -> int:
    """Return the number of votes that count for the present revision of an item."""
    counted = select(func.count()).where(
        *_about(content_type, item),
        *_counting(session, item.revision, item.approval_requested_by, item.edited_by),
    )
    return session.scalar(counted) or 0


def list_votes(session: Session, content_type: Approvable, item: Any) -> list[dict[str, Any]]:
    """Return the votes for the latest request of an item, the oldest first."""
    counts = and_(*_counting(session, item.revision, item.approval_requested_by, item.edited_by))
    votes = (
        select(User, ApprovalVote, counts.label("counts"))
        .join(ApprovalVote, ApprovalVote.user_id == User.id)
        .where(*_about(content_type, item))
        .order_by(ApprovalVote.at, User.id)
    )
    return [
        {"user": user, "at": its.at, "comment": its.comment, "counts": bool(counting)}
        for user, its, counting in session.execute(votes)
    ]


def votes_among(session: Session, rows: Any) -> ColumnElement[int]:
    """Return an expression for the number of votes that count for each row of pending items."""
    counted = select(func.count(ApprovalVote.user_id)).where(
        ApprovalVote.kind == rows.content_type,
        ApprovalVote.item == cast(rows.id, String),
        *_counting(session, rows.revision, rows.requested_by, rows.edited_by),
    )
    return counted.scalar_subquery()


def voted_among(rows: Any, user_id: int) -> ColumnElement[bool]:
    """Return the condition that a user has voted for the present revision of a pending item."""
    mine = select(ApprovalVote.revision).where(
        ApprovalVote.kind == rows.content_type,
        ApprovalVote.item == cast(rows.id, String),
        ApprovalVote.user_id == user_id,
        ApprovalVote.revision == rows.revision,
    )
    return mine.exists()


def _about(content_type: Approvable, item: Any) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions on a vote for an item."""
    return (ApprovalVote.kind == content_type.name, ApprovalVote.item == str(item.id))


def _counting(
    session: Session, revision: Any, requested_by: Any, edited_by: Any
) -> list[ColumnElement[bool]]:
    """Return the conditions on a vote that counts, besides its item."""
    power = (
        select(user_roles.c.user_id)
        .join(Approver, Approver.role_id == user_roles.c.role_id)
        .where(
            user_roles.c.user_id == ApprovalVote.user_id,
            Approver.content_type == ApprovalVote.kind,
        )
        .correlate(ApprovalVote)
    )
    enabled = select(User.id).where(User.id == ApprovalVote.user_id, User.disabled.is_(False))
    able = (power.exists(), enabled.correlate(ApprovalVote).exists())
    conditions = [ApprovalVote.revision == revision, *able]
    if instance_of(session).settings[FOUR_EYES]:
        voter = ApprovalVote.user_id
        conditions += [voter.is_distinct_from(requested_by), voter.is_distinct_from(edited_by)]
    return conditions


def list_able(
    session: Session, content_type: Approvable, requester_id: int, window: Window
) -> Page:
    """Return a page of the users who can approve what a user requests, by name."""
    able = able_users(session, content_type, requester_id).subquery()
    users = select(User).where(User.id.in_(select(able))).order_by(User.sort_key, User.id)
    total = session.scalar(select(func.count()).select_from(able)) or 0
    return Page(session.scalars(users.limit(window.limit).offset(window.offset)).all(), total)
