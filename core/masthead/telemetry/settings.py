"""The settings of metrics and tracing."""

from __future__ import annotations

import logging
import re

from masthead.settings import Setting, boolean, choice, token


def address(value: str) -> tuple[str, int] | None:
    """Parse an address and port to listen on; None for a blank text.

    :raises ValueError: if it is neither blank nor ``[address:]port``.
    """
    value = value.strip()
    if not value:
        return None
    found = re.fullmatch(r"(?:(\[[0-9a-fA-F:.]+\]|[^:\[\]\s]+):)?([0-9]{1,5})", value)
    if found is None or int(found[2]) > 65535:
        raise ValueError("a port such as 9464, or an address and a port such as 10.0.0.5:9464")
    return (found[1] or "127.0.0.1").strip("[]"), int(found[2])


def levels(value: str) -> dict[str, int]:
    """Parse words such as ``masthead.access:WARNING``.

    :raises ValueError: for a word without a colon, or with an unknown level.
    """
    known = logging.getLevelNamesMapping()
    pairs = [word.rpartition(":")[::2] for word in value.split()]
    try:
        return {logger or "root": known[level.upper()] for logger, level in pairs}
    except KeyError:
        raise ValueError("words such as masthead.access:WARNING") from None


LISTEN = Setting(
    "masthead.metrics.listen",
    address,
    "",
    "Port on which masthead serve answers GET /metrics for Prometheus, such as 9464 for this"
    " machine only or 10.0.0.5:9464; blank means none.",
    shows=False,
)
WORKER_LISTEN = Setting(
    "masthead.metrics.worker_listen",
    address,
    "",
    "The same for masthead worker.",
    shows=False,
)
TOKEN = Setting(
    "masthead.metrics.token",
    token,
    "",
    "Token with which a monitor reads GET /metrics on the port of the API without a user, as"
    " Authorization: Bearer; blank means that there are no metrics on that port.",
    secret=True,
    shows=False,
)
TRACING = Setting(
    "masthead.tracing",
    boolean,
    "false",
    "Whether spans of requests, statements, jobs and mails are sent by OpenTelemetry, as the"
    " environment variables OTEL_* say; needs masthead-core[tracing].",
    shows=False,
)
LOG_FORMAT = Setting(
    "masthead.log.format",
    choice("text", "json"),
    "text",
    "Form of each line of the log: text or json.",
    shows=False,
)
LOG_LEVELS = Setting(
    "masthead.log.levels",
    levels,
    "",
    "Levels of loggers, separated by blanks, such as masthead.access:WARNING"
    " sqlalchemy.engine:INFO.",
    shows=False,
)
