"""The organisation as part of core: its settings."""

from __future__ import annotations

from typing import Any

from masthead.hookspecs import hookimpl
from masthead.organisation.settings import LANGUAGE, NAME, TIMEZONE
from masthead.settings import Setting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of name, language and time zone."""
    return [NAME, LANGUAGE, TIMEZONE]
