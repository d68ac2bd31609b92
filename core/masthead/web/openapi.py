"""The OpenAPI 3.1 document of an instance, generated from the declarations of its endpoints."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import colander

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import PLACEHOLDER, REDIRECTS, Endpoint, endpoint, is_id
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.http.routes import BASE_URL
from masthead.http.uploads import FileField
from masthead.http.wire import dump_json
from masthead.instance import Instance
from masthead.schemas.field_types import MAX_ID, Anything, FieldType
from masthead.schemas.schema import json_schema
from masthead.settings import Setting, boolean

_ERROR = {
    "type": "object",
    "properties": {"error": {"type": "string", "description": "A message for humans."}},
    "required": ["error"],
    "additionalProperties": False,
}


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


def document(
    endpoints: Sequence[Endpoint], instance: Instance, *, exact_version: bool = True
) -> dict[str, Any]:
    """Describe the endpoints of an instance (OpenAPI Specification 3.1.1).

    :param exact_version: whether it shows more than the first two numbers of the version.
    :returns: the document as a JSON object.
    """
    version = instance.plugins[0].version or "0"
    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        paths.setdefault(each.path, {})[each.method.lower()] = operation(each)
    return {
        "openapi": "3.1.1",
        "info": {"title": "Masthead", "version": version if exact_version else _minor(version)},
        "servers": [{"url": instance.settings[BASE_URL]}],
        "tags": [{"name": name} for name in sorted({_tag(each) for each in endpoints})],
        "paths": paths,
        "components": {
            "schemas": {"Error": _ERROR},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
            },
        },
    }


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def operation(endpoint: Endpoint) -> dict[str, Any]:
    """Describe one endpoint as an Operation Object."""
    described: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "tags": [_tag(endpoint)],
        "parameters": [*_path_parameters(endpoint.path), *_query_parameters(endpoint.parameters)],
        "responses": {str(status): _response(endpoint, status) for status in endpoint.statuses},
        "security": [] if endpoint.permission == PUBLIC else [{"bearer": []}],
    }
    if endpoint.permissions:
        needed = [f"the permission `{each}`" for each in endpoint.permissions]
        instead = f", or the token of `{endpoint.token.name}`" if endpoint.token else ""
        described["description"] = f"Needs {' and '.join(needed)}{instead}."
    if endpoint.upload is not None:
        described["requestBody"] = _form(endpoint.upload, endpoint.body)
    elif endpoint.raw_body is not None or endpoint.body is not None:
        described["requestBody"] = {"required": True, "content": _body(endpoint)}
    return described


def _body(endpoint: Endpoint) -> dict[str, Any]:
    """Describe a body without a file."""
    if endpoint.body is not None:
        return {"application/json": {"schema": json_schema(endpoint.body)}}
    is_json = endpoint.raw_type == "application/json"
    return {endpoint.raw_type: {"schema": {} if is_json else {"type": "object"}}}


def _form(field: FileField, body: colander.SchemaNode | None) -> dict[str, Any]:
    """Describe a form with a file (OpenAPI 3.1.1, section 4.8.14.6)."""
    beside: dict[str, Any] = json_schema(body) if body is not None else {"type": "object"}
    file = {"type": "string", "format": "binary"}
    properties = {**beside.get("properties", {}), field.name: file}
    needed = [*beside.get("required", ()), field.name]
    form: dict[str, Any] = {"schema": {**beside, "properties": properties, "required": needed}}
    if field.accepts:
        form["encoding"] = {field.name: {"contentType": ", ".join(field.accepts)}}
    return {"required": True, "content": {"multipart/form-data": form}}


def answer_schema(endpoint: Endpoint) -> dict[str, Any] | None:
    """Return the JSON Schema of an endpoint's 200 response; None if it isn't JSON.

    Unlike in requests, objects in responses have no additional properties.
    """
    shape = endpoint.returns
    if isinstance(shape, str):
        return None
    closed: dict[str, Any] = _closed(
        shape.schema() if isinstance(shape, FieldType) else json_schema(shape)
    )
    return closed


def _closed(part: Any) -> Any:
    """Return a JSON Schema whose objects with declared properties allow no others."""
    if isinstance(part, list):
        return [_closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    if "properties" not in part:
        return {key: _closed(value) for key, value in part.items()}
    # The keys of "properties" are names of fields, not keywords.
    fields = {name: _closed(field) for name, field in part["properties"].items()}
    rest = {key: _closed(value) for key, value in part.items() if key != "properties"}
    return {**rest, "properties": fields, "additionalProperties": False}


def _tag(endpoint: Endpoint) -> str:
    return endpoint.name.removeprefix("staff.").partition(".")[0]


def _path_parameters(path: str) -> list[dict[str, Any]]:
    identifier = {"type": "integer", "minimum": 1, "maximum": MAX_ID}
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": identifier if is_id(name) else {"type": "string"},
        }
        for name in PLACEHOLDER.findall(path)
    ]


def _query_parameters(node: colander.SchemaNode) -> list[dict[str, Any]]:
    found = []
    for child in node.children:
        parameter: dict[str, Any] = {
            "name": child.name,
            "in": "query",
            "schema": child.typ.schema(),
        }
        if child.required:
            parameter["required"] = True
        if parameter["schema"].get("type") == "array":
            # The elements are separated by commas.
            parameter["explode"] = False
        found.append(parameter)
    return found


def _response(endpoint: Endpoint, status: int) -> dict[str, Any]:
    described: dict[str, Any] = {"description": HTTPStatus(status).phrase}
    if headers := _headers(endpoint, status):
        described["headers"] = headers
    if status in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
        described["content"] = _content(endpoint)
    elif status >= HTTPStatus.BAD_REQUEST:
        reference = {"$ref": "#/components/schemas/Error"}
        error: dict[str, Any] = {"application/json": {"schema": reference}}
        described["content"] = {"text/html": {}} if endpoint.refusal_page else error
    return described


def _content(endpoint: Endpoint) -> dict[str, Any]:
    if isinstance(endpoint.returns, str):
        return {endpoint.returns: {}}
    return {"application/json": {"schema": answer_schema(endpoint)}}


def _headers(endpoint: Endpoint, status: int) -> dict[str, Any]:
    kinds = {}
    if endpoint.cacheable and status in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
        kinds["ETag"] = "string"
    if endpoint.page is not None and status == HTTPStatus.OK:
        kinds |= {"X-Total-Count": "integer", "Link": "string"}
    if status in REDIRECTS:
        kinds["Location"] = "string"
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        kinds["Retry-After"] = "integer"
    return {name: {"schema": {"type": kind}} for name, kind in kinds.items()}
