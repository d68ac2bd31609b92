"""The management of roles by administrators."""

from __future__ import annotations

from typing import Any

from masthead.auth import schemas
from masthead.auth.models import Role
from masthead.auth.schemas import describe_role
from masthead.auth.services import roles
from masthead.http.endpoints import endpoint
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.permissions import ADMIN
from masthead.http.request import Request
from masthead.http.revisions import tag_response
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
    needs_login=True,
    body=schemas.NEW_ROLE,
    returns=schemas.ROLE,
)
def create_role(request: Request) -> Any:
    """Create a role."""
    declared = request.instance.permissions
    role = roles.create_role(request.db, request.data, declared, request.identity.id)
    return _described(request, role)


@endpoint(
    "GET",
    "/api/staff/roles/{id}",
    name="auth.show_role",
    permission=ADMIN,
    returns=schemas.ROLE,
)
def show_role(request: Request) -> Any:
    """Show a role."""
    return _described(request, roles.get_role(request.db, request.matchdict["id"]))


@endpoint(
    "PUT",
    "/api/staff/roles/{id}",
    name="auth.update_role",
    permission=ADMIN,
    needs_login=True,
    body=schemas.ROLE_CHANGE,
    returns=schemas.ROLE,
)
def update_role(request: Request) -> Any:
    """Change a role."""
    declared = request.instance.permissions
    role = roles.update_role(
        request.db,
        request.matchdict["id"],
        request.data,
        declared,
        request.identity.id,
        request.precondition,
    )
    return _described(request, role)


@endpoint(
    "DELETE",
    "/api/staff/roles/{id}",
    name="auth.delete_role",
    permission=ADMIN,
    needs_login=True,
    returns=SUCCESS,
)
def delete_role(request: Request) -> Any:
    """Delete a role that no user holds."""
    role_id = request.matchdict["id"]
    roles.delete_role(request.db, role_id, request.identity.id, request.precondition)
    return {"success": True}


def _described(request: Request, role: Role) -> dict[str, Any]:
    """Return a role by wire name, with its revision as the ETag of the answer."""
    tag_response(request, role.revision)
    return describe_role(role, request.instance.permissions)
