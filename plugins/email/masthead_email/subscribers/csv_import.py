"""The import of subscribers from CSV files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from masthead import EMAIL_COLUMN, NAME_COLUMN, CsvColumn, CsvImport
from masthead_email.subscribers.models import UNSUBSCRIBED, Subscriber
from masthead_email.subscribers.resource import SUBSCRIBERS


def _unsubscribed_at(values: Mapping[str, Any]) -> datetime | None:
    return values["createdAt"] if values["status"] == UNSUBSCRIBED else None


SUBSCRIBERS_CSV = CsvImport(
    SUBSCRIBERS,
    columns=(
        EMAIL_COLUMN,
        replace(NAME_COLUMN, aliases=("Full Name", "Display Name")),
        CsvColumn("status"),
        CsvColumn("source"),
    ),
    unique=Subscriber.email,
    derived={Subscriber.unsubscribed_at: _unsubscribed_at},
)
