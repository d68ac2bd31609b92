"""The security policy: the caller of a request, and what they may do."""

from __future__ import annotations

import hmac
import re
from typing import Any

from pyramid.config import Configurator
from pyramid.request import Request, RequestLocalCache

from masthead.audit.services import note_credential
from masthead.auth.caller import Caller
from masthead.auth.grants import Grants, read_grants
from masthead.auth.tokens import Claims, Tokens
from masthead.http.environ import USER, USER_ID
from masthead.http.permissions import SIGNED_IN
from masthead.instance import Instance

_LONGEST_CLIENT = 200
"""The characters of the name of a program that are kept."""
_BEARER = re.compile(r"bearer +([!-~]+) *\Z", re.IGNORECASE)


def includeme(config: Configurator) -> None:
    """Authenticate requests by the hook ``masthead_identify``.

    Reads the instance from ``config.registry["masthead.instance"]`` and stores its
    :class:`Tokens` as ``"masthead.tokens"``.

    :raises StartError: where the secrets have to be set and aren't.
    """
    instance: Instance = config.registry["masthead.instance"]
    tokens = Tokens(instance)
    config.registry["masthead.tokens"] = tokens
    config.set_security_policy(HookPolicy(instance))


class HookPolicy:
    """Pyramid's security policy: the identity is a :class:`Caller`, read once per request."""

    def __init__(self, instance: Instance) -> None:
        self._identify = instance.hooks.masthead_identify
        self._callers = RequestLocalCache(self._find_caller)
        tokens_of = {each.name: each.token for each in instance.endpoints if each.token}
        self._endpoint_tokens = {name: instance.settings[it] for name, it in tokens_of.items()}

    def identity(self, request: Request) -> Caller | None:
        """Return the caller; None without a valid credential."""
        caller: Caller | None = self._callers.get_or_create(request)
        return caller

    def authenticated_userid(self, request: Request) -> int | None:
        """Return the caller's user id; None without a valid credential."""
        caller = self.identity(request)
        return caller.id if caller else None

    # The arguments are those of Pyramid's ISecurityPolicy.
    def permits(self, request: Request, context: Any, permission: str) -> bool:  # noqa: ARG002
        """Whether the caller may call a route that requires ``permission``."""
        if self._has_endpoint_token(request):
            return True
        caller = self.identity(request)
        return caller is not None and (permission == SIGNED_IN or caller.may(permission))

    def _has_endpoint_token(self, request: Request) -> bool:
        """Whether the request carries the token of the endpoint, which needs no database."""
        route = request.matched_route
        token = self._endpoint_tokens.get(route.name) if route else None
        if not token:
            return False
        header = _BEARER.match(request.headers.get("Authorization", ""))
        return header is not None and hmac.compare_digest(header[1].encode(), token.encode())

    # The arguments are those of Pyramid's ISecurityPolicy.
    def remember(self, request: Request, userid: int, **options: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        """Return no headers: the client keeps its token."""
        return []

    # The arguments are those of Pyramid's ISecurityPolicy.
    def forget(self, request: Request, **options: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        """Return no headers: the client discards its token."""
        return []

    def _find_caller(self, request: Request) -> Caller | None:
        caller: Caller | None = self._identify(request=request)
        if caller is not None:
            request.environ[USER] = caller.username
            request.environ[USER_ID] = caller.id
            if caller.credential is not None:
                note_credential(request.db, caller.credential)
        return caller


def bearer_caller(request: Request) -> Caller | None:
    """Return the user of a request's login token (RFC 6750); None without a valid one."""
    token = bearer_token(request)
    claims = request.registry["masthead.tokens"].read(token) if token else None
    grants = read_grants(request.instance, claims.user_id) if claims else None
    return caller_of(claims, grants, client_of(request))


def bearer_token(request: Request) -> str | None:
    """Return the token of a request; None if it has none."""
    header = _BEARER.match(request.headers.get("Authorization", ""))
    return header[1] if header else None


def caller_of(
    claims: Claims | None, grants: Grants | None, client: str | None = None
) -> Caller | None:
    """Return the user of a token; None if the token isn't valid any more.

    :param client: the name of the program that sent the token.
    """
    if claims is None or grants is None:
        return None
    if grants.generation != claims.generation and grants.kept_token != claims.id:
        return None
    return Caller(
        id=claims.user_id,
        username=grants.username,
        permissions=grants.permissions,
        approves=grants.approves,
        token=claims.id,
        client=client,
    )


def client_of(request: Request) -> str | None:
    """Return the name of the program that sent the request; None if it has none."""
    name = "".join(c for c in request.headers.get("User-Agent", "") if c.isprintable())
    return name.strip()[:_LONGEST_CLIENT] or None
