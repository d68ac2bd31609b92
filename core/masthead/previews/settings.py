"""The settings of previews."""

from __future__ import annotations

import re

from masthead.http.addresses import site_address
from masthead.settings import Setting, Settings, integer

TOKEN = "{token}"  # noqa: S105 - it is a placeholder
_PAGE = re.compile(r"(?:https?://[^\s\\<>\"/]+)?/(?!/)[^\s\\<>\"]*")


def _page(value: str) -> str:
    page = value.strip()
    if not _PAGE.fullmatch(page) or page.count(TOKEN) != 1:
        raise ValueError("a path or an address such as https://www.example.org/preview#{token}")
    return page


URL = Setting(
    "masthead.preview.url",
    _page,
    "/preview#{token}",
    "The page of the website that shows previews, as a path or an address with {token}. The page"
    " sends the token to POST /api/preview. After a #, the token stays out of logs.",
    shows=False,
)
HOURS = Setting(
    "masthead.preview.hours",
    integer(1, 8760),
    "72",
    "Hours for which a preview link is valid, unless its maker chooses another number.",
    shows=False,
    at_most="masthead.preview.max_hours",
)
MAX_HOURS = Setting(
    "masthead.preview.max_hours",
    integer(1, 8760),
    "720",
    "Maximum number of hours for which a preview link is valid.",
    shows=False,
)


def preview_address(settings: Settings, token: str) -> str:
    """Return the address of the page that shows a preview."""
    page = settings[URL].replace(TOKEN, token)
    return site_address(settings, page) if page.startswith("/") else page
