"""The endpoint by which ``masthead doctor --url`` learns how the server sees a visitor."""

from __future__ import annotations

from typing import Any

from masthead.auth.tokens import Tokens
from masthead.db import utcnow
from masthead.errors import Forbidden
from masthead.http.endpoints import endpoint
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.instance import Instance
from masthead.schemas.schema import required, schema
from masthead.schemas.text_types import Line

_PURPOSE = "doctor"
_SECONDS = 300
"""How long a proof is valid, in both directions, because clocks differ."""


def proof_of(instance: Instance) -> str:
    """Return a proof that the caller has the secrets of the instance, valid for some minutes."""
    time = str(int(utcnow().timestamp()))
    return f"{time}.{instance.shared(Tokens).sign(_PURPOSE, time)}"


@endpoint(
    "GET",
    "/api/doctor/visitor",
    name="doctor.visitor",
    permission=PUBLIC,
    keep=False,
    query=schema(
        {
            "proof": required(
                Line(200), help="A proof that the caller knows the secrets of the instance."
            )
        }
    ),
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
    time, _, signature = request.query["proof"].partition(".")
    known = request.instance.shared(Tokens).has_signed(_PURPOSE, time, signature)
    if not (known and abs(utcnow().timestamp() - int(time)) <= _SECONDS):
        raise Forbidden
    return {"address": request.client_addr or "", "scheme": request.scheme}
