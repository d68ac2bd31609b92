"""The field type of a webhook's address."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from masthead import Url


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
            raise ValueError("Must be an address such as https://example.org/hook")
        if parts.username is not None or parts.fragment:
            raise ValueError("Must have no user, password or fragment")
        return text
