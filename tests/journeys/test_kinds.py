"""``GET /api/staff/types`` describes the kinds of items well enough to build their forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import ContentType, Nullable, Plugin, Str, User
from masthead.auth.models import Role
from masthead.plugins import installed
from masthead.testing import Client
from masthead.web.kinds.controls import control

PATH = "/api/staff/types"


@pytest.fixture
def plugins() -> list[Plugin]:
    return list(installed().values())


def kinds(app: Client, role: str) -> dict[str, Any]:
    """Return the kinds that a holder of a role sees, by name."""
    return {each["name"]: each for each in app.as_role(role).get(PATH).json}


def test_every_content_type_and_resource_is_listed_for_an_administrator(
    app: Client, instance: Any
) -> None:
    types = {n for n, it in instance.content_types.items() if isinstance(it, ContentType)}

    others = {"navigation", "roles", "tags", "users"}
    assert kinds(app, "admin").keys() == types | instance.resources.keys() | others


def test_tags_users_and_navigation_are_described_by_their_endpoints(app: Client) -> None:
    found = kinds(app, "admin")
    tags, entries, users = (found[name] for name in ("tags", "navigation", "users"))

    assert (tags["label"], tags["pluralLabel"], tags["idKind"]) == ("Tag", "Tags", "integer")
    assert (entries["label"], entries["idKind"]) == ("Navigation Entry", "text")
    assert tags["publicPath"] == "/api/tags"
    assert {field["name"] for field in tags["fields"]} == {"name", "slug", "takeOver"}
    fields = {field["name"]: field for field in users["fields"]}
    assert (fields["email"]["widget"], fields["password"]["widget"]) == ("email", "password")
    assert fields["username"]["required"]
    assert users["may"]["write"]
    assert "users" not in kinds(app, "editor")


def test_each_listed_path_and_operation_exists(app: Client) -> None:
    reader = app.as_role("admin")

    for each in kinds(app, "admin").values():
        reader.get(each["path"])
        if each["publicPath"]:
            app.get(each["publicPath"])


def test_a_field_has_the_control_and_the_bounds_that_suit_it(app: Client) -> None:
    found = kinds(app, "admin")
    news = {field["name"]: field for field in found["news"]["fields"]}
    contact = {field["name"]: field for field in found["contacts"]["fields"]}

    controls = {name: (field["kind"], field["widget"]) for name, field in news.items()}
    assert controls["title"] == ("text", "text")
    assert controls["description"] == ("text", "textarea")
    assert controls["content"] == ("html", "html")
    assert controls["imageUrl"] == ("link", "image")
    assert controls["publishedAt"] == ("date-time", "date-time")
    assert controls["tagIds"] == ("list", "tags")
    assert (news["title"]["required"], news["title"]["maxLength"]) == (True, 200)
    assert news["title"]["help"]
    assert (news["category"]["required"], news["category"]["nullable"]) == (False, True)
    assert contact["status"]["enum"][:2] == ["Contact", "Member"]
    assert contact["status"]["defaultValue"] == "Event Attendee"
    mapped = found["contact-import-mappings"]["fields"][1]["element"]
    assert [member["name"] for member in mapped["members"]] == ["column", "field"]


def test_a_form_with_the_required_fields_creates_an_item(app: Client) -> None:
    """A client that knows only the answer can create an item of each content type."""
    samples = {"text": "x", "date-time": "2036-01-01"}
    staff = app.as_role("admin")

    for each in kinds(app, "admin").values():
        needed = [field for field in each["fields"] if field["required"]]
        if each["kind"] == "content":
            body = {field["name"]: samples[field["kind"]] for field in needed}
            assert staff.post_json(each["path"], body).json["id"]


def test_a_reader_sees_only_what_they_may_read_and_that_they_may_not_write(
    app: Client, make_user: Callable[..., User], make_role: Callable[..., Role]
) -> None:
    make_role("reader", "news.read")

    [seen] = app.as_user(make_user(role="reader")).get(PATH).json

    assert seen["name"] == "news"
    assert seen["may"] == {"read": True, "write": False, "approve": False, "editLive": False}


def test_an_editor_may_request_an_approval_and_not_grant_it(app: Client) -> None:
    news = kinds(app, "editor")["news"]
    approver = kinds(app, "admin")["news"]

    assert news["may"] == {"read": True, "write": True, "approve": False, "editLive": False}
    allowed = {move["name"]: move["allowed"] for move in news["approval"]["moves"]}
    assert allowed == {"request": True, "approve": False, "reject": False, "withdraw": True}
    assert approver["may"]["approve"]
    assert approver["may"]["editLive"]


def test_the_schemas_and_the_filters_are_those_of_the_openapi_document(app: Client) -> None:
    document = app.get("/openapi.json").json
    found = kinds(app, "admin")

    for each in found.values():
        assert set(each["schemas"].values()) <= document["components"]["schemas"].keys()
    assert [each["name"] for each in found["contacts"]["filters"]] == [
        "status",
        "deliverable",
        "progressionStage",
        "tag",
        "search",
        "updatedSince",
    ]


def test_a_client_that_has_the_answer_is_not_sent_it_again(app: Client) -> None:
    reader = app.as_role("admin")
    etag = reader.get(PATH).headers["ETag"]

    reader.get(PATH, headers={"If-None-Match": etag}, status=304)


def test_strangers_see_nothing(app: Client) -> None:
    app.get(PATH, status=401)


def test_a_type_of_a_plugin_declares_its_control() -> None:
    class Colour(Str):
        """A colour."""

        widget = "colour"

    assert control("accent", Nullable(Colour()))["widget"] == "colour"
    assert control("accent", Colour())["kind"] == "text"
