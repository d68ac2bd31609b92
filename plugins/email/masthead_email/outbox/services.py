"""Messages in the outbox: counting deliveries, pausing, resuming, cancelling; suppression."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, delete, func, or_, select, update
from sqlalchemy.orm import Session

from masthead import NotFound, Page, Refused, Window, insert_into, utcnow
from masthead_email.outbox.models import (
    ACCOUNT,
    ACTIVE,
    CANCELLED,
    COMPLAINT,
    DONE,
    FAILED,
    MANUAL,
    NOTICE,
    PAUSED,
    QUEUED,
    SKIPPED,
    SKIPPED_CANCELLED,
    STATES,
    Delivery,
    Message,
    RelayState,
    Suppression,
)

_REJECTED = and_(Message.state == PAUSED, Message.pause_reason.is_not(None))
"""The condition for messages that the relay rejected."""
WAITING = or_(Message.state == ACTIVE, _REJECTED)
"""The condition for messages that ``masthead mail resume`` sends."""


def latest_message(session: Session, kind: str, source_id: int) -> Message | None:
    """Return the newest message of a source; None if nothing was sent."""
    messages = select(Message).where(Message.kind == kind, Message.source_id == source_id)
    return session.scalars(messages.order_by(Message.id.desc()).limit(1)).one_or_none()


def counts(session: Session, message_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """Return the number of deliveries per message and state."""
    wanted = Message.id.in_(message_ids)
    found = {
        message_id: dict.fromkeys(STATES, 0) | (totals or {})
        for message_id, totals in session.execute(select(Message.id, Message.totals).where(wanted))
    }
    rows = session.execute(
        select(Delivery.message_id, Delivery.state, func.count())
        .where(Delivery.message_id.in_(message_ids))
        .group_by(Delivery.message_id, Delivery.state)
    )
    for message_id, state, number in rows:
        found[message_id][state] += number
    return found


def failures(session: Session, message_id: int, window: Window) -> Page:
    """Return a page of a message's failed deliveries, newest first."""
    failed = (Delivery.message_id == message_id, Delivery.state == FAILED)
    total = session.scalar(select(func.count()).select_from(Delivery).where(*failed))
    rows = select(Delivery).where(*failed).order_by(Delivery.done_at.desc(), Delivery.id.desc())
    found = session.scalars(rows.limit(window.limit).offset(window.offset))
    return Page(list(found), total or 0)


def pause(session: Session, message_id: int) -> None:
    """Pause a message; deliveries in transit still complete.

    :raises Refused: if the message isn't being sent.
    """
    _change(session, message_id, (ACTIVE,), PAUSED)


def resume(session: Session, message_id: int) -> None:
    """Resume a paused message.

    :raises Refused: if it isn't paused.
    """
    _change(session, message_id, (PAUSED,), ACTIVE)
    retry_relay(session)


def retry_relay(session: Session) -> None:
    """End the pause of a relay that was unavailable, so that workers try it at once."""
    session.execute(update(RelayState).values(retry_at=None))


def cancel(session: Session, message_id: int) -> int:
    """Cancel a message; return the number of deliveries skipped by it.

    :raises Refused: if it is neither being sent nor paused.
    """
    _change(session, message_id, (ACTIVE, PAUSED), CANCELLED)
    return _skip(session, Delivery.message_id == message_id)


def resume_rejected(session: Session) -> int:
    """Resume the messages that the relay rejected; return their number."""
    return _move(session, _REJECTED, ACTIVE)


def cancel_waiting(session: Session) -> int:
    """Cancel the messages that aren't sent yet, except those that users paused.

    :returns: the number of messages.
    """
    _skip(session, Delivery.message_id.in_(select(Message.id).where(WAITING)))
    return _move(session, WAITING, CANCELLED)


def _skip(session: Session, condition: ColumnElement[bool]) -> int:
    """Skip the queued deliveries that meet a condition; return their number."""
    skipped = session.execute(
        update(Delivery)
        .where(condition, Delivery.state == QUEUED)
        .values(state=SKIPPED, last_error=SKIPPED_CANCELLED, done_at=utcnow())
        .execution_options(synchronize_session=False)
    )
    return int(getattr(skipped, "rowcount", 0))


def _move(session: Session, condition: ColumnElement[bool], state: str) -> int:
    """Change the state of the messages that meet a condition; return their number."""
    changed = session.execute(
        update(Message).where(condition).values(state=state, pause_reason=None)
    )
    return int(getattr(changed, "rowcount", 0))


def _change(session: Session, message_id: int, before: tuple[str, ...], after: str) -> None:
    if _move(session, and_(Message.id == message_id, Message.state.in_(before)), after):
        return
    state = session.scalar(select(Message.state).where(Message.id == message_id))
    if state is None:
        raise NotFound("Message not found")
    raise Refused(_REFUSALS[state])


_REFUSALS = {
    ACTIVE: "It is being sent",
    PAUSED: "It is paused",
    CANCELLED: "It was cancelled",
    DONE: "It was sent to everybody already",
}


def history(address: str) -> Select[Delivery, Message]:
    """Return a query of an address's deliveries and their messages, newest first.

    Notices to staff and account mail, such as password reset links, are excluded: users who read
    contacts must not see them.
    """
    return (
        select(Delivery, Message)
        .join(Message, Message.id == Delivery.message_id)
        .where(Delivery.address == address.lower(), Message.kind.not_in((NOTICE, ACCOUNT)))
        .order_by(Delivery.message_id.desc())
    )


def suppress(
    session: Session, address: str, kind: str, reason: str, message_id: int | None = None
) -> None:
    """Suppress an address; one that is suppressed already only changes by a complaint.

    :param kind: one of ``SUPPRESSION_KINDS``.
    :param reason: the words of the server, the provider or the user.
    :param message_id: the outbox message that caused it, if one did.
    """
    values = {"kind": str(kind), "reason": reason, "message_id": message_id, "at": utcnow()}
    new = insert_into(session, Suppression).values(address=address.lower(), **values)
    session.execute(unless_suppressed(new))


def unless_suppressed(new: Any) -> Any:
    """Let an INSERT of suppressions keep existing ones, except that a complaint replaces failures.

    Otherwise a release after an outage would also release those who have complained meanwhile.
    """
    return new.on_conflict_do_update(
        index_elements=[Suppression.address],
        set_={name: new.excluded[name] for name in ("kind", "reason", "message_id", "at")},
        where=and_(new.excluded["kind"] == COMPLAINT, Suppression.kind.not_in((COMPLAINT, MANUAL))),
    )


def is_suppressed(session: Session, address: str) -> bool:
    """Whether an address receives no mail."""
    return session.get(Suppression, address.lower()) is not None


def release(session: Session, *conditions: ColumnElement[bool]) -> int:
    """End the suppressions that meet all conditions; return their number.

    Earlier failures no longer count against the addresses.
    """
    addresses = select(Suppression.address).where(*conditions)
    session.execute(
        update(Delivery)
        .where(Delivery.address.in_(addresses), Delivery.state == FAILED)
        .values(forgiven=True)
        .execution_options(synchronize_session=False)
    )
    released = session.execute(
        delete(Suppression).where(*conditions).execution_options(synchronize_session=False)
    )
    return int(getattr(released, "rowcount", 0))
