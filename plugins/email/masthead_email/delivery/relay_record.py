"""The record of a relay in the database: trouble, backoff and learned limits, for all workers."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.orm import Session

from masthead import Instance, insert_into, utcnow
from masthead_email.delivery.pausing import give_up, tell_staff
from masthead_email.failures import without_addresses
from masthead_email.outbox.models import RelayState
from masthead_email.settings import BACKOFF, LOGIN_WINDOW, WAIT_HOURS, WARM_UP, WARM_UP_START

logger = logging.getLogger(__name__)
_random = random.SystemRandom()

_RELAXED_AFTER = timedelta(hours=1)
"""The time after which a learned limit is raised by a small step."""
_MARGIN = 1.02
"""The login window is taken to be longer by this factor, because clocks differ."""
_USED_RATE = 0.95
"""The part of a learned rate that is used, because messages aren't spaced perfectly."""
_MAX_EXPONENT = 20
_AWAY_SHARE = 1 / 3
"""The part of the absence of a relay after which it is tried again."""
_DEVIATION = 0.8, 1.0
"""The random factor of each pause. None is longer than the setting says."""


@dataclass(frozen=True)
class RelayRecord:
    """The record of one relay.

    :param name: its host and port, or the scheme of another transport.
    """

    instance: Instance
    name: str

    @contextmanager
    def _locked(self) -> Iterator[tuple[Session, RelayState]]:
        with self.instance.database.transaction() as session:
            new = {"name": self.name, "troubles": 0, "day_sent": 0}
            session.execute(insert_into(session, RelayState).values(new).on_conflict_do_nothing())
            state = session.get(RelayState, self.name, with_for_update=True, populate_existing=True)
            assert state is not None
            yield session, state

    def wait(self) -> float:
        """Return the number of seconds before the next try; 0 if the relay may be used."""
        with self.instance.database.session(read_only=True) as session:
            state = session.get(RelayState, self.name)
            if state is None or state.retry_at is None:
                return 0.0
            longest = self.instance.settings[BACKOFF][1] * 2
            left = (state.retry_at - utcnow()).total_seconds()
            # A time beyond the longest pause comes from a wrong clock.
            return left if 0 < left <= longest else 0.0

    def record_trouble(
        self,
        reason: str,
        *,
        tell: bool = False,
        seconds: float | None = None,
        away: bool = False,
    ) -> None:
        """Let all workers wait, twice as long as the last time.

        After ``masthead.email.wait_hours`` of trouble, waiting mail is paused or fails.

        :param tell: whether to notify staff when the trouble begins.
        :param seconds: the time to wait, if it is known.
        :param away: whether the relay doesn't answer, so that tries trouble nobody. The wait is a
            part of the time since the trouble began, which bounds the delay after its return.
        """
        settings = self.instance.settings
        now, reason = utcnow(), without_addresses(reason)
        with self._locked() as (session, state):
            if tell and state.trouble is None:
                tell_staff(session, reason)
            state.trouble, state.trouble_since = reason, state.trouble_since or now
            # Another worker may have recorded the same trouble.
            if state.retry_at is None or state.retry_at <= now:
                first, longest = settings[BACKOFF]
                pause = float(first * 2 ** min(state.troubles, _MAX_EXPONENT))
                if away:
                    age = (now - state.trouble_since).total_seconds()
                    pause = max(first, age * _AWAY_SHARE)
                if seconds is None or state.troubles:
                    seconds = min(pause, longest) * _random.uniform(*_DEVIATION)
                state.troubles += 1
                state.retry_at = now + timedelta(seconds=min(seconds, longest))
                logger.warning("The relay: %s; the next try is in %.0f s", reason, seconds)
            oldest = now - timedelta(hours=settings[WAIT_HOURS])
            if state.trouble_since <= oldest:
                give_up(session, oldest, reason)

    def record_success(self, sent: int) -> None:
        """Record that the relay works.

        :param sent: the number of accepted newsletters and composed e-mails.
        """
        with self._locked() as (_, state):
            if state.trouble is not None:
                logger.warning("The relay %s works again", self.name)
            state.troubles, state.trouble = 0, None
            state.trouble_since = state.retry_at = None
            today = utcnow().date().isoformat()
            state.day_sent = sent + (state.day_sent if state.day == today else 0)
            state.day = today

    def begin_logins(self, wanted: int) -> tuple[list[float], float]:
        """Record logins that begin now, as many as the relay's limit allows.

        :returns: their times, which identify them, and the seconds before another one is allowed.
        """
        with self._locked() as (_, state):
            now = utcnow()
            at = now.timestamp()
            recent = self._recent(state)
            limit = state.login_limit
            allowed, seconds = wanted, 0.0
            if limit is not None and state.login_limit_at is not None:
                if now - state.login_limit_at > _RELAXED_AFTER:
                    state.login_limit, state.login_limit_at = limit + 1, now
                    limit += 1
                allowed = max(0, min(wanted, limit - len(recent)))
                if allowed < wanted:
                    first = [*(time for time, _ in recent), *[at] * allowed][-limit]
                    seconds = max(0.05, first + self.window - at)
            # They differ, although a time in the database has milliseconds only.
            times = [at + number / 1e6 for number in range(allowed)]
            state.logins = [*recent, *([time, True] for time in times)]
            return times, seconds

    def refuse_login(self, at: float) -> bool:
        """Learn the limit of logins from one that was refused; return False if it isn't the reason.

        :param at: a time that ``begin_logins`` returned.
        """
        with self._locked() as (_, state):
            recent = [[time, ok and time != at] for time, ok in self._recent(state)]
            state.logins = recent
            succeeded = sum(ok for _, ok in recent)
            if not succeeded:
                return False
            if state.login_limit is None or succeeded < state.login_limit:
                state.login_limit = succeeded
                window = self.instance.settings[LOGIN_WINDOW]
                logger.warning(
                    "The relay %s allows %d logins in %d s", self.name, succeeded, window
                )
            state.login_limit_at = utcnow()
            return True

    def forget_login(self, at: float) -> None:
        """Remove a login from the record that the relay hasn't counted."""
        with self._locked() as (_, state):
            state.logins = [each for each in self._recent(state) if each[0] != at]

    def message_limit(self) -> int | None:
        """Return the number of messages that the relay accepts on a connection, if it is known."""
        with self._locked() as (_, state):
            limit, at, now = state.message_limit, state.message_limit_at, utcnow()
            if limit is not None and at is not None and now - at > _RELAXED_AFTER:
                state.message_limit, state.message_limit_at = limit + max(1, limit // 10), now
            return state.message_limit

    def learn_message_limit(self, limit: int) -> None:
        """Record the number of messages that the relay accepts on a connection."""
        with self._locked() as (_, state):
            state.message_limit, state.message_limit_at = limit, utcnow()
        logger.warning("The relay %s accepts %d messages on a connection", self.name, limit)

    def rate_limit(self) -> float | None:
        """Return the number of messages per second that the relay accepts, if it is known."""
        with self._locked() as (_, state):
            limit, at, now = state.rate_limit, state.rate_limit_at, utcnow()
            if limit is not None and at is not None and now - at > _RELAXED_AFTER:
                limit += max(1, limit // 10)
                state.rate_limit, state.rate_limit_at = limit, now
            return None if limit is None else limit * _USED_RATE / self.window

    def learn_rate(self, accepted: int, message_limit: int | None) -> None:
        """Record the number of messages after which the relay has refused more for some time.

        :param accepted: the messages that it has accepted within the window.
        :param message_limit: the limit on a connection that was known before. The same refusals
            look like one, because all connections have carried about as many messages.
        """
        with self._locked() as (_, state):
            state.message_limit = message_limit
            if state.rate_limit is None or accepted < state.rate_limit:
                state.rate_limit = accepted
                window = self.instance.settings[LOGIN_WINDOW]
                logger.warning(
                    "The relay %s accepts %d messages in %d s", self.name, accepted, window
                )
            state.rate_limit_at = utcnow()

    def share_pauses(self, own: Mapping[str, float]) -> dict[str, float]:
        """Store this worker's pauses of domains; return those of all workers.

        :param own: the Unix timestamp of the end of each pause, by domain.
        """
        with self.instance.database.session(read_only=True) as session:
            state = session.get(RelayState, self.name)
        stored = (state.paused_domains if state is not None else None) or {}
        if own.items() <= stored.items() and not _ended(stored):
            return stored
        with self._locked() as (_, state):
            stored = state.paused_domains or {}
            pauses = {
                domain: max(own.get(domain, 0.0), stored.get(domain, 0.0))
                for domain in {**stored, **own}
            }
            for domain in _ended(pauses):
                del pauses[domain]
            state.paused_domains = pauses or None
            return pauses

    def left_today(self) -> int | None:
        """Return how many more newsletters and composed e-mails today's limit allows, if any."""
        settings = self.instance.settings
        start, limits = settings[WARM_UP_START], settings[WARM_UP]
        today = utcnow().date()
        if start is None or not limits or (number := (today - start).days) >= len(limits):
            return None
        with self.instance.database.session(read_only=True) as session:
            state = session.get(RelayState, self.name)
        known = state is not None and state.day == today.isoformat()
        sent = state.day_sent if state is not None and known else 0
        return max(0, limits[max(0, number)] - sent)

    @property
    def window(self) -> float:
        """The seconds for which the relay counts logins and messages."""
        return float(self.instance.settings[LOGIN_WINDOW]) * _MARGIN

    def _recent(self, state: RelayState) -> list[list[float | bool]]:
        """Return the logins within the window, oldest first."""
        now = utcnow().timestamp()
        return [each for each in state.logins or [] if 0 <= now - each[0] < self.window]


def _ended(pauses: Mapping[str, float]) -> list[str]:
    now = utcnow().timestamp()
    return [domain for domain, until in pauses.items() if until <= now]
