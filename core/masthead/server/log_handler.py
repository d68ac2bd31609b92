"""Where log lines go: a stream, several lines of the access log at a time."""

from __future__ import annotations

import logging
import threading
import time
from typing import TextIO

from masthead.server.access_log import logger as access_logger

_LATEST = 0.2  # seconds that a line waits
# Characters that are written at once: as many bytes as a pipe takes from one of several processes
# without mixing them with those of another. Lines of the access log are ASCII.
_MAX_BUFFER = 4096


class LogHandler(logging.StreamHandler[TextIO]):
    """Writes to standard error, or another stream.

    Lines of the access log wait for further ones, for a fifth of a second at most: a write costs
    more than the line, and lets other threads have the interpreter meanwhile. All others are
    written at once. The order is kept, and ``logging.shutdown()``, which Python calls at its end,
    leaves nothing behind.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        super().__init__(stream)
        self._text = ""
        self._waits = threading.Event()
        self._writer: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line; called by ``logging``, which holds the lock."""
        try:
            line = self.format(record) + self.terminator
            if len(self._text) + len(line) > _MAX_BUFFER:
                self.flush()
            self._text += line
            if record.name != access_logger.name:
                self.flush()
            elif not self._waits.is_set():
                self._waits.set()
                self._start_writer()
        except Exception:  # noqa: BLE001 - a line never stops what it tells of
            self.handleError(record)

    def flush(self) -> None:
        """Write what waits."""
        self.acquire()
        try:
            text, self._text = self._text, ""
            if text:
                self.stream.write(text)
            super().flush()
        finally:
            self.release()

    def _start_writer(self) -> None:
        # None is alive in a process that was forked.
        if self._writer is None or not self._writer.is_alive():
            self._writer = threading.Thread(target=self._write, name="log", daemon=True)
            self._writer.start()

    def _write(self) -> None:
        while self._waits.wait():
            time.sleep(_LATEST)
            self._waits.clear()
            self.flush()
