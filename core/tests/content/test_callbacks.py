"""Callbacks of content types and resources, which are called when items change."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    Approvable,
    ContentItem,
    ContentType,
    Email,
    Instance,
    Int,
    ItemSave,
    Plugin,
    ProblemCode,
    Refused,
    Resource,
    ResourceItem,
    Str,
    field,
    forget_person,
    hookimpl,
    plugin_metadata,
    wrong_field,
)
from masthead.core_plugin import plugin as core
from masthead.testing import Client, Desk


class Base(DeclarativeBase):
    metadata = plugin_metadata("kites")


class Maker(ResourceItem, Base):
    __tablename__ = "kites_maker"

    name: Mapped[str] = field(Str(), required=True)
    email: Mapped[str | None] = field(Email())


class Kite(ContentItem, Base):
    __tablename__ = "kites_kite"

    maker_id: Mapped[int | None] = field(Int(1))


CALLS: list[Any] = []


def check_maker(session: Session, save: ItemSave) -> None:
    """Refuse a maker that there isn't, and a change of a kite that is lost."""
    CALLS.append(save)
    if save.item is not None and save.item.title == "Lost":
        raise Refused("It is lost")
    maker_id = save.after["makerId"]
    if maker_id and session.scalar(select(Maker.id).where(Maker.id == maker_id)) is None:
        raise wrong_field("makerId", ProblemCode.UNKNOWN_ID, "There is no such maker")


def note_save(_session: Session, save: ItemSave) -> None:
    CALLS.append(save)


def keep_signed(_session: Session, items: Sequence[Any]) -> None:
    """Refuse to delete what somebody has signed."""
    if "Signed" in {item.name if isinstance(item, Maker) else item.title for item in items}:
        raise Refused("It is signed")


def note_deleted(_session: Session, ids: Sequence[int]) -> None:
    CALLS.append(("deleted", list(ids)))


def note_commit(instance: Instance, ids: Sequence[int]) -> None:
    with instance.database.read() as connection:
        assert connection.scalar(select(1)) == 1
    CALLS.append(("committed", list(ids)))


def fail(_instance: Instance, _ids: Sequence[int]) -> None:
    raise RuntimeError("The other system is away")


KITES = ContentType(
    name="kites",
    label="Kite",
    model=Kite,
    before_change=check_maker,
    before_delete=keep_signed,
    deleted=note_deleted,
    after_commit=note_commit,
)
MAKERS = Resource(
    name="makers",
    label="Maker",
    model=Maker,
    area="kites",
    person="email",
    before_change=note_save,
    before_delete=keep_signed,
    deleted=note_deleted,
    after_commit=fail,
)


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [KITES]

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [MAKERS]


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, Plugin("kites", hooks=(Hooks(),), base=Base)]


@pytest.fixture
def kites(app: Client) -> Desk:
    return Desk(app, "kites").as_role("admin")


@pytest.fixture
def calls() -> Iterator[list[Any]]:
    CALLS.clear()
    yield CALLS
    CALLS.clear()


def test_content_calls_before_a_change_and_after_its_commit(kites: Desk, calls: list[Any]) -> None:
    item = kites.create(title="A")["id"]
    kites.edit(item, title="B")
    kites.edit(item, title="B")
    kites.publish(item)

    first, _, second, *rest = calls
    assert (first.item, first.before, first.after["title"]) == (None, None, "A")
    assert (second.item.id, second.before["title"], second.after["title"]) == (item, "A", "B")
    assert second.caller.username == "some-admin"
    assert rest == [("committed", [item])] * 3
    calls.clear()
    kites.delete(item)
    assert calls == [("deleted", [item]), ("committed", [item])]


def test_a_refused_change_stores_nothing(kites: Desk, calls: list[Any]) -> None:
    item = kites.create()["id"]
    calls.clear()

    refused = kites.edit(item, makerId=9, status=400)
    assert [(it["path"], it["code"]) for it in refused["fields"]] == [("makerId", "unknown_id")]
    assert "makerId" in kites.create(makerId=9, status=400)["error"]
    assert [each for each in calls if isinstance(each, tuple)] == []
    assert kites.show(item)["makerId"] is None


def test_an_item_that_must_not_change_or_be_deleted_stays(app: Client, kites: Desk) -> None:
    lost, other = kites.create(title="Lost")["id"], kites.create(title="A")["id"]
    signed = kites.create(title="Signed")["id"]
    maker = kites.client.post_json("/api/staff/makers", {"name": "Signed"}).json["id"]

    assert kites.edit(lost, title="Found", status=400)["error"] == "It is lost"
    assert kites.edit(lost, title="Lost")["title"] == "Lost"
    assert kites.delete(signed, status=400)["error"] == "It is signed"
    assert kites.bulk("delete", [other, signed], status=400)["error"] == "It is signed"
    assert kites.show(other)["title"] == "A"
    refused = kites.client.delete(f"/api/staff/makers/{maker}", status=400).json
    assert refused["error"] == "It is signed"
    assert app.as_role("admin").get(f"/api/staff/makers/{maker}").json["name"] == "Signed"


def test_a_resource_has_the_same_callbacks_and_a_failure_is_only_logged(
    app: Client, calls: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    admin = app.as_role("admin")
    with caplog.at_level(logging.ERROR):
        maker = admin.post_json("/api/staff/makers", {"name": "Ada"}).json["id"]
        admin.put_json(f"/api/staff/makers/{maker}", {"name": "Ben"})
        admin.put_json(f"/api/staff/makers/{maker}", {})
        admin.delete(f"/api/staff/makers/{maker}")

    created, changed, same, deleted = calls
    assert (created.before, created.after["name"]) == (None, "Ada")
    assert (changed.before["name"], changed.after["name"]) == ("Ada", "Ben")
    assert same.before == same.after == changed.after
    assert deleted == ("deleted", [maker])
    assert [it.getMessage() for it in caplog.records] == ["after_commit of makers failed"] * 3


def test_the_erasure_of_a_person_calls_the_callbacks(app: Client, instance: Instance) -> None:
    body = {"name": "Signed", "email": "ada@example.org"}
    maker = app.as_role("admin").post_json("/api/staff/makers", body).json["id"]
    CALLS.clear()

    with instance.database.transaction() as session:
        forget_person(session, "ada@example.org")

    assert [("deleted", [maker])] == CALLS
