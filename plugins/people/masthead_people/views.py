"""The public endpoint."""

from __future__ import annotations

from masthead import Page, Request
from masthead_people import services


def list_people(request: Request) -> Page:
    """The published people."""
    return services.list_published(request.db, request.window)
