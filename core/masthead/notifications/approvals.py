"""Notifications about the approval of items: their recipients and their texts."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Select, and_, or_, select
from sqlalchemy.orm import Session

from masthead.approval.events import Transitioned
from masthead.approval.transitions import APPROVE, REJECT, REQUEST, VOTE, WITHDRAW
from masthead.auth.approvers import approvers
from masthead.auth.models import User
from masthead.http.permissions import ADMIN
from masthead.instance import instance_of
from masthead.notifications.services import holders, notify, user
from masthead.ports.notice import Notice, NoticeType

_TYPES = {
    REQUEST.name: (
        NoticeType.APPROVAL_REQUEST,
        "Approval Request",
        "core/mails/approval-request.txt",
    ),
    APPROVE.name: (
        NoticeType.APPROVAL_APPROVED,
        "Approval Approved",
        "core/mails/approval-approved.txt",
    ),
    REJECT.name: (
        NoticeType.APPROVAL_REJECTED,
        "Approval Rejected",
        "core/mails/approval-rejected.txt",
    ),
}
_NO_APPROVER = "core/mails/no-approver.txt"


def notify_of_transition(session: Session, event: Transitioned) -> None:
    """Notify the approvers of a request, or the requester of its outcome.

    A reviewer whose approval is enough is notified instead of all approvers. Administrators are
    notified if too few users can approve what is requested, and authors of a rejection if somebody
    else requested the approval. The requester also learns of one of several approvals, and of a
    withdrawal by another user.
    """
    if event.transition in (VOTE.name, WITHDRAW.name):
        _notify_requester(session, event)
    if event.transition not in _TYPES:
        return
    kind, title, mail = _TYPES[event.transition]
    label = instance_of(session).content_types[event.content_type].label
    actor = actor_name(session, event.actor_id)
    name = actor or "An administrator"
    values = {
        "item": event.title,
        "label": label,
        "actor": actor,
        "reason": event.reason,
        "comment": event.comment,
    }
    notice = Notice(
        title=f"{title}: {label}",
        message=_message(event, name),
        type=kind,
        content_type=event.content_type,
        content_id=event.item_id,
        mail=mail,
        mail_values=values,
    )
    if kind == NoticeType.APPROVAL_REQUEST:
        notify(session, _asked(event), notice)
        if event.approvers is not None and event.approvers < event.required:
            plain = _message(replace(event, comment=None), name)
            notify(session, holders(ADMIN), _warning(notice, label, plain, event.approvers))
    elif kind == NoticeType.APPROVAL_REJECTED:
        notify(session, _concerned_by_rejection(session, event), notice)
    elif event.requester_id is not None:
        notify(session, user(event.requester_id), notice)


def _asked(event: Transitioned) -> Select[int]:
    """Select the reviewer if that approval is enough, otherwise all approvers."""
    if event.reviewer_id is not None and event.required == 1:
        return user(event.reviewer_id)
    return approvers(event.content_type)


def _notify_requester(session: Session, event: Transitioned) -> None:
    """Notify the requester of one of several approvals, or of a withdrawal by another user."""
    if event.requester_id in (None, event.actor_id):
        return
    label = instance_of(session).content_types[event.content_type].label
    actor = actor_name(session, event.actor_id) or "An administrator"
    if event.transition == WITHDRAW.name:
        title, text = "Request Withdrawn", f'{actor} withdrew the request for "{event.title}"'
        kind = NoticeType.APPROVAL_RETURNED
    else:
        kind = NoticeType.SYSTEM
        tally = f"{event.approvals} of {event.required} approvals"
        title, text = "One Approval", f'"{event.title}" was approved by {actor}; it has {tally}'
    remark = f": {event.comment}" if event.comment else ""
    notice = Notice(
        title=f"{title}: {label}",
        message=f"{text}{remark}",
        type=kind,
        content_type=event.content_type,
        content_id=event.item_id,
        personal=True,
    )
    notify(session, select(User.id).where(User.id == event.requester_id), notice)


def _warning(request: Notice, label: str, text: str, approvers: int) -> Notice:
    if approvers:
        title = f"Too few can approve: {label}"
        message = f"{text}, but fewer users can approve it than have to"
        return replace(
            request, title=title, message=message, type=NoticeType.SYSTEM, mail=Notice.mail
        )
    message = f"{text}, but nobody can approve it"
    title = f"Nobody can approve: {label}"
    return replace(request, title=title, message=message, type=NoticeType.SYSTEM, mail=_NO_APPROVER)


def _concerned_by_rejection(session: Session, event: Transitioned) -> Select[int]:
    """Select the requester, and those authors who may still read the item and didn't reject it."""
    kind = instance_of(session).content_types[event.content_type]
    reading = (
        holders(kind.read_permission),
        holders(kind.write_permission),
        approvers(event.content_type),
    )
    authors = set(event.author_ids) - {event.actor_id}
    author = and_(User.id.in_(authors), or_(*(User.id.in_(each) for each in reading)))
    return select(User.id).where(or_(User.id == event.requester_id, author))


def _message(event: Transitioned, actor: str) -> str:
    text = event.reason or event.comment
    remark = f": {text}" if text else ""
    if event.transition == REQUEST.name:
        return f'{actor} requests approval of "{event.title}"{remark}'
    if event.transition == APPROVE.name:
        return f'"{event.title}" was approved by {actor}{remark}'
    return f'"{event.title}" was rejected by {actor}{remark}'


def actor_name(session: Session, actor_id: int | None) -> str | None:
    """Return the name of the acting user; None if it was the command line."""
    names = session.execute(
        select(User.display_name, User.username).where(User.id == actor_id)
    ).one_or_none()
    return names.display_name or names.username if names else None
