"""The worker's chore: some seconds of delivering, again and again."""

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
from masthead_email.delivery.envelopes import Envelopes
from masthead_email.delivery.rate_limiter import RateLimiter
from masthead_email.delivery.store import DeliveryStore
from masthead_email.delivery.transports import simple_transport
from masthead_email.outbox.models import ACTIVE, PAUSED, Message, Sender
from masthead_email.outbox.restore_guard import begin_run, record_run
from masthead_email.settings import CONNECTIONS, RATE, RETRY_DELAYS, TIMEOUT, TRANSPORT
from masthead_email.smtp.handshake import RelayDownError, RelayRejectedError
from masthead_email.smtp.relay import read_relay

logger = logging.getLogger(__name__)

SENDER_SLOTS = 4
"""So many workers can deliver beside each other."""
_INTERVAL = timedelta(seconds=4)
_RUN_SECONDS = 5.0
"""For so long a worker does nothing else."""
_SENDER_EXPIRY = timedelta(seconds=60)


def delivery_chores(instance: Instance) -> list[Chore]:
    """The chores of delivering, all alike, each of which one worker at a time can have.

    :raises StartError: where the setting names a transport that isn't there.
    """
    runner = DeliveryRunner(instance)
    return [
        Chore(f"email.delivery-{number}", _INTERVAL, runner.run)
        for number in range(1, SENDER_SLOTS + 1)
    ]


class DeliveryRunner:
    """What a worker knows of the relay from one time to the next."""

    def __init__(self, instance: Instance) -> None:
        self._id = secrets.token_hex(8)
        self._settings = instance.settings
        self._smtp_pool: SMTPPool | None = None
        self._rate_limiter = RateLimiter()
        # For the envelope, for the letter, and as much again for what else may hold us up.
        self._sending_lease = 3 * instance.settings[TIMEOUT] + 5
        # An address that nothing takes is told at the start.
        self._pool(instance)

    def run(self, instance: Instance, may_go_on: Callable[[], bool]) -> bool:
        """Deliver what is due for some seconds; returns whether there is more.

        :raises RelayDownError: where nothing could be handed over.
        :raises RelayRejectedError: where nothing ever can be.
        """
        if not _is_anything_due(instance):
            return False
        with instance.database.transaction() as session:
            may = begin_run(session, instance)
            senders = _register_sender(session, self._id)
        self._rate_limiter.rate = self._settings[RATE] / 60 / senders
        if not may or self._rate_limiter.delay() > _RUN_SECONDS:
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
            envelopes=Envelopes(instance),
            pool=self._pool(instance),
            rate_limiter=self._rate_limiter,
            pause=lambda message_id, why: pause_rejected(instance, [message_id], why),
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


def pause_rejected(instance: Instance, message_ids: list[int], why: str) -> None:
    """Pause messages that the relay refuses, and tell staff.

    :param why: what the relay said.
    """
    with instance.database.transaction() as session:
        wanted = select(Message).where(Message.id.in_(set(message_ids)), Message.state == ACTIVE)
        for message in session.scalars(wanted.with_for_update()):
            message.state, message.pause_reason = PAUSED, why
            told = Notice(
                title=f"E-mail paused: {message.subject}"[:200],
                message=f"The relay refuses it: {why}. Once that is mended, resume it.",
            )
            notify(session, holders("email.write"), told)


def _is_anything_due(instance: Instance) -> bool:
    with instance.database.read() as connection:
        return (
            connection.execute(select(Message.id).where(Message.state == ACTIVE)).first()
            is not None
        )


def _register_sender(session: Session, sender_id: str) -> int:
    """Note that this worker sends; returns how many do."""
    now = utcnow()
    session.execute(delete(Sender).where(Sender.seen_at < now - _SENDER_EXPIRY))
    session.merge(Sender(id=sender_id, seen_at=now))
    session.flush()
    return session.scalar(select(func.count()).select_from(Sender)) or 1
