"""The field type of a webhook's address."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from masthead import ProblemCode, Url, WrongValue


class Address(Url):
    """An absolute ``http`` or ``https`` address without user, password and fragment."""

    def __init__(self) -> None:
        super().__init__(mailto=False)

    def parse(self, value: Any) -> str:
        """Return the address.

        :raises ValueError: for any other value.
        """
        text = super().parse(value)
        parts = urlsplit(text)
        if parts.scheme.lower() not in ("http", "https") or not parts.hostname or parts.port == 0:
            message = "Must be an address such as https://example.org/hook"
            raise WrongValue(ProblemCode.NOT_AN_ADDRESS, message)
        if parts.username is not None or parts.fragment:
            message = "Must have no user, password or fragment"
            raise WrongValue(ProblemCode.NOT_AN_ADDRESS, message)
        return text
