"""The OpenAPI document of all plugins explains everything that it lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has no types
from openapi_spec_validator import OpenAPIV31SpecValidator, validate
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from masthead import Instance, Plugin
from masthead.plugins import installed
from masthead.web.openapi.document import document

Described = dict[str, Any]
_URI = "urn:document"


@pytest.fixture(scope="module")
def plugins() -> list[Plugin]:
    return list(installed().values())


@pytest.fixture
def described(instance: Instance) -> Described:
    return document(instance.endpoints, instance)


def unexplained(described: Described) -> Iterator[str]:
    """Yield the parts of a document without a description."""
    for group in described["tags"]:
        yield from [] if group["description"] else [f"tag {group['name']}"]
    for path in described["paths"].values():
        for operation in path.values():
            name = operation["operationId"]
            yield from [] if operation["summary"] and operation["description"] else [name]
            for each in operation["parameters"]:
                yield from [] if each.get("description") else [f"{name}: {each['name']}"]
    for name, schema in described["components"]["schemas"].items():
        yield from [] if schema.get("description") else [name]
        for field, part in schema.get("properties", {}).items():
            yield from [] if part.get("description") else [f"{name}: {field}"]


def test_every_operation_parameter_property_and_tag_is_explained(described: Described) -> None:
    validate(described, cls=OpenAPIV31SpecValidator)

    assert list(unexplained(described)) == []


def test_every_schema_is_named_by_a_declaration(described: Described) -> None:
    names = described["components"]["schemas"].keys() - {"ApprovalRequest"}

    assert [name for name in names if name.endswith(("Response", "Request"))] == []


def test_each_schema_has_an_example_that_it_allows(described: Described) -> None:
    resource = DRAFT202012.create_resource(described)
    registry: Any = Registry().with_resource(_URI, resource)
    wrong = []

    for name, schema in described["components"]["schemas"].items():
        reference = {"$ref": f"{_URI}#/components/schemas/{name}"}
        validator = Draft202012Validator(reference, registry=registry)
        wrong += [f"{name}: {e.message}" for e in validator.iter_errors(schema["examples"][0])]

    assert wrong == []
