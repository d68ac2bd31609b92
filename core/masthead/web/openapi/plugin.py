"""The endpoint of the document, and its setting."""

from __future__ import annotations

from typing import Any

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoint
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.schemas.field_types import Anything
from masthead.settings import Setting, boolean
from masthead.web.openapi.document import document

EXACT_VERSION = Setting(
    "masthead.openapi.exact_version",
    boolean,
    "false",
    "Whether /openapi.json shows everybody the exact version of Masthead, which helps attackers to"
    " find known vulnerabilities; otherwise it shows the first two numbers.",
    shows=False,
)


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the setting of the document."""
    return [EXACT_VERSION]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Declare the endpoint of the document."""
    return [show_document]


@endpoint("GET", "/openapi.json", name="core.openapi", permission=PUBLIC, returns=Anything())
def show_document(request: Request) -> bytes:
    """Return this document."""
    registry, instance = request.registry, request.instance
    if "masthead.web.openapi" not in registry:
        exact = instance.settings[EXACT_VERSION]
        made = document(instance.endpoints, instance, exact_version=exact)
        registry["masthead.web.openapi"] = dump_json(made)
    ready: bytes = registry["masthead.web.openapi"]
    return ready
