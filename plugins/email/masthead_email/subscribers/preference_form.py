"""Reading the form of the preference page: topics, pause and language."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from urllib.parse import parse_qs
from zoneinfo import ZoneInfo

from masthead import Invalid
from masthead_email.subscribers.models import TOPICS, Subscriber, active_pause

FORM_TYPE: Final = "application/x-www-form-urlencoded"
MAX_BODY: Final = 32 * 1024
KEEP, NONE, DATE = "keep", "none", "date"
"""The values of the field ``pause`` beside the numbers of months."""
MONTHS = ("1", "3", "6")
REFUSED: Final = "refused"
"""The value of the field ``tracking`` if the box is checked."""
LONGEST_PAUSE = timedelta(days=3 * 365)
_MAX_FIELDS = 200
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)

Form = Mapping[str, Sequence[str]]
"""The values of each field of a form."""


@dataclass(frozen=True)
class Offers:
    """The values that a subscriber can choose."""

    topics: tuple[str, ...]
    languages: Collection[str]


@dataclass(frozen=True)
class Choices:
    """The wishes of a subscriber."""

    topics: list[str] | None
    paused_until: datetime | None
    language: str | None
    tracking_refused: bool


class FieldError(ValueError):
    """A wrong value of a field; its argument is a word for the error, which the page explains."""


def read_form(content_type: str, body: bytes) -> Form:
    """Return the fields of a form that a browser has sent.

    :raises Invalid: for a body of another type, and for one that can't be read.
    """
    if content_type != FORM_TYPE:
        raise Invalid(f"The body must be {FORM_TYPE}")
    try:
        return parse_qs(
            body.decode(), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS
        )
    except ValueError:
        raise Invalid("The form can't be read") from None


def value_of(form: Form, name: str) -> str:
    """Return the first value of a field; blank if it is missing."""
    return form.get(name, [""])[0].strip()


def read_choices(
    form: Form, subscriber: Subscriber, offers: Offers, now: datetime, zone: ZoneInfo
) -> tuple[Choices, dict[str, str]]:
    """Return the wishes in a form, and the error of each field whose value is wrong.

    A field that is wrong or missing keeps its present value; without check boxes there are no
    topics, except those that aren't offered.
    """
    errors: dict[str, str] = {}
    names = ("topics", "paused_until", "language", "tracking_refused")
    present = {name: getattr(subscriber, name) for name in names}
    if "tracking" in form:
        # A hidden field tells a box that isn't checked from a form without it.
        present["tracking_refused"] = REFUSED in form["tracking"]
    for name, read in (
        ("topics", lambda: _topics(form, subscriber, offers.topics)),
        ("paused_until", lambda: _paused_until(form, subscriber, now, zone)),
        ("language", lambda: _language(form, subscriber, offers.languages)),
    ):
        try:
            present[name] = read()
        except FieldError as error:
            errors[name] = str(error)
    return Choices(**present), errors


def _topics(form: Form, subscriber: Subscriber, offered: Collection[str]) -> list[str] | None:
    chosen = set(form.get("topics", ()))
    if chosen - set(offered):
        raise FieldError("unknown")
    # Staff use topics that aren't offered; the person doesn't see them.
    others = [each for each in subscriber.topics or () if each not in offered]
    try:
        topics: Any = TOPICS.parse([*others, *(each for each in offered if each in chosen)])
    except ValueError:
        raise FieldError("many") from None
    return topics or None


def _language(form: Form, subscriber: Subscriber, languages: Collection[str]) -> str | None:
    if "language" not in form:
        return subscriber.language
    language = value_of(form, "language") or None
    if language not in (None, subscriber.language, *languages):
        raise FieldError("unknown")
    return language


def _paused_until(
    form: Form, subscriber: Subscriber, now: datetime, zone: ZoneInfo
) -> datetime | None:
    choice, typed = value_of(form, "pause") or KEEP, value_of(form, "until")
    present = active_pause(subscriber, now)
    unchanged = (KEEP, NONE) if present is None else (KEEP,)
    if typed and choice in unchanged:
        # A person who types a date wants it, even if another button is still chosen.
        choice = DATE
    today = now.astimezone(zone).date()
    if choice == KEEP:
        return present
    if choice == NONE:
        return None
    if choice in MONTHS:
        return _start(_months_later(today, int(choice)), zone)
    if choice == DATE:
        return _start(_day(typed, today), zone)
    raise FieldError("unknown")


def _day(typed: str, today: date) -> date:
    try:
        day = date.fromisoformat(typed) if _DATE.fullmatch(typed) else None
    except ValueError:
        day = None
    if day is None:
        raise FieldError("format")
    if day <= today:
        raise FieldError("past")
    if day - today > LONGEST_PAUSE:
        raise FieldError("far")
    return day


def _months_later(day: date, months: int) -> date:
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _start(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
