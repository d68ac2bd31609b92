"""The worker's chores that send the outbox: each run takes some seconds."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from datetime import timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from masthead import Chore, Instance, Notice, holders, notify, utcnow
from masthead_email.delivery.connection_pool import ConnectionPool, SequentialPool, SMTPPool
from masthead_email.delivery.dispatcher import DeliveryContext, Dispatcher
from masthead_email.delivery.envelopes import EnvelopeBuilder
from masthead_email.delivery.rate_limiter import RateLimiter
from masthead_email.delivery.store import DeliveryStore
from masthead_email.delivery.transports import simple_transport
from masthead_email.outbox.models import ACTIVE, COMPOSED, PAUSED, Message, Sender
from masthead_email.outbox.restore_guard import begin_run, check_origin, record_run
from masthead_email.permissions import ADDRESSES, WRITE
from masthead_email.settings import CONNECTIONS, RATE, RETRY_DELAYS, TIMEOUT, TRANSPORT
from masthead_email.smtp.handshake import RelayDownError, RelayRejectedError
from masthead_email.smtp.relay import read_relay

logger = logging.getLogger(__name__)

SENDER_SLOTS = 4
"""The number of workers that can send at the same time."""
_INTERVAL = timedelta(seconds=4)
_RUN_SECONDS = 5.0
"""The duration of one run; the worker does nothing else meanwhile."""
_SENDER_EXPIRY = timedelta(seconds=60)
"""The time after which a silent sender no longer shares the rate limit."""


def delivery_chores(instance: Instance) -> list[Chore]:
    """Return one chore per sender slot; a worker needs a slot to send.

    :raises StartError: if the setting names an unknown transport.
    """
    runner = DeliveryRunner(instance)
    return [
        Chore(f"email.delivery-{number}", _INTERVAL, runner.run)
        for number in range(1, SENDER_SLOTS + 1)
    ]


class DeliveryRunner:
    """Sends deliveries; keeps the connection limit and the rate limit from run to run."""

    def __init__(self, instance: Instance) -> None:
        self._id = secrets.token_hex(8)
        self._settings = instance.settings
        self._smtp_pool: SMTPPool | None = None
        self._rate_limiter = RateLimiter()
        self._origin_is_checked = False
        # One timeout for the envelope, one for the content, and one for delays in this process.
        self._sending_lease = 3 * instance.settings[TIMEOUT] + 5
        # An invalid transport setting must fail at start-up.
        self._pool(instance)

    def run(self, instance: Instance, may_go_on: Callable[[], bool]) -> bool:
        """Send deliveries that are due for some seconds; return whether there are more.

        :raises RelayDownError: if the relay is unavailable.
        :raises RelayRejectedError: if the relay permanently rejects us.
        """
        if not self._origin_is_checked:
            # Before the first mail, so that later copies of the database can be recognised.
            with instance.database.transaction() as session:
                check_origin(session, instance)
            self._origin_is_checked = True
        if not _is_anything_due(instance):
            return False
        with instance.database.transaction() as session:
            allowed = begin_run(session, instance)
            senders = _register_sender(session, self._id)
        self._rate_limiter.rate = self._settings[RATE] / 60 / senders
        if not allowed or self._rate_limiter.delay() > _RUN_SECONDS:
            return False
        with instance.database.session(read_only=True) as session:
            record_run(session, instance)
        retry_delays = [timedelta(seconds=seconds) for seconds in self._settings[RETRY_DELAYS]]
        with DeliveryStore(instance, retry_delays, timedelta(seconds=self._sending_lease)) as store:
            store.requeue_expired()
            more = self._deliver(instance, store, may_go_on)
            store.close_finished()
        return more

    def _deliver(
        self, instance: Instance, store: DeliveryStore, may_go_on: Callable[[], bool]
    ) -> bool:
        context = DeliveryContext(
            store=store,
            envelopes=EnvelopeBuilder(instance),
            pool=self._pool(instance),
            rate_limiter=self._rate_limiter,
            pause=lambda message_id, reason: pause_rejected(instance, [message_id], reason),
            max_turn_seconds=self._sending_lease / 2,
        )
        dispatcher = Dispatcher(context)
        try:
            return dispatcher.run(_RUN_SECONDS, may_go_on)
        except RelayRejectedError as error:
            pausable = [each.message_id for each in dispatcher.backlog if each.pausable]
            pause_rejected(instance, pausable, str(error))
            store.count_failed_try(
                [each for each in dispatcher.backlog if not each.pausable], str(error)
            )
            raise
        except RelayDownError as error:
            store.count_failed_try(dispatcher.backlog, str(error))
            raise
        finally:
            store.release(dispatcher.backlog)
            if self._smtp_pool is not None:
                self._smtp_pool.reset()

    def _pool(self, instance: Instance) -> ConnectionPool:
        address = self._settings[TRANSPORT]
        transport = simple_transport(instance, address)
        if transport is not None:
            return SequentialPool(transport)
        if self._smtp_pool is None:
            timeout = self._settings[TIMEOUT]
            max_connections = self._settings[CONNECTIONS]
            self._smtp_pool = SMTPPool(read_relay(address), max_connections, timeout)
        return self._smtp_pool


def pause_rejected(instance: Instance, message_ids: list[int], reason: str) -> None:
    """Pause active messages that the relay rejects, and notify staff.

    :param reason: the relay's reply.
    """
    with instance.database.transaction() as session:
        wanted = select(Message).where(Message.id.in_(set(message_ids)), Message.state == ACTIVE)
        for message in session.scalars(wanted.with_for_update()):
            message.state, message.pause_reason = PAUSED, reason
            notice = Notice(
                title=f"E-mail paused: {message.subject}"[:200],
                message=f"The relay rejects it: {reason}. Resume it once the cause is fixed.",
            )
            recipients = (ADDRESSES,) if message.kind == COMPOSED else ()
            notify(session, holders(WRITE, *recipients), notice)


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
