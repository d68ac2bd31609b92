"""The relay, and parsing its URL."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qs, unquote, urlsplit

import idna

_PORTS = {"smtp": 25, "smtps": 465}
NONE, STARTTLS, WRAPPED = "none", "starttls", "wrapped"
_TLS = (NONE, STARTTLS)


@dataclass(frozen=True)
class Relay:
    """A mail server that accepts our mail for delivery."""

    host: str
    port: int
    tls: str
    """``none``, ``starttls`` (required) or ``wrapped`` (implicit TLS)."""
    user: str = ""
    password: str = field(default="", repr=False)
    authority: str | None = None
    """A file of CA certificates that replaces the system's."""

    @property
    def name(self) -> str:
        """Its host and port, for messages; never contains the password."""
        return f"{self.host}:{self.port}"


def read_relay(address: str) -> Relay:
    """Parse ``smtp://user:password@host:587?tls=starttls`` or ``smtps://…``.

    :raises ValueError: describes the expected format without quoting the address.
    """
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise ValueError("an address such as smtp://mail.example.org:587") from None
    if parts.scheme not in _PORTS:
        raise ValueError("an address that starts with smtp:// or smtps://")
    if not parts.hostname or parts.path.strip("/"):
        raise ValueError("an address with a host and no path, such as smtp://mail.example.org:587")
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    authority = options.pop("authority", None)
    tls = options.pop("tls", NONE)
    if options or tls not in _TLS or (parts.scheme == "smtps" and tls != NONE):
        raise ValueError("no options but tls=starttls (of smtp) and authority=/path/to/file")
    password = unquote(parts.password or "")
    if bool(parts.username) != bool(password):
        raise ValueError("user and password, or neither")
    return Relay(
        host=_host(parts.hostname),
        port=port or _PORTS[parts.scheme],
        tls=WRAPPED if parts.scheme == "smtps" else tls,
        user=unquote(parts.username or ""),
        password=password,
        authority=authority,
    )


def _host(name: str) -> str:
    try:
        return name if name.isascii() else idna.encode(name, uts46=True).decode()
    except idna.IDNAError:
        raise ValueError("a host that can exist") from None
