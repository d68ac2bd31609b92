"""What becomes of messages: counting, pausing, going on, cancelling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.orm import Session

from masthead import NotFound, Page, Refused, Window, utcnow
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
    STATES,
    Delivery,
    Message,
    Suppression,
)


def latest_message(session: Session, kind: str, source_id: int) -> Message | None:
    """The newest message that was made of something; None where nothing was sent."""
    mine = select(Message).where(Message.kind == kind, Message.source_id == source_id)
    return session.scalars(mine.order_by(Message.id.desc()).limit(1)).one_or_none()


def counts(session: Session, message_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """How many deliveries of each message are in each of ``STATES``."""
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
    """A page of a message's deliveries that failed, each with address, last_error and done_at."""
    failed = (Delivery.message_id == message_id, Delivery.state == FAILED)
    total = session.scalar(select(func.count()).select_from(Delivery).where(*failed))
    rows = select(Delivery).where(*failed).order_by(Delivery.done_at.desc(), Delivery.id.desc())
    found = session.scalars(rows.limit(window.limit).offset(window.offset))
    return Page(list(found), total or 0)


def pause(session: Session, message_id: int, pause_reason: str | None = None) -> None:
    """Let nothing more of a message be sent until it is resumed; what is on its way arrives.

    :param pause_reason: what went wrong, where nobody asked for it.
    :raises Refused: where it isn't being sent.
    """
    _change(session, message_id, (ACTIVE,), PAUSED, pause_reason)


def resume(session: Session, message_id: int) -> None:
    """Go on with a message that was paused.

    :raises Refused: where it isn't paused.
    """
    _change(session, message_id, (PAUSED,), ACTIVE, None)


def cancel(session: Session, message_id: int) -> int:
    """Send nothing more of a message, ever; returns for how many that comes in time.

    :raises Refused: where it is neither being sent nor paused.
    """
    _change(session, message_id, (ACTIVE, PAUSED), CANCELLED, None)
    left = session.execute(
        update(Delivery)
        .where(Delivery.message_id == message_id, Delivery.state == QUEUED)
        .values(state=SKIPPED, last_error="Cancelled", done_at=utcnow())
        .execution_options(synchronize_session=False)
    )
    return int(getattr(left, "rowcount", 0))


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
    """Selects what an address got or was to get as a correspondent's, newest first.

    What goes to staff isn't meant, nor are links that let in whoever has them: both are the
    recipient's own, whatever somebody may read who looks after persons.
    """
    return (
        select(Delivery, Message)
        .join(Message, Message.id == Delivery.message_id)
        .where(Delivery.address == address.lower(), Message.kind.not_in((NOTICE, ACCOUNT)))
        .order_by(Delivery.message_id.desc())
    )


def suppress(session: Session, address: str, reason: str) -> bool:
    """Send nothing to an address any more; returns False where nothing was already."""
    if session.get(Suppression, address.lower()) is not None:
        return False
    session.add(Suppression(address=address.lower(), reason=reason))
    session.flush()
    return True


def release(session: Session, address: str) -> bool:
    """Send to an address again; returns False where nothing had kept it from mail."""
    mine = delete(Suppression).where(Suppression.address == address.lower())
    gone: Any = session.execute(mine)
    return bool(gone.rowcount)
