"""The endpoints of API tokens."""

from __future__ import annotations

from typing import Any

from masthead import (
    MOST_ROWS,
    SIGNED_IN,
    SUCCESS,
    ListOf,
    Object,
    Page,
    Request,
    endpoint,
    tag_response,
)
from masthead_apitokens import schemas, services
from masthead_apitokens.models import ApiToken

_PATH = "/api/staff/api-tokens"


@endpoint(
    "POST",
    _PATH,
    name="api-tokens.create",
    permission=SIGNED_IN,
    needs_login=True,
    body=schemas.CREATE,
    returns=schemas.CREATED,
)
def create_token(request: Request) -> Any:
    """Make an API token.

    A program sends it as `Authorization: Bearer mst_…` and acts for you, with the permissions of
    the token that you have at that time. Only this answer shows the token.
    """
    token, text = services.create_token(request.db, request.data, request.identity)
    return {**_described(request, token), "token": text}


@endpoint(
    "GET",
    _PATH,
    name="api-tokens.list",
    permission=SIGNED_IN,
    needs_login=True,
    query=schemas.LIST,
    page=MOST_ROWS,
    returns=ListOf(Object(schemas.TOKEN)),
)
def list_tokens(request: Request) -> Page:
    """List your API tokens, newest first; expired ones are listed for a month."""
    everyones = request.query.get("all", False)
    page = services.list_tokens(request.db, request.window, request.identity, everyones=everyones)
    return Page([_values(each) for each in page.items], page.total)


@endpoint(
    "GET",
    f"{_PATH}/{{id}}",
    name="api-tokens.show",
    permission=SIGNED_IN,
    needs_login=True,
    returns=schemas.TOKEN,
)
def show_token(request: Request) -> Any:
    """Show an API token of yours, or any to an administrator."""
    token = services.get_token(request.db, request.matchdict["id"], request.identity)
    return _described(request, token)


@endpoint(
    "PUT",
    f"{_PATH}/{{id}}",
    name="api-tokens.update",
    permission=SIGNED_IN,
    needs_login=True,
    body=schemas.CHANGE,
    returns=schemas.TOKEN,
)
def rename_token(request: Request) -> Any:
    """Change the name of an API token."""
    token = services.rename_token(
        request.db,
        request.matchdict["id"],
        request.data.get("name"),
        request.identity,
        request.precondition,
    )
    return _described(request, token)


@endpoint(
    "DELETE",
    f"{_PATH}/{{id}}",
    name="api-tokens.revoke",
    permission=SIGNED_IN,
    needs_login=True,
    returns=SUCCESS,
)
def revoke_token(request: Request) -> Any:
    """Revoke an API token, which is invalid from then on."""
    services.revoke_token(
        request.db, request.matchdict["id"], request.identity, request.precondition
    )
    return {"success": True}


def _described(request: Request, token: ApiToken) -> dict[str, Any]:
    """Return a token by wire name, with its revision as the ETag of the answer."""
    tag_response(request, token.revision)
    return _values(token)


def _values(token: ApiToken) -> dict[str, Any]:
    return {
        "id": token.id,
        "name": token.name,
        "user": token.user,
        "permissions": token.permissions,
        "approves": token.approves,
        "createdAt": token.created_at,
        "expiresAt": token.expires_at,
        "lastUsedAt": token.last_used_at,
    }
