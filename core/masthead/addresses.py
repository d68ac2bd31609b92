"""Absolute addresses: of the API, and of the website on which visitors read the content."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from masthead.hookspecs import hookimpl
from masthead.routes import BASE_URL
from masthead.settings import Setting, Settings, url, words

SITE_URL = Setting(
    "masthead.site_url",
    url,
    "",
    "Where visitors reach the website; feeds and the sitemap link to it. Blank means"
    " masthead.base_url.",
)

_PATH = re.compile(r"([a-z][a-z0-9-]*)=(/(?!/)[^\s\\<>\"{}]*{slug}[^\s\\<>\"{}]*)")


def site_paths(value: str) -> dict[str, str]:
    """Paths of the website by the name of a content type, as in ``news=/blog/{slug}``."""
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
    """The absolute address of a path of the API, such as ``/api/feed/news``."""
    return settings[BASE_URL] + path


def site_address(settings: Settings, path: str) -> str:
    """The absolute address of a path of the website, such as ``/about``."""
    return (settings[SITE_URL] or settings[BASE_URL]) + path


def item_address(settings: Settings, content_type: str, slug: str) -> str:
    """The absolute address at which the website shows an item.

    :param content_type: the name of its content type.
    """
    path = settings[SITE_PATHS].get(content_type, f"/{content_type}/{{slug}}")
    return site_address(settings, path.replace("{slug}", slug))


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Where the website is."""
    return [SITE_URL, SITE_PATHS]
