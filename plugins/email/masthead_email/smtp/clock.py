"""The clock of a relay, where its greeting has a date, as those of Exim, Sendmail and Exchange."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

# The date of RFC 5322, section 3.3.
_DATE = re.compile(
    r"\b[0-9]{1,2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}(?::[0-9]{2})? [+-][0-9]{4}\b"
)


def greeting_time(greeting: str) -> datetime | None:
    """Return the time that a greeting states; None if it states none."""
    found = _DATE.search(greeting)
    if found is None:
        return None
    try:
        time = parsedate_to_datetime(found[0])
    except ValueError:
        return None
    # The zone "-0000" is UTC, too.
    return time if time.tzinfo else time.replace(tzinfo=UTC)
