"""The endpoint of the reference, and its setting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pyramid.response import Response

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoint
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.http.request import Request
from masthead.instance import Instance
from masthead.settings import Setting, boolean
from masthead.web.openapi.plugin import READERS, STAFF, describe
from masthead.web.reference.page import ASKING_POLICY, POLICY, render, render_asking

ENABLED = Setting(
    "masthead.docs.enabled",
    boolean,
    "true",
    "Whether /docs shows the interface as a page for developers of websites and apps.",
)


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the setting of the page."""
    return [ENABLED]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Declare the endpoint of the page, unless it is off."""
    if not instance.settings[ENABLED]:
        return []
    is_staff = instance.settings[READERS] == STAFF
    if not is_staff:
        return [show_reference]
    return [replace(show_reference, permission=SIGNED_IN, refusal_page=_ask_for_token)]


@endpoint("GET", "/docs", name="core.docs", permission=PUBLIC, returns="text/html", keep=True)
def show_reference(request: Request) -> Response:
    """Show this reference as a page."""
    page = request.instance.shared(_page)
    response = Response(page, content_type="text/html", charset="UTF-8")
    response.headers["Content-Security-Policy"] = POLICY
    return response


def _ask_for_token(_request: Request, status: int, _message: str) -> Response:
    """Return the page with which a browser sends a token."""
    response = Response(render_asking(), status=status, content_type="text/html", charset="UTF-8")
    response.headers["Content-Security-Policy"] = ASKING_POLICY
    response.headers["Cache-Control"] = "no-store"
    return response


def _page(instance: Instance) -> str:
    return render(describe(instance))
