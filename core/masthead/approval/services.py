"""Moving items through the approval workflow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.declaration import APPROVED, REJECTED, Approvable
from masthead.approval.events import Transitioned
from masthead.approval.settings import EDITS, FOUR_EYES
from masthead.approval.transitions import (
    APPROVE,
    PUBLISH,
    REQUEST,
    Transition,
    check_state,
    enter,
    return_to_draft,
)
from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.db import utcnow
from masthead.errors import CHANGED, Forbidden, NotFound, Refused
from masthead.instance import instance_of


def lock_item(session: Session, content_type: Approvable, item_id: int) -> Any:
    """The item, read afresh and locked until the transaction ends.

    :raises NotFound: where there is none.
    """
    item = session.scalar(content_type.locked_item, {"id": item_id})
    if item is None:
        raise NotFound("Content not found")
    return item


def move(
    session: Session,
    content_type: Approvable,
    item_id: int,
    transition: Transition,
    caller: Caller | None,
    *,
    reason: str | None = None,
    revision: str | None = None,
) -> None:
    """Take an item through a transition, with all that belongs to it.

    :param caller: who asks; None stands for the command line, which may everything.
    :param revision: the revision that the caller has read, where they say so.
    :raises NotFound: where there is no such item.
    :raises Forbidden: where the caller may not.
    :raises Refused: where the state of the item, or its revision, is another.
    """
    item = lock_item(session, content_type, item_id)
    if caller is not None:
        _check_power(session, content_type, item, transition, caller)
    check_state(item, transition)
    if revision is not None and revision != str(item.revision):
        raise Refused(f"etag: {CHANGED}")
    _pass(session, content_type, item, transition, caller, reason)
    session.flush()


def publish_new(
    session: Session, content_type: Approvable, items: Iterable[Any], caller: Caller | None
) -> None:
    """Approve items that an import made in this transaction, without asking anybody."""
    for item in items:
        check_state(item, PUBLISH)
        _pass(session, content_type, item, PUBLISH, caller, None)
    session.flush()


def may_edit_live(session: Session, content_type: Approvable, caller: Caller | None) -> bool:
    """Whether the caller's edits need nobody's approval."""
    if instance_of(session).settings[EDITS] == "live":
        return True
    return _approves_alone(session, content_type, caller)


def note_edit(session: Session, content_type: Approvable, item: Any, caller: Caller | None) -> None:
    """An item without a live copy was edited: by who may not approve it, it is a draft again.

    So it is where edits are live, too: what goes out once can't be put right afterwards.

    :param caller: who did it; None stands for the command line.
    """
    if not _approves_alone(session, content_type, caller):
        return_to_draft(item)
        item.published = False
    if caller is not None:
        item.edited_by = caller.id


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


def _pass(
    session: Session,
    content_type: Approvable,
    item: Any,
    transition: Transition,
    caller: Caller | None,
    reason: str | None,
) -> None:
    """Take an item whose state was checked through a transition, and tell who wants to know."""
    now, actor_id = utcnow(), caller.id if caller else None
    requester_id = actor_id if transition is REQUEST else item.approval_requested_by
    if transition.target == APPROVED:
        content_type.approved(session, item, now)
    elif transition.target == REJECTED:
        content_type.rejected(item)
    enter(item, transition, actor_id, now, reason)
    event = Transitioned(
        transition=transition.name,
        content_type=content_type.name,
        item_id=item.id,
        title=content_type.shown_title(item),
        actor_id=actor_id,
        requester_id=requester_id,
        reason=reason,
    )
    record(
        session,
        f"approval.{event.transition}",
        actor_id,
        content_type=event.content_type,
        content_id=event.item_id,
        title=event.title,
        **({"reason": reason} if reason else {}),
    )
    instance_of(session).hooks.masthead_transitioned(session=session, event=event)
