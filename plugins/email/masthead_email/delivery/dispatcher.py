"""The courier: keeps all channels busy, and one transaction for what happened on many of them.

While the database commits what happened on some channels, replies are read on the others, and the
letters that come next are written.
"""

from __future__ import annotations

import logging
import selectors
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from masthead_email.delivery.connection_pool import ConnectionPool, DeliveryChannel
from masthead_email.delivery.envelopes import Envelopes
from masthead_email.delivery.rate_limiter import RateLimiter
from masthead_email.delivery.store import Claimed, DeliveryStore
from masthead_email.results import FAILED, PAUSED, REQUEUED, Envelope, Result
from masthead_email.smtp.channel import Channel
from masthead_email.smtp.handshake import RelayDownError, RelayRejectedError

logger = logging.getLogger(__name__)

_BATCH_SIZE = 500
"""Deliveries taken at a time."""
_POLL_INTERVAL = 0.01
"""Seconds to wait at most while connections are being opened, or the pace allows nothing."""
_MAX_FAILED_IN_A_ROW = 5
"""So many connections in a row that took no letter mean that the relay takes none."""


class StalledError(Exception):
    """This process stood still for so long that others may have taken over its letters."""


@dataclass(frozen=True)
class DeliveryContext:
    """What a courier works with."""

    store: DeliveryStore
    envelopes: Envelopes
    pool: ConnectionPool
    rate_limiter: RateLimiter
    pause: Callable[[int, str], None]
    """Called with a message that the relay refuses altogether, and why."""
    max_turn_seconds: float
    """Seconds that a turn may take before what is on its way counts as lost."""


@dataclass(frozen=True)
class _Assignment:
    """A delivery that begins, once that is written."""

    channel: DeliveryChannel
    claimed: Claimed
    letter: Envelope | str
    """Or why there can be none."""


@dataclass(frozen=True)
class _Commit:
    """What the database is being told, and the channels that wait for it."""

    ready: list[DeliveryChannel]
    done: list[Result]
    assignments: list[_Assignment]
    started_at: float
    written: Future[tuple[set[int], list[Claimed] | None]]
    """Which deliveries may begin, and what was taken, where that was asked for."""


class Dispatcher:
    """Delivers for a while; make a new one each time."""

    def __init__(self, context: DeliveryContext) -> None:
        self._context = context
        self._store = context.store
        self._backlog: deque[Claimed] = deque()
        self._channels: list[DeliveryChannel] = []
        self._selector = selectors.DefaultSelector()
        self._uncommitted: list[Result] = []
        self._exhausted = False
        self._failed_in_a_row = 0
        self._error: Exception | None = None
        self._commit: _Commit | None = None
        # The only one that uses the ledger while there is a commit.
        self._db_executor = ThreadPoolExecutor(1, thread_name_prefix="delivery-store")

    def run(self, seconds: float, may_go_on: Callable[[], bool]) -> bool:
        """Deliver what is due; returns whether there is more.

        :param seconds: after which nothing new is begun.
        :raises RelayDownError: where nothing could be handed over.
        :raises RelayRejectedError: where nothing ever can be.
        :raises StalledError: where this process stood still.
        """
        until = time.monotonic() + seconds
        try:
            while self._turn(going=may_go_on() and time.monotonic() < until):
                pass
        finally:
            self._close()
        if self._error is not None:
            raise self._error
        return not self._exhausted

    @property
    def backlog(self) -> list[Claimed]:
        """What was taken and not begun."""
        return list(self._backlog)

    def _turn(self, *, going: bool) -> bool:
        started_at = time.monotonic()
        self._remove_closed()
        if going and self._error is None:
            self._context.pool.open(len(self._backlog) + len(self._channels))
        self._accept_opened()
        going = going and self._error is None
        if not self._has_work(going=going):
            return False
        ready = self._wait(going=going)
        self._uncommitted += self._collect(ready)
        assignments = self._assign() if going else []
        self._finish_commit(ready)
        self._start_commit(ready, assignments, started_at, self._claim_size() if going else 0)
        return True

    def _claim_size(self) -> int:
        """How many deliveries to take."""
        if self._exhausted or len(self._backlog) > 2 * len(self._channels):
            return 0
        return int(min(_BATCH_SIZE, 1 + self._context.rate_limiter.capacity(1.0)))

    def _accept_opened(self) -> None:
        try:
            opened = self._context.pool.take_opened()
        except (RelayDownError, RelayRejectedError) as error:
            self._error = error
            return
        for channel in opened:
            self._channels.append(channel)
            if isinstance(channel, Channel):
                self._selector.register(channel, selectors.EVENT_READ)

    def _has_work(self, *, going: bool) -> bool:
        busy = not all(channel.idle for channel in self._channels) or bool(self._uncommitted)
        return (
            busy
            or self._commit is not None
            or (going and (bool(self._backlog) or not self._exhausted))
        )

    def _wait(self, *, going: bool) -> list[DeliveryChannel]:
        """The channels on which something may have happened."""
        known = [each for each in self._channels if each.has_results]
        at_once = known or self._uncommitted or self._commit is not None
        seconds = 0.0 if at_once else self._poll_timeout(going=going)
        events = self._selector.select(seconds) if self._selector.get_map() else []
        if seconds and not self._selector.get_map():
            time.sleep(seconds)
        ready: list[DeliveryChannel] = []
        for key, mask in events:
            channel = key.fileobj
            assert isinstance(channel, Channel)
            if mask & selectors.EVENT_WRITE:
                channel.write()
            ready.append(channel)
        return ready + known

    def _poll_timeout(self, *, going: bool) -> float:
        """Seconds for which nothing but a relay's reply can make a difference."""
        rate_limiter = self._context.rate_limiter
        if going and not self._backlog and not self._exhausted:
            return 0.0
        if going and self._backlog and any(channel.can_accept for channel in self._channels):
            return 0.0 if rate_limiter.is_ready() else _POLL_INTERVAL
        if self._context.pool.opening:
            return _POLL_INTERVAL
        # An answer may be overdue before long, and the worker may be told to stop.
        return 0.2

    def _collect(self, ready: list[DeliveryChannel]) -> list[Result]:
        done: list[Result] = []
        for channel in ready:
            done += channel.receive()
        now = time.monotonic()
        for channel in self._channels:
            if isinstance(channel, Channel) and now > channel.deadline:
                done += channel.expire()
        return done

    def _remove_closed(self) -> None:
        """Forget the channels that have closed, once it is known what they had in hand."""
        for channel in [each for each in self._channels if each.closed]:
            self._uncommitted += channel.receive()
            self._channels.remove(channel)
            self._context.pool.discard(channel)
            if isinstance(channel, Channel):
                self._selector.unregister(channel)
                self._failed_in_a_row = 0 if channel.accepted else self._failed_in_a_row + 1
        if self._failed_in_a_row >= _MAX_FAILED_IN_A_ROW and self._error is None:
            self._error = RelayDownError("the relay ends connections before it takes anything")

    def _assign(self) -> list[_Assignment]:
        """Which channel gets which letter next; none of those that wait for the database."""
        waiting = _ids_of_waiting(self._commit)
        assigned: list[_Assignment] = []
        for channel in self._channels:
            if not (self._backlog and self._context.rate_limiter.is_ready()):
                break
            if channel.can_accept and id(channel) not in waiting:
                self._context.rate_limiter.record()
                claimed = self._backlog.popleft()
                assigned.append(_Assignment(channel, claimed, self._build_envelope(claimed)))
        return assigned

    def _build_envelope(self, claimed: Claimed) -> Envelope | str:
        try:
            return self._context.envelopes.envelope(claimed)
        except ValueError as error:
            return str(error)

    def _start_commit(
        self,
        ready: list[DeliveryChannel],
        assignments: list[_Assignment],
        started_at: float,
        wanted: int,
    ) -> None:
        """Have written what happened, and go on where nothing did."""
        done, self._uncommitted = self._uncommitted, []
        if not (done or assignments or wanted):
            self._resume(ready)
            return
        claims = [each.claimed for each in assignments]
        written = self._db_executor.submit(self._write_results, done, claims, wanted)
        self._commit = _Commit(ready, done, assignments, started_at, written)

    def _write_results(
        self, done: Sequence[Result], assignments: Sequence[Claimed], wanted: int
    ) -> tuple[set[int], list[Claimed] | None]:
        allowed = (
            self._store.commit_results(done, assignments) if done or assignments else set[int]()
        )
        return allowed, self._store.claim(wanted) if wanted else None

    def _finish_commit(self, ready: list[DeliveryChannel]) -> None:
        """Do what follows from what is committed now.

        :param ready: channels on which something has happened since, which has to be committed
            before they go on.
        """
        commit, self._commit = self._commit, None
        if commit is None:
            return
        allowed = self._apply_commit(commit)
        for result in commit.done:
            if result.outcome == PAUSED:
                self._pause(result.message_id, result.error)
        if time.monotonic() - commit.started_at > self._context.max_turn_seconds:
            self._store.commit_results(self._uncommitted, [])
            raise StalledError("standing still for so long, others may have the same letters")
        for assignment in commit.assignments:
            if assignment.claimed.id in allowed:
                self._offer(assignment)
        again = {id(channel) for channel in ready}
        going = [*commit.ready, *(assignment.channel for assignment in commit.assignments)]
        self._resume([channel for channel in going if id(channel) not in again])

    def _apply_commit(self, commit: _Commit) -> set[int]:
        allowed, claimed = commit.written.result()
        if claimed is not None:
            self._exhausted = not claimed
            self._backlog.extend(claimed)
        if any(result.outcome == REQUEUED for result in commit.done):
            self._exhausted = False
        return allowed

    def _offer(self, assignment: _Assignment) -> None:
        if isinstance(assignment.letter, str):
            outcome, why = FAILED, assignment.letter
        elif assignment.channel.closed:
            outcome, why = REQUEUED, "The connection has ended"
        else:
            assignment.channel.offer(assignment.letter)
            return
        claimed = assignment.claimed
        self._uncommitted.append(Result(claimed.id, claimed.message_id, outcome, why))

    def _pause(self, message_id: int, error: str) -> None:
        self._context.pause(message_id, error)
        mine = [each for each in self._backlog if each.message_id == message_id]
        self._backlog = deque(each for each in self._backlog if each.message_id != message_id)
        self._store.release(mine)

    def _resume(self, channels: list[DeliveryChannel]) -> None:
        for channel in {id(each): each for each in channels}.values():
            channel.advance()
            if isinstance(channel, Channel) and not channel.closed:
                writing = selectors.EVENT_WRITE if channel.writing else 0
                key = self._selector.get_key(channel)
                if key.events != selectors.EVENT_READ | writing:
                    self._selector.modify(channel, selectors.EVENT_READ | writing)

    def _close(self) -> None:
        self._db_executor.shutdown()
        if self._commit is not None and self._commit.written.exception() is None:
            self._apply_commit(self._commit)
        for channel in self._channels:
            if isinstance(channel, Channel) and channel.idle:
                channel.quit()
            channel.close()
        self._selector.close()


def _ids_of_waiting(commit: _Commit | None) -> set[int]:
    if commit is None:
        return set()
    return {
        id(each)
        for each in (*commit.ready, *(assignment.channel for assignment in commit.assignments))
    }
