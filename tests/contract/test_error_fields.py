"""Every refused body and query names each wrong field, with its path and a code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import colander
import pytest
from webtest.forms import Upload

from masthead import Endpoint, Instance, ListOf, Nullable, Object, ProblemCode
from masthead.errors import WrongValue
from masthead.schemas.field_types import Anything, FieldType
from masthead.testing import Client

ROOT = Path(__file__).parents[2]
CODES = {str(code) for code in ProblemCode}


@pytest.fixture
def plugins() -> list[str]:
    """Enable all installed plugins."""
    return []


def wrong(kind: FieldType) -> tuple[Any, list[str]]:
    """Return a value that a type refuses, and the paths of the problems below it."""
    if isinstance(kind, Nullable):
        return wrong(kind.inner)
    if isinstance(kind, ListOf):
        inner, paths = wrong(kind.inner)
        return [inner, inner], [below(str(index), path) for index in (0, 1) for path in paths]
    if isinstance(kind, Object) and kind.node.children:
        body, paths = wrong_body(kind.node)
        return body, paths
    return [None], [""]


def below(name: str, path: str) -> str:
    return f"{name}.{path}" if path else name


def wrong_body(node: colander.SchemaNode) -> tuple[dict[str, Any], list[str]]:
    """Return an object of which a schema refuses each member, and the paths of the problems."""
    body: dict[str, Any] = {}
    paths: list[str] = []
    for child in node.children:
        if not isinstance(child.typ, Anything):
            body[child.name], inner = wrong(child.typ)
            paths += [below(child.name, path) for path in inner]
    return body, paths


def bodies(instance: Instance) -> Iterator[Endpoint]:
    return (e for e in instance.endpoints if e.body is not None and e.upload is None)


def address(endpoint: Endpoint) -> str:
    return re.sub(r"{[^{}]*}", "1", endpoint.path)


def fields(answer: Any) -> list[str]:
    """Return the paths of the problems in an answer, whose codes have to be known."""
    problems = answer.json["fields"]
    assert {each["code"] for each in problems} <= CODES
    for each in problems:
        assert each["path"].partition(".")[0] in answer.json["error"]
    return [each["path"] for each in problems]


def test_each_wrong_member_of_each_body_is_named(app: Client, instance: Instance) -> None:
    admin = app.as_role("admin")
    for endpoint in bodies(instance):
        body, paths = wrong_body(endpoint.body)
        method = f"{endpoint.method.lower()}_json"

        answer = getattr(admin, method)(address(endpoint), body, status=400)

        assert fields(answer) == paths, endpoint.name


def test_each_missing_member_of_each_body_is_named(app: Client, instance: Instance) -> None:
    admin = app.as_role("admin")
    for endpoint in bodies(instance):
        assert endpoint.body is not None
        needed = [child.name for child in endpoint.body.children if child.required]
        if needed:
            method = f"{endpoint.method.lower()}_json"

            answer = getattr(admin, method)(address(endpoint), {}, status=400)

            assert fields(answer) == needed, endpoint.name
            assert {each["code"] for each in answer.json["fields"]} == {"required"}


def refusing(endpoint: Endpoint) -> dict[str, str]:
    """Return a wrong value for each query parameter that refuses some text."""
    found = {}
    for child in endpoint.parameters.children:
        for text in ("wrong", "x" * 20_000, "-1", "0"):
            try:
                child.typ.parse(child.typ.read(text))
            except ValueError:
                found[child.name] = text
                break
    return {name: text for name, text in found.items() if len(text) < 1_000}


def test_each_wrong_query_parameter_is_named(app: Client, instance: Instance) -> None:
    admin = app.as_role("admin")
    tried = 0
    for endpoint in instance.endpoints:
        query = refusing(endpoint)
        if query and endpoint.method == "GET" and endpoint.refusal_page is None:
            answer = admin.get(address(endpoint), query, status=400)

            assert fields(answer) == list(query), endpoint.name
            tried += len(query)
    assert tried > 50


def test_each_wrong_field_of_each_form_is_named(app: Client, instance: Instance) -> None:
    admin = app.as_role("admin")
    uploads = [each for each in instance.endpoints if each.upload is not None]
    assert uploads
    for endpoint in uploads:
        assert endpoint.upload is not None
        empty = admin.post(address(endpoint), {"other": "x"}, status=400)
        assert empty.json["fields"] == [
            {"path": endpoint.upload.name, "code": "required", "message": "No file provided"}
        ]
        if endpoint.body is not None:
            texts = {child.name: "x\x00" for child in endpoint.body.children}
            form = {endpoint.upload.name: Upload("a.csv", b"name\nAda"), **texts}
            answer = admin.post(address(endpoint), form, status=400)
            assert fields(answer) == list(texts), endpoint.name


def test_limits_are_members_of_their_own(app: Client) -> None:
    admin = app.as_role("admin")

    [long] = admin.post_json("/api/staff/tags", {"name": "x" * 201}, status=400).json["fields"]
    [page] = admin.get("/api/staff/tags", {"limit": "0"}, status=400).json["fields"]
    body = {"operation": "burn", "ids": []}
    [choice] = admin.post_json("/api/staff/news/bulk", body, status=400).json["fields"]

    assert (long["code"], long["limit"]) == ("too_long", 200)
    assert (page["code"], page["minimum"]) == ("out_of_range", 1)
    assert (choice["code"], choice["options"]) == (
        "not_an_option",
        ["publish", "unpublish", "delete"],
    )


def test_refusals_of_services_name_their_field(app: Client) -> None:
    admin = app.as_role("admin")
    admin.post_json("/api/staff/tags", {"name": "Water"})
    user = {"username": "ada", "email": "ada@example.org", "password": "a long password"}
    admin.post_json("/api/staff/users", user)
    other = {**user, "username": "bob", "email": "bob@example.org"}
    news = {"title": "A", "tagIds": [99]}
    event = {"title": "A", "startDate": "2027-01-02", "endDate": "2027-01-01"}
    refused = [
        ("tags", {"name": "water"}, "name", "already_exists"),
        ("users", {**user, "email": "b@example.org"}, "username", "already_exists"),
        ("users", {**user, "username": "bob"}, "email", "already_exists"),
        ("users", {**other, "roles": ["nobody"]}, "roles", "unknown_name"),
        ("news", news, "tagIds", "unknown_id"),
        ("events", event, "endDate", "conflicting"),
        ("approval-config", {"contentType": "news", "roleId": 99}, "roleId", "unknown_id"),
    ]
    for path, body, field, code in refused:
        [problem] = admin.post_json(f"/api/staff/{path}", body, status=400).json["fields"]

        assert (problem["path"], problem["code"]) == (field, code), body


def test_an_error_without_a_code_is_invalid() -> None:
    class Odd(FieldType):
        def parse(self, value: Any) -> Any:
            if value % 2 == 0:
                raise ValueError("Must be odd")
            return value

    with pytest.raises(WrongValue) as refusal:
        ListOf(Odd()).parse([1, 2, 3, 4])

    assert str(refusal.value) == "Must be odd"
    found = [(each.path, each.code, each.message) for each in refusal.value.problems]
    assert found == [("1", "invalid", "Must be odd"), ("3", "invalid", "Must be odd")]


def test_the_codes_are_documented() -> None:
    text = (ROOT / "docs" / "rest-api.md").read_text()

    table = text.partition("| Code |")[2].partition("\n\n")[0]

    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [str(c) for c in ProblemCode]
