"""Moving items through the approval workflow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict, Unpack

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead.approval.declaration import APPROVED, PENDING, REJECTED, Approvable
from masthead.approval.ended import note_taken_back
from masthead.approval.events import Transitioned
from masthead.approval.gate import ask_for_approvals, require_approval
from masthead.approval.publications import PublicationWay
from masthead.approval.settings import EDITS, FOUR_EYES
from masthead.approval.transitions import (
    APPROVE,
    PUBLISH,
    REJECT,
    REQUEST,
    VOTE,
    WITHDRAW,
    Transition,
    check_state,
    enter,
    return_to_draft,
)
from masthead.approval.votes import (
    able_users,
    begin_request,
    check_reviewer,
    count_votes,
    required_of,
    vote,
)
from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.db import utcnow
from masthead.db.locking import lock_row
from masthead.errors import CHANGED, Forbidden, Problem, ProblemCode, Refused, wrong_field
from masthead.history.approved import begin_approval, record_approval
from masthead.instance import instance_of
from masthead.schemas.field_types import Timestamp


class Terms(TypedDict, total=False):
    """The terms of a transition, which may be left out."""

    remark: str | None
    """The reason of a rejection, or the comment on a request or an approval."""
    revision: str | None
    """The revision that the caller has read, if it has to be the current one."""
    reviewer_id: int | None
    """The user who is asked to approve a requested item."""
    until: datetime | None
    """The time until which an item is approved, and public."""
    asked: Mapping[int | str, Refused]
    """The refusals of plugins by id, if they were asked about several items at once."""


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
    **terms: Unpack[Terms],
) -> Transitioned:
    """Perform a transition of an item, with its audit entry, and return its event.

    An approval that needs further ones only stores the caller's vote.

    :param caller: the acting user; None for the command line, which may do everything.
    :raises NotFound: where there is no such item.
    :raises Forbidden: where the caller lacks the power.
    :raises Refused: where the item is in another state or has another revision, or if a plugin
        objects to its publication.
    :raises Invalid: for a reviewer who can't approve the item, or a time that it can't have.
    """
    item = lock_item(session, content_type, item_id)
    if caller is not None:
        _check_power(session, content_type, item, transition, caller)
    check_state(item, transition)
    revision, votes = terms.get("revision"), None
    if revision is not None and revision != str(item.revision):
        raise Refused(f"etag: {CHANGED}", Problem("etag", ProblemCode.CHANGED, CHANGED))
    if transition is APPROVE and caller is not None:
        transition, votes = _vote(session, content_type, item, caller, terms.get("remark"))
    if transition is VOTE and terms.get("until") is not None:
        raise wrong_field("until", ProblemCode.NOT_ALLOWED, "It needs the last approval")
    event = _perform(session, content_type, item, transition, caller, terms, votes)
    session.flush()
    return event


def _vote(
    session: Session, content_type: Approvable, item: Any, caller: Caller, comment: str | None
) -> tuple[Transition, int | None]:
    """Store the caller's vote where several are needed; return the transition and their number.

    :raises Refused: if the caller has approved the item already, and it needs others.
    """
    required = required_of(session, content_type)
    if required == 1:
        return APPROVE, None
    is_new = vote(session, content_type, item, caller, comment)
    votes = count_votes(session, content_type, item)
    if votes >= required:
        return APPROVE, votes
    if not is_new:
        raise Refused(f"You have approved it already; it has {votes} of {required} approvals")
    return VOTE, votes


def publish_new(
    session: Session, content_type: Approvable, items: Sequence[Any], caller: Caller | None
) -> None:
    """Approve items that an import created in this transaction, without a request.

    :raises Refused: if a plugin objects to one of them.
    """
    refusals = ask_for_approvals(session, content_type, items, caller, PublicationWay.IMPORT)
    for refusal in refusals.values():
        raise refusal
    for item in items:
        check_state(item, PUBLISH)
        _perform(session, content_type, item, PUBLISH, caller, {})
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
    alone = not instance_of(session).settings[FOUR_EYES] and required_of(session, content_type) == 1
    return alone and content_type.name in caller.approves


def _check_power(
    session: Session, content_type: Approvable, item: Any, transition: Transition, caller: Caller
) -> None:
    if transition in (REQUEST, WITHDRAW):
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
    terms: Terms,
    votes: int | None = None,
) -> Transitioned:
    """Perform a transition of an item whose state was checked, and publish the event."""
    now, actor_id = utcnow(), caller.id if caller else None
    remark, reviewer_id, until = terms.get("remark"), terms.get("reviewer_id"), terms.get("until")
    if transition is REQUEST:
        if reviewer_id is not None:
            check_reviewer(session, content_type, item, actor_id, reviewer_id)
        begin_request(session, content_type, item, reviewer_id)
    approves = transition in (APPROVE, VOTE)
    shown = begin_approval(session, content_type.name, item) if approves else None
    if until is not None:
        content_type.approve_until(session, item, until, caller)
    if approves:
        require_approval(session, content_type, item, caller, terms.get("asked"))
    if transition.target == APPROVED:
        content_type.approved(session, item, now)
    elif transition.target == REJECTED:
        content_type.rejected(item)
    enter(item, transition, actor_id, now, remark)
    if shown is not None and transition is APPROVE:
        record_approval(session, item, shown)
    event = _event(session, content_type, item, transition, actor_id, terms, votes)
    facts = {"revision": shown and shown.number, "until": until and Timestamp().dump(until)}
    _record(session, item, event, caller, facts)
    instance_of(session).hooks.masthead_transitioned(session=session, event=event)
    return event


def _record(
    session: Session,
    item: Any,
    event: Transitioned,
    caller: Caller | None,
    facts: Mapping[str, Any],
) -> None:
    """Record the audit entry of a transition, with the facts that there are."""
    known = {
        "reason": event.reason,
        "comment": event.comment,
        "reviewer": event.reviewer_id,
        "approvals": event.approvals,
        **facts,
    }
    detail: dict[str, Any] = {name: fact for name, fact in known.items() if fact}
    action = f"approval.{event.transition}"
    record(session, action, caller, event.content_type, item, title=event.title, **detail)


def _event(
    session: Session,
    content_type: Approvable,
    item: Any,
    transition: Transition,
    actor_id: int | None,
    terms: Terms,
    votes: int | None,
) -> Transitioned:
    remark = terms.get("remark")
    is_request, is_rejection = transition is REQUEST, transition is REJECT
    return Transitioned(
        transition=transition.name,
        content_type=content_type.name,
        item_id=item.id,
        title=content_type.shown_title(item),
        actor_id=actor_id,
        requester_id=item.approval_requested_by,
        reason=remark if is_rejection else None,
        comment=None if is_rejection else remark,
        author_ids=tuple(each for each in (item.created_by, item.edited_by) if each is not None),
        approvers=_count_approvers(session, content_type, item) if is_request else None,
        required=required_of(session, content_type),
        approvals=votes,
        reviewer_id=terms.get("reviewer_id"),
    )


def _count_approvers(session: Session, content_type: Approvable, item: Any) -> int:
    """Return the number of users who can approve a requested item."""
    able = able_users(session, content_type, item.approval_requested_by, item.edited_by)
    return session.scalar(select(func.count()).select_from(able.subquery())) or 0
