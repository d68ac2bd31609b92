"""Absolute addresses of the API and of the public website."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import urljoin, urlsplit

from masthead.hookspecs import hookimpl
from masthead.html import change_links
from masthead.http.routes import BASE_URL
from masthead.settings import Setting, Settings, url

SITE_URL = Setting(
    "masthead.site_url",
    url,
    "",
    "Address of the public website, to which feeds and the sitemap link. Blank means"
    " masthead.base_url.",
)

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_PATH = re.compile(r"([a-z][a-z0-9-]*)=(/(?!/)[^\s\\<>\"{}]*{slug}[^\s\\<>\"{}]*)")


def site_paths(value: str) -> dict[str, str]:
    """Return paths of the website by content type, as in ``news=/blog/{slug}``.

    :raises ValueError: for any other word, and for a content type that is named twice.
    """
    paths: dict[str, str] = {}
    for word in value.split():
        found = _PATH.fullmatch(word)
        if found is None or found[1] in paths:
            raise ValueError("words such as news=/blog/{slug}, one for each content type")
        paths[found[1]] = found[2]
    return paths


SITE_PATHS = Setting[Mapping[str, str]](
    "masthead.site_paths",
    site_paths,
    "",
    "Paths at which the website shows content, separated by blanks, such as news=/blog/{slug}. The"
    " default path of a content type is /{type}/{slug}.",
)


def api_address(settings: Settings, path: str) -> str:
    """Return the absolute address of a path of the API, such as ``/api/feed/news``."""
    return settings[BASE_URL] + path


def site_address(settings: Settings, path: str) -> str:
    """Return the absolute address of a path of the website, such as ``/about``."""
    return (settings[SITE_URL] or settings[BASE_URL]) + path


def item_address(settings: Settings, content_type: str, slug: str) -> str:
    """Return the absolute address at which the website shows an item.

    :param content_type: the name of its content type.
    """
    return site_address(settings, item_path(settings, content_type).replace("{slug}", slug))


def item_path(settings: Settings, content_type: str) -> str:
    """Return the path at which the website shows items, such as ``/news/{slug}``.

    :param content_type: the name of their content type.
    """
    return settings[SITE_PATHS].get(content_type, f"/{content_type}/{{slug}}")


def absolute_address(settings: Settings, page: str | None, address: str) -> str:
    """Return the absolute form of an address in content.

    A path that starts with ``/api/``, such as that of an uploaded image, belongs to the API; any
    other path belongs to the website.

    :param page: the absolute address of the page that contains the address; None for an e-mail.
        In an e-mail fragments (``#place``) stay, and relative addresses are resolved against the
        start page.
    """
    address = address.strip()
    # An address that starts with a placeholder is unknown until the e-mail is rendered.
    if _SCHEME.match(address) or address.startswith("{{" if page else ("{{", "#")):
        return address
    page = page or site_address(settings, "/")
    if address.startswith("//"):
        return f"{urlsplit(page).scheme}:{address}"
    if address.startswith("/api/"):
        return api_address(settings, address)
    return site_address(settings, address) if address.startswith("/") else urljoin(page, address)


def absolute_html(settings: Settings, page: str | None, html: str) -> str:
    """Return sanitised HTML with absolute addresses, for readers outside of the website.

    :param page: see :func:`absolute_address`.
    """
    return change_links(html, partial(absolute_address, settings, page))


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the address and the paths of the website."""
    return [SITE_URL, SITE_PATHS]
