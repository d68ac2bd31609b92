"""The times at which a request that nobody has decided is remembered."""

from __future__ import annotations

from datetime import datetime, timedelta

from masthead.approval.settings import ESCALATE_HOURS, PerType
from masthead.instance import Instance
from masthead.settings import Setting


def deadline(
    instance: Instance,
    content_type: str,
    requested_at: datetime | None,
    setting: Setting[PerType] = ESCALATE_HOURS,
) -> datetime | None:
    """Return the time at which others than the approvers are notified; None for never.

    :param setting: the setting with the hours; another one gives the time of the reminder.
    """
    hours = instance.settings[setting][content_type]
    return requested_at + timedelta(hours=hours) if hours and requested_at is not None else None
