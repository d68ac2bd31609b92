"""The state of the relay and of the outbox, as the workers have recorded it."""

from __future__ import annotations

from sqlalchemy import select

from masthead import Instance, Timestamp
from masthead_email.delivery.runner import relay_name
from masthead_email.outbox.models import PAUSED, Message, Outbox, RelayState
from masthead_email.outbox.restore_guard import pause_reason

_ALL_PAUSED = "all sending is paused"
_MOST = 5
"""The maximum number of paused messages to list."""


def relay_trouble(instance: Instance) -> str | None:
    """Return the words of the relay, and the time of the next try, while it is in trouble."""
    with instance.database.session(read_only=True) as session:
        state = session.get(RelayState, relay_name(instance))
    if state is None or state.trouble is None:
        return None
    since, next_try = state.trouble_since, state.retry_at
    return (
        f"{state.trouble} (since {Timestamp().dump(since) if since else 'now'}, next try"
        f" {f'at {Timestamp().dump(next_try)}' if next_try else 'now'})"
    )


def outbox_trouble(instance: Instance) -> str | None:
    """Return whether sending is paused, and the messages that the relay has paused.

    Sending from a copy of a database is paused also before a worker has noticed that.
    """
    reason = pause_reason(instance)
    troubles = [f"{_ALL_PAUSED}: {reason}"] if reason else []
    paused = select(Message).where(Message.state == PAUSED, Message.pause_reason.is_not(None))
    with instance.database.session(read_only=True) as session:
        outbox = session.get(Outbox, 1)
        if outbox is not None and outbox.paused:
            troubles.append(": ".join(filter(None, (_ALL_PAUSED, outbox.reason))))
        messages = session.scalars(paused.order_by(Message.id.desc()).limit(_MOST)).all()
        troubles += [f"paused: {each.subject}: {each.pause_reason}" for each in messages]
    return "; ".join(troubles) or None
