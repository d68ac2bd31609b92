"""The courier: keeps all channels busy, and one transaction for what happened on all of them."""

from __future__ import annotations

import logging
import selectors
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from masthead_email.delivering.ledger import Claimed, Ledger
from masthead_email.delivering.letters import Letters
from masthead_email.delivering.lines import AnyChannel, Lines
from masthead_email.delivering.pace import Pace
from masthead_email.results import FAILED, PAUSED, REQUEUED, Result
from masthead_email.smtp.channel import Channel
from masthead_email.smtp.opening import RelayDownError, RelayRefusesError

log = logging.getLogger(__name__)

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
    letters: Letters
    lines: Lines
    pace: Pace
    pause: Callable[[int, str], None]
    """Called with a message that the relay refuses altogether, and why."""
    patience: float
    """Seconds that a turn may take before what is on its way counts as lost."""


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
        going = going and self._trouble is None
        if going:
            self._refill()
            self._errand.lines.open(len(self._backlog) + len(self._channels))
        self._welcome()
        if not self._has_work(going=going and self._trouble is None):
            return False
        ready = self._wait(going=going)
        done = self._collect(ready)
        starting = self._choose() if going else []
        self._settle(done, starting)
        if time.monotonic() - began > self._errand.patience:
            raise StalledError("standing still for so long, others may have the same letters")
        self._go(ready, starting)
        return True

    def _refill(self) -> None:
        if self._exhausted or len(self._backlog) > len(self._channels):
            return
        most = min(_PORTION, 1 + self._errand.pace.share(1.0))
        claimed = self._ledger.claim(int(most))
        self._exhausted = not claimed
        self._backlog.extend(claimed)

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
        return busy or (going and (bool(self._backlog) or not self._exhausted))

    def _wait(self, *, going: bool) -> list[AnyChannel]:
        """The channels on which something may have happened."""
        known = [each for each in self._channels if each.tells]
        seconds = 0.0 if known or self._unsettled else self._rest(going=going)
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
        if going and self._backlog and any(channel.hungry for channel in self._channels):
            return 0.0 if pace.allows() else _NAP
        if self._errand.lines.opening:
            return _NAP
        # An answer may be overdue before long, and the worker may be told to stop.
        return 0.2

    def _collect(self, ready: list[AnyChannel]) -> list[Result]:
        done, self._unsettled = self._unsettled, []
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

    def _choose(self) -> list[tuple[AnyChannel, Claimed]]:
        """Which channel gets which delivery next."""
        chosen: list[tuple[AnyChannel, Claimed]] = []
        for channel in self._channels:
            if not (self._backlog and self._errand.pace.allows()):
                break
            if channel.hungry:
                self._errand.pace.count()
                chosen.append((channel, self._backlog.popleft()))
        return chosen

    def _settle(self, done: list[Result], starting: list[tuple[AnyChannel, Claimed]]) -> None:
        """Commit what happened, before anything that follows from it is done."""
        if not (done or starting):
            return
        allowed = self._ledger.settle(done, [claimed for _, claimed in starting])
        if any(result.verdict == REQUEUED for result in done):
            self._exhausted = False
        for result in done:
            if result.verdict == PAUSED:
                self._pause(result.message_id, result.error)
        for channel, claimed in starting:
            if claimed.id in allowed:
                self._offer(channel, claimed)

    def _offer(self, channel: AnyChannel, claimed: Claimed) -> None:
        try:
            channel.offer(self._errand.letters.envelope(claimed))
        except ValueError as error:
            result = Result(claimed.id, claimed.message_id, FAILED, str(error))
            self._unsettled.append(result)

    def _pause(self, message_id: int, error: str) -> None:
        self._errand.pause(message_id, error)
        mine = [each for each in self._backlog if each.message_id == message_id]
        self._backlog = deque(each for each in self._backlog if each.message_id != message_id)
        self._ledger.release(mine)

    def _go(self, ready: list[AnyChannel], starting: list[tuple[AnyChannel, Claimed]]) -> None:
        for channel in {id(c): c for c in (*ready, *(c for c, _ in starting))}.values():
            channel.go()
            if isinstance(channel, Channel) and not channel.closed:
                writing = selectors.EVENT_WRITE if channel.writing else 0
                key = self._selector.get_key(channel)
                if key.events != selectors.EVENT_READ | writing:
                    self._selector.modify(channel, selectors.EVENT_READ | writing)

    def _end(self) -> None:
        for channel in self._channels:
            if isinstance(channel, Channel) and channel.idle:
                channel.quit()
            channel.close()
        self._selector.close()
