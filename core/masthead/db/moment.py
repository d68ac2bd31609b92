"""The time at which statements that are built once evaluate what the public sees."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam

from masthead.db.types import UTCDateTime, utcnow

NOW = bindparam("now", type_=UTCDateTime())
"""The time, as a parameter of a statement."""


def now_parameters() -> dict[str, datetime]:
    """Return the parameters of a statement with ``NOW``."""
    return {NOW.key: utcnow()}
