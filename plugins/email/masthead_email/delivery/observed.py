"""The metrics and spans of deliveries."""

from __future__ import annotations

import time
from collections.abc import Iterable

from sqlalchemy import Connection, func, select

from masthead import Counter, Histogram, Instance, Reading, add_past_span, utcnow
from masthead_email.outbox.models import ACTIVE, OPEN, PAUSED, Delivery, Message, Outbox, RelayState
from masthead_email.outbox.restore_guard import pause_reason
from masthead_email.results import Envelope, Result

_RESULTS = Counter(
    "masthead_email_deliveries",
    "Attempts of deliveries by relay and outcome: sent, failed, retried and so on.",
    ("relay", "outcome"),
)
_SECONDS = Histogram(
    "masthead_email_delivery_duration_seconds",
    "Time from the hand-over of a message to its result.",
    ("relay",),
)
_COUNTED = (ACTIVE, PAUSED)

Values = Iterable[tuple[tuple[str, ...], float]]


class Observer:
    """Observes the deliveries of a run.

    :param relay: the name of the relay.
    """

    def __init__(self, relay: str) -> None:
        self._relay = relay
        self._began: dict[int, int] = {}

    def begin(self, envelope: Envelope) -> None:
        """Note the time at which a connection gets a message."""
        self._began[envelope.delivery_id] = time.time_ns()

    def end(self, result: Result) -> None:
        """Record a result that is committed."""
        _RESULTS.add(self._relay, result.outcome)
        began, now = self._began.pop(result.delivery_id, None), time.time_ns()
        if began is not None:
            _SECONDS.observe(max(0, now - began) / 1e9, self._relay)
            outcome, relay = result.outcome, self._relay
            add_past_span(
                "mail", "client", began, now, masthead__outcome=outcome, masthead__relay=relay
            )


def readings() -> list[Reading]:
    """Return the gauges of the outbox and of relays."""
    return [
        Reading(
            "masthead_email_outbox_deliveries",
            "Deliveries that wait or are being sent, by the state of the message and their own.",
            ("message", "state"),
            _waiting,
        ),
        Reading(
            "masthead_email_outbox_oldest_seconds",
            "Age of the oldest message with a delivery that waits; 0 for none.",
            (),
            _oldest,
        ),
        Reading(
            "masthead_email_outbox_paused",
            "Whether all sending is paused, for example after a restore: 1 or 0.",
            (),
            _paused,
        ),
        Reading(
            "masthead_email_relay_trouble",
            "Whether the relay is in trouble, so that mail waits: 1 or 0.",
            ("relay",),
            _troubles,
        ),
    ]


def _waiting(_instance: Instance, connection: Connection) -> Values:
    counted = (
        select(Message.state, Delivery.state, func.count())
        .join(Delivery, Delivery.message_id == Message.id)
        .where(Message.state.in_(_COUNTED), Delivery.state.in_(OPEN))
        .group_by(Message.state, Delivery.state)
    )
    found = {(message, state): n for message, state, n in connection.execute(counted)}
    known = [(message, state) for message in _COUNTED for state in OPEN]
    return [(labels, found.get(labels, 0)) for labels in known]


def _oldest(_instance: Instance, connection: Connection) -> Values:
    # A message whose deliveries are all closed is no longer active.
    first = select(func.min(Message.created_at)).where(Message.state == ACTIVE)
    at = connection.execute(first).scalar()
    return [((), max(0.0, (utcnow() - at).total_seconds()) if at is not None else 0.0)]


def _paused(instance: Instance, connection: Connection) -> Values:
    paused = connection.execute(select(Outbox.paused).where(Outbox.id == 1)).scalar()
    return [((), float(bool(paused or pause_reason(instance))))]


def _troubles(_instance: Instance, connection: Connection) -> Values:
    rows = connection.execute(select(RelayState.name, RelayState.trouble)).all()
    return [((name,), float(trouble is not None)) for name, trouble in rows]
