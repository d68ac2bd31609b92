"""What visitors read of static images."""

from __future__ import annotations

from typing import Any

from pyramid.request import Request

from masthead import Page
from masthead_site.services import images


def list_images(request: Request) -> Page:
    """All static images."""
    return images.list_images(request.db, request.window)


def show_image(request: Request) -> Any:
    """One static image."""
    return images.get_image(request.db, request.matchdict["name"])
