"""The settings of texts as part of core."""

from __future__ import annotations

from typing import Any

from masthead.hookspecs import hookimpl
from masthead.i18n.settings import LANGUAGE, NAME, TEXTS, TIMEZONE
from masthead.settings import Setting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of name, language, time zone and texts."""
    return [NAME, LANGUAGE, TIMEZONE, TEXTS]
