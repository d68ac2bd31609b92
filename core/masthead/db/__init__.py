"""The database: metadata of plugins, column types, engine, sessions, migrations."""

from __future__ import annotations

from masthead.db.engine import Database
from masthead.db.folding import fold, fold_name
from masthead.db.metadata import plugin_metadata
from masthead.db.types import (
    CLOCK_SKEW,
    ID,
    KEY,
    UTCDateTime,
    by_code_points,
    utc_text,
    utcnow,
    wire_time,
)

__all__ = [
    "CLOCK_SKEW",
    "ID",
    "KEY",
    "Database",
    "UTCDateTime",
    "by_code_points",
    "fold",
    "fold_name",
    "plugin_metadata",
    "utc_text",
    "utcnow",
    "wire_time",
]
