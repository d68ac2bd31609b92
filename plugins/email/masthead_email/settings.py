"""The settings of the e-mail plugin."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from masthead import Setting, boolean, choice, integer, words
from masthead_email.addresses import Mailbox, domain_of, mailbox
from masthead_email.smtp.relay import read_relay

_DOMAIN = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")
_FIELD = re.compile(r"[a-zA-Z][a-zA-Z0-9_]{0,49}")
_RESERVED = frozenset(("archive", "content", "email", "name", "preferences", "unsubscribe"))
TOPIC = 50
"""The maximum number of characters of a topic."""
_MOST_TOPICS = 50
_MIB = 1024 * 1024

RSA, ED25519 = "rsa", "ed25519"
"""The kinds of keys for DKIM."""


def _transport(value: str) -> str:
    address = value.strip()
    try:
        scheme = urlsplit(address).scheme
    except ValueError:
        scheme = ""
    if address and not scheme:
        raise ValueError("an address such as smtp://user:password@host:587?tls=starttls")
    if scheme in ("smtp", "smtps"):
        read_relay(address)
    return address


def _staff(value: str) -> tuple[Mailbox, ...]:
    return tuple(mailbox(word) for word in words(value))


def _bounces(value: str) -> str:
    return mailbox(value).address if value.strip() else ""


def _fields(value: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(words(value)))
    if not all(_FIELD.fullmatch(name) for name in names) or _RESERVED & set(names):
        raise ValueError("names such as city or member_since, other than those of placeholders")
    return names


def _topics(value: str) -> tuple[str, ...]:
    found = (" ".join(each.split()) for each in re.split(r"[,\n]", value))
    topics = tuple(dict.fromkeys(filter(None, found)))
    if len(topics) > _MOST_TOPICS or any(len(each) > TOPIC for each in topics):
        raise ValueError(f"at most {_MOST_TOPICS} names of at most {TOPIC} characters")
    return topics


def _retry_delays(value: str) -> tuple[int, ...]:
    parse = integer(1, 30 * 86_400)
    return tuple(parse(word) for word in words(value))


def _backoff(value: str) -> tuple[int, int]:
    parse = integer(1, 86_400)
    pauses = [parse(word) for word in words(value)]
    if len(pauses) != 2 or pauses[0] > pauses[1]:
        raise ValueError("two numbers of seconds, the shorter one first, such as 3 900")
    return pauses[0], pauses[1]


def _domain_rates(value: str) -> Mapping[str, int]:
    parse = integer(1, 1_000_000)
    rates: dict[str, int] = {}
    for word in words(value):
        domain, colon, rate = word.rpartition(":")
        if not colon or not domain:
            raise ValueError("domains with a rate per minute, such as gmail.com:300 *:600")
        rates[domain if domain == "*" else domain_of(f"x@{domain}")] = parse(rate)
    return rates


def _daily_limits(value: str) -> tuple[int, ...]:
    parse = integer(1, 100_000_000)
    return tuple(parse(word) for word in words(value))


def _date(value: str) -> date | None:
    try:
        return date.fromisoformat(value.strip()) if value.strip() else None
    except ValueError:
        raise ValueError("a date such as 2027-03-01") from None


def _domain(value: str) -> str:
    domain = domain_of(f"x@{value.strip()}")
    if domain and not _DOMAIN.fullmatch(domain):
        raise ValueError("a domain such as example.org")
    return domain


def _selector(value: str) -> str:
    selector = value.strip().lower()
    if selector and not _DOMAIN.fullmatch(selector):
        raise ValueError("letters, digits and hyphens, such as k1")
    return selector


def _nameserver(value: str) -> tuple[str, int] | None:
    address, _, port = value.strip().partition(":")
    if not address:
        return None
    try:
        ip_address(address)
    except ValueError:
        raise ValueError("an IPv4 address with or without a port, such as 192.0.2.53") from None
    return address, integer(1, 65_535)(port) if port else 53


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
    "Maximum bytes of an imported file, a CSV file or a workbook; masthead.server.max_body must"
    " not be less.",
    shows=False,
    at_most="masthead.server.max_body",
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
BACKOFF = Setting(
    "masthead.email.backoff",
    _backoff,
    "3 900",
    "The first and the longest pause in seconds while the relay is unavailable or accepts nothing;"
    " each pause is twice as long as the one before, or a third of the time for which the relay"
    " hasn't answered.",
    shows=False,
)
WAIT_HOURS = Setting(
    "masthead.email.wait_hours",
    integer(1, 8_760),
    "24",
    "Hours of trouble with the relay after which waiting newsletters and composed e-mails are"
    " paused, and other waiting mail fails.",
    shows=False,
)
BRAKE = Setting(
    "masthead.email.brake",
    integer(0, 1_000_000),
    "20",
    "The number of equal refusals in a row after which a message is paused; 0 never pauses it.",
    shows=False,
)
BRAKE_SHARE = Setting(
    "masthead.email.brake_share",
    integer(0, 100),
    "50",
    "The number of equal refusals among the first hundred recipients of a message after which it is"
    " paused; 0 never pauses it.",
    shows=False,
)
LOGIN_WINDOW = Setting(
    "masthead.email.login_window",
    integer(1, 86_400),
    "60",
    "Seconds for which a relay counts connections, logins and messages, if it limits them.",
    shows=False,
)
DOMAIN_RATES = Setting(
    "masthead.email.domain_rates",
    _domain_rates,
    "",
    "Maximum number of newsletters and composed e-mails per minute to a domain, such as"
    " gmail.com:300 *:600. The asterisk stands for each other domain.",
    shows=False,
)
WARM_UP = Setting(
    "masthead.email.warm_up",
    _daily_limits,
    "",
    "Maximum number of newsletters and composed e-mails on the first, second and following days,"
    " such as 200 500 1000 2000, while a new sender gains reputation. Later days have no limit.",
    shows=False,
)
WARM_UP_START = Setting(
    "masthead.email.warm_up_start",
    _date,
    "",
    "The first day of masthead.email.warm_up, in UTC, such as 2027-03-01.",
    shows=False,
)
DKIM_DOMAIN = Setting(
    "masthead.email.dkim_domain",
    _domain,
    "",
    "The domain of DKIM signatures, such as example.org; it needs a selector and a key. Blank if"
    " the relay signs.",
    shows=False,
)
DKIM_SELECTOR = Setting(
    "masthead.email.dkim_selector",
    _selector,
    "",
    "The selector of the DKIM key, such as k1: its record is k1._domainkey.example.org. Set it too"
    " if the relay signs, so that masthead mail check finds the record.",
    shows=False,
)
DKIM_KEY = Setting(
    "masthead.email.dkim_key",
    str.strip,
    "",
    "The file of the private key (RSA or Ed25519, PEM) that signs all mail; masthead mail dkim"
    " --new writes one. Blank if the relay signs.",
    shows=False,
)
NAMESERVER = Setting(
    "masthead.email.nameserver",
    _nameserver,
    "",
    "The DNS server that masthead mail check asks, such as 192.0.2.53 or 127.0.0.1:5353. Blank uses"
    " those of the system.",
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
FIELDS = Setting(
    "masthead.email.fields",
    _fields,
    "",
    "Names of further fields of subscribers, separated by blanks, such as city. Letters can use"
    " them as placeholders.",
    shows=False,
)
TOPICS = Setting(
    "masthead.email.topics",
    _topics,
    "",
    "The topics that subscribers choose from on their preference page, separated by commas, such as"
    " Garden, Open days. Blank offers none.",
    shows=False,
)
NONE, CLICKS = "none", "clicks"
TRACKING = Setting(
    "masthead.email.tracking",
    choice(NONE, CLICKS),
    NONE,
    "Whether the day on which a subscriber last followed a link of a newsletter is stored: clicks"
    " or none. Many countries require consent.",
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
    BACKOFF,
    WAIT_HOURS,
    BRAKE,
    BRAKE_SHARE,
    LOGIN_WINDOW,
    DOMAIN_RATES,
    WARM_UP,
    WARM_UP_START,
    DKIM_DOMAIN,
    DKIM_SELECTOR,
    DKIM_KEY,
    NAMESERVER,
    LATE_HOURS,
    FIELDS,
    TOPICS,
    TRACKING,
    RETENTION,
]
