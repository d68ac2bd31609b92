"""Absolute addresses of the API and of the website on which visitors read the content."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import urljoin, urlsplit

from masthead.hookspecs import hookimpl
from masthead.html import change_links
from masthead.http.routes import BASE_URL
from masthead.settings import Setting, Settings, url, words

SITE_URL = Setting(
    "masthead.site_url",
    url,
    "",
    "Where visitors reach the website; feeds and the sitemap link to it. Blank means"
    " masthead.base_url.",
)

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_PATH = re.compile(r"([a-z][a-z0-9-]*)=(/(?!/)[^\s\\<>\"{}]*{slug}[^\s\\<>\"{}]*)")


def site_paths(value: str) -> dict[str, str]:
    """Return paths of the website by content type, as in ``news=/blog/{slug}``.

    :raises ValueError: for any other word, and for a content type that is named twice.
    """
    paths: dict[str, str] = {}
    for word in words(value):
        found = _PATH.fullmatch(word)
        if found is None or found[1] in paths:
            raise ValueError("words such as news=/blog/{slug}, one for each content type")
        paths[found[1]] = found[2]
    return paths


SITE_PATHS = Setting[Mapping[str, str]](
    "masthead.site_paths",
    site_paths,
    "",
    "Where the website shows content, as words such as news=/blog/{slug}; a content type that isn't"
    " named is shown at /{type}/{slug}.",
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
    path = settings[SITE_PATHS].get(content_type, f"/{content_type}/{{slug}}")
    return site_address(settings, path.replace("{slug}", slug))


def absolute_address(settings: Settings, page: str | None, address: str) -> str:
    """Return an address in content as an absolute one.

    A path belongs to the API where it starts with ``/api/``, as those of uploaded images do, and to
    the website otherwise.

    :param page: the absolute address of the page with the content; None for a mail, in which
        ``#place`` stays a place of the mail, and other addresses are relative to the front page.
    """
    address = address.strip()
    # An address that begins with a placeholder of a mail is complete only once that is replaced.
    if _SCHEME.match(address) or address.startswith("{{" if page else ("{{", "#")):
        return address
    page = page or site_address(settings, "/")
    if address.startswith("//"):
        return f"{urlsplit(page).scheme}:{address}"
    if address.startswith("/api/"):
        return api_address(settings, address)
    return site_address(settings, address) if address.startswith("/") else urljoin(page, address)


def absolute_html(settings: Settings, page: str | None, html: str) -> str:
    """Return sanitised HTML with absolute addresses, for reading outside its page.

    :param page: see :func:`absolute_address`.
    """
    return change_links(html, partial(absolute_address, settings, page))


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of the website's addresses."""
    return [SITE_URL, SITE_PATHS]
