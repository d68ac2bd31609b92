"""The management of roles by administrators."""

from __future__ import annotations

from typing import Any

from masthead.auth import schemas
from masthead.auth.schemas import describe_role
from masthead.auth.services import roles
from masthead.http.endpoints import endpoint
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.permissions import ADMIN
from masthead.http.request import Request
from masthead.schemas.schema import SUCCESS, ListOf, Object


@endpoint(
    "GET",
    "/api/staff/roles",
    name="auth.list_roles",
    permission=ADMIN,
    returns=ListOf(Object(schemas.ROLE)),
    page=MOST_ROWS,
)
def list_roles(request: Request) -> Page:
    """List the roles by name."""
    page, declared = roles.list_roles(request.db, request.window), request.instance.permissions
    return Page([describe_role(role, declared) for role in page.items], page.total)


@endpoint(
    "POST",
    "/api/staff/roles",
    name="auth.create_role",
    permission=ADMIN,
    body=schemas.NEW_ROLE,
    returns=schemas.ROLE,
)
def create_role(request: Request) -> Any:
    """Create a role."""
    declared = request.instance.permissions
    role = roles.create_role(request.db, request.data, declared, request.identity.id)
    return describe_role(role, declared)


@endpoint(
    "PUT",
    "/api/staff/roles/{id}",
    name="auth.update_role",
    permission=ADMIN,
    body=schemas.ROLE_CHANGE,
    returns=schemas.ROLE,
)
def update_role(request: Request) -> Any:
    """Change a role."""
    declared = request.instance.permissions
    role = roles.update_role(
        request.db, request.matchdict["id"], request.data, declared, request.identity.id
    )
    return describe_role(role, declared)


@endpoint(
    "DELETE",
    "/api/staff/roles/{id}",
    name="auth.delete_role",
    permission=ADMIN,
    returns=SUCCESS,
    refuses=frozenset({400}),
)
def delete_role(request: Request) -> Any:
    """Delete a role that no user holds."""
    roles.delete_role(request.db, request.matchdict["id"], request.identity.id)
    return {"success": True}
