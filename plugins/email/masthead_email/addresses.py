"""E-mail addresses: parsing them, and encoding their domains for mail servers."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import parseaddr, quote

import email_validator
import idna


@dataclass(frozen=True)
class Mailbox:
    """An address with a display name."""

    address: str
    name: str = ""

    @property
    def domain(self) -> str:
        """The part after the last ``@``."""
        return self.address.rpartition("@")[2]

    def __str__(self) -> str:
        """Return the form that ``mailbox`` parses; it isn't encoded for a header."""
        return f'"{quote(self.name)}" <{self.address}>' if self.name else self.address


def mailbox(value: str) -> Mailbox:
    """Parse ``Name <address>`` or a bare address.

    :raises ValueError: if it is neither; the message describes the expected form.
    """
    name, address = parseaddr(value.strip())
    try:
        parsed = email_validator.validate_email(
            address, check_deliverability=False, test_environment=True, allow_domain_literal=True
        )
    except email_validator.EmailNotValidError:
        if not _is_local(address):
            raise ValueError("an address such as Our Club <news@example.org>") from None
        return Mailbox(address, name)
    return Mailbox(parsed.normalized, name)


def ascii_domain(address: str) -> str:
    """Return the address with its domain encoded for DNS; an invalid domain stays unchanged."""
    local, _, domain = address.rpartition("@")
    if domain.isascii():
        return address
    try:
        return f"{local}@{idna.encode(domain, uts46=True).decode()}"
    except idna.IDNAError:
        return address


def _is_local(address: str) -> bool:
    """Whether it is an address of this machine, such as ``masthead@localhost``."""
    local, _, domain = address.partition("@")
    return domain == "localhost" and local.replace("-", "").replace(".", "").isalnum()


def domain_of(address: str) -> str:
    """Return the domain of an address in lower case, encoded for DNS."""
    return ascii_domain(address).rpartition("@")[2].lower().rstrip(".")
