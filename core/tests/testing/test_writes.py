"""The requests that the contract of plugins sends to endpoints that write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from masthead import (
    PUBLIC,
    SUCCESS,
    Endpoint,
    FileField,
    GeoPoint,
    Int,
    Json,
    ListOf,
    Object,
    Plugin,
    Request,
    Setting,
    Slug,
    Str,
    endpoint,
    form,
    hookimpl,
    integer,
    optional,
    required,
    schema,
)
from masthead.core_plugin import plugin as core
from masthead.testing import Client
from masthead.testing.writes import write_requests

MAX_FILE = Setting("masthead.post.max_file", integer(1, 2**20), "100000", "Bytes of a file.")
LINE = schema({"newsId": required(Int(1)), "number": required(Int(0))})
BODY = {
    "newsId": required(Int(1)),
    "newsSlug": required(Slug()),
    "lines": required(ListOf(Object(LINE))),
    "place": required(GeoPoint()),
    "odd": optional(Json({"type": "object"})),
}
GOT: list[Any] = []


def take(request: Request) -> dict[str, Any]:
    GOT.append((request.method, request.upload.filename, request.data))
    return {"success": True}


@endpoint(
    "POST", "/api/post", name="post.add", permission=PUBLIC, body=schema(BODY), returns=SUCCESS
)
def add(_request: Request) -> dict[str, Any]:
    """Add a letter."""
    return {"success": True}


STORE = Endpoint(
    name="post.store",
    method="PUT",
    path="/api/post/{id}/file",
    view=take,
    permission=PUBLIC,
    summary="Store a file",
    body=form(schema({"note": required(Str())})),
    upload=FileField(MAX_FILE),
    returns=SUCCESS,
)


class Hooks:
    @hookimpl
    def masthead_settings(self) -> list[Setting[Any]]:
        return [MAX_FILE]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        return [add, STORE]


PLUGIN = Plugin(name="post", hooks=(Hooks(),))


@pytest.fixture
def plugins() -> Sequence[Plugin]:
    return [core, PLUGIN]


def test_bodies_name_items_and_keep_to_their_schemas(app: Client) -> None:
    requests = list(write_requests([add], [{"id": 7, "slug": "open-day"}]))

    statuses = [each.send(app).status_int for each in requests]
    assert statuses == [400, 400, 200, 200, 200]
    for body in (each.body or {} for each in requests[2:]):
        assert (body["newsId"], body["newsSlug"]) == (7, "open-day")
        assert body["lines"][0]["newsId"] == 7
        assert "odd" not in body
    assert [each.body["lines"][0]["number"] for each in requests[2:] if each.body] == [0, 3, 4]


def test_a_form_with_a_file_is_sent_by_the_method_of_the_endpoint(app: Client) -> None:
    GOT.clear()
    for each in write_requests([STORE], [{"id": 7}]):
        each.send(app)

    assert {(method, name) for method, name, _ in GOT} == {("PUT", "file.txt")}
    assert all(data["note"] and "website" not in data for _, _, data in GOT)
