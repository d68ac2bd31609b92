"""The endpoint of the document, and its setting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoint
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.instance import Instance
from masthead.schemas.field_types import Anything
from masthead.settings import Setting, boolean, choice
from masthead.web.openapi.document import document

EXACT_VERSION = Setting(
    "masthead.openapi.exact_version",
    boolean,
    "false",
    "Whether /openapi.json shows everybody the exact version of Masthead, which helps attackers to"
    " find known vulnerabilities; otherwise it shows the first two numbers.",
    shows=False,
)
EVERYBODY, STAFF = "everybody", "staff"
READERS = Setting(
    "masthead.openapi.readers",
    choice(EVERYBODY, STAFF),
    EVERYBODY,
    "The readers of /openapi.json and /docs, which list all operations: everybody, or staff with a"
    " token.",
    shows=False,
)


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the settings of the document."""
    return [EXACT_VERSION, READERS]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Declare the endpoint of the document."""
    is_staff = instance.settings[READERS] == STAFF
    return [replace(show_document, permission=SIGNED_IN) if is_staff else show_document]


@endpoint("GET", "/openapi.json", name="core.openapi", permission=PUBLIC, returns=Anything())
def show_document(request: Request) -> bytes:
    """Return this document."""
    return request.instance.shared(_document)


def describe(instance: Instance) -> dict[str, Any]:
    """Return the document as its readers may see it."""
    settings = instance.settings
    exact = settings[EXACT_VERSION] or settings[READERS] == STAFF
    return document(instance.endpoints, instance, exact_version=exact)


def _document(instance: Instance) -> bytes:
    return dump_json(describe(instance))
