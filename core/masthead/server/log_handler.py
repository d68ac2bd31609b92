"""The log handler: writes to a stream, several lines of the access log at a time."""

from __future__ import annotations

import logging
import threading
import time
from typing import TextIO

from masthead.server.access_log import logger as access_logger
from masthead.telemetry.journal import is_journal, with_priority

_MAX_DELAY = 0.2  # seconds that a line waits
# The number of characters in one write: POSIX pipes accept as many bytes from one process without
# mixing in those of another. Lines of the access log are ASCII.
_MAX_BUFFER = 4096


class LogHandler(logging.StreamHandler[TextIO]):
    """Writes to standard error or another stream.

    Lines of the access log are buffered for at most a fifth of a second: a write costs more than
    the line itself and releases the interpreter to other threads. All other lines are written at
    once. The order is kept, and ``logging.shutdown()``, which Python calls at exit, flushes the
    buffer.

    Under systemd, each line begins with its priority, as in ``<3>`` for an error, so that
    ``journalctl -p err`` finds errors.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        super().__init__(stream)
        self._has_priorities = is_journal(self.stream)
        self._text = ""
        self._waits = threading.Event()
        self._writer: threading.Thread | None = None
        self._is_closed = False

    def emit(self, record: logging.LogRecord) -> None:
        """Add a line; ``logging`` calls it and holds the lock."""
        try:
            line = self.format(record) + self.terminator
            if self._has_priorities:
                line = with_priority(line, record.levelno)
            if len(self._text) + len(line) > _MAX_BUFFER:
                self.flush()
            self._text += line
            if record.name != access_logger.name or self._is_closed:
                self.flush()
            elif not self._waits.is_set():
                self._waits.set()
                self._start_writer()
        except Exception:  # noqa: BLE001 - logging never interrupts the code that logs
            self.handleError(record)

    def flush(self) -> None:
        """Write the buffered lines."""
        self.acquire()
        try:
            text, self._text = self._text, ""
            if text:
                self.stream.write(text)
            super().flush()
        finally:
            self.release()

    def close(self) -> None:
        """Write the buffered lines and end the thread.

        A thread that still has the handler can add a line, which is written at once.
        """
        self.flush()
        super().close()
        self._is_closed = True
        self._waits.set()

    def _start_writer(self) -> None:
        # After a fork the thread doesn't exist in the child.
        if self._writer is None or not self._writer.is_alive():
            self._writer = threading.Thread(target=self._write, name="log", daemon=True)
            self._writer.start()

    def _write(self) -> None:
        while self._waits.wait() and not self._is_closed:
            time.sleep(_MAX_DELAY)
            self._waits.clear()
            self.flush()
