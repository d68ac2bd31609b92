"""The values of an item of content before a flush."""

from __future__ import annotations

from functools import partial
from typing import Any

from masthead.content.visibility import vanishing_time
from masthead.db.of_transaction import former_value

VANISHES = "vanishes_at"


def value_before(item: Any, name: str) -> Any:
    """Return the value of an attribute before the flush that has just ended."""
    if name == VANISHES:
        return vanishing_time(item.__table__, partial(value_before, item))
    return former_value(item, name)
