"""The notifications of approval requests that have ended."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from masthead.approval.declaration import PENDING, Approvable
from masthead.approval.ended import Ended, take_ended
from masthead.db import utcnow
from masthead.notifications.approvals import actor_name
from masthead.notifications.models import Notification
from masthead.notifications.services import notify, user
from masthead.ports.notice import Notice, NoticeType


def settle_ended(session: Session) -> None:
    """Mark the notifications of ended requests as read, and notify requesters of those taken back.

    They stay in the lists of the approvers, but nothing is left to do about them.
    """
    for kind, ended in take_ended(session):
        if ended.ids:
            _mark_read(session, kind, ended.ids)
        if ended.taken_back:
            _notify_requesters(session, kind, ended)


def _mark_read(session: Session, kind: Approvable, ids: Collection[int]) -> None:
    model = kind.model
    pending = select(model.id).where(model.id.in_(ids), model.approval_status == PENDING)
    obsolete = update(Notification).where(
        Notification.content_type == kind.name,
        Notification.content_id.in_(ids),
        Notification.content_id.not_in(pending),
        Notification.read_at.is_(None),
        Notification.type == NoticeType.APPROVAL_REQUEST,
    )
    read = obsolete.values(read_at=utcnow())
    session.execute(read.execution_options(synchronize_session=False))


def _notify_requesters(session: Session, kind: Approvable, ended: Ended) -> None:
    by_others = {
        item_id: each
        for item_id, each in ended.taken_back.items()
        if each.requester_id not in (None, each.actor_id)
    }
    if not by_others:
        return
    actors = {each.actor_id for each in by_others.values()}
    names = {actor_id: actor_name(session, actor_id) for actor_id in actors}
    model = kind.model
    titles = select(model.id, kind.shown_titles()).where(
        model.id.in_(by_others), model.approval_status != PENDING
    )
    for item_id, title in session.execute(titles.order_by(model.id)).all():
        requester_id, actor_id = by_others[item_id]
        assert requester_id is not None
        notice = _returned(kind, item_id, title, names[actor_id])
        notify(session, user(requester_id), notice)


def _returned(kind: Approvable, item_id: int, title: str, actor: str | None) -> Notice:
    name = actor or "An administrator"
    return Notice(
        title=f"Approval Request Returned: {kind.label}",
        message=f'{name} changed "{title}", so it is a draft again and needs a new request',
        type=NoticeType.APPROVAL_RETURNED,
        content_type=kind.name,
        content_id=item_id,
        mail="core/mails/approval-returned.txt",
        mail_values={"item": title, "label": kind.label, "actor": actor},
    )
