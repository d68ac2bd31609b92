"""Moving items through the approval workflow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead.approval.declaration import APPROVED, PENDING, REJECTED, Approvable
from masthead.approval.ended import note_taken_back
from masthead.approval.events import Transitioned
from masthead.approval.settings import EDITS, FOUR_EYES
from masthead.approval.transitions import (
    APPROVE,
    PUBLISH,
    REJECT,
    REQUEST,
    Transition,
    check_state,
    enter,
    return_to_draft,
)
from masthead.audit.services import record
from masthead.auth.approvers import approvers
from masthead.auth.caller import Caller
from masthead.auth.models import User
from masthead.db import utcnow
from masthead.db.locking import lock_row
from masthead.errors import CHANGED, Forbidden, Problem, ProblemCode, Refused
from masthead.history.approved import begin_approval, record_approval
from masthead.instance import instance_of


def lock_item(session: Session, content_type: Approvable, item_id: int) -> Any:
    """Return an item, read afresh and locked until the transaction ends.

    :raises NotFound: where there is no such item.
    """
    return lock_row(session, content_type.model, item_id, message="Content not found")


def move(
    session: Session,
    content_type: Approvable,
    item_id: int,
    transition: Transition,
    caller: Caller | None,
    *,
    remark: str | None = None,
    revision: str | None = None,
) -> Transitioned:
    """Perform a transition of an item, with its audit entry, and return its event.

    :param caller: the acting user; None for the command line, which may do everything.
    :param remark: the reason of a rejection, or the comment on a request or an approval.
    :param revision: the revision that the caller has read, if it has to be the current one.
    :raises NotFound: where there is no such item.
    :raises Forbidden: where the caller lacks the power.
    :raises Refused: where the item is in another state or has another revision.
    """
    item = lock_item(session, content_type, item_id)
    if caller is not None:
        _check_power(session, content_type, item, transition, caller)
    check_state(item, transition)
    if revision is not None and revision != str(item.revision):
        raise Refused(f"etag: {CHANGED}", Problem("etag", ProblemCode.CHANGED, CHANGED))
    event = _perform(session, content_type, item, transition, caller, remark)
    session.flush()
    return event


def publish_new(
    session: Session, content_type: Approvable, items: Iterable[Any], caller: Caller | None
) -> None:
    """Approve items that an import created in this transaction, without a request."""
    for item in items:
        check_state(item, PUBLISH)
        _perform(session, content_type, item, PUBLISH, caller, None)
    session.flush()


def may_edit_live(session: Session, content_type: Approvable, caller: Caller | None) -> bool:
    """Whether the caller's edits go live without approval."""
    if instance_of(session).settings[EDITS] == "live":
        return True
    return _approves_alone(session, content_type, caller)


def note_edit(session: Session, content_type: Approvable, item: Any, caller: Caller | None) -> None:
    """Note an edit of an item without a live copy; one without approval power makes it a draft.

    That holds where edits go live, too, because an item that has been sent can't be corrected.

    :param caller: the acting user; None for the command line.
    """
    if not _approves_alone(session, content_type, caller):
        take_back(session, item, caller)
        item.published = False
    if caller is not None:
        item.edited_by = caller.id


def take_back(session: Session, item: Any, caller: Caller | None) -> None:
    """Return a changed item to draft; whoever requested its approval is notified if it was pending.

    :param caller: the acting user; None for the command line.
    """
    if item.approval_status == PENDING:
        note_taken_back(session, item, caller)
    return_to_draft(item)


def _approves_alone(session: Session, content_type: Approvable, caller: Caller | None) -> bool:
    if caller is None:
        return True
    return content_type.name in caller.approves and not instance_of(session).settings[FOUR_EYES]


def _check_power(
    session: Session, content_type: Approvable, item: Any, transition: Transition, caller: Caller
) -> None:
    if transition is REQUEST:
        if not caller.may(content_type.write_permission):
            raise Forbidden
        return
    if content_type.name not in caller.approves:
        raise Forbidden
    involved = caller.id in (item.approval_requested_by, item.edited_by)
    if transition is APPROVE and involved and instance_of(session).settings[FOUR_EYES]:
        raise Forbidden("Somebody else has to approve what you requested or edited")


def _perform(
    session: Session,
    content_type: Approvable,
    item: Any,
    transition: Transition,
    caller: Caller | None,
    remark: str | None,
) -> Transitioned:
    """Perform a transition of an item whose state was checked, and publish the event."""
    now, actor_id = utcnow(), caller.id if caller else None
    requester_id = actor_id if transition is REQUEST else item.approval_requested_by
    shown = begin_approval(session, content_type.name, item) if transition is APPROVE else None
    if transition.target == APPROVED:
        content_type.approved(session, item, now)
    elif transition.target == REJECTED:
        content_type.rejected(item)
    enter(item, transition, actor_id, now, remark)
    if shown is not None:
        record_approval(session, item, shown)
    reason, comment = (remark, None) if transition is REJECT else (None, remark)
    event = Transitioned(
        transition=transition.name,
        content_type=content_type.name,
        item_id=item.id,
        title=content_type.shown_title(item),
        actor_id=actor_id,
        requester_id=requester_id,
        reason=reason,
        comment=comment,
        author_ids=tuple(each for each in (item.created_by, item.edited_by) if each is not None),
        approvers=_count_approvers(session, content_type, item) if transition is REQUEST else None,
    )
    remarks = {"reason": reason, "comment": comment, "revision": shown and shown.number}
    detail: dict[str, Any] = {name: text for name, text in remarks.items() if text}
    action = f"approval.{transition.name}"
    record(session, action, caller, content_type.name, item, title=event.title, **detail)
    instance_of(session).hooks.masthead_transitioned(session=session, event=event)
    return event


def _count_approvers(session: Session, content_type: Approvable, item: Any) -> int:
    """Return the number of users who can approve a requested item."""
    able = select(func.count(User.id)).where(
        User.id.in_(approvers(content_type.name)), User.disabled.is_(False)
    )
    if instance_of(session).settings[FOUR_EYES]:
        involved = [each for each in (item.approval_requested_by, item.edited_by) if each]
        able = able.where(User.id.not_in(involved))
    return session.scalar(able) or 0
