"""The dispatcher: keeps all channels busy, and commits the results of many in one transaction.

While the database commits the results of some channels, the dispatcher reads replies on the others
and builds the next envelopes.
"""

from __future__ import annotations

import logging
import math
import selectors
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from masthead_email.delivery.brake import REFUSALS, Brake
from masthead_email.delivery.commits import Assignment, Commit, Written
from masthead_email.delivery.connection_pool import ConnectionPool, DeliveryChannel
from masthead_email.delivery.domain_limiter import DomainLimiter
from masthead_email.delivery.envelopes import EnvelopeBuilder
from masthead_email.delivery.observed import Observer
from masthead_email.delivery.rate_limiter import RateLimiter
from masthead_email.delivery.store import Claimed, DeliveryStore
from masthead_email.results import PAUSED, REQUEUED, SENT, UNSENDABLE, Envelope, Result
from masthead_email.smtp.channel import Channel
from masthead_email.smtp.handshake import (
    RelayDownError,
    RelayRefusesError,
    RelayRejectedError,
    accepts_nothing,
)

logger = logging.getLogger(__name__)

_BATCH_SIZE = 500
"""The maximum number of deliveries claimed at a time."""
_POLL_INTERVAL = 0.01
"""Seconds between checks while connections are being opened or the rate limiter is not ready."""
_MAX_FAILED_IN_A_ROW = 5
"""After this many consecutive connections without an accepted message, the relay counts as down."""
_MAX_REFUSED_IN_A_ROW = 2
"""The same, if the relay has given a reason and no other connection is open."""
_MAX_LIMITED_DOMAINS = 5
"""After so many consecutive domains that get too much mail, the relay itself is the reason."""


class StalledError(Exception):
    """This process was suspended for so long that others may have claimed its deliveries."""


@dataclass(frozen=True)
class DeliveryContext:
    """The collaborators and limits of a dispatcher."""

    store: DeliveryStore
    envelopes: EnvelopeBuilder
    pool: ConnectionPool
    rate_limiter: RateLimiter
    domains: DomainLimiter
    brake: Brake
    observer: Observer
    pause: Callable[[int, str], None]
    """Called with the id of a message that the relay rejects for all recipients, and the reason."""
    max_turn_seconds: float
    """Seconds that one turn may take before the leases of its deliveries are considered expired."""
    left_today: int | None
    """The number of newsletters and composed e-mails that may be sent today; None for no limit."""


class Dispatcher:
    """Delivers for a limited time; create a new one for each run."""

    def __init__(self, context: DeliveryContext) -> None:
        self._context = context
        self._store = context.store
        self._backlog: deque[Claimed] = deque()
        self._channels: list[DeliveryChannel] = []
        self._selector = selectors.DefaultSelector()
        self._uncommitted: list[Result] = []
        self._postponed: list[tuple[Claimed, float]] = []
        self._left_today = context.left_today
        self._exhausted = False
        self.sent = 0
        """The number of accepted messages that can be paused."""
        self.accepted = 0
        self._until = 0.0
        self._failed_in_a_row = 0
        self._words = ""
        """The last words of the relay on a connection that it ended."""
        self._limited_domains: set[str] = set()
        """The domains that got too much mail since the last accepted message."""
        self._error: Exception | None = None
        self._commit: Commit | None = None
        # While a commit is in progress, only this thread uses the store.
        self._db_executor = ThreadPoolExecutor(1, thread_name_prefix="delivery-store")

    def run(self, seconds: float, may_go_on: Callable[[], bool]) -> bool:
        """Send deliveries that are due; return whether there are more.

        :param seconds: after this time no further delivery starts.
        :raises RelayDownError: if the relay is unavailable.
        :raises RelayRejectedError: if the relay permanently rejects us.
        :raises StalledError: if this process was suspended for too long.
        """
        self._until = time.monotonic() + seconds
        try:
            while self._turn(going=may_go_on() and time.monotonic() < self._until):
                pass
        finally:
            self._close()
        if self._error is not None:
            raise self._error
        # Some that were claimed may not have started, and postponed ones may be due soon.
        next_claim = self._context.domains.next_claim
        return bool(self._backlog) or not self._exhausted or next_claim < self._until + seconds

    @property
    def backlog(self) -> list[Claimed]:
        """The deliveries that were claimed and not started."""
        return list(self._backlog)

    def release(self) -> None:
        """Release the deliveries that were claimed and not started."""
        self._store.release(self._backlog)

    def _turn(self, *, going: bool) -> bool:
        started_at = time.monotonic()
        self._remove_closed()
        if going and self._error is None and self._context.pool.can_open:
            self._context.pool.open(self._wanted_channels())
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

    def _wanted_channels(self) -> int:
        """The number of channels that the backlog needs."""
        free = sum(channel.can_accept for channel in self._channels)
        lacking = max(0, len(self._backlog) - free)
        wanted = len(self._channels) + math.ceil(lacking / self._context.pool.messages_per_channel)
        # At a low rate, one connection sends everything.
        return int(min(wanted, 1 + self._context.rate_limiter.capacity(0.2)))

    def _claim_size(self) -> int:
        """The number of deliveries to claim next."""
        domains = self._context.domains
        if self._exhausted and domains.next_claim <= time.monotonic():
            domains.next_claim, self._exhausted = float("inf"), False
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
        more = not self._exhausted or self._context.domains.next_claim < self._until
        return busy or self._commit is not None or (going and (bool(self._backlog) or more))

    def _wait(self, *, going: bool) -> list[DeliveryChannel]:
        """Wait for input, and return the channels that may have results."""
        pending = [each for each in self._channels if each.has_results]
        at_once = pending or self._uncommitted or self._commit is not None
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
        return ready + pending

    def _poll_timeout(self, *, going: bool) -> float:
        """The number of seconds to wait for input before anything else can happen."""
        rate_limiter = self._context.rate_limiter
        if going and not self._backlog and not self._exhausted:
            return 0.0
        if going and self._backlog and any(channel.can_accept for channel in self._channels):
            return 0.0 if rate_limiter.is_ready() else _POLL_INTERVAL
        if self._context.pool.opening:
            return _POLL_INTERVAL
        # Reply deadlines and the request to stop need regular checks.
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
        """Remove closed channels after taking their last results."""
        for channel in [each for each in self._channels if each.closed]:
            self._uncommitted += channel.receive()
            self._channels.remove(channel)
            self._context.pool.discard(channel)
            if isinstance(channel, Channel):
                self._selector.unregister(channel)
                self._failed_in_a_row = 0 if channel.accepted else self._failed_in_a_row + 1
                self._words = channel.refusal or self._words
        # A relay that says why it accepts nothing isn't asked by as many connections.
        most = _MAX_REFUSED_IN_A_ROW if self._words and not self._channels else _MAX_FAILED_IN_A_ROW
        if self._failed_in_a_row >= most:
            words = self._words or "it closes connections before it accepts a message"
            self._stop(accepts_nothing(words))

    def _stop(self, error: Exception) -> None:
        """Start no further delivery, and raise an error once those in transit have ended."""
        if self._error is None:
            self._error = error

    def _assign(self) -> list[Assignment]:
        """Assign deliveries to free channels; skip those that wait for the commit in progress."""
        waiting = self._commit.waiting_ids if self._commit is not None else set[int]()
        assigned: list[Assignment] = []
        for channel in self._channels:
            if not (self._backlog and self._context.rate_limiter.is_ready()):
                break
            if channel.can_accept and id(channel) not in waiting:
                self._context.rate_limiter.record()
                claimed = self._backlog.popleft()
                assigned.append(Assignment(channel, claimed, self._build_envelope(claimed)))
        return assigned

    def _build_envelope(self, claimed: Claimed) -> Envelope | str:
        try:
            return self._context.envelopes.build(claimed)
        except ValueError as error:
            return str(error)

    def _start_commit(
        self,
        ready: list[DeliveryChannel],
        assignments: list[Assignment],
        started_at: float,
        claim_size: int,
    ) -> None:
        """Start committing results and claiming deliveries; without either, resume the channels."""
        done, self._uncommitted = self._uncommitted, []
        if not (done or assignments or claim_size):
            self._resume(ready)
            return
        claims = [each.claimed for each in assignments]
        postponed, self._postponed = self._postponed, []
        written = self._db_executor.submit(self._write, done, claims, claim_size, postponed)
        self._commit = Commit(ready, done, assignments, started_at, written)

    def _write(
        self,
        done: Sequence[Result],
        assignments: Sequence[Claimed],
        claim_size: int,
        postponed: Sequence[tuple[Claimed, float]],
    ) -> Written:
        self._store.postpone(postponed)
        refused = [result for result in done if result.outcome in REFUSALS]
        others = [result for result in done if result.outcome not in REFUSALS]
        allowed = set[int]()
        if others or assignments:
            allowed = self._store.commit_results(others, assignments)
        accepted = {result.group for result in others if result.outcome == SENT}
        trips = self._context.brake.record(refused, accepted)
        claimed = self._claim(claim_size) if claim_size else None
        return Written(allowed, claimed, trips)

    def _claim(self, size: int) -> list[Claimed]:
        left = self._left_today
        if left is None:
            return self._store.claim(size)
        claimed = self._store.claim(min(size, left) or size, only_urgent=not left)
        self._left_today = left - sum(each.pausable for each in claimed)
        return claimed

    def _finish_commit(self, ready: list[DeliveryChannel]) -> None:
        """Wait for the commit in progress, and resume its channels.

        :param ready: channels with newer results, which must be committed before they resume.
        """
        commit, self._commit = self._commit, None
        if commit is None:
            return
        written = self._apply_commit(commit)
        if time.monotonic() - commit.started_at > self._context.max_turn_seconds:
            self._write(self._uncommitted, [], 0, self._postponed)
            raise StalledError(
                "the process was suspended for so long that others may have claimed its deliveries"
            )
        for assignment in commit.assignments:
            if assignment.claimed.id in written.allowed:
                self._offer(assignment)
        waiting = {id(channel) for channel in ready}
        committed = [*commit.ready, *(each.channel for each in commit.assignments)]
        self._resume([channel for channel in committed if id(channel) not in waiting])

    def _apply_commit(self, commit: Commit) -> Written:
        written = commit.written.result()
        if written.claimed is not None:
            self._exhausted = not written.claimed
            allowed, postponed = self._context.domains.split(written.claimed)
            self._backlog.extend(allowed)
            self._postponed += postponed
        for result in commit.done:
            self._note(result)
        for trip in written.trips:
            if trip.message_id is not None:
                self._drop(trip.message_id)
            else:
                error = RelayRefusesError if trip.permanent else RelayDownError
                self._stop(error(trip.reason))
        return written

    def _note(self, result: Result) -> None:
        """Draw the conclusions from a committed result."""
        self._context.observer.end(result)
        if result.outcome == SENT:
            self._limited_domains.clear()
            self._context.rate_limiter.record_accepted()
            self.accepted += 1
            self.sent += result.pausable
        elif result.outcome == REQUEUED:
            self._exhausted = False
        elif result.outcome == PAUSED:
            self._context.pause(result.message_id, result.error)
            self._drop(result.message_id)
        if result.limited_domain:
            self._pause_domain(result.limited_domain, result.error)

    def _pause_domain(self, domain: str, reason: str) -> None:
        self._limited_domains.add(domain)
        if len(self._limited_domains) >= _MAX_LIMITED_DOMAINS:
            self._stop(accepts_nothing(reason))
        self._context.domains.pause(domain, reason)
        kept, postponed = self._context.domains.without_paused(self._backlog)
        self._backlog = deque(kept)
        self._postponed += postponed

    def _offer(self, assignment: Assignment) -> None:
        if isinstance(assignment.envelope, str):
            outcome, error = UNSENDABLE, assignment.envelope
        elif assignment.channel.closed:
            outcome, error = REQUEUED, "The connection was closed"
        else:
            self._context.observer.begin(assignment.envelope)
            assignment.channel.offer(assignment.envelope)
            return
        claimed = assignment.claimed
        self._uncommitted.append(Result(claimed.id, claimed.message_id, outcome, error))

    def _drop(self, message_id: int) -> None:
        """Release the claimed deliveries of a message that is paused."""
        released = [each for each in self._backlog if each.message_id == message_id]
        self._backlog = deque(each for each in self._backlog if each.message_id != message_id)
        self._store.release(released)

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
        self._store.postpone(self._postponed)
        for channel in self._channels:
            if isinstance(channel, Channel) and channel.idle and not channel.closed:
                self._context.pool.keep(channel)
            else:
                channel.close()
                self._context.pool.discard(channel)
        self._selector.close()
