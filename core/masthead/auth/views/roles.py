"""Managing roles, for administrators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from masthead.auth.schemas import describe_role
from masthead.auth.services import roles
from masthead.http.paging import Page
from masthead.http.permissions import Permission
from masthead.http.request import Request


def list_roles(request: Request) -> Page:
    """All roles, by name."""
    page, declared = roles.list_roles(request.db, request.window), _declared(request)
    return Page([describe_role(role, declared) for role in page.items], page.total)


def create_role(request: Request) -> Any:
    """A new role."""
    declared = _declared(request)
    role = roles.create_role(request.db, request.data, declared, request.identity.id)
    return describe_role(role, declared)


def update_role(request: Request) -> Any:
    """Change what is sent of a role."""
    declared = _declared(request)
    role = roles.update_role(
        request.db, request.matchdict["id"], request.data, declared, request.identity.id
    )
    return describe_role(role, declared)


def delete_role(request: Request) -> Any:
    """Delete a role that nobody holds."""
    roles.delete_role(request.db, request.matchdict["id"], request.identity.id)
    return {"success": True}


def _declared(request: Request) -> Mapping[str, Permission]:
    permissions: Mapping[str, Permission] = request.instance.permissions
    return permissions
