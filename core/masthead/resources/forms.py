"""Forms that anonymous visitors send, and the checks that can refuse a submission."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import colander
from pyramid.response import Response

from masthead.errors import Problem, ProblemCode, Refused
from masthead.hookspecs import hookimpl
from masthead.http.pages import page_response
from masthead.http.request import Request
from masthead.i18n.texts import texts_of
from masthead.resources.problem_texts import problem_text
from masthead.schemas.field_types import Str
from masthead.schemas.schema import extended, optional
from masthead.settings import Setting, url

HONEYPOT = "website"
"""A field that people don't see and that spam programs fill in."""
_LONGEST = 500
"""The characters of a message in an address."""
SUCCESS_PAGE = Setting(
    "masthead.forms.success_page",
    url,
    "",
    "Address of the website's page to which a browser without JavaScript is led after it has sent"
    " a form; ?form= names the form. Blank for a page of Masthead.",
    shows=False,
)
FAILURE_PAGE = Setting(
    "masthead.forms.failure_page",
    url,
    "",
    "Address of the page for forms that are refused; ?form=, &status=, &error= and &fields="
    " describe the refusal; &fields= has the codes of wrong fields, such as email:required. Blank"
    " for a page of Masthead.",
    shows=False,
)


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


def form_answer(request: Request, status: int, said: Mapping[str, Any]) -> Response:
    """Return the response to the post of an HTML form: the way to a page of the website.

    Only settings name the page, never the request. If they don't, it is a page of Masthead.

    :param said: the JSON of the answer to a client with JavaScript.
    """
    failed = status >= 400
    address = request.instance.settings[FAILURE_PAGE if failed else SUCCESS_PAGE]
    if not address:
        return page_response(_page(request, status, said), status)
    told = {"form": request.matched_route.name}
    if failed:
        told |= {"status": str(status), "error": said["error"][:_LONGEST]}
        codes = [f"{each['path']}:{each['code']}" for each in said.get("fields", ())]
        told |= {"fields": ",".join(codes)[:_LONGEST]} if codes else {}
    headers = {"Location": f"{address}?{urlencode(told)}", "Cache-Control": "no-store"}
    return Response(status=303, headers=headers)


def _page(request: Request, status: int, said: Mapping[str, Any]) -> str:
    texts = texts_of(request.instance)
    language = texts.language(texts.accepted(request.headers.get("Accept-Language")))
    problems = [
        {"path": each["path"], "text": problem_text(texts, language, each)}
        for each in said.get("fields", ())
    ]
    message = said.get("error", "")
    return texts.render(
        "core/form.html", language, status=status, message=message, problems=problems
    )


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the settings of forms."""
    return [SUCCESS_PAGE, FAILURE_PAGE]


@hookimpl
def masthead_check_submission(data: Mapping[str, Any]) -> None:
    """Refuse a submission whose honeypot is filled in."""
    if data.get(HONEYPOT):
        problem = Problem(HONEYPOT, ProblemCode.NOT_ALLOWED, "Must be empty")
        raise Refused(f"{HONEYPOT}: {problem.message}", problem)
