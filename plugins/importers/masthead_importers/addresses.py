"""The addresses of the former website, and where its items are now."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import SplitResult, urljoin, urlsplit

from masthead import former_path

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_CACHED = re.compile(r"https?://i\d\.wp\.com/([\w.-]+/[^?]*).*")
"""The address of an image at the servers of WordPress.com, which contains its own address."""
_WWW = "www."


class FormerSite:
    """The former website: which addresses are its own, and the new paths of its items."""

    def __init__(self, home: str, paths: Mapping[str, str]) -> None:
        """Take the address of its home page, and the new path of each former one."""
        self._home = home
        self._host = _host(home)
        self._paths = paths

    def absolute(self, address: str, page: str) -> str:
        """Return the absolute form of an address in the content of a page.

        It stays as it is if it is damaged, or the address of the former website is unknown.
        """
        address = _CACHED.sub(r"https://\1", address)
        if _SCHEME.match(address) or address.startswith("#") or not (page or self._home):
            return address
        try:
            return urljoin(page or f"{self._home}/", address)
        except ValueError:
            return address

    def owns(self, address: str) -> bool:
        """Whether an address belongs to the former website."""
        if not _SCHEME.match(address):
            return address.startswith("/") and not address.startswith("//")
        return bool(self._host) and _host(address) == self._host

    def new_path(self, address: str) -> str | None:
        """Return the path at which an item is now; None if no imported item had the address."""
        try:
            parts = urlsplit(address)
            new = self._paths.get(former_path(address))
            if new is None and parts.query:
                # Parameters such as those of campaigns don't change the page.
                new = self._paths.get(former_path(parts._replace(query="").geturl()))
        except ValueError:
            return None
        return f"{new}#{parts.fragment}" if new and parts.fragment else new


def split_address(address: str) -> SplitResult:
    """Return the parts of an address, all of them blank if it is damaged."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _host(address: str) -> str:
    return (split_address(address).hostname or "").removeprefix(_WWW)
