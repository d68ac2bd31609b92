"""E-mail addresses: reading them, and writing them where a mail server understands them."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import parseaddr, quote

import email_validator
import idna


@dataclass(frozen=True)
class Mailbox:
    """An address and the name beside it."""

    address: str
    name: str = ""

    @property
    def domain(self) -> str:
        """The part after the last ``@``."""
        return self.address.rpartition("@")[2]

    def __str__(self) -> str:
        """As ``mailbox`` reads it; encoding is for who writes a header of it."""
        return f'"{quote(self.name)}" <{self.address}>' if self.name else self.address


def mailbox(value: str) -> Mailbox:
    """Read ``Name <address>`` or a bare address.

    :raises ValueError: with what was expected.
    """
    name, address = parseaddr(value.strip())
    try:
        read = email_validator.validate_email(
            address, check_deliverability=False, test_environment=True, allow_domain_literal=True
        )
    except email_validator.EmailNotValidError:
        if not _is_local(address):
            raise ValueError("an address such as Our Club <news@example.org>") from None
        return Mailbox(address, name)
    return Mailbox(read.normalized, name)


def ascii_domain(address: str) -> str:
    """The address with its domain as DNS has it; what isn't a domain stays as it is."""
    local, _, domain = address.rpartition("@")
    if domain.isascii():
        return address
    try:
        return f"{local}@{idna.encode(domain, uts46=True).decode()}"
    except idna.IDNAError:
        return address


def _is_local(address: str) -> bool:
    """Whether it names a mailbox of this machine, as ``masthead@localhost`` does."""
    local, _, domain = address.partition("@")
    return domain == "localhost" and local.replace("-", "").replace(".", "").isalnum()
