"""The OpenAPI document is valid and describes the declarations of the endpoints."""

from __future__ import annotations

from collections.abc import Mapping

import colander
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.instance import Instance
from masthead.plugins import Plugin, installed
from masthead.schemas.field_types import Anything, Bool, Email, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Nullable, Object, optional, required, schema
from masthead.testing.client import Client
from masthead.web.openapi import answer_schema, document, operation

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


def test_a_path_parameter_is_an_id_or_any_text() -> None:
    described = operation(endpoint(path="/api/things/{id}/{owner_id}/{slug}"))

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


def test_only_declared_statuses_are_described() -> None:
    described = operation(endpoint(permission=PUBLIC, page=10))

    assert set(described["responses"]) == {"200", "304", "400", "429"}
    assert set(described["responses"]["200"]["headers"]) == {"ETag", "X-Total-Count", "Link"}
    assert set(described["responses"]["429"]["headers"]) == {"Retry-After"}
    assert "content" not in described["responses"]["304"]


def test_permissions_are_described() -> None:
    assert operation(endpoint(permission=PUBLIC))["security"] == []
    assert operation(endpoint())["security"] == [{"bearer": []}]
    assert "`things.write`" in operation(endpoint(permission="things.write"))["description"]
