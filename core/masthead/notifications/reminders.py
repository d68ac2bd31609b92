"""Notifications about requests that nobody has decided for hours: reminders and escalations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, false, or_, select
from sqlalchemy.orm import Session

from masthead.approval.declaration import PENDING, Approvable
from masthead.approval.models import ApprovalRequest
from masthead.approval.pending import pending_items
from masthead.approval.settings import ESCALATE_HOURS, ESCALATE_TO, REMIND_HOURS, PerType
from masthead.approval.votes import awaited_users, key_of
from masthead.auth.models import Role, user_roles
from masthead.db import fold, utcnow
from masthead.db.upsert import upsert
from masthead.http.permissions import ADMIN
from masthead.instance import instance_of
from masthead.notifications.services import holders, notify
from masthead.ports.notice import Notice, NoticeType
from masthead.settings import Setting

_AT_ONCE = 20
"""The number of requests per transaction; on SQLite, other writers wait for its end."""


@dataclass(frozen=True)
class _Stage:
    """A notification that each request causes once, at an age."""

    hours: Setting[PerType]
    done: Any
    """The column with the time of the notification."""
    title: str
    text: str
    recipients: Callable[[Session, Approvable, Any, int | None], Select[int]]
    """Takes the session, the type, the item and the id of its reviewer."""


def notify_of_age(session: Session) -> bool:
    """Notify of some of the requests that are old enough; return whether there may be more."""
    now = utcnow()
    return any(_notify(session, stage, now) for stage in _STAGES)


def _notify(session: Session, stage: _Stage, now: datetime) -> bool:
    kinds = instance_of(session).content_types
    hours = instance_of(session).settings[stage.hours]
    counting = {name: kind for name, kind in kinds.items() if hours[name]}
    if not counting:
        return False
    items = pending_items(counting)
    its = items.selected_columns
    old = [_is_old(its, name, now - timedelta(hours=hours[name])) for name in counting]
    due = session.execute(
        items.where(stage.done.is_(None), or_(false(), *old)).limit(_AT_ONCE)
    ).all()
    for row in due:
        _notify_of(session, stage, counting[row.content_type], row, now)
    return len(due) == _AT_ONCE


def _is_old(its: Any, name: str, moment: datetime) -> ColumnElement[bool]:
    return and_(its.content_type == name, its.requested_at <= moment)


def _notify_of(
    session: Session, stage: _Stage, kind: Approvable, row: Row[Any], now: datetime
) -> None:
    # The lock keeps the request from being decided before the commit. An item that another
    # transaction has locked is left for the next run, because waiting could become a deadlock.
    lock = {"skip_locked": True}
    item = session.get(kind.model, row.id, populate_existing=True, with_for_update=lock)
    same = item is not None and item.approval_requested_at == row.requested_at
    if item is None or not same or item.approval_status != PENDING:
        return
    hours = instance_of(session).settings[stage.hours][kind.name]
    waited = f"{hours} hours" if hours > 1 else "one hour"
    notice = Notice(
        title=f"{stage.title}: {kind.label}",
        message=stage.text.format(title=kind.shown_title(item), waited=waited),
        type=NoticeType.APPROVAL_REQUEST,
        content_type=kind.name,
        content_id=item.id,
    )
    notify(session, stage.recipients(session, kind, item, row.reviewer_id), notice)
    key, done = key_of(kind, item), {stage.done.key: now}
    upsert(session, ApprovalRequest, {**key, **done}, done)


def _overseers(session: Session, *_of_item: object) -> Select[int]:
    """Select the users of the role that oversees approvals, or the administrators."""
    name = instance_of(session).settings[ESCALATE_TO]
    role = session.scalar(select(Role.id).where(Role.name_key == fold(name))) if name else None
    if role is None:
        return holders(ADMIN)
    return select(user_roles.c.user_id).where(user_roles.c.role_id == role)


_STAGES = (
    _Stage(
        REMIND_HOURS,
        ApprovalRequest.reminded_at,
        "Approval Reminder",
        '"{title}" has waited for approval for {waited}',
        awaited_users,
    ),
    _Stage(
        ESCALATE_HOURS,
        ApprovalRequest.escalated_at,
        "Approval Overdue",
        '"{title}" has waited for approval for {waited}, and nobody has decided',
        _overseers,
    ),
)
