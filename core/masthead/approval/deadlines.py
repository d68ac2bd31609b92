"""The time at which others learn that nobody has decided a request."""

from __future__ import annotations

from datetime import datetime, timedelta

from masthead.approval.settings import ESCALATE_HOURS
from masthead.instance import Instance


def deadline(
    instance: Instance, content_type: str, requested_at: datetime | None
) -> datetime | None:
    """Return the time at which a request is escalated; None for never."""
    hours = instance.settings[ESCALATE_HOURS][content_type]
    return requested_at + timedelta(hours=hours) if hours and requested_at is not None else None
