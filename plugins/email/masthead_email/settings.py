"""The settings of the e-mail plugin."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from masthead import Setting, boolean, choice, integer, words
from masthead_email.addresses import Mailbox, mailbox
from masthead_email.smtp.relay import read_relay

_MIB = 1024 * 1024


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


def _retry_delays(value: str) -> tuple[int, ...]:
    parse = integer(1, 30 * 86_400)
    return tuple(parse(word) for word in words(value))


TRANSPORT = Setting(
    "masthead.email.transport",
    _transport,
    "",
    "The transport: smtp://user:password@host:587?tls=starttls, smtps://user:password@host,"
    " file:///folder (one file per message) or log: (one log line per message). Blank writes files"
    " to the folder mail of the data folder.",
    secret=True,
    shows=False,
)
FROM = Setting(
    "masthead.email.from",
    mailbox,
    "Masthead <masthead@localhost>",
    "The sender of all mail, such as Our Club <news@example.org>.",
    shows=False,
)
STAFF = Setting(
    "masthead.email.staff",
    _staff,
    "",
    "Addresses, separated by blanks, that receive system notifications, such as visitor"
    " submissions, by e-mail. Blank sends none.",
    shows=False,
)
APPROVAL_MAILS = Setting(
    "masthead.email.approval_mails",
    choice("none", "all"),
    "none",
    "Whether approval notifications are also sent by e-mail: all or none.",
    shows=False,
)
CONFIRM = Setting(
    "masthead.email.confirm",
    boolean,
    "false",
    "Whether a new subscriber must confirm by a link in an e-mail (double opt-in).",
    shows=False,
)
MAX_CSV = Setting(
    "masthead.email.max_csv",
    integer(1024, 1024 * _MIB),
    str(20 * _MIB),
    "Maximum bytes of an imported CSV file; masthead.server.max_body must be larger.",
    shows=False,
)
CONSENT_IP = Setting(
    "masthead.email.consent_ip",
    boolean,
    "false",
    "Whether the IP addresses that subscribe and confirm are stored, as a proof of consent.",
    shows=False,
)
BOUNCES = Setting(
    "masthead.email.bounces",
    _bounces,
    "",
    "The return path, which receives bounces, such as bounces@example.org. Its mailbox must also"
    " accept mail to bounces+anything@example.org. Blank uses the address of masthead.email.from.",
    shows=False,
)
CONNECTIONS = Setting(
    "masthead.email.connections",
    integer(1, 100),
    "4",
    "Maximum number of connections to the relay per worker.",
    shows=False,
)
RATE = Setting(
    "masthead.email.rate",
    integer(0, 1_000_000),
    "0",
    "Maximum number of messages per minute, for all workers together; 0 sets no limit.",
    shows=False,
)
TIMEOUT = Setting(
    "masthead.email.timeout",
    integer(1, 600),
    "60",
    "Seconds to wait for a reply of the relay.",
    shows=False,
)
RETRY_DELAYS = Setting(
    "masthead.email.retry_delays",
    _retry_delays,
    "300 1800 10800 73500",
    "Seconds from each failed attempt to the next one; the attempt after the last delay is final.",
    shows=False,
)
LATE_HOURS = Setting(
    "masthead.email.late_hours",
    integer(1, 8_760),
    "24",
    "Hours after the scheduled time at which an unsent newsletter or composed e-mail becomes a"
    " draft again.",
    shows=False,
)
RETENTION = Setting(
    "masthead.email.retention",
    integer(0, 36_500),
    "365",
    "Days to keep per-recipient delivery records; afterwards only totals are kept. 0 keeps them"
    " forever.",
    shows=False,
)

SETTINGS: list[Setting[Any]] = [
    TRANSPORT,
    FROM,
    STAFF,
    APPROVAL_MAILS,
    CONFIRM,
    CONSENT_IP,
    MAX_CSV,
    BOUNCES,
    CONNECTIONS,
    RATE,
    TIMEOUT,
    RETRY_DELAYS,
    LATE_HOURS,
    RETENTION,
]
