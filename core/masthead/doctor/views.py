"""The endpoints by which ``masthead doctor`` asks a running server for its view."""

from __future__ import annotations

from typing import Any

from masthead.auth.tokens import Tokens
from masthead.db import utcnow
from masthead.errors import Forbidden
from masthead.http.endpoints import Endpoint, endpoint
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.instance import Instance
from masthead.schemas.schema import required, schema
from masthead.schemas.text_types import Line
from masthead.web.health import STATUS, status_of

_SECONDS = 300
"""How long a proof is valid, in both directions, because clocks differ."""


def proof_of(instance: Instance, endpoint: Endpoint) -> str:
    """Return a proof that the caller has the secrets of the instance.

    It is valid for some minutes, and for one endpoint: proxies log addresses with their queries.
    """
    time = str(int(utcnow().timestamp()))
    return f"{time}.{instance.shared(Tokens).sign(endpoint.path, time)}"


_PROVEN = schema(
    {
        "proof": required(
            Line(200), help="A proof that the caller knows the secrets of the instance."
        )
    }
)


@endpoint(
    "GET",
    "/api/doctor/visitor",
    name="doctor.visitor",
    permission=PUBLIC,
    keep=False,
    query=_PROVEN,
    returns=schema(
        {
            "address": required(
                Line(100),
                help="The address of the caller, as the server sees it.",
                example="192.0.2.7",
            ),
            "scheme": required(
                Line(10), help="The scheme of the request, as the server sees it.", example="https"
            ),
        },
        name="Visitor",
        help="The caller, as the server sees it.",
    ),
    refuses=frozenset({Forbidden.status}),
)
def show_visitor(request: Request) -> dict[str, Any]:
    """Show the address and the scheme of the caller, who proves to know the secrets."""
    _check_proof(request, show_visitor)
    return {"address": request.client_addr or "", "scheme": request.scheme}


@endpoint(
    "GET",
    "/api/doctor/status",
    name="doctor.status",
    permission=PUBLIC,
    keep=False,
    query=_PROVEN,
    returns=STATUS,
    refuses=frozenset({Forbidden.status}),
    pool="status",
)
def show_server_status(request: Request) -> dict[str, Any]:
    """Show `GET /status` to a caller who proves to know the secrets."""
    _check_proof(request, show_server_status)
    return status_of(request.instance)


def _check_proof(request: Request, endpoint: Endpoint) -> None:
    time, _, signature = request.query["proof"].partition(".")
    known = request.instance.shared(Tokens).has_signed(endpoint.path, time, signature)
    if not (known and abs(utcnow().timestamp() - int(time)) <= _SECONDS):
        raise Forbidden
