"""The contracts with references to items of any kind: private ones, and ones of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    Approvable,
    Bool,
    ContentItem,
    ContentType,
    Instance,
    ItemSave,
    Line,
    Plugin,
    PublicRoutes,
    Ref,
    Refs,
    Refused,
    Resource,
    ResourceItem,
    field,
    hookimpl,
    plugin_metadata,
)
from masthead.core_plugin import plugin as core
from masthead.testing import Client, ContentTypeContract, ResourceContract
from masthead.testing.targets import TargetContract, make_targets


class Base(DeclarativeBase):
    metadata = plugin_metadata("garden")


class Donor(ResourceItem, Base):
    """A donor, without public endpoints."""

    __tablename__ = "garden_donor"

    name: Mapped[str] = field(Line(), required=True)


class Shed(ResourceItem, Base):
    """A shed, which the public sees."""

    __tablename__ = "garden_shed"

    name: Mapped[str] = field(Line(), required=True)
    published: Mapped[bool] = field(Bool(), default=False, public=False)


class Reading(ResourceItem, Base):
    """A value of a sensor, which only the program creates."""

    __tablename__ = "garden_reading"

    name: Mapped[str] = field(Line(), required=True)


class Lock(ResourceItem, Base):
    """A lock, which a rule refuses unless its code is a certain one."""

    __tablename__ = "garden_lock"

    code: Mapped[str] = field(Line(), required=True)


class Note(ResourceItem, Base):
    """A note about a reading, for which staff need one."""

    __tablename__ = "garden_note"

    reading_id: Mapped[int] = field(Ref("readings"), required=True)


class Bed(ContentItem, Base):
    """A bed with references of all kinds."""

    __tablename__ = "garden_bed"

    donor_id: Mapped[int] = field(Ref("donors"), required=True)
    heir_id: Mapped[int | None] = field(Ref("donors", embed="heir"))
    helper_ids: Mapped[list[int] | None] = field(Refs("donors", embed="helpers"))
    shed_id: Mapped[int | None] = field(Ref("sheds"))
    key_id: Mapped[int | None] = field(Ref("sheds", embed="key"), public=False)
    reading_id: Mapped[int | None] = field(Ref("readings"))
    note_id: Mapped[int | None] = field(Ref("notes"))
    lock_id: Mapped[int | None] = field(Ref("locks"))
    tool_id: Mapped[int | None] = field(Ref("tools"))


def check_code(_session: Session, save: ItemSave) -> None:
    """Refuse all codes but one."""
    if save.after["code"] != "4711":
        raise Refused("This is not the code")


def resource(model: type[Any], **options: Any) -> Resource:
    """Return a resource without public endpoints."""
    label = model.__name__
    return Resource(f"{label.lower()}s", label=label, model=model, area="garden", **options)


DONORS, SHEDS = resource(Donor), resource(Shed, public=PublicRoutes())
READINGS = resource(Reading, operations=("list", "show"))
NOTES, LOCKS = resource(Note), resource(Lock, before_change=check_code)
BEDS = ContentType(name="beds", label="Bed", model=Bed, area="garden")


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [BEDS]

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [DONORS, SHEDS, READINGS, NOTES, LOCKS]


PLUGIN = Plugin("garden", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> Sequence[Plugin]:
    return [core, PLUGIN]


@pytest.mark.product
class TestBeds(ContentTypeContract):
    content_type = BEDS
    staff_only = ("keyId",)


class TestNotes(ResourceContract):
    resource = NOTES

    @pytest.fixture(autouse=True)
    def _keep_instance(self, instance: Instance) -> None:
        self._instance = instance

    @cached_property
    def values(self) -> Mapping[str, Any]:
        return {"readingId": self._read("Rain")}

    @cached_property
    def other_values(self) -> Mapping[str, Any]:
        return {"readingId": self._read("Sun")}

    def _read(self, name: str) -> int:
        """Add a reading as the program does, and return its id."""
        with self._instance.database.transaction() as session:
            reading = Reading(name=name)
            session.add(reading)
            session.flush()
            return reading.id


def test_items_of_all_kinds_that_staff_create_are_made(app: Client, instance: Instance) -> None:
    first, second = (make_targets(app, instance, "beds", BEDS.fields, each) for each in (0, 1))

    assert first.keys() == second.keys() == {"donorId", "heirId", "helperIds", "shedId", "keyId"}
    assert all(first[name] != second[name] for name in first)
    public = {each["id"] for each in app.get("/api/sheds").json}
    assert public == {each[name] for each in (first, second) for name in ("shedId", "keyId")}


def test_no_item_is_made_for_a_value_that_the_test_gives(app: Client, instance: Instance) -> None:
    made = make_targets(app, instance, "beds", BEDS.fields, 0, {"shedId": 3, "keyId": None})

    assert made.keys() == {"donorId", "heirId", "helperIds"}
    assert app.get("/api/sheds").json == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("readingId", "staff can't create readings"),
        ("noteId", "staff can't create readings"),
        ("lockId", "locks can't be created from samples: .*This is not the code"),
        ("toolId", "no enabled plugin has tools"),
    ],
)
def test_a_missing_item_that_is_needed_is_named(
    app: Client, instance: Instance, name: str, reason: str
) -> None:
    [optional] = [each for each in BEDS.fields if each.name == name]
    remedy = f"give {name} in values and other_values of the test class"

    with pytest.raises(AssertionError, match=f"(?s)^{reason}.*; {remedy}"):
        make_targets(app, instance, "beds", [replace(optional, required=True)], 0)


class TestPublicValues(TargetContract):
    def test_only_ids_of_kinds_that_the_public_never_sees_are_left_out(self) -> None:
        shown = {"shedId": 1, "title": "Roses"}

        values = self.seen_in_public(BEDS, {**shown, "donorId": 2, "helperIds": [3], "toolId": 4})

        assert values == {**shown, "donorId": None, "helperIds": [], "toolId": None}
