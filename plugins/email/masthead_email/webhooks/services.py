"""Recording the events of a webhook."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from masthead_email.bounces.reading import Kind
from masthead_email.bounces.services import Outcome, record_complaint, record_failure
from masthead_email.outbox.models import Delivery, Message
from masthead_email.return_paths import parse_return_path
from masthead_email.subscribers.links import link_key
from masthead_email.webhooks.events import Event

_MESSAGE_ID = re.compile(r"<?([0-9a-f]{24})\.(\d{1,18})@[^@\s>]+>?")
_MAX_NAMES = 2_000


def record_events(session: Session, events: Iterable[Event]) -> list[Outcome]:
    """Record authentic events; those that name no delivery of this instance change nothing."""
    found = list(events)
    known = _known_deliveries(session, [name for each in found for name in each.names])
    outcomes: list[Outcome] = []
    for event in found:
        ids = next(([known[name]] for name in event.names if name in known), [])
        if event.kind is Kind.COMPLAINT:
            outcomes += record_complaint(session, ids, event.text)
        elif event.kind is Kind.FAILURE:
            outcomes += record_failure(session, ids, event.failure, event.text)
    return outcomes


def _known_deliveries(session: Session, names: list[str]) -> dict[str, int]:
    """Return the deliveries that return paths, tags or Message-IDs name."""
    key = link_key(session)
    known: dict[str, int] = {}
    message_ids: dict[tuple[str, int], str] = {}
    for name in names[:_MAX_NAMES]:
        number = parse_return_path(key, name if "@" in name else f"+{name}@")
        match = _MESSAGE_ID.fullmatch(name)
        if number is not None:
            known[name] = number
        elif match:
            message_ids[match[1], int(match[2])] = name
    pair = tuple_(Message.message_id_seed, Delivery.id)
    rows = session.execute(
        select(Message.message_id_seed, Delivery.id)
        .join(Message, Message.id == Delivery.message_id)
        .where(pair.in_(list(message_ids)), Delivery.id.in_([each[1] for each in message_ids]))
    )
    return known | {message_ids[seed, number]: number for seed, number in rows}
