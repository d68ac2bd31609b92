"""The tag endpoints."""

from __future__ import annotations

from typing import Any

from masthead.http.paging import Page
from masthead.http.request import Request
from masthead.tags import services
from masthead.tags.models import Tag


def list_tags(request: Request) -> Page:
    """All tags by name."""
    return services.list_tags(request.db, request.window)


def create_tag(request: Request) -> Tag:
    """Make a tag."""
    return services.create_tag(request.db, request.data["name"])


def rename_tag(request: Request) -> Tag:
    """Rename a tag."""
    return services.rename_tag(request.db, request.matchdict["id"], request.data["name"])


def delete_tag(request: Request) -> Any:
    """Delete a tag."""
    services.delete_tag(request.db, request.matchdict["id"], request.identity)
    return {"success": True}
