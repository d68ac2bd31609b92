"""Columns about the consent of a subscriber: its time, source and confirmation, and its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from ipaddress import ip_address

from masthead import EMAIL_COLUMN, NAME_COLUMN, CsvColumn
from masthead_email.subscribers.exports import languages
from masthead_email.subscribers.exports.status_columns import compact

EMAIL = replace(
    EMAIL_COLUMN,
    aliases=(*EMAIL_COLUMN.aliases, "email1", "user_email_address", "Subscriber"),
    required=True,
)
NAME = NAME_COLUMN
SOURCE = CsvColumn(
    "source", ("Signup source", "Subscription source", "Source name", "Email update source")
)
LANGUAGE = CsvColumn("language", languages.NAMES)
PERSON_COLUMNS = (EMAIL, NAME, SOURCE, LANGUAGE)

CREATION = (
    "Added on",
    "ADDED_TIME",
    "Date added",
    "creation_date",
    "created_at",
    "Create date",
    "entered",
)
"""The names of columns with the time at which the tool got an address. It counts as the time of the
subscription if a file has no better column."""
TIMES: Mapping[str, tuple[str, ...]] = {
    "subscribedAt": (
        "subscribedAt",
        "OPTIN_TIME",
        "Opt-in date",
        "Subscribed",
        "Subscribed on",
        "Date subscribed",
        "Subscribe date",
        "Subscription date",
        "Subscription created at",
        "Signup date",
        "Sign up date",
        "Date joined",
        "Joined",
        "registered",
        "registriert",
        "Angemeldet am",
        "Anmeldedatum",
        *CREATION,
    ),
    "confirmedAt": (
        "confirmedAt",
        "CONFIRM_TIME",
        "Confirmation time",
        "Confirmation date",
        "Confirmed",
        "opted_in_at",
        "activated",
        "aktiviert",
        "Bestätigt am",
    ),
    "unsubscribedAt": (
        "unsubscribedAt",
        "UNSUB_TIME",
        "CLEAN_TIME",
        "unsubscription_date",
        "Date unsubscribed",
        "Unsubscribe date",
        "Unsubscribed",
        "Confirmed opt-out date",
        "Opt-out date",
        "deactivated",
        "deaktiviert",
        "deleted_at",
        "Abgemeldet am",
        "Abmeldedatum",
    ),
    "pausedUntil": ("pausedUntil",),
}
"""The names of the columns with times, by field; the first one that isn't blank counts."""
TEXTS: Mapping[str, tuple[str, ...]] = {
    "subscribedIp": (
        "subscribedIp",
        "OPTIN_IP",
        "Signup IP",
        "Subscribe IP",
        "subscribed_ip",
        "ip_address",
        "IP",
    ),
    "confirmedIp": ("confirmedIp", "CONFIRM_IP", "Confirmation IP"),
    "unsubscribeReason": (
        "unsubscribeReason",
        "UNSUB_REASON_OTHER",
        "UNSUB_REASON",
        "unsubscription_reason",
        "Unsubscribe reason",
        "Confirmed opt-out reason",
        "Email hard bounce reason",
        "Abmeldegrund",
    ),
    "trackingRefused": ("trackingRefused",),
}
"""The names of the columns with texts, by field."""
FACTS: Mapping[str, tuple[str, ...]] = {**TIMES, **TEXTS}
FIELDS = {compact(name): field for field, names in reversed(list(FACTS.items())) for name in names}
"""The field of each column, by the compact name of the column."""


def read_address(text: str) -> str:
    """Return an IP address in its usual form; blank if the text is none."""
    try:
        return str(ip_address(text.strip()))
    except ValueError:
        return ""
