"""What anonymous visitors send through forms, and who may refuse it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import colander

from masthead.errors import Refused
from masthead.hookspecs import hookimpl
from masthead.http.request import Request
from masthead.instance import Instance
from masthead.schemas.field_types import Str
from masthead.schemas.schema import extended, optional

HONEYPOT = "website"
"""A field that people don't see and programs fill in."""


def form(body: colander.SchemaNode) -> colander.SchemaNode:
    """The body of a form that anybody may send: its fields, and one that has to stay empty."""
    return extended(body, {HONEYPOT: optional(Str())})


def check_submission(request: Request, kind: str) -> dict[str, Any]:
    """Ask the plugins whether what a form sent may be stored.

    :param kind: what is sent, in the plural: ``contact-messages``.
    :returns: the checked body without the field that has to stay empty.
    :raises Refused: where one of them says no.
    """
    instance: Instance = request.instance
    instance.hooks.masthead_check_submission(request=request, kind=kind, data=request.data)
    return {name: value for name, value in request.data.items() if name != HONEYPOT}


@hookimpl
def masthead_check_submission(data: Mapping[str, Any]) -> None:
    """Refuse what fills in the field that people don't see."""
    if data.get(HONEYPOT):
        raise Refused(f"{HONEYPOT}: Must be empty")
