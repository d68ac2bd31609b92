"""What the website says about the organisation."""

from __future__ import annotations

from typing import Any

from masthead import Request
from masthead_site.services import about


def show_about(request: Request) -> Any:
    """Texts and values."""
    return about.about(request.db)


def show_texts(request: Request) -> Any:
    """The texts, for staff."""
    return about.texts(request.db)


def update_texts(request: Request) -> Any:
    """Change what is sent of the texts."""
    about.update_texts(request.db, request.data)
    return about.texts(request.db)
