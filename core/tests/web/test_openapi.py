"""The OpenAPI document is valid and describes the declarations of the endpoints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import colander
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from masthead.errors import StartError
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.instance import Instance
from masthead.plugins import Plugin, installed
from masthead.schemas.field_types import Anything, Bool, Email, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Nullable, Object, optional, required, schema
from masthead.testing.client import Client
from masthead.web.openapi.answers import answer_schema
from masthead.web.openapi.document import document

INNER = schema({"name": required(Str())})
ANSWER = schema(
    {
        "id": required(Int(1)),
        "at": required(Timestamp(), nullable=True),
        "note": optional(Str()),
        "parts": required(ListOf(Object(INNER))),
        "owner": required(Object(INNER), nullable=True),
        "properties": required(Anything()),
    }
)


PLACES = ("ThingsGetResponseParts", "ThingsGetResponseFormer")


def endpoint(
    method: str = "GET",
    path: str = "/api/things",
    permission: str = SIGNED_IN,
    returns: colander.SchemaNode | str = ANSWER,
    query: colander.SchemaNode | None = None,
    body: colander.SchemaNode | None = None,
    page: int | None = None,
) -> Endpoint:
    return Endpoint(
        name=f"things.{method.lower()}",
        method=method,
        path=path,
        view=lambda _request: {},
        permission=permission,
        summary="Things",
        returns=returns,
        query=query,
        body=body,
        page=page,
        refuses=frozenset({429}),
    )


def operation(instance: Instance, each: Endpoint) -> Any:
    """Return the description of one endpoint."""
    return document([each], instance)["paths"][each.path][each.method.lower()]


def test_the_instances_own_document_is_valid(app: Client) -> None:
    answer = app.get("/openapi.json")

    validate(answer.json, cls=OpenAPIV31SpecValidator)
    assert answer.json["paths"]["/openapi.json"]["get"]["operationId"] == "core.openapi"


@pytest.fixture
def plugins() -> list[Plugin]:
    """Return core with the version of its distribution."""
    return [installed()["core"]]


def test_strangers_see_the_first_two_numbers_of_the_version(
    app: Client, instance: Instance
) -> None:
    exact = document(instance.endpoints, instance)["info"]["version"]

    shown = app.get("/openapi.json").json["info"]["version"]

    assert exact == instance.plugins[0].version
    assert len(shown.split(".")) == 2
    assert exact.startswith(f"{shown}.")


class TestExactVersion:
    """``masthead.openapi.exact_version`` shows the version to everybody."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.openapi.exact_version": "true"}

    def test_the_document_has_the_exact_version(self, app: Client, instance: Instance) -> None:
        shown = app.get("/openapi.json").json["info"]["version"]

        assert shown == instance.plugins[0].version


def test_a_client_that_has_the_document_is_not_sent_it_again(app: Client) -> None:
    etag = app.get("/openapi.json").headers["ETag"]

    app.get("/openapi.json", headers={"If-None-Match": etag}, status=304)


def test_a_document_of_every_kind_of_endpoint_is_valid(instance: Instance) -> None:
    body = schema({"email": required(Email()), "flag": optional(Bool(), nullable=False)})
    query = schema(
        {"tag": optional(Str(), nullable=False), "open": optional(Bool(), nullable=False)}
    )
    endpoints = [
        endpoint(permission=PUBLIC, query=query, page=50),
        endpoint("POST", body=body, permission="things.write"),
        endpoint("PUT", "/api/things/{id}/{slug}", body=body),
        endpoint("DELETE", "/api/images/{key}.png", returns="image/*"),
    ]

    described = document(endpoints, instance)

    validate(described, cls=OpenAPIV31SpecValidator)
    assert set(described["paths"]) == {
        "/api/things",
        "/api/things/{id}/{slug}",
        "/api/images/{key}.png",
    }


def test_a_path_parameter_is_an_id_or_any_text(instance: Instance) -> None:
    described = operation(instance, endpoint(path="/api/things/{id}/{owner_id}/{slug}"))

    kinds = {p["name"]: p["schema"]["type"] for p in described["parameters"]}
    assert kinds == {"id": "integer", "owner_id": "integer", "slug": "string"}


def test_an_answers_objects_are_closed_and_their_fields_required_unless_optional() -> None:
    described = answer_schema(endpoint())

    assert described is not None
    assert described["additionalProperties"] is False
    assert described["required"] == ["id", "at", "parts", "owner", "properties"]
    assert described["properties"]["parts"]["items"]["additionalProperties"] is False
    assert described["properties"]["owner"]["additionalProperties"] is False
    assert described["properties"]["properties"] == {"type": "object"}


def test_a_nullable_field_may_be_null_in_an_answer() -> None:
    described = answer_schema(endpoint(returns=Nullable(Object(INNER))))

    assert described is not None
    assert described["type"] == ["object", "null"]


def test_only_declared_statuses_are_described(instance: Instance) -> None:
    found = document([endpoint(permission=PUBLIC, page=10)], instance)

    described = found["paths"]["/api/things"]["get"]
    assert set(described["responses"]) == {"200", "304", "400", "429"}
    assert set(described["responses"]["200"]["headers"]) == {"ETag", "X-Total-Count", "Link"}
    assert described["responses"]["429"]["$ref"] == "#/components/responses/TooManyRequests"
    assert set(found["components"]["responses"]["TooManyRequests"]["headers"]) == {"Retry-After"}
    assert "content" not in described["responses"]["304"]


def test_permissions_are_described(instance: Instance) -> None:
    written = operation(instance, endpoint(permission="things.write"))

    assert operation(instance, endpoint(permission=PUBLIC))["security"] == []
    assert operation(instance, endpoint())["security"] == [{"bearer": []}]
    assert "`things.write`" in written["description"]


def test_objects_are_components_named_by_their_declaration_or_their_place(
    instance: Instance,
) -> None:
    answer = schema(
        {
            "owner": required(Object(schema({"id": required(Int())}, name="Owner")), help="Who."),
            "parts": required(ListOf(Object(INNER))),
            "former": required(Object(INNER), nullable=True),
        }
    )

    found = document([endpoint(returns=answer)], instance)["components"]["schemas"]

    assert found.keys() == {
        "Conflict",
        "Error",
        "MovedTo",
        "Owner",
        "Problem",
        "ThingsGetResponse",
        *PLACES,
    }
    properties = found["ThingsGetResponse"]["properties"]
    assert properties["owner"] == {"$ref": "#/components/schemas/Owner", "description": "Who."}
    assert properties["parts"]["items"] == {"$ref": f"#/components/schemas/{PLACES[0]}"}
    assert {"type": "null"} in properties["former"]["anyOf"]
    assert not [each for each in found.values() if "additionalProperties" in each]


def test_two_different_schemas_cannot_have_one_name(instance: Instance) -> None:
    one, other = (schema({field: required(Int())}, name="Owner") for field in ("id", "age"))

    with pytest.raises(StartError, match=r"two different schemas are named Owner"):
        document([endpoint(returns=one), endpoint("PUT", returns=other)], instance)


def test_a_body_with_other_bounds_than_the_answer_has_a_name_of_its_own(
    instance: Instance,
) -> None:
    inner = Object(schema({"name": required(Str())}, name="Owner"))
    both = schema({"owner": required(inner)})

    found = document([endpoint("PUT", returns=both, body=both)], instance)["components"]["schemas"]

    assert "minLength" not in found["Owner"]["properties"]["name"]
    assert found["OwnerInput"]["properties"]["name"]["minLength"] == 1


def test_a_change_of_an_item_with_revisions_takes_if_match(instance: Instance) -> None:
    path = "/api/things/{id}"
    read = endpoint(path=path)
    change = replace(endpoint("PUT", path), refuses=frozenset({412}))

    found = document([read, change], instance)["paths"][path]

    assert [each["name"] for each in found["put"]["parameters"]] == ["id", "If-Match"]
    for method in ("get", "put"):
        assert "If-Match" in found[method]["responses"]["200"]["headers"]["ETag"]["description"]
