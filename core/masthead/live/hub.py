"""The open streams of a process: one thread reads the states for all of them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence

from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError

from masthead.auth.caller import Caller
from masthead.auth.grants import Grants, read_grants_of
from masthead.auth.policy import caller_of
from masthead.auth.tokens import Tokens
from masthead.db.outage import one_line
from masthead.instance import Instance
from masthead.live.states import States
from masthead.live.streams import Stream
from masthead.settings import Setting, integer
from masthead.telemetry.metrics import Gauge

logger = logging.getLogger(__name__)

MOST_STREAMS = Setting(
    "masthead.live.streams",
    integer(0, 100_000),
    "500",
    "Maximum number of open event streams of staff clients per process. A client beyond it asks for"
    " events every few seconds instead, as under other servers than masthead serve.",
    shows=False,
)
MOST_PER_USER = 20
EVERY = 1.0
"""The seconds between two readings of the states."""
_JUDGE_EVERY = 5.0
"""The seconds after which a stream notices that its token is no longer valid."""
_IDENTIFY_EVERY = 60.0
"""The seconds after which a client with a credential of a plugin has to connect again, so that the
plugin judges the credential."""
_ALIVE_EVERY = 15.0
"""The seconds after which a silent stream sends a comment, so that no proxy closes it."""
_ALIVE = b":\n\n"

_STREAMS = Gauge("masthead_event_streams", "Open event streams of staff clients.")


class Hub:
    """The streams of a process, and the thread that sends their events."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._tokens = Tokens(instance)
        self.states = instance.shared(States)
        self._lock = threading.Lock()
        self._streams: set[Stream] = set()
        self._callers: Mapping[Stream, Caller] = {}
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()
        self._failed = False
        event.listen(instance.database.engine, "engine_disposed", lambda _engine: self._ended.set())

    def has_room(self, user_id: int) -> bool:
        """Whether a user may open another stream in this process."""
        with self._lock:
            own = sum(stream.wanted.user_id == user_id for stream in self._streams)
            most = self._instance.settings[MOST_STREAMS]
            return len(self._streams) < most and own < MOST_PER_USER

    def add(self, stream: Stream) -> None:
        """Begin to send the events of a stream."""
        with self._lock:
            self._streams.add(stream)
            _STREAMS.set(len(self._streams))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="live-events", daemon=True)
                self._thread.start()

    def remove(self, stream: Stream) -> None:
        """Forget a stream whose connection is closed."""
        with self._lock:
            self._streams.discard(stream)
            _STREAMS.set(len(self._streams))

    def _take(self) -> list[Stream]:
        """Return the streams; without any, the thread ends."""
        with self._lock:
            if not self._streams or self._ended.is_set():
                self._thread = None
                return []
            return list(self._streams)

    def _run(self) -> None:
        judged = sent = float("-inf")
        while streams := self._take():
            now = time.monotonic()
            try:
                if now - judged >= _JUDGE_EVERY or self._callers.keys() != set(streams):
                    self._judge(streams)
                    judged = now
                self._send(streams)
            except (SQLAlchemyError, self._instance.database.driver_error) as error:
                self._note(one_line(error))
            # The streams must go on, whatever the code of a plugin does.
            except Exception:
                logger.exception("Live events failed")
            else:
                self._failed = False
            if now - sent >= _ALIVE_EVERY:
                _send_all(streams, _ALIVE)
                sent = now
            self._ended.wait(EVERY)

    def _judge(self, streams: Sequence[Stream]) -> None:
        """Read the present callers of streams, and end the streams whose tokens are invalid."""
        grants = read_grants_of(self._instance, {stream.caller.id for stream in streams})
        callers = {
            stream: self._present(stream, grants.get(stream.caller.id)) for stream in streams
        }
        self._callers = {stream: caller for stream, caller in callers.items() if caller}
        for stream in streams:
            if stream not in self._callers:
                self.remove(stream)
                if stream.connection is not None:
                    stream.connection.end()

    def _present(self, stream: Stream, grants: Grants | None) -> Caller | None:
        """Return the caller of a stream with present powers; None to end the stream."""
        caller, claims = stream.caller, self._tokens.read(stream.token)
        if claims is not None and (claims.user_id, claims.id) == (caller.id, caller.token):
            return caller_of(claims, grants)
        is_due = time.monotonic() - stream.began >= _IDENTIFY_EVERY
        return None if grants is None or is_due else caller.within(grants)

    def _send(self, streams: Sequence[Stream]) -> None:
        """Send the events of all streams."""
        open_ones = [stream for stream in streams if stream in self._callers]
        if not open_ones:
            return
        with self._instance.database.read() as connection:
            snapshot = self.states.read(connection, [each.wanted for each in open_ones])
        for stream in open_ones:
            caller = self._callers[stream]
            found = snapshot.of(stream.wanted, caller, self.states.permissions)
            text = stream.events(found)
            if text and stream.connection is not None:
                stream.connection.send(text.encode())

    def _note(self, trouble: str) -> None:
        if not self._failed:
            logger.warning("Live events wait for the database: %s", trouble)
        self._failed = True


def _send_all(streams: Sequence[Stream], data: bytes) -> None:
    for stream in streams:
        if stream.connection is not None:
            stream.connection.send(data)
