"""The rate limits of recipients' domains, and the pauses of domains that refuse more mail."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterable, Mapping, Sequence

from masthead import utcnow
from masthead_email.addresses import domain_of
from masthead_email.delivery.store import Claimed

logger = logging.getLogger(__name__)
_random = random.SystemRandom()

_FIRST_PAUSE, _LONGEST_PAUSE = 60.0, 900.0
"""The first and the longest pause of a domain in seconds."""
_HORIZON = 900.0
"""The maximum number of seconds that a delivery is postponed because of a rate."""
_BURST = 1.0
"""The number of seconds whose messages may start at once."""
_POLL_INTERVAL = 0.5
_MANY = 10_000
"""The number of domains after which idle ones are forgotten."""


class DomainLimiter:
    """Decides which claimed deliveries start now, and when the others are due.

    A delivery that isn't sent now gets a later time, so the next claim finds those of other
    domains without scanning it again.

    :param rates: messages per minute by domain; ``*`` stands for each other domain.
    """

    share = 1
    """The number of workers that share the rates."""

    def __init__(self, rates: Mapping[str, int]) -> None:
        self._rates = rates
        self._next: dict[str, float] = {}
        """The monotonic time at which the next message to a domain may start."""
        self._paused_until: dict[str, float] = {}
        self._pauses: dict[str, int] = {}
        self._slots: dict[tuple[int, str], float] = {}
        """The time up to which the deliveries of a message to a domain are postponed."""
        self.next_claim = float("inf")
        """The monotonic time at which postponed deliveries may be due."""

    @property
    def _is_idle(self) -> bool:
        return not self._rates and not self._paused_until

    def split(
        self, claimed: Sequence[Claimed]
    ) -> tuple[list[Claimed], list[tuple[Claimed, float]]]:
        """Return the deliveries that may start, and the others with the seconds until they may."""
        if self._is_idle:
            return list(claimed), []
        now = time.monotonic()
        allowed: list[Claimed] = []
        postponed: list[tuple[Claimed, float]] = []
        for each in claimed:
            seconds = self._delay(each, now) if each.pausable else 0.0
            if seconds:
                postponed.append((each, seconds))
                self.next_claim = min(self.next_claim, now + max(_POLL_INTERVAL, seconds))
            else:
                allowed.append(each)
        self._forget(now)
        return allowed, postponed

    def without_paused(
        self, backlog: Iterable[Claimed]
    ) -> tuple[list[Claimed], list[tuple[Claimed, float]]]:
        """Return the allowed deliveries whose domain isn't paused, and the others as ``split``."""
        now = time.monotonic()
        kept: list[Claimed] = []
        postponed: list[tuple[Claimed, float]] = []
        for each in backlog:
            if each.pausable and self._paused_until.get(domain_of(each.address), 0.0) > now:
                postponed.append((each, self._delay(each, now)))
            else:
                kept.append(each)
        return kept, postponed

    def pause(self, domain: str, reason: str) -> None:
        """Pause a domain that refuses more mail, twice as long as the last time."""
        now = time.monotonic()
        if self._paused_until.get(domain, 0.0) > now:
            return
        seconds = min(_FIRST_PAUSE * 2 ** min(self._pauses.get(domain, 0), 10), _LONGEST_PAUSE)
        self._pauses[domain] = self._pauses.get(domain, 0) + 1
        self._paused_until[domain] = now + seconds * _random.uniform(1.0, 1.2)
        logger.warning("The domain %s is paused for %.0f s: %s", domain, seconds, reason)

    def pauses(self) -> dict[str, float]:
        """Return the Unix timestamp of the end of each pause, by domain."""
        now, wall = time.monotonic(), utcnow().timestamp()
        ends = self._paused_until.items()
        return {domain: round(wall + until - now, 3) for domain, until in ends if until > now}

    def adopt(self, pauses: Mapping[str, float]) -> None:
        """Pause domains that other workers have paused.

        :param pauses: as ``pauses`` returns them.
        """
        now, wall = time.monotonic(), utcnow().timestamp()
        for domain, until in pauses.items():
            # A time beyond the longest pause comes from a wrong clock.
            left = min(until - wall, _LONGEST_PAUSE * 1.2)
            self._paused_until[domain] = max(self._paused_until.get(domain, 0.0), now + left)

    def _delay(self, claimed: Claimed, now: float) -> float:
        domain = domain_of(claimed.address)
        rate = self._rates.get(domain, self._rates.get("*", 0)) / 60 / self.share
        paused_until = self._paused_until.get(domain, 0.0)
        start = max(self._next.get(domain, 0.0), paused_until)
        if start <= now:
            self._paused_until.pop(domain, None)
            if rate:
                self._next[domain] = max(start, now - _BURST) + 1 / rate
                self.next_claim = min(self.next_claim, now + _POLL_INTERVAL)
            return 0.0
        # Deliveries to a paused domain without a rate get one per second of their own.
        key = claimed.message_id, domain
        slot = max(self._slots.get(key, 0.0), start) + (1 / rate if rate else 0.01)
        if slot - now > _HORIZON:
            return _HORIZON + _random.uniform(0.0, 60.0)
        self._slots[key] = slot
        return slot - now

    def _forget(self, now: float) -> None:
        """Forget domains that are idle, so that many domains take no memory."""
        if len(self._next) > _MANY:
            self._next = {domain: at for domain, at in self._next.items() if at > now - _BURST}
        if len(self._slots) > _MANY:
            self._slots = {key: at for key, at in self._slots.items() if at > now}
