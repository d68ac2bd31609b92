"""The address ``/``: the place of the documentation, for programs and for people."""

from __future__ import annotations

from typing import Any

from pyramid.response import Response

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoint
from masthead.http.pages import page_response
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.http.routes import BASE_URL
from masthead.i18n.texts import texts_of
from masthead.organisation.services import organisation_of
from masthead.schemas.field_types import Str
from masthead.schemas.schema import Nullable, required, schema

_PATHS = {"openapi": "/openapi.json", "documentation": "/docs"}
_HTML = "text/html"
_RELATIONS = (
    ("openapi", "service-desc", "application/json"),
    ("documentation", "service-doc", _HTML),
)
_ROOT = schema(
    {
        "name": required(
            Str(min_length=0), help="The name of the organisation.", example="Riverside Garden"
        ),
        "software": required(Str(), help="Always Masthead.", example="Masthead"),
        "openapi": required(
            Nullable(Str()),
            help="The address of the OpenAPI document.",
            example="https://api.example.org/openapi.json",
        ),
        "documentation": required(
            Nullable(Str()), help="The address of the documentation; null if there is none."
        ),
    },
    name="Root",
    help="The place of the documentation.",
)


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Declare the endpoint of the root."""
    return [show_root]


@endpoint("GET", "/", name="core.root", permission=PUBLIC, returns=_ROOT, keep=False, html=True)
def show_root(request: Request) -> Response | dict[str, Any]:
    """Tell programs and people where the documentation is.

    The header ``Link`` has the addresses as well (RFC 8631). Browsers get a page.
    """
    told = _told(request)
    offers = request.accept.acceptable_offers(["application/json", _HTML])
    wants_page = bool(offers) and offers[0][0] == _HTML
    response = _page(request, told) if wants_page else request.response
    response.headers["Vary"] = "Accept, Accept-Language"
    response.headers["Link"] = ", ".join(
        f'<{told[name]}>; rel="{relation}"; type="{media_type}"'
        for name, relation, media_type in _RELATIONS
        if told[name]
    )
    return response if wants_page else told


def _told(request: Request) -> dict[str, Any]:
    """Return the name of the organisation and the addresses of the documentation."""
    settings, paths = request.instance.settings, {each.path for each in request.instance.endpoints}
    base = settings[BASE_URL]
    return {
        "name": organisation_of(request.db).name,
        "software": "Masthead",
        **{name: base + path if path in paths else None for name, path in _PATHS.items()},
    }


def _page(request: Request, told: dict[str, Any]) -> Response:
    texts = texts_of(request.db)
    language = texts.language(texts.accepted(request.headers.get("Accept-Language")))
    return page_response(texts.render("core/root.html", language, **told))
