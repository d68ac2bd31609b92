"""A value that a setting refuses is described in our own words, not in those of a library."""

from __future__ import annotations

import traceback
from collections.abc import Iterator

from masthead.instance import Instance

WRONG = (
    "",
    "nonsense",
    "-1",
    "1.5",
    "99999999999999999999",
    "a,b",
    "Ada <a@b",
    "://",
    "https://[",
    "https://example.org:port",
    "https://example.org:99999999",
    "smtp://example.org:port",
    "smtp://example.org:99999999",
    "smtps://[",
    "imaps://ada:secret@example.org:port/INBOX",
    "imaps://[",
    "file://[",
    "s3://[",
    "s3://bucket?endpoint=https://[",
    "postgresql://[",
    "postgresql://ada@example.org:99999999/site",
    "postgresql://ada@example.org/site?prepare_threshold=5",
    "10.0.0.0/99",
    "xx-\u0000",
    "\ud800",
)


def foreign_refusals(instance: Instance) -> Iterator[str]:
    """Yield the settings and values that are refused in the words of a library."""
    for setting in instance.declared.values():
        for value in WRONG:
            try:
                setting.parse(value)
            except Exception as error:  # noqa: BLE001 - any class but ValueError is a finding
                place = traceback.extract_tb(error.__traceback__)[-1].filename
                if not isinstance(error, ValueError) or "/masthead" not in place:
                    yield f"{setting.name} = {value!r}: {error!r} of {place}"


def test_no_library_describes_a_wrong_value(instance: Instance) -> None:
    assert len(instance.declared) > 100
    assert list(foreign_refusals(instance)) == []
