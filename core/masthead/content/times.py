"""The times at which an item appears and vanishes by itself."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from masthead.errors import ProblemCode, wrong_field

SCHEDULE, UNPUBLISH = "scheduledPublishAt", "scheduledUnpublishAt"
TIMES = frozenset({SCHEDULE, UNPUBLISH})


def check_times(values: Mapping[str, Any], *further: str) -> None:
    """Refuse an item that would vanish before it appears.

    :param values: all fields by wire name.
    :param further: the field with an own time at which the item vanishes, if there is one.
    :raises Invalid: naming the later field.
    """
    since = values[SCHEDULE]
    for name in (UNPUBLISH, *further):
        until = values[name]
        if since is not None and until is not None and until <= since:
            raise wrong_field(name, ProblemCode.CONFLICTING, f"Must be after {SCHEDULE}")


def hiding_times(item: Any, changed: Mapping[str, Any], now: datetime) -> frozenset[str]:
    """Return those changed times that hide a published item longer, or earlier.

    They hold at once, whoever sets them, as anybody who edits the item may unpublish it.

    :param changed: the changed values by wire name.
    """
    if not item.published:
        return frozenset()
    later, since = changed.get(SCHEDULE), item.scheduled_publish_at
    postpones = since is not None and later is not None and now < since < later
    earlier, until = changed.get(UNPUBLISH), item.scheduled_unpublish_at
    shortens = earlier is not None and (until is None or earlier < until)
    return frozenset({SCHEDULE} if postpones else ()) | ({UNPUBLISH} if shortens else set())
