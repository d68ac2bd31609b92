"""Endpoints as Operation Objects: parameters, bodies, answers and their headers."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import colander

from masthead.http.endpoints import PLACEHOLDER, Endpoint, is_id
from masthead.http.form_posts import MEDIA_TYPES
from masthead.http.idempotency import HEADER as IDEMPOTENCY_KEY
from masthead.http.paging import MAX_LIMIT
from masthead.http.permissions import PUBLIC
from masthead.schemas.field_types import MAX_ID
from masthead.schemas.labels import pascal_case
from masthead.schemas.schema import example_of, help_of, json_schema
from masthead.web.openapi.answers import open_schema
from masthead.web.openapi.components import INPUT, Components
from masthead.web.openapi.responses import Responses
from masthead.web.openapi.subschemas import JsonSchema

_PATH_HELP = {
    "id": "The id of the item.",
    "name": "The name of the item, which is its id.",
    "slug": "The slug of the item.",
    "token": "The secret of the link.",
}
_FILE_ALONE: JsonSchema = {
    "title": "FileUpload",
    "description": "A form with one file.",
    "type": "object",
}
_IDEMPOTENCY_KEY = {
    "name": IDEMPOTENCY_KEY,
    "in": "header",
    "description": "A new text, such as a UUID, by which a repetition of this request gets the"
    " answer to the first one.",
    "schema": {"type": "string"},
    "example": "8e03978e-40d5-43dd-bc93-6894a57f9324",
}
_IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "description": (
        "The revision that the change is based on: the `ETag` of an earlier answer. If the item has"
        " another revision by now, the answer is 412 and nothing changes."
    ),
    "schema": {"type": "string"},
    "example": '"3"',
}


def operation(
    endpoint: Endpoint, components: Components, responses: Responses, *, revised: bool = False
) -> dict[str, Any]:
    """Describe one endpoint.

    :param components: the schemas of the document, to which those of its answer are added.
    :param responses: the shared responses of the document.
    :param revised: whether its answer shows the revision of an item.
    """
    described: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "description": _description(endpoint),
        "tags": [tag_of(endpoint)],
        "parameters": _parameters(endpoint),
    }
    answer = open_schema(endpoint)
    if answer is not None:
        answer = components.refer(answer, f"{pascal_case(endpoint.name)}Response")
    described["responses"] = responses.of(endpoint, answer, revised=revised)
    described["security"] = [] if endpoint.permission == PUBLIC else [{"bearer": []}]
    return described


def body_of(endpoint: Endpoint, components: Components) -> dict[str, Any]:
    """Return the member for the body of an endpoint; call it after all answers are described."""
    place = f"{pascal_case(endpoint.name)}Request"
    if endpoint.upload is not None:
        content = _form(endpoint)
    elif endpoint.body is not None:
        types = ("application/json", *(MEDIA_TYPES if endpoint.form else ()))
        content = {each: {"schema": json_schema(endpoint.body)} for each in types}
    elif endpoint.raw_body is not None:
        is_json = endpoint.raw_type == "application/json"
        content = {endpoint.raw_type: {"schema": {} if is_json else {"type": "object"}}}
    else:
        return {}
    for media in content.values():
        media["schema"] = components.refer(media["schema"], place, suffix=INPUT)
    return {"requestBody": {"required": True, "content": content}}


def tag_of(endpoint: Endpoint) -> str:
    """Return the name of the group that an endpoint belongs to."""
    return endpoint.name.removeprefix("staff.").partition(".")[0]


def is_revised(endpoint: Endpoint) -> bool:
    """Whether a change by an endpoint is refused if it is based on another revision."""
    return HTTPStatus.PRECONDITION_FAILED in endpoint.statuses


def _description(endpoint: Endpoint) -> str:
    """Return the description: the endpoint's own text, and the permissions that it needs."""
    needed = [f"the permission `{each}`" for each in endpoint.permissions]
    if needed:
        instead = f", or the token of `{endpoint.token.name}`" if endpoint.token else ""
        needs = f"Needs {' and '.join(needed)}{instead}."
    else:
        needs = "Needs no token." if endpoint.permission == PUBLIC else "Needs a token."
    if endpoint.needs_login:
        needs = f"{needs} Only for a user who has logged in, not for a program with an API token."
    return f"{endpoint.description}\n\n{needs}" if endpoint.description else needs


def _form(endpoint: Endpoint) -> dict[str, Any]:
    """Describe a form with a file (OpenAPI 3.1.1, section 4.8.14.6)."""
    field, body = endpoint.upload, endpoint.body
    assert field is not None
    beside: JsonSchema = json_schema(body) if body is not None else _FILE_ALONE
    file = {"type": "string", "format": "binary", "description": "The file."}
    properties = {**beside.get("properties", {}), field.name: file}
    needed = [*beside.get("required", ()), *([field.name] if field.required else ())]
    bounds = {"required": needed} if needed else {}
    form: dict[str, Any] = {"schema": {**beside, "properties": properties, **bounds}}
    if field.accepts:
        form["encoding"] = {field.name: {"contentType": ", ".join(field.accepts)}}
    return {"multipart/form-data": form}


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    """Describe the parameters in the path, in the query and in the head."""
    described = [_path_parameter(endpoint, name) for name in PLACEHOLDER.findall(endpoint.path)]
    described += [_query_parameter(endpoint, child) for child in endpoint.parameters.children]
    if is_revised(endpoint):
        described.append(_IF_MATCH)
    if endpoint.takes_key:
        described.append(_IDEMPOTENCY_KEY)
    return described


def _path_parameter(endpoint: Endpoint, name: str) -> dict[str, Any]:
    identifier = {"type": "integer", "format": "int64", "minimum": 1, "maximum": MAX_ID}
    other = name.removesuffix("_id").replace("_", " ")
    general = f"The id of the {other}." if is_id(name) else f"The {other} in the address."
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": endpoint.path_help.get(name) or _PATH_HELP.get(name, general),
        "schema": identifier if is_id(name) else {"type": "string"},
    }


def _query_parameter(endpoint: Endpoint, child: colander.SchemaNode) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": child.name,
        "in": "query",
        "schema": child.typ.schema(),
    }
    if help_of(child):
        described["description"] = help_of(child)
    if example_of(child) is not None:
        described["example"] = example_of(child)
    if child.required:
        described["required"] = True
    if described["schema"].get("type") == "array":
        described["explode"] = False  # The elements are separated by commas.
    if child.name == "limit" and endpoint.page is not None and endpoint.page <= MAX_LIMIT:
        described["schema"]["default"] = endpoint.page
    return described
