"""Moving items through the approval workflow."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.approval.declaration import APPROVED, REJECTED, Approvable
from masthead.approval.events import Transitioned
from masthead.approval.settings import EDITS, FOUR_EYES
from masthead.approval.transitions import APPROVE, REQUEST, Transition, check_state, enter
from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.db import utcnow
from masthead.errors import Forbidden, NotFound, Refused
from masthead.instance import instance_of


def lock_item(session: Session, content_type: Approvable, item_id: int) -> Any:
    """The item, read afresh and locked until the transaction ends.

    :raises NotFound: where there is none.
    """
    model = content_type.model
    item = session.scalar(
        select(model)
        .where(model.id == item_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
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
        raise Refused("etag: The item has changed since it was read")
    now, actor_id = utcnow(), caller.id if caller else None
    requester_id = item.approval_requested_by
    if transition.target == APPROVED:
        content_type.approved(session, item, now)
    elif transition.target == REJECTED:
        content_type.rejected(item)
    enter(item, transition, actor_id, now, reason)
    session.flush()
    event = Transitioned(
        transition=transition.name,
        content_type=content_type.name,
        item_id=item.id,
        title=content_type.shown_title(item),
        actor_id=actor_id,
        requester_id=actor_id if transition is REQUEST else requester_id,
        reason=reason,
    )
    _tell(session, event)


def may_edit_live(session: Session, content_type: Approvable, caller: Caller | None) -> bool:
    """Whether the caller's edits need nobody's approval."""
    settings = instance_of(session).settings
    if caller is None or settings[EDITS] == "live":
        return True
    return content_type.name in caller.approves and not settings[FOUR_EYES]


def _check_power(
    session: Session, content_type: Approvable, item: Any, transition: Transition, caller: Caller
) -> None:
    if transition is REQUEST:
        if not caller.may(content_type.write_permission):
            raise Forbidden
        return
    if content_type.name not in caller.approves:
        raise Forbidden
    four_eyes = instance_of(session).settings[FOUR_EYES]
    if four_eyes and transition is APPROVE:
        if caller.id in (item.approval_requested_by, item.edited_by):
            raise Forbidden("Somebody else has to approve what you requested or edited")


def _tell(session: Session, event: Transitioned) -> None:
    detail = {"title": event.title} | ({"reason": event.reason} if event.reason else {})
    record(
        session,
        f"approval.{event.transition}",
        event.actor_id,
        content_type=event.content_type,
        content_id=event.item_id,
        **detail,
    )
    instance_of(session).hooks.masthead_transitioned(session=session, event=event)
