"""The brake: equal refusals in a row are the relay's state, and condemn no recipient.

A refused delivery gets its new state at once, and a row in ``email_refusal``. An address is
suppressed only when a later message was accepted, or all recipients of the message are decided.
After too many equal refusals the message is paused instead, and its refused deliveries are queued.
Mail that can't be paused forms one group, for which the relay is left alone for some time.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, case, delete, func, insert, literal, select, update
from sqlalchemy.orm import Session

from masthead import Instance, UTCDateTime, insert_into, utcnow
from masthead_email.delivery.pausing import pause_messages
from masthead_email.delivery.store import DeliveryStore
from masthead_email.failures import Failure
from masthead_email.outbox.models import (
    CANCELLED,
    DONE,
    ERASED,
    FAILED,
    PAUSED,
    QUEUED,
    SENT,
    SKIPPED,
    SKIPPED_CANCELLED,
    Delivery,
    Message,
    Refusal,
    Suppression,
)
from masthead_email.results import FAILED as REFUSED
from masthead_email.results import RETRIED, Result
from masthead_email.settings import BRAKE, BRAKE_SHARE

REFUSALS = (REFUSED, RETRIED)
"""The outcomes of attempts that may be the relay's state."""
UNPAUSABLE = 0
"""The group of all mail that can't be paused."""
_GROWTH = 4
"""The factor by which the limit of a message grows each time it is paused."""
_FIRST = 100
"""The number of recipients from which a share is taken."""
_JUDGED_AFTER = timedelta(hours=1)
"""The time after which refusals of mail that can't be paused are taken as verdicts."""
_CODE = re.compile(r"[245]\d\d|[245]\.\d{1,3}\.\d{1,3}")
_VARIABLE = re.compile(r"[@<>\d]|\w\.\w")


@dataclass(frozen=True)
class Trip:
    """The brake has stopped a message, or all mail."""

    reason: str
    message_id: int | None
    """The message that is paused; None if all mail waits."""
    permanent: bool


def kind_of(words: str) -> str:
    """Return the words of a relay without addresses, hosts, ids and numbers, except its codes."""
    kept = [
        word
        for word in words.lower().split()
        if _CODE.fullmatch(word) or not _VARIABLE.search(word)
    ]
    return " ".join(kept)[:200]


class Brake:
    """Records refusals, and judges them."""

    def __init__(self, instance: Instance, store: DeliveryStore) -> None:
        self._database = instance.database
        self._store = store
        self._limit = instance.settings[BRAKE]
        self._share = instance.settings[BRAKE_SHARE]
        self._running: set[int] = set()
        """Groups with refusals since their last accepted message, as far as this process knows."""
        self._tripped: set[tuple[int, str]] = set()
        """Groups and kinds that were stopped; more of them may come from other connections."""

    def settle(self) -> None:
        """Judge the refusals of finished messages, and queue those of messages that are paused."""
        with self._database.session(read_only=True) as session:
            groups = session.scalars(select(Refusal.group_id).distinct()).all()
        self._running = set(groups)
        if not groups:
            return
        with self._database.transaction() as session:
            states = {
                each.id: (each.state, each.pause_reason)
                for each in session.execute(
                    select(Message.id, Message.state, Message.pause_reason)
                    .where(Message.id.in_(groups))
                    .with_for_update()
                )
            }
            for group in groups:
                state, reason = states.get(group, (DONE, None))
                if group == UNPAUSABLE:
                    _judge(session, group, Refusal.at < utcnow() - _JUDGED_AFTER)
                elif state == CANCELLED:
                    # Perhaps because of these refusals.
                    session.execute(
                        delete(Refusal).where(Refusal.group_id == group, Refusal.running)
                    )
                    _judge(session, group)
                elif state == DONE:
                    _judge(session, group)
                elif state == PAUSED and reason is not None:
                    _requeue(session, group)

    def record(self, refused: Sequence[Result], accepted: Collection[int]) -> list[Trip]:
        """Store refusals; return the messages that they stop.

        :param accepted: the groups of messages that the relay has accepted since the last call.
        """
        broken = self._running.intersection(accepted)
        if not broken and not refused:
            return []
        groups = {result.group for result in refused}
        with self._database.transaction() as session:
            for group in broken:
                self._end_run(session, group)
            if refused:
                self._insert(session, refused)
            trips = [trip for group in sorted(groups) for trip in self._check(session, group)]
        self._running = (self._running - broken) | groups
        return trips

    def _insert(self, session: Session, refused: Sequence[Result]) -> None:
        self._store.write_results(session.connection(), refused)
        ids = [result.delivery_id for result in refused]
        session.execute(delete(Refusal).where(Refusal.delivery_id.in_(ids)))
        rows = [
            {
                "delivery_id": result.delivery_id,
                "group_id": result.group,
                "permanent": result.outcome == REFUSED,
                "kind": kind_of(result.error),
            }
            for result in {each.delivery_id: each for each in refused}.values()
        ]
        session.execute(insert(Refusal), rows)

    def _end_run(self, session: Session, group: int) -> None:
        """Record that a message of the group was accepted."""
        if group == UNPAUSABLE or _number_sent(session, group) >= _FIRST:
            _judge(session, group)
        else:
            of_group = update(Refusal).where(Refusal.group_id == group)
            session.execute(of_group.values(running=False))

    def _check(self, session: Session, group: int) -> Iterable[Trip]:
        """Stop the group if there are too many refusals of one kind."""
        message = session.get(Message, group, with_for_update=True, populate_existing=True)
        if message is not None and message.state == PAUSED and message.pause_reason is not None:
            # These were in transit on other connections.
            _requeue(session, group)
            return
        for kind in _kinds(session, group):
            known = (group, kind.kind) in self._tripped
            if not known and not self._is_too_many(session, message, kind):
                continue
            words = _requeue(session, group, kind.kind)
            if known:
                continue
            self._tripped.add((group, kind.kind))
            reason = f"{kind.number} equal refusals: {words}"
            if message is None or not kind.permanent:
                yield Trip(reason, None, kind.permanent)
            else:
                message.brake = (message.brake or self._limit or kind.number) * _GROWTH
                pause_messages(session, [group], reason)
                yield Trip(reason, group, permanent=True)

    def _is_too_many(self, session: Session, message: Message | None, kind: Row[Any]) -> bool:
        limit = self._limit
        if message is not None and message.brake is not None and kind.permanent and limit:
            limit = message.brake
        if limit and kind.running >= limit:
            return True
        if message is None or message.brake or not kind.permanent or not self._share:
            return False
        number: int = kind.number
        return number >= self._share and number + _number_sent(session, message.id) <= _FIRST


def _kinds(session: Session, group: int) -> Sequence[Row[Any]]:
    """Return the kinds of refusals with their number, and the number since the last acceptance."""
    running = func.sum(case((Refusal.running, 1), else_=0)).label("running")
    number = func.count().label("number")
    kinds = select(Refusal.kind, Refusal.permanent, number, running)
    kinds = kinds.where(Refusal.group_id == group).group_by(Refusal.kind, Refusal.permanent)
    return session.execute(kinds).all()


def _number_sent(session: Session, message_id: int) -> int:
    """Return the number of a message's accepted deliveries, up to a hundred."""
    sent = select(Delivery.id).where(Delivery.message_id == message_id, Delivery.state == SENT)
    return session.scalar(select(func.count()).select_from(sent.limit(_FIRST).subquery())) or 0


def _requeue(session: Session, group: int, kind: str | None = None) -> str:
    """Queue refused deliveries again as if they weren't attempted; return the words of the last."""
    chosen = Refusal.group_id == group
    if kind is not None:
        chosen = and_(chosen, Refusal.kind == kind)
    ids = select(Refusal.delivery_id).where(chosen)
    refused = Delivery.id.in_(ids)
    newest = select(Delivery.last_error).where(refused).order_by(Delivery.id.desc()).limit(1)
    words = session.scalar(newest) or ""
    message_state = select(Message.state).where(Message.id == Delivery.message_id).scalar_subquery()
    cancelled = message_state == CANCELLED
    session.execute(
        update(Delivery)
        .where(refused, Delivery.state.in_((FAILED, QUEUED)))
        .values(
            state=case((cancelled, SKIPPED), else_=QUEUED),
            attempts=case((Delivery.attempts > 0, Delivery.attempts - 1), else_=0),
            next_try_at=utcnow(),
            done_at=case((cancelled, utcnow()), else_=None),
            last_error=case((cancelled, SKIPPED_CANCELLED), else_=Delivery.last_error),
            forgiven=False,
        )
        .execution_options(synchronize_session=False)
    )
    session.execute(delete(Refusal).where(chosen))
    return words


def _judge(session: Session, group: int, *conditions: ColumnElement[bool]) -> None:
    """Take refusals as verdicts: suppress the addresses that don't exist."""
    chosen = and_(Refusal.group_id == group, *conditions)
    gone = literal(Failure.RECIPIENT_GONE.value)
    rows = (
        select(
            Delivery.address,
            gone,
            func.coalesce(Delivery.last_error, ""),
            Delivery.message_id,
            literal(utcnow(), UTCDateTime()),
        )
        .join(Refusal, Refusal.delivery_id == Delivery.id)
        .where(
            chosen,
            Refusal.permanent,
            Delivery.state == FAILED,
            Delivery.failure == Failure.RECIPIENT_GONE,
            Delivery.forgiven.is_(False),
            ~ERASED,
        )
    )
    columns = ["address", "kind", "reason", "message_id", "at"]
    suppressing = insert_into(session, Suppression).from_select(columns, rows)
    session.execute(suppressing.on_conflict_do_nothing())
    session.execute(delete(Refusal).where(chosen))
