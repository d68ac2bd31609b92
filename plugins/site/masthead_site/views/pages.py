"""What visitors read of pages."""

from __future__ import annotations

from typing import Any

from masthead import Request
from masthead_site.services import pages


def show_page(request: Request) -> Any:
    """One published page."""
    return pages.public_page(request.db, request.matchdict["slug"])
