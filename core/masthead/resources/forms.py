"""Forms that anonymous visitors send, and the checks that can refuse a submission."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import colander

from masthead.errors import Problem, ProblemCode, Refused
from masthead.hookspecs import hookimpl
from masthead.http.request import Request
from masthead.schemas.field_types import Str
from masthead.schemas.schema import extended, optional

HONEYPOT = "website"
"""A field that people don't see and that spam programs fill in."""


def form(body: colander.SchemaNode) -> colander.SchemaNode:
    """Return the body of a public form: the given fields, and the honeypot."""
    honeypot = optional(Str(), help="Has to be blank: spam programs fill it in.", example="")
    return extended(body, {HONEYPOT: honeypot}, name=body.type_name, help=body.description)


def check_submission(request: Request, kind: str) -> dict[str, Any]:
    """Ask the plugins whether a submitted form may be stored, and return its fields.

    :param kind: the kind of submission in the plural: ``contact-messages``.
    :returns: the checked body without the honeypot.
    :raises Refused: where a plugin refuses the submission.
    """
    hooks = request.instance.hooks
    hooks.masthead_check_submission(request=request, kind=kind, data=request.data)
    return {name: value for name, value in request.data.items() if name != HONEYPOT}


@hookimpl
def masthead_check_submission(data: Mapping[str, Any]) -> None:
    """Refuse a submission whose honeypot is filled in."""
    if data.get(HONEYPOT):
        problem = Problem(HONEYPOT, ProblemCode.NOT_ALLOWED, "Must be empty")
        raise Refused(f"{HONEYPOT}: {problem.message}", problem)
