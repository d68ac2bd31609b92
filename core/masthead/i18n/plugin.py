"""The setting of texts as part of core."""

from __future__ import annotations

from typing import Any

from masthead.hookspecs import hookimpl
from masthead.i18n.settings import TEXTS
from masthead.settings import Setting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the setting of texts."""
    return [TEXTS]
