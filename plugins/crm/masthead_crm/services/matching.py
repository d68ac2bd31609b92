"""The forms of names, addresses and numbers in which contacts that may be one person agree."""

from __future__ import annotations

import re

from masthead import fold, fold_name

PHONE_END = 7
"""The number of digits at the end of two numbers, one with and one without its country, that
agree."""
_DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""The domains whose mailboxes ignore dots, with the name that is compared."""
_TRUNK = re.compile(r"\(0+\)")
_WORDS = re.compile(r"[\s,]+")


def name_key(name: str) -> str:
    """Return the words of a name in a fixed order: "Lovelace, Ada" and "Ada Lovelace" agree."""
    return " ".join(sorted(filter(None, _WORDS.split(fold_name(name)))))


def mailbox_key(address: str | None) -> str | None:
    """Return the mailbox of an address, without the tag after a plus that mail servers ignore."""
    if not address:
        return None
    local, _at, domain = fold(address).rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _DOTLESS:
        local, domain = local.replace(".", "") or local, _DOTLESS[domain]
    return f"{local}@{domain}"


def phone_key(phone: str | None) -> str | None:
    """Return the digits of a telephone number, after a plus if it has the code of a country.

    None for a text that is too short to be the number of one person.
    """
    if not phone:
        return None
    text = _TRUNK.sub("", fold(phone)).strip()
    digits = "".join(c for c in text if c in "0123456789")
    if text.startswith("+") or digits.startswith("00"):
        digits = "+" + digits.removeprefix("00")
    return digits if len(digits) > PHONE_END else None
