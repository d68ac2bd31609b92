"""Reading a row of another tool's file as a subscriber."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from masthead import CsvRow, Timestamp, read_foreign_time
from masthead_email.subscribers.exports.facts import read_address
from masthead_email.subscribers.exports.languages import read_language
from masthead_email.subscribers.exports.status_columns import StatusColumn, worst
from masthead_email.subscribers.models import LEFT, PENDING, SOURCE, SUBSCRIBED, UNSUBSCRIBED

FIELD_SEPARATOR = ":"
"""Separates a field from the number in front of it in the name of a column."""
KIND = "unsubscribeKind"
_REASON = 200
"""The maximum number of characters of a reason."""
_TIME = Timestamp()
_NO_TIME = re.compile(r"[\W0]*|0000-.*|never|null|none|n/a", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class TimeReader:
    """Reads the times of a field."""

    column: str
    """The name of the column in the header, for messages."""
    order: Literal["day", "month"] | None
    strict: bool
    """Whether a text that is no time is an error; it isn't in a column that may just say yes."""

    def read(self, text: str) -> str:
        """Return a time as ISO 8601; blank if the text stands for no time.

        :raises ValueError: for a text that can't be read.
        """
        if _NO_TIME.fullmatch(text.strip()):
            return ""
        try:
            return str(_TIME.dump(read_foreign_time(text, order=self.order)))
        except ValueError as error:
            if not self.strict:
                return ""
            raise ValueError(f"{self.column}: {error}") from None


@dataclass(frozen=True)
class RowReader:
    """Reads the rows of a file."""

    status_columns: Mapping[str, StatusColumn]
    """The columns that say who is subscribed, by name."""
    file_status: str | None
    """The status that the name of the file says."""
    facts: Mapping[str, str]
    """The fields of the columns about the consent, by name."""
    times: Mapping[str, TimeReader]
    """By field."""

    def read(self, row: CsvRow, moment: datetime) -> CsvRow:
        """Return a row with the texts of the fields of a subscriber.

        :param moment: the time of the import.
        """
        if row.error is not None:
            return row
        if "source" in row.values:
            row.values["source"] = row.values["source"].strip()[:SOURCE]
        if "language" in row.values:
            row.values["language"] = read_language(row.values["language"])
        if not (self.status_columns or self.facts or self.file_status):
            # The columns of persons alone have the names of fields.
            row.values["status"] = SUBSCRIBED
            return row
        try:
            return row._replace(values=self._fields(row.values, moment))
        except ValueError as error:
            return row._replace(values={}, error=str(error))

    def _fields(self, values: Mapping[str, str], moment: datetime) -> dict[str, str]:
        fields = {name: text for name, text in values.items() if FIELD_SEPARATOR not in name}
        for name, field in self.facts.items():
            fields[field] = self._fact(field, values[name])
        status = self._status(values)
        if status == SUBSCRIBED:
            ended = {"unsubscribedAt": "", "unsubscribeReason": ""}
            return {**fields, **ended, "status": SUBSCRIBED}
        ended_at = fields.get("unsubscribedAt") or str(_TIME.dump(moment))
        return {
            **fields,
            "status": UNSUBSCRIBED,
            "unsubscribedAt": "" if status == PENDING else ended_at,
            "unsubscribeKind": status,
        }

    def _status(self, values: Mapping[str, str]) -> str:
        told = {name: each.meaning(values[name]) for name, each in self.status_columns.items()}
        meanings = {self.file_status, *told.values()}
        kind = next((told[name] for name in told if name.endswith(KIND)), None)
        if kind is not None:
            # In an export of Masthead, the kind is the reason for the status "unsubscribed".
            meanings = (meanings - {LEFT}) | {kind}
        return worst(meanings) or SUBSCRIBED

    def _fact(self, field: str, text: str) -> str:
        if reader := self.times.get(field):
            return reader.read(text)
        if field.endswith("Ip"):
            return read_address(text)
        return " ".join(text.split())[:_REASON]
