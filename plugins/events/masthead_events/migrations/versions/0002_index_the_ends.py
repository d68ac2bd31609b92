"""Index the ends of events."""

from __future__ import annotations

from masthead import create_index_concurrently

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    create_index_concurrently("ix_events_event_end_date", "events_event", ["end_date"])
