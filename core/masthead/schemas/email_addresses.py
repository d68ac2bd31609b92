"""The syntax of e-mail addresses."""

from __future__ import annotations

import re
from functools import lru_cache

import email_validator

from masthead.errors import ProblemCode, WrongValue

# A dot-atom of ASCII (RFC 5322 section 3.2.3) of at most 64 characters (RFC 5321 section
# 4.5.3.1.1), which is valid whatever the domain is.
_PLAIN = re.compile(
    r"(?=[^@]{1,64}@)([a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*)"
    r"@([a-z0-9.-]{1,100})",
    re.IGNORECASE,
)


def normalize_address(text: str) -> str:
    """Return an address as it is stored: validated, normalized and in lower case.

    :raises WrongValue: for text that isn't an address.
    """
    plain = _PLAIN.fullmatch(text)
    if plain is not None:
        return f"{plain[1].lower()}@{_normalize_domain(plain[2].lower())}"
    return _validate(text)


@lru_cache(maxsize=10_000)
def _normalize_domain(domain: str) -> str:
    # Validating a domain takes most of the time, and a list of addresses has few of them.
    return _validate(f"a@{domain}").removeprefix("a@")


def _validate(text: str) -> str:
    try:
        found = email_validator.validate_email(
            text, check_deliverability=False, test_environment=True, strict=True
        )
    except email_validator.EmailNotValidError:
        raise WrongValue(ProblemCode.NOT_AN_EMAIL, "Must be an e-mail address") from None
    return found.normalized.lower()
