"""The tests of the names, slugs and languages of every content type."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from masthead.content.contenttype import ContentType
from masthead.schemas.labels import type_name
from masthead.testing.client import Client
from masthead.testing.desk import Desk


class AddressContract:
    """The tests of a content type's names in the OpenAPI document, slugs and languages."""

    content_type: ContentType

    @abstractmethod
    def first(self, *names: str) -> dict[str, Any]:
        """Return values for these fields, by default for all except the schedule."""

    @abstractmethod
    def second(self, *names: str) -> dict[str, Any]:
        """Return other values for the same fields."""

    def test_the_openapi_document_names_its_schemas(self, app: Client) -> None:
        names = app.get("/openapi.json").json["components"]["schemas"].keys()

        assert {type_name(self.content_type, each) for each in ("", "Staff", "Update")} <= names

    def test_a_slug_that_staff_change_leads_to_the_item_for_ever(self, desk: Desk) -> None:
        item = desk.create_public(**{**self.first(), "slug": "chosen"})
        assert item["slug"] == "chosen"

        assert desk.edit(item["id"], slug="second")["slug"] == "second"
        assert desk.public_item("chosen")["id"] == item["id"]
        assert desk.publish(item["id"])["slug"] == "second"
        assert desk.edit(item["id"], slug="third")["slug"] == "third"
        desk.publish(item["id"])

        assert desk.public_item("third")["id"] == item["id"]
        missing = [desk.public_item(each, status=404) for each in ("chosen", "second")]
        assert [each["movedTo"]["slug"] for each in missing] == ["third", "third"]
        path, name = missing[0]["movedTo"]["path"], self.content_type.name
        leading = {each["from"]: each["to"] for each in desk.client.get("/api/redirects").json}
        assert leading == {path.replace("third", former): path for former in ("chosen", "second")}
        refused = desk.create(**{**self.second(), "slug": "chosen"}, status=400)
        assert refused["error"].startswith("slug: ")
        assert desk.client.get(f"/api/{name}").json[0]["slug"] == "third"

    def test_the_direction_of_an_item_follows_from_its_language(self, desk: Desk) -> None:
        item = desk.create_public(**{**self.first(), "lang": "AR"})

        [listed] = desk.public_list()
        shown = [item, listed, desk.public_item(item["slug"])]
        assert [(each["lang"], each["dir"]) for each in shown] == [("ar", "rtl")] * 3
        assert desk.edit(item["id"], lang="de")["dir"] == "ltr"
        assert desk.public_item(item["slug"])["dir"] == "rtl"
        assert desk.edit(item["id"], lang=None)["dir"] is None
