"""The worker's chores that send the outbox: each run takes some seconds."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlsplit

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from masthead import Chore, Instance, StartError, utcnow
from masthead_email.delivery.brake import Brake
from masthead_email.delivery.connection_pool import ConnectionPool, SequentialPool, SMTPPool
from masthead_email.delivery.dispatcher import DeliveryContext, Dispatcher
from masthead_email.delivery.domain_limiter import DomainLimiter
from masthead_email.delivery.envelopes import EnvelopeBuilder
from masthead_email.delivery.observed import Observer
from masthead_email.delivery.pausing import pause_messages
from masthead_email.delivery.rate_limiter import RateLimiter
from masthead_email.delivery.relay_record import RelayRecord
from masthead_email.delivery.store import DeliveryStore, SetBackError
from masthead_email.delivery.transports import simple_transport
from masthead_email.outbox.models import ACTIVE, Message, Sender
from masthead_email.outbox.restore_guard import (
    begin_run,
    check_origin,
    pause_set_back,
    record_run,
)
from masthead_email.rendering.signers import configured_signer
from masthead_email.settings import (
    CONNECTIONS,
    DOMAIN_RATES,
    RATE,
    TIMEOUT,
    TRANSPORT,
    WARM_UP,
    WARM_UP_START,
)
from masthead_email.smtp.handshake import (
    RelayAwayError,
    RelayDownError,
    RelayLimitError,
    RelayRefusesError,
    RelayRejectedError,
)
from masthead_email.smtp.relay import read_relay

SENDER_SLOTS = 4
"""The number of workers that can send at the same time."""
_INTERVALS = [timedelta(seconds=seconds) for seconds in (1, *[4] * (SENDER_SLOTS - 1))]
"""The intervals of the slots. The short one bounds the delay of a mail, and of the next try of the
relay; further ones only add workers."""
_RUN_SECONDS = 5.0
"""The duration of one run; the worker does nothing else meanwhile."""
_SENDER_EXPIRY = timedelta(seconds=60)
"""The time after which a silent sender no longer shares the rate limit."""


def delivery_chores(instance: Instance) -> list[Chore]:
    """Return one chore per sender slot; a worker needs a slot to send.

    :raises StartError: if the transport is unknown, the DKIM key is unusable, or the warm-up is
        incomplete.
    """
    runner = DeliveryRunner(instance)
    return [
        Chore(f"email.delivery-{number}", interval, runner.run, runner.has_work)
        for number, interval in enumerate(_INTERVALS, 1)
    ]


class DeliveryRunner:
    """Sends deliveries; keeps connections and limits from run to run."""

    def __init__(self, instance: Instance) -> None:
        self._id = secrets.token_hex(8)
        self._settings = instance.settings
        self._smtp_pool: SMTPPool | None = None
        self._rate_limiter = RateLimiter()
        self._domains = DomainLimiter(instance.settings[DOMAIN_RATES])
        self._origin_is_checked = False
        self._has_tried = False
        self._waits = False
        """Whether the last run did nothing because of the rate; its connections are kept."""
        # One timeout for the envelope, one for the content, and one for delays in this process.
        self._sending_lease = 3 * instance.settings[TIMEOUT] + 5
        self._signer = configured_signer(instance)
        if bool(self._settings[WARM_UP]) != (self._settings[WARM_UP_START] is not None):
            raise StartError(f"{WARM_UP.name} and {WARM_UP_START.name} need each other")
        # An invalid transport setting must fail at start-up.
        self._pool(instance)

    def has_work(self, instance: Instance) -> bool:
        """Whether messages may be due, or a run has to check this copy of the database first.

        A run without messages closes the connections that the last one kept.
        """
        keeps = self._smtp_pool is not None and self._smtp_pool.keeps_any()
        if keeps or not self._origin_is_checked:
            return True
        return _is_anything_due(instance) and not self._must_wait(self._record(instance))

    def run(self, instance: Instance, may_go_on: Callable[[], bool]) -> bool:
        """Send deliveries that are due for some seconds; return whether there are more."""
        if not self._origin_is_checked:
            # Before the first mail, so that later copies of the database can be recognised.
            with instance.database.transaction() as session:
                allowed = not check_origin(session, instance).paused
            if allowed and instance.database.dialect == "postgresql":
                with instance.database.session(read_only=True) as session:
                    record_run(session, instance)
            self._origin_is_checked = True
        self._waits = False
        more = _is_anything_due(instance) and self._run(instance, may_go_on)
        keeps = (more or self._waits) and may_go_on()
        if self._smtp_pool is not None and not keeps:
            self._smtp_pool.close_kept()
        return more

    def _run(self, instance: Instance, may_go_on: Callable[[], bool]) -> bool:
        record = self._record(instance)
        if self._must_wait(record):
            return False
        self._has_tried = True
        with instance.database.transaction() as session:
            allowed = begin_run(session, instance)
            senders = _register_sender(session, self._id)
        self._rate_limiter.rate = _rate(self._settings[RATE] / 60, record.rate_limit()) / senders
        self._domains.share = senders
        self._domains.adopt(record.share_pauses(self._domains.pauses()))
        self._waits = self._delay() > _RUN_SECONDS
        if not allowed or self._waits:
            return False
        with instance.database.session(read_only=True) as session:
            record_run(session, instance)
        left = record.left_today()
        with DeliveryStore(instance, timedelta(seconds=self._sending_lease)) as store:
            store.requeue_expired()
            brake = Brake(instance, store)
            brake.settle()
            context = DeliveryContext(
                store=store,
                envelopes=EnvelopeBuilder(instance, self._signer),
                pool=self._pool(instance),
                rate_limiter=self._rate_limiter,
                domains=self._domains,
                brake=brake,
                observer=Observer(record.name),
                pause=lambda message_id, reason: _pause(instance, [message_id], reason),
                max_turn_seconds=self._sending_lease / 2,
                left_today=None if left is None else -(-left // senders),
            )
            more = self._deliver(instance, Dispatcher(context), record, may_go_on)
            store.close_finished()
            brake.settle()
        return more

    def _record(self, instance: Instance) -> RelayRecord:
        return RelayRecord(instance, relay_name(instance))

    def _must_wait(self, record: RelayRecord) -> bool:
        # A new process tries at once, because its settings may be others.
        return self._has_tried and record.wait() > 0

    def _delay(self) -> float:
        """The number of seconds before a message may start."""
        if self._smtp_pool is None:
            return self._rate_limiter.delay()
        self._smtp_pool.begin()
        return max(self._rate_limiter.delay(), self._smtp_pool.login_delay())

    def _deliver(
        self,
        instance: Instance,
        dispatcher: Dispatcher,
        record: RelayRecord,
        may_go_on: Callable[[], bool],
    ) -> bool:
        more = False
        trouble: Exception | None = None
        tell = False
        ended_well = False
        try:
            more = dispatcher.run(_RUN_SECONDS, may_go_on)
            ended_well = True
        except RelayRejectedError as error:
            pausable = [each.message_id for each in dispatcher.backlog if each.pausable]
            _pause(instance, pausable, str(error))
            trouble, tell = error, not pausable
        except RelayDownError as error:
            trouble, tell = error, isinstance(error, RelayRefusesError)
        except SetBackError as error:
            with instance.database.transaction() as session:
                pause_set_back(session, instance, str(error))
        finally:
            dispatcher.release()
            if not ended_well and self._smtp_pool is not None:
                self._smtp_pool.reset()
        record.share_pauses(self._domains.pauses())
        if dispatcher.accepted:
            record.record_success(dispatcher.sent)
        if trouble is not None:
            limited = isinstance(trouble, RelayLimitError) and self._learn_rate(record)
            seconds = record.window if limited else None
            away = isinstance(trouble, RelayAwayError)
            record.record_trouble(str(trouble), tell=tell, seconds=seconds, away=away)
        return more

    def _learn_rate(self, record: RelayRecord) -> bool:
        """Learn how many messages the relay accepts in its window; return False if it took none."""
        accepted = self._rate_limiter.accepted_within(record.window)
        if accepted:
            known = self._smtp_pool.known_message_limit if self._smtp_pool else None
            record.learn_rate(accepted * self._domains.share, known)
        return bool(accepted)

    def _pool(self, instance: Instance) -> ConnectionPool:
        address = self._settings[TRANSPORT]
        transport = simple_transport(instance, address)
        if transport is not None:
            return SequentialPool(transport)
        if self._smtp_pool is None:
            timeout = self._settings[TIMEOUT]
            max_connections = self._settings[CONNECTIONS]
            record = self._record(instance)
            self._smtp_pool = SMTPPool(read_relay(address), max_connections, timeout, record)
        return self._smtp_pool


def _rate(wanted: float, limit: float | None) -> float:
    """Return the messages per second to send: those of the setting, or of the relay's limit."""
    return min(wanted or limit, limit) if limit else wanted


def relay_name(instance: Instance) -> str:
    """Return the name of the relay in its record: host and port, or the scheme of a transport."""
    address = instance.settings[TRANSPORT]
    scheme = urlsplit(address).scheme
    return read_relay(address).name if scheme in ("smtp", "smtps") else scheme or "file"


def _pause(instance: Instance, message_ids: list[int], reason: str) -> None:
    with instance.database.transaction() as session:
        pause_messages(session, message_ids, reason)


def _is_anything_due(instance: Instance) -> bool:
    with instance.database.read() as connection:
        return (
            connection.execute(select(Message.id).where(Message.state == ACTIVE)).first()
            is not None
        )


def _register_sender(session: Session, sender_id: str) -> int:
    """Record that this worker sends; return the number of current senders."""
    now = utcnow()
    session.execute(delete(Sender).where(Sender.seen_at < now - _SENDER_EXPIRY))
    session.merge(Sender(id=sender_id, seen_at=now))
    session.flush()
    return session.scalar(select(func.count()).select_from(Sender)) or 1
