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

from masthead_email.delivering.envelopes import Envelopes
from masthead_email.delivering.ledger import Claimed, Ledger
from masthead_email.delivering.lines import AnyChannel, Lines
from masthead_email.delivering.pace import Pace
from masthead_email.results import FAILED, PAUSED, REQUEUED, Envelope, Result
from masthead_email.smtp.channel import Channel
from masthead_email.smtp.opening import RelayDownError, RelayRefusesError

logger = logging.getLogger(__name__)

_PORTION = 500
"""Deliveries taken at a time."""
_NAP = 0.01
"""Seconds to wait at most while connections are being opened, or the pace allows nothing."""
_FRUITLESS = 5
"""So many connections in a row that took no letter mean that the relay takes none."""


class StalledError(Exception):
    """This process stood still for so long that others may have taken over its letters."""


@dataclass(frozen=True)
class Errand:
    """What a courier works with."""

    ledger: Ledger
    envelopes: Envelopes
    lines: Lines
    pace: Pace
    pause: Callable[[int, str], None]
    """Called with a message that the relay refuses altogether, and why."""
    patience: float
    """Seconds that a turn may take before what is on its way counts as lost."""


@dataclass(frozen=True)
class _Start:
    """A delivery that begins, once that is noted."""

    channel: AnyChannel
    claimed: Claimed
    letter: Envelope | str
    """Or why there can be none."""


@dataclass(frozen=True)
class _Step:
    """What the database is being told, and the channels that wait for it."""

    ready: list[AnyChannel]
    done: list[Result]
    starting: list[_Start]
    began: float
    noted: Future[tuple[set[int], list[Claimed] | None]]
    """Which deliveries may begin, and what was taken, where that was asked for."""


class Courier:
    """Delivers for a while; make a new one each time."""

    def __init__(self, errand: Errand) -> None:
        self._errand = errand
        self._ledger = errand.ledger
        self._backlog: deque[Claimed] = deque()
        self._channels: list[AnyChannel] = []
        self._selector = selectors.DefaultSelector()
        self._unsettled: list[Result] = []
        self._exhausted = False
        self._fruitless = 0
        self._trouble: Exception | None = None
        self._step: _Step | None = None
        # The only one that uses the ledger while there is a step.
        self._clerk = ThreadPoolExecutor(1, thread_name_prefix="ledger")

    def run(self, seconds: float, may_go_on: Callable[[], bool]) -> bool:
        """Deliver what is due; returns whether there is more.

        :param seconds: after which nothing new is begun.
        :raises RelayDownError: where nothing could be handed over.
        :raises RelayRefusesError: where nothing ever can be.
        :raises StalledError: where this process stood still.
        """
        until = time.monotonic() + seconds
        try:
            while self._turn(going=may_go_on() and time.monotonic() < until):
                pass
        finally:
            self._end()
        if self._trouble is not None:
            raise self._trouble
        return not self._exhausted

    @property
    def backlog(self) -> list[Claimed]:
        """What was taken and not begun."""
        return list(self._backlog)

    def _turn(self, *, going: bool) -> bool:
        began = time.monotonic()
        self._bury()
        if going and self._trouble is None:
            self._errand.lines.open(len(self._backlog) + len(self._channels))
        self._welcome()
        going = going and self._trouble is None
        if not self._has_work(going=going):
            return False
        ready = self._wait(going=going)
        self._unsettled += self._collect(ready)
        starting = self._choose() if going else []
        self._conclude(ready)
        self._begin(ready, starting, began, self._wanted() if going else 0)
        return True

    def _wanted(self) -> int:
        """How many deliveries to take."""
        if self._exhausted or len(self._backlog) > 2 * len(self._channels):
            return 0
        return int(min(_PORTION, 1 + self._errand.pace.share(1.0)))

    def _welcome(self) -> None:
        try:
            opened = self._errand.lines.opened()
        except (RelayDownError, RelayRefusesError) as error:
            self._trouble = error
            return
        for channel in opened:
            self._channels.append(channel)
            if isinstance(channel, Channel):
                self._selector.register(channel, selectors.EVENT_READ)

    def _has_work(self, *, going: bool) -> bool:
        busy = not all(channel.idle for channel in self._channels) or bool(self._unsettled)
        return (
            busy
            or self._step is not None
            or (going and (bool(self._backlog) or not self._exhausted))
        )

    def _wait(self, *, going: bool) -> list[AnyChannel]:
        """The channels on which something may have happened."""
        known = [each for each in self._channels if each.tells]
        at_once = known or self._unsettled or self._step is not None
        seconds = 0.0 if at_once else self._rest(going=going)
        events = self._selector.select(seconds) if self._selector.get_map() else []
        if seconds and not self._selector.get_map():
            time.sleep(seconds)
        ready: list[AnyChannel] = []
        for key, mask in events:
            channel = key.fileobj
            assert isinstance(channel, Channel)
            if mask & selectors.EVENT_WRITE:
                channel.write()
            ready.append(channel)
        return ready + known

    def _rest(self, *, going: bool) -> float:
        """Seconds for which nothing but a relay's reply can make a difference."""
        pace = self._errand.pace
        if going and not self._backlog and not self._exhausted:
            return 0.0
        if going and self._backlog and any(channel.hungry for channel in self._channels):
            return 0.0 if pace.allows() else _NAP
        if self._errand.lines.opening:
            return _NAP
        # An answer may be overdue before long, and the worker may be told to stop.
        return 0.2

    def _collect(self, ready: list[AnyChannel]) -> list[Result]:
        done: list[Result] = []
        for channel in ready:
            done += channel.receive()
        now = time.monotonic()
        for channel in self._channels:
            if isinstance(channel, Channel) and now > channel.deadline:
                done += channel.expire()
        return done

    def _bury(self) -> None:
        """Forget the channels that have closed, once it is known what they had in hand."""
        for channel in [each for each in self._channels if each.closed]:
            self._unsettled += channel.receive()
            self._channels.remove(channel)
            self._errand.lines.lost(channel)
            if isinstance(channel, Channel):
                self._selector.unregister(channel)
                self._fruitless = 0 if channel.handed_over else self._fruitless + 1
        if self._fruitless >= _FRUITLESS and self._trouble is None:
            self._trouble = RelayDownError("the relay ends connections before it takes anything")

    def _choose(self) -> list[_Start]:
        """Which channel gets which letter next; none of those that wait for the database."""
        waiting = _channels_of(self._step)
        chosen: list[_Start] = []
        for channel in self._channels:
            if not (self._backlog and self._errand.pace.allows()):
                break
            if channel.hungry and id(channel) not in waiting:
                self._errand.pace.count()
                claimed = self._backlog.popleft()
                chosen.append(_Start(channel, claimed, self._write(claimed)))
        return chosen

    def _write(self, claimed: Claimed) -> Envelope | str:
        try:
            return self._errand.envelopes.envelope(claimed)
        except ValueError as error:
            return str(error)

    def _begin(
        self, ready: list[AnyChannel], starting: list[_Start], began: float, wanted: int
    ) -> None:
        """Have noted what happened, and go on where nothing did."""
        done, self._unsettled = self._unsettled, []
        if not (done or starting or wanted):
            self._go(ready)
            return
        claims = [each.claimed for each in starting]
        noted = self._clerk.submit(self._note, done, claims, wanted)
        self._step = _Step(ready, done, starting, began, noted)

    def _note(
        self, done: Sequence[Result], starting: Sequence[Claimed], wanted: int
    ) -> tuple[set[int], list[Claimed] | None]:
        allowed = self._ledger.settle(done, starting) if done or starting else set[int]()
        return allowed, self._ledger.claim(wanted) if wanted else None

    def _conclude(self, ready: list[AnyChannel]) -> None:
        """Do what follows from what is committed now.

        :param ready: channels on which something has happened since, which has to be committed
            before they go on.
        """
        step, self._step = self._step, None
        if step is None:
            return
        allowed = self._take_stock(step)
        for result in step.done:
            if result.verdict == PAUSED:
                self._pause(result.message_id, result.error)
        if time.monotonic() - step.began > self._errand.patience:
            self._ledger.settle(self._unsettled, [])
            raise StalledError("standing still for so long, others may have the same letters")
        for start in step.starting:
            if start.claimed.id in allowed:
                self._offer(start)
        again = {id(channel) for channel in ready}
        going = [*step.ready, *(start.channel for start in step.starting)]
        self._go([channel for channel in going if id(channel) not in again])

    def _take_stock(self, step: _Step) -> set[int]:
        allowed, claimed = step.noted.result()
        if claimed is not None:
            self._exhausted = not claimed
            self._backlog.extend(claimed)
        if any(result.verdict == REQUEUED for result in step.done):
            self._exhausted = False
        return allowed

    def _offer(self, start: _Start) -> None:
        if isinstance(start.letter, str):
            verdict, why = FAILED, start.letter
        elif start.channel.closed:
            verdict, why = REQUEUED, "The connection has ended"
        else:
            start.channel.offer(start.letter)
            return
        claimed = start.claimed
        self._unsettled.append(Result(claimed.id, claimed.message_id, verdict, why))

    def _pause(self, message_id: int, error: str) -> None:
        self._errand.pause(message_id, error)
        mine = [each for each in self._backlog if each.message_id == message_id]
        self._backlog = deque(each for each in self._backlog if each.message_id != message_id)
        self._ledger.release(mine)

    def _go(self, channels: list[AnyChannel]) -> None:
        for channel in {id(each): each for each in channels}.values():
            channel.go()
            if isinstance(channel, Channel) and not channel.closed:
                writing = selectors.EVENT_WRITE if channel.writing else 0
                key = self._selector.get_key(channel)
                if key.events != selectors.EVENT_READ | writing:
                    self._selector.modify(channel, selectors.EVENT_READ | writing)

    def _end(self) -> None:
        self._clerk.shutdown()
        if self._step is not None and self._step.noted.exception() is None:
            self._take_stock(self._step)
        for channel in self._channels:
            if isinstance(channel, Channel) and channel.idle:
                channel.quit()
            channel.close()
        self._selector.close()


def _channels_of(step: _Step | None) -> set[int]:
    if step is None:
        return set()
    return {id(each) for each in (*step.ready, *(start.channel for start in step.starting))}
