"""Messages in the outbox: counting deliveries, pausing, resuming, cancelling; suppression."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, func, select, update
from sqlalchemy.orm import Session

from masthead import NotFound, Page, Refused, Window, insert_into, utcnow
from masthead_email.outbox.models import (
    ACCOUNT,
    ACTIVE,
    CANCELLED,
    DONE,
    FAILED,
    NOTICE,
    PAUSED,
    QUEUED,
    SKIPPED,
    SKIPPED_CANCELLED,
    STATES,
    Delivery,
    Message,
    Suppression,
)


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


def pause(session: Session, message_id: int, pause_reason: str | None = None) -> None:
    """Pause a message; deliveries in transit still complete.

    :param pause_reason: the reason if no user asked for the pause.
    :raises Refused: if the message isn't being sent.
    """
    _change(session, message_id, (ACTIVE,), PAUSED, pause_reason)


def resume(session: Session, message_id: int) -> None:
    """Resume a paused message.

    :raises Refused: if it isn't paused.
    """
    _change(session, message_id, (PAUSED,), ACTIVE, None)


def cancel(session: Session, message_id: int) -> int:
    """Cancel a message; return the number of deliveries skipped by it.

    :raises Refused: if it is neither being sent nor paused.
    """
    _change(session, message_id, (ACTIVE, PAUSED), CANCELLED, None)
    return _skip(session, Delivery.message_id == message_id)


def cancel_queued(session: Session) -> int:
    """Cancel all active messages; return their number."""
    _skip(session, Delivery.message_id.in_(select(Message.id).where(Message.state == ACTIVE)))
    active = update(Message).where(Message.state == ACTIVE)
    cancelled = session.execute(active.values(state=CANCELLED, pause_reason=None))
    return int(getattr(cancelled, "rowcount", 0))


def _skip(session: Session, condition: ColumnElement[bool]) -> int:
    """Skip the queued deliveries that meet a condition; return their number."""
    skipped = session.execute(
        update(Delivery)
        .where(condition, Delivery.state == QUEUED)
        .values(state=SKIPPED, last_error=SKIPPED_CANCELLED, done_at=utcnow())
        .execution_options(synchronize_session=False)
    )
    return int(getattr(skipped, "rowcount", 0))


def _change(
    session: Session, message_id: int, before: tuple[str, ...], after: str, pause_reason: str | None
) -> None:
    changed = session.execute(
        update(Message)
        .where(Message.id == message_id, Message.state.in_(before))
        .values(state=after, pause_reason=pause_reason)
    )
    if getattr(changed, "rowcount", 0):
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
) -> bool:
    """Suppress an address; return False if it was suppressed already.

    :param kind: one of ``SUPPRESSION_KINDS``.
    :param reason: the words of the server, the provider or the user.
    :param message_id: the outbox message that caused it, if one did.
    """
    values = {"kind": str(kind), "reason": reason, "message_id": message_id, "at": utcnow()}
    added: Any = session.execute(
        insert_into(session, Suppression)
        .values(address=address.lower(), **values)
        .on_conflict_do_nothing()
    )
    return bool(added.rowcount)


def is_suppressed(session: Session, address: str) -> bool:
    """Whether an address receives no mail."""
    return session.get(Suppression, address.lower()) is not None


def release(session: Session, address: str) -> bool:
    """End the suppression of an address; return False if it wasn't suppressed."""
    suppression = delete(Suppression).where(Suppression.address == address.lower())
    deleted: Any = session.execute(suppression)
    return bool(deleted.rowcount)
