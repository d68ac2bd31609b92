"""The navigation's endpoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from masthead import Page, Request
from masthead_site.services import entries, navigation


def show_navigation(request: Request) -> Page:
    """What visitors see."""
    return _part(request, navigation.public_tree(request.db))


def list_entries(request: Request) -> Page:
    """All entries, hidden ones too."""
    return _part(request, navigation.staff_list(request.db))


def create_entry(request: Request) -> Any:
    """Make a folder, or an entry of a page or a link."""
    return entries.create_entry(request.db, request.data)


def update_entry(request: Request) -> Any:
    """Change an entry, a static one too."""
    return entries.update_entry(request.db, request.matchdict["entry"], request.data)


def delete_entry(request: Request) -> Any:
    """Delete an entry."""
    entries.delete_entry(request.db, request.matchdict["entry"], request.identity)
    return {"success": True}


def _part(request: Request, items: Sequence[Any]) -> Page:
    window = request.window
    return Page(items[window.offset : window.offset + window.limit], len(items))
