"""What visitors read of static images."""

from __future__ import annotations

from typing import Any

from masthead import Page, Request
from masthead_site.services import images


def list_images(request: Request) -> Page:
    """All static images."""
    return images.list_images(request.db, request.window)


def show_image(request: Request) -> Any:
    """One static image."""
    return images.get_image(request.db, request.matchdict["name"])
