"""The settings of e-mail."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from masthead import Setting, boolean, choice, integer, words
from masthead_email.addresses import Mailbox, mailbox
from masthead_email.smtp.relay import read_relay


def _transport(value: str) -> str:
    address = value.strip()
    scheme = urlsplit(address).scheme
    if address and not scheme:
        raise ValueError("an address such as smtp://user:password@host:587?tls=starttls")
    if scheme in ("smtp", "smtps"):
        read_relay(address)
    return address


def _staff(value: str) -> tuple[Mailbox, ...]:
    return tuple(mailbox(word) for word in words(value))


def _bounces(value: str) -> str:
    return mailbox(value).address if value.strip() else ""


def _pauses(value: str) -> tuple[int, ...]:
    parse = integer(1, 30 * 86_400)
    return tuple(parse(word) for word in words(value))


TRANSPORT = Setting(
    "masthead.email.transport",
    _transport,
    "",
    "Where mail goes: smtp://user:password@host:587?tls=starttls, smtps://user:password@host,"
    " file:///folder (a file for each), or log: (a line for each); blank means files in the folder"
    " mail of the data folder.",
    secret=True,
    shows=False,
)
FROM = Setting(
    "masthead.email.from",
    mailbox,
    "Masthead <masthead@localhost>",
    "Whom mail comes from, such as Our Club <news@example.org>.",
    shows=False,
)
STAFF = Setting(
    "masthead.email.staff",
    _staff,
    "",
    "Addresses that are told by e-mail of what visitors send in, separated by blanks; blank means"
    " nobody.",
    shows=False,
)
APPROVAL_MAILS = Setting(
    "masthead.email.approval_mails",
    choice("none", "all"),
    "none",
    "Whether who is asked to approve something, or told of it, gets an e-mail too: all or none.",
    shows=False,
)
CONFIRM = Setting(
    "masthead.email.confirm",
    boolean,
    "false",
    "Whether who subscribes has to follow a link in a mail before they are subscribed.",
    shows=False,
)
BOUNCES = Setting(
    "masthead.email.bounces",
    _bounces,
    "",
    "The address to which mail that can't be delivered returns, such as bounces@example.org; it has"
    " to take mail to bounces+anything@example.org too. Blank means the address of"
    " masthead.email.from.",
    shows=False,
)
CONNECTIONS = Setting(
    "masthead.email.connections",
    integer(1, 100),
    "4",
    "Connections to the relay at a time, for each worker.",
    shows=False,
)
RATE = Setting(
    "masthead.email.rate",
    integer(0, 1_000_000),
    "0",
    "Mails a minute that the relay takes, from all workers together; 0 means as many as it takes.",
    shows=False,
)
TIMEOUT = Setting(
    "masthead.email.timeout",
    integer(1, 600),
    "60",
    "Seconds after which a relay that doesn't answer is given up.",
    shows=False,
)
PAUSES = Setting(
    "masthead.email.pauses",
    _pauses,
    "300 1800 10800 73500",
    "Seconds from a try that failed to the next one; after the last of them a delivery has failed.",
    shows=False,
)
LATE_HOURS = Setting(
    "masthead.email.late_hours",
    integer(1, 8_760),
    "24",
    "Hours after which a scheduled newsletter that wasn't sent in time goes back to draft.",
    shows=False,
)
RETENTION = Setting(
    "masthead.email.retention",
    integer(0, 36_500),
    "365",
    "Days for which it is kept who got which mail; older ones are counted only. 0 keeps them for"
    " ever.",
    shows=False,
)

SETTINGS: list[Setting[Any]] = [
    TRANSPORT,
    FROM,
    STAFF,
    APPROVAL_MAILS,
    CONFIRM,
    BOUNCES,
    CONNECTIONS,
    RATE,
    TIMEOUT,
    PAUSES,
    LATE_HOURS,
    RETENTION,
]
