"""Content that breaks a rule doesn't become public, and its editor learns why."""

from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase

from masthead import Approvable, ContentItem, ContentType, Plugin, hookimpl, plugin_metadata
from masthead.testing import Client, Desk

GOOD = {"description": "A walk along the river.", "content": '<p><img src="/a.png" alt="A"></p>'}
NO_ALT = "Describe the image /a.png for readers who can't see it"
NO_DESCRIPTION = "Write a description of one or two sentences"


class Base(DeclarativeBase):
    metadata = plugin_metadata("walks")


class Walk(ContentItem, Base):
    __tablename__ = "walks_walk"


WALKS = ContentType(name="walks", label="Walk", model=Walk)


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [WALKS]


PLUGIN = Plugin("walks", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[str | Plugin]:
    return ["gate", PLUGIN]


@pytest.fixture
def settings() -> dict[str, str]:
    return {"masthead.gate.forbidden": "cheap bargain"}


@pytest.fixture
def walks(app: Client) -> Desk:
    return Desk(app, "walks").as_role("admin")


def reasons(answer: Any) -> dict[str, str]:
    return {each["path"]: each["message"] for each in answer["fields"]}


def test_an_approval_names_each_rule_that_is_broken(walks: Desk) -> None:
    content = '<p class="cheap">A Bargain</p><img src="/a.png">'
    item = walks.create(title="Cheap", content=content)["id"]
    walks.request(item)

    refused = walks.approve(item, status=400)
    assert {each["path"] for each in refused["fields"]} == {"description", "content", "title"}
    assert [each["message"] for each in refused["fields"]] == [
        NO_DESCRIPTION,
        NO_ALT,
        "We don't use the word 'Cheap'",
        "We don't use the word 'Bargain'",
    ]
    assert walks.show(item)["approvalStatus"] == "pending"
    walks.edit(item, title="Free", **GOOD)
    walks.approve(item)
    assert [each["title"] for each in walks.public_list()] == ["Free"]


def test_an_edit_of_a_public_item_keeps_the_rules(walks: Desk) -> None:
    item = walks.create_public(**GOOD)["id"]

    assert reasons(walks.edit(item, description="", status=400)) == {"description": NO_DESCRIPTION}
    walks.edit(item, content='<img src="/a.png" alt="">')
    assert walks.show(item)["description"] == GOOD["description"]


def test_many_items_are_judged_one_by_one(walks: Desk) -> None:
    good, bad = walks.create(**GOOD)["id"], walks.create()["id"]
    for item in (good, bad):
        walks.request(item)

    answer = walks.move_many("approve", [good, bad])
    assert answer["affected"] == 1
    assert [(it["id"], reasons(it)) for it in answer["failed"]] == [
        (bad, {"description": NO_DESCRIPTION})
    ]
