"""The formats of the log: a line of text, or a line of JSON."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

from masthead.telemetry.current import REQUEST

TEXT_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
ACCESS = "masthead_access"
"""The attribute of a record of the access log: a function that returns the fields of its line."""
_REQUEST_FIELDS = {
    "request_id": "masthead.request_id",
    "user_id": "masthead.user_id",
    "route": "masthead.route",
}
"""The keys of the WSGI environ, by the names of fields."""


class TextFormatter(logging.Formatter):
    """Writes a record as time, level, logger and message; a traceback follows on lines of its own.

    :param fmt: another format, as of ``logging.Formatter``.
    """

    def __init__(self, fmt: str | None = None, *arguments: Any, **options: Any) -> None:
        super().__init__(fmt or TEXT_FORMAT, *arguments, **options)


class JsonFormatter(logging.Formatter):
    """Writes a record as one line of JSON in ASCII, with the request that its thread answers."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line without its end."""
        moment = datetime.fromtimestamp(record.created, UTC)
        fields: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        access = getattr(record, ACCESS, None)
        fields |= access() if access is not None else _of_request()
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        if record.stack_info:
            fields["stack"] = self.formatStack(record.stack_info)
        return json.dumps(fields, default=str)


def _of_request() -> dict[str, Any]:
    environ = REQUEST.get() or {}
    found = {name: environ.get(key) for name, key in _REQUEST_FIELDS.items()}
    return {name: value for name, value in found.items() if value is not None}
