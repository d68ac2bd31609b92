"""Revisions as part of core: their settings."""

from __future__ import annotations

from typing import Any

from masthead.history import settings
from masthead.hookspecs import hookimpl
from masthead.settings import Setting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of revisions."""
    return [settings.RECORD, settings.FOLD_MINUTES, settings.KEEP, settings.DAYS]
