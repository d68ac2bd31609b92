"""SQL statements of the delivery store, built once because they run for each message."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    Table,
    Text,
    and_,
    bindparam,
    case,
    cast,
    exists,
    func,
    literal,
    not_,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql

from masthead import ID, UTCDateTime
from masthead_email import results
from masthead_email.outbox.models import (
    ACTIVE,
    CANCELLED,
    DONE,
    FAILED,
    OPEN,
    PAUSABLE,
    QUEUED,
    SENDING,
    SENT,
    SKIPPED,
    SKIPPED_CANCELLED,
    SKIPPED_PAUSED,
    SKIPPED_SUPPRESSED,
    SKIPPED_UNSUBSCRIBED,
    Delivery,
    Handover,
    Message,
    Suppression,
)
from masthead_email.subscribers.models import SUBSCRIBED, Subscriber, is_paused

_CANDIDATES = 20
"""The maximum number of messages per claim; there may be many with one recipient each."""

_DEFERRAL = timedelta(minutes=1)
"""The pause of a delivery that the state of the relay, or of a domain, has prevented."""

_NOW: ColumnElement[Any] = bindparam("now", type_=UTCDateTime())
_LEASE: ColumnElement[Any] = bindparam("lease", type_=UTCDateTime())
_UNTIL: ColumnElement[Any] = bindparam("until", type_=UTCDateTime())
_ERROR: ColumnElement[Any] = bindparam("error")
_FAILURE: ColumnElement[Any] = bindparam("failure")


def _table(model: Any) -> Table:
    table = model.__table__
    assert isinstance(table, Table)
    return table


_delivery, _message = _table(Delivery), _table(Message)
_subscriber, _suppression = _table(Subscriber), _table(Suppression)
_handover = _table(Handover)
_d, _m = _delivery.c, _message.c


class Statements:
    """The statements for one database dialect.

    :param retry_delays: from each failed attempt to the next one.
    :param longest_wait: the age of a message from which waiting for the relay counts as attempts.
    """

    def __init__(
        self, dialect: str, retry_delays: Sequence[timedelta], longest_wait: timedelta
    ) -> None:
        self._postgresql = dialect == "postgresql"
        self._retry_delays = retry_delays
        self._longest_wait = longest_wait
        self.candidates = _candidates()
        self.urgent_candidates = _candidates(_m.kind.not_in(PAUSABLE))
        self.claim = self._claim()
        self.requeue_expired = _requeue_expired()
        self.finish = _finish()
        owned = and_(
            self._among(_d.id),
            _d.next_try_at.is_not_distinct_from(_LEASE),
            or_(*(_is(state) for state in OPEN)),
        )
        self.mark = self._mark(owned)
        self.skip = _skip(owned)
        self.release = update(_delivery).where(owned).values(next_try_at=_NOW, state=QUEUED)
        self.sent = (
            update(_delivery)
            .where(self._among(_d.id, "sent_ids"), _is(SENDING))
            .values(state=SENT, done_at=_NOW, last_error=None, failure=None)
        )
        self.has_combined = self._postgresql
        """Whether ``sent_and_mark`` does the work of ``sent`` and ``mark`` in one statement."""
        self.sent_and_mark = self.mark.add_cte(self.sent.cte("sent"))
        one = _d.id == bindparam("delivery", type_=ID)
        self.by_outcome = self._by_outcome(one)
        mine = and_(one, _d.next_try_at.is_not_distinct_from(_LEASE), _is(QUEUED))
        self.postpone = update(_delivery).where(mine).values(next_try_at=_UNTIL)

    def _by_outcome(self, one: ColumnElement[bool]) -> Mapping[str, Executable]:
        """The statements that store the results of one delivery in transit, but not its success."""
        in_transit = update(_delivery).where(one, _d.state == SENDING)
        failed = in_transit.values(state=FAILED, done_at=_NOW, last_error=_ERROR, failure=_FAILURE)
        untried = in_transit.values(**_untried())
        return {
            results.RETRIED: in_transit.values(**self._tried(_d.attempts)),
            results.FAILED: failed,
            results.UNSENDABLE: failed,
            results.REQUEUED: untried,
            results.PAUSED: untried,
            results.DEFERRED: in_transit.values(**self._deferred()),
        }

    def times(self, outcome: str, now: datetime) -> dict[str, datetime]:
        """The times that the statement of an outcome needs beyond the current one."""
        times: dict[str, datetime] = {}
        if outcome in (results.RETRIED, results.DEFERRED):
            delays = enumerate(self._retry_delays, 1)
            times = {f"retry_at_{number}": now + delay for number, delay in delays}
        if outcome == results.DEFERRED:
            times |= {"until": now + _DEFERRAL, "oldest": now - self._longest_wait}
        return times

    def ids(self, numbers: Sequence[int]) -> Any:
        """Ids as one bind value, so that the statement is the same for any number of ids."""
        # Expanding a list would compile the statement again.
        listed = json.dumps(numbers)
        return f"{{{listed[1:-1]}}}" if self._postgresql else listed

    def _among(self, column: ColumnElement[Any], name: str = "ids") -> ColumnElement[bool]:
        if self._postgresql:
            given: Any = cast(bindparam(name, type_=Text()), postgresql.ARRAY(ID))
            return column == func.any(given)
        values = func.json_each(bindparam(name)).table_valued("value")
        return column.in_(select(values.c.value))

    def _claim(self) -> Executable:
        due: Any = (
            select(_d.id)
            .where(_d.message_id == bindparam("message", type_=ID), *_due())
            .order_by(_d.next_try_at)
            .limit(bindparam("limit"))
        )
        if self._postgresql:
            due = due.with_for_update(skip_locked=True)
        columns = (_d.id, _d.message_id, _d.address, _d.name, _d.subscriber_id, _d["values"])
        claim = update(_delivery).where(_d.id.in_(due.scalar_subquery()))
        return claim.values(next_try_at=_LEASE).returning(*columns)

    def _mark(self, owned: ColumnElement[bool]) -> Any:
        subscribed = select(_subscriber.c.id).where(_is_subscribed(), not_(_is_on_pause()))
        if self._postgresql:
            # A concurrent unsubscription and this statement wait for each other.
            subscribed = subscribed.with_for_update(read=True)
        # The planner could join other forms in a costly order; a scalar subquery is evaluated by
        # index for each row.
        message_state = select(_m.state).where(_m.id == _d.message_id).scalar_subquery()
        return (
            update(_delivery)
            .where(
                owned,
                message_state == ACTIVE,
                or_(_d.subscriber_id.is_(None), subscribed.exists()),
                not_(_is_suppressed()),
            )
            .values(state=SENDING, attempts=_d.attempts + 1, next_try_at=_UNTIL)
            .returning(_d.id, _counted() if self._postgresql else null().label("counted"))
        )

    def _tried(self, attempts: ColumnElement[Any]) -> dict[str, Any]:
        """The new values of a delivery whose attempt number ``attempts`` has failed."""
        final = attempts > len(self._retry_delays)
        retry_times = [
            (attempts == number, bindparam(f"retry_at_{number}", type_=UTCDateTime()))
            for number, _ in enumerate(self._retry_delays, 1)
        ]
        return {
            "state": case((final, FAILED), (_is_cancelled(), SKIPPED), else_=QUEUED),
            "done_at": case((or_(final, _is_cancelled()), _NOW), else_=None),
            "next_try_at": case(*retry_times, else_=_NOW),
            "last_error": case((final, _ERROR), else_=_error_unless_cancelled()),
            "failure": _FAILURE,
        }

    def _deferred(self) -> dict[str, Any]:
        """The new values of a delivery that waits for the relay.

        It counts as an attempt once the message is old, so that none waits forever.
        """
        created_at = select(_m.created_at).where(_m.id == _d.message_id).scalar_subquery()
        is_young = created_at > bindparam("oldest", type_=UTCDateTime())
        untried = {**_untried(), "failure": _FAILURE, "next_try_at": _UNTIL}
        tried = {"attempts": _d.attempts, **self._tried(_d.attempts)}
        return {name: case((is_young, value), else_=tried[name]) for name, value in untried.items()}


def _counted() -> ColumnElement[Any]:
    """Count a hand-over from the folder, in the same statement; null without a folder."""
    counted = (
        update(_handover)
        .where(_handover.c.folder == bindparam("data_folder"))
        .values(count=_handover.c.count + 1)
        .returning(_handover.c.count)
        .cte("counted")
    )
    return select(counted.c.count).scalar_subquery().label("counted")


def _is(state: str) -> ColumnElement[bool]:
    # IS NOT DISTINCT FROM uses no index: PostgreSQL would otherwise scan dead index entries of the
    # state, whose number grows with each message, instead of the ids.
    return _d.state.is_not_distinct_from(state)


def _due() -> tuple[ColumnElement[bool], ...]:
    return _d.state == QUEUED, _d.next_try_at <= _NOW


def _candidates(*conditions: ColumnElement[bool]) -> Executable:
    # A scalar subquery uses the index for each message, even with outdated planner statistics
    # after a million rows were inserted.
    first = select(_d.id).where(_d.message_id == _m.id, *_due()).order_by(_d.next_try_at).limit(1)
    return (
        select(_m.id, _m.priority, _m.kind)
        .where(_m.state == ACTIVE, first.scalar_subquery().is_not(None), *conditions)
        .order_by(_m.priority, _m.id)
        .limit(_CANDIDATES)
    )


def _requeue_expired() -> Executable:
    active = select(_m.id).where(_m.state == ACTIVE)
    return (
        update(_delivery)
        .where(_d.message_id.in_(active), _d.state == SENDING, _d.next_try_at <= _NOW)
        .values(state=QUEUED)
    )


def _finish() -> Executable:
    # PostgreSQL checks the row of a message again after it has waited for a transaction that queues
    # failed deliveries, but not the deliveries: it would close a message with queued ones.
    settled = or_(
        _m.retried_at.is_(None), _m.retried_at < bindparam("settled", type_=UTCDateTime())
    )
    open_delivery = select(_d.id).where(_d.message_id == _m.id, _d.state.in_(OPEN)).limit(1)
    all_decided = open_delivery.scalar_subquery().is_(None)
    return update(_message).where(_m.state == ACTIVE, settled, all_decided).values(state=DONE)


def _is_subscribed() -> ColumnElement[bool]:
    return and_(
        _subscriber.c.id == _d.subscriber_id,
        _subscriber.c.status == SUBSCRIBED,
    )


def _is_on_pause() -> ColumnElement[bool]:
    """The condition that the subscriber's pause concerns the delivery's message."""
    kind = select(_m.kind).where(_m.id == _d.message_id).correlate(_delivery).scalar_subquery()
    return and_(is_paused(_subscriber.c, _NOW), kind.in_(PAUSABLE))


def _is_suppressed() -> ColumnElement[bool]:
    found = select(_suppression.c.address).where(_suppression.c.address == _d.address)
    reached = select(_m.to_suppressed).where(_m.id == _d.message_id).scalar_subquery()
    return and_(found.scalar_subquery().is_not(None), not_(reached))


def _skip(owned: ColumnElement[bool]) -> Executable:
    gone = and_(_d.subscriber_id.is_not(None), not_(exists().where(_is_subscribed())))
    paused = exists().where(_subscriber.c.id == _d.subscriber_id, _is_on_pause())
    reason = case(
        (gone, literal(SKIPPED_UNSUBSCRIBED)),
        (_is_suppressed(), literal(SKIPPED_SUPPRESSED)),
        else_=literal(SKIPPED_PAUSED),
    )
    return (
        update(_delivery)
        .where(owned, or_(gone, paused, _is_suppressed()))
        .values(state=SKIPPED, last_error=reason, done_at=_NOW)
    )


def _is_cancelled() -> ColumnElement[bool]:
    # Cancelling skips queued deliveries, but not those in transit.
    return select(_m.state).where(_m.id == _d.message_id).scalar_subquery() == CANCELLED


def _error_unless_cancelled() -> ColumnElement[Any]:
    return case((_is_cancelled(), literal(SKIPPED_CANCELLED)), else_=_ERROR)


def _untried() -> dict[str, Any]:
    return {
        "state": case((_is_cancelled(), SKIPPED), else_=QUEUED),
        "done_at": case((_is_cancelled(), _NOW), else_=None),
        "attempts": _d.attempts - 1,
        "next_try_at": _NOW,
        "last_error": _error_unless_cancelled(),
    }
