"""The document: its information, groups, paths and components (OpenAPI Specification 3.1.1)."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from masthead.approval.declaration import Approvable
from masthead.http.addresses import site_address
from masthead.http.endpoints import PLACEHOLDER, Endpoint
from masthead.http.routes import BASE_URL
from masthead.instance import Instance
from masthead.resources.declaration import Resource
from masthead.schemas.labels import plural_of, sentence
from masthead.web.openapi.components import Components
from masthead.web.openapi.examples import add_examples
from masthead.web.openapi.operations import body_of, is_revised, operation, tag_of
from masthead.web.openapi.responses import Responses

_DESCRIPTION = """\
The interface of a Masthead instance: content and forms for websites
and apps, and the work of staff.

- Bodies and answers are JSON. Times are in UTC, as `2026-03-01T09:30:00.000Z`.
- Endpoints below `/api/staff/` need the header `Authorization: Bearer <token>`, with a token from
  `POST /api/auth/login`.
- An error is an object with the member `error`, a message for humans.
- Later releases add members to answers, and values to enumerations. Ignore those that you don't
  know.
"""


def document(
    endpoints: Sequence[Endpoint], instance: Instance, *, exact_version: bool = True
) -> dict[str, Any]:
    """Describe the endpoints of an instance.

    :param exact_version: whether it shows more than the first two numbers of the version.
    :returns: the document as a JSON object.
    :raises StartError: if two different schemas have the same name.
    """
    components = Components()
    responses = Responses(components)
    paths = _paths(endpoints, components, responses)
    return {
        "openapi": "3.1.1",
        "info": _info(instance, exact_version=exact_version),
        "servers": [{"url": instance.settings[BASE_URL]}],
        "tags": _tags(endpoints, instance),
        "paths": paths,
        "components": {
            "schemas": add_examples(components.schemas),
            "responses": dict(sorted(responses.shared.items())),
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "JWT",
                    "description": "The token that a login answers.",
                }
            },
        },
    }


def _info(instance: Instance, *, exact_version: bool) -> dict[str, Any]:
    version = instance.plugins[0].version or "0"
    return {
        "title": "Masthead",
        "version": version if exact_version else ".".join(version.split(".")[:2]),
        "description": _DESCRIPTION,
        "contact": {
            "name": "The operator of this instance",
            "url": site_address(instance.settings, "/"),
        },
        "license": {"name": "MIT", "identifier": "MIT"},
    }


def _paths(
    endpoints: Sequence[Endpoint], components: Components, responses: Responses
) -> dict[str, dict[str, Any]]:
    revised = {_address(each.path) for each in endpoints if is_revised(each)}
    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        shows = _shows_revision(each, revised)
        described = operation(each, components, responses, revised=shows)
        paths.setdefault(each.path, {})[each.method.lower()] = described
    for each in endpoints:
        paths[each.path][each.method.lower()] |= body_of(each, components)
    return paths


def _shows_revision(endpoint: Endpoint, revised: Iterable[str]) -> bool:
    """Whether the answer is one item that has a revision: to a read, a change or a create."""
    if endpoint.method == "POST":
        return f"{_address(endpoint.path)}/{{}}" in revised and endpoint.page is None
    return endpoint.method in ("GET", "PUT") and _address(endpoint.path) in revised


def _address(path: str) -> str:
    return PLACEHOLDER.sub("{}", path)


def _tags(endpoints: Sequence[Endpoint], instance: Instance) -> list[dict[str, Any]]:
    """Return the groups of operations; the first view of one explains it."""
    labels: dict[str, Approvable | Resource] = {**instance.content_types, **instance.resources}
    first: dict[str, Endpoint] = {}
    for each in endpoints:
        first.setdefault(tag_of(each), each)
    return [
        {
            "name": name,
            "description": _kind(labels[name]) if name in labels else _purpose(endpoint),
        }
        for name, endpoint in sorted(first.items())
    ]


def _kind(it: Approvable | Resource) -> str:
    """Return the label of a kind of items in the plural, and the first line about their model."""
    about = (it.model.__doc__ or "").partition("\n")[0]
    return f"{sentence(plural_of(it))} {about}".rstrip()


def _purpose(endpoint: Endpoint) -> str:
    """Return the first paragraph of the docstring of the module with the view."""
    view = endpoint.view.func if isinstance(endpoint.view, partial) else endpoint.view
    module = inspect.getmodule(view)
    paragraph = (inspect.getdoc(module) or "").partition("\n\n")[0]
    return " ".join(paragraph.split()).replace("``", "`")
