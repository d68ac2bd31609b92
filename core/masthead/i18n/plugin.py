"""Texts as part of core: their setting, and the checks of the deployer's own ones."""

from __future__ import annotations

from typing import Any

from masthead.hookspecs import hookimpl
from masthead.i18n.checks import broken_trouble, unused_trouble
from masthead.i18n.settings import TEXTS
from masthead.instance import Check
from masthead.settings import Setting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the setting of texts."""
    return [TEXTS]


@hookimpl
def masthead_checks() -> list[Check]:
    """Return the checks of the texts, of which the start tells too."""
    return [
        Check(
            "texts",
            broken_trouble,
            readiness=False,
            remedy="correct the file; texts.md describes templates and translations",
            status=False,
        ),
        Check(
            "texts.unused",
            unused_trouble,
            readiness=False,
            level="warning",
            remedy=f"correct {TEXTS.name} or the file; masthead texts list shows the names",
            status=False,
        ),
    ]
