"""The demo, with a plugin that uses only the hook."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    Approvable,
    ContentItem,
    ContentType,
    Demo,
    Instance,
    Plugin,
    Resource,
    ResourceItem,
    StartError,
    Str,
    Url,
    User,
    field,
    hookimpl,
    plugin_metadata,
)
from masthead.auth.models import Role
from masthead.demo.filling import fill
from masthead.tags.models import Tag
from masthead.testing.client import Client

pytestmark = pytest.mark.product


class Base(DeclarativeBase):
    metadata = plugin_metadata("garden")


class Plant(ContentItem, Base):
    __tablename__ = "garden_plant"

    picture: Mapped[str | None] = field(Url())


class Tool(ResourceItem, Base):
    __tablename__ = "garden_tool"

    name: Mapped[str] = field(Str(10), required=True)


PLANTS = ContentType(name="plants", label="Plant", model=Plant, area="garden")
TOOLS = Resource(name="tools", label="Tool", model=Tool, area="garden")


class Garden:
    """Uses the address of a picture, which the painter must have added before."""

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [PLANTS]

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [TOOLS]

    @hookimpl
    def masthead_demo(self, session: Session, demo: Demo) -> None:
        assert demo.session is session
        values = {"picture": demo.pictures.get("garden"), "content": "<p>x</p><script>x</script>"}
        demo.publish(
            "plants",
            [
                {**values, "title": "Rose", "tags": ["Red", "Prickly"]},
                {**values, "title": "ورد", "tags": ["Red"]},
            ],
        )
        demo.draft("plants", {"title": "Moss"})
        demo.draft("plants", {"title": "Fern"})
        demo.keep("tools", [{"name": "Spade"}])


class Painter:
    @hookimpl(tryfirst=True)
    def masthead_demo(self, demo: Demo) -> None:
        demo.pictures["garden"] = "/pictures/garden.png"


class Thorns:
    """Creates a few items, then an invalid one."""

    @hookimpl(trylast=True)
    def masthead_demo(self, demo: Demo) -> None:
        demo.keep("tools", [{"name": "Rake"}])
        demo.keep("tools", [{"name": "Wheelbarrow"}])


@pytest.fixture
def plugins(request: pytest.FixtureRequest) -> Sequence[Plugin]:
    """A painter, a garden, and further plugins of a test."""
    more: Sequence[Plugin] = getattr(request, "param", ())
    painter, garden = Painter(), Garden()
    return [
        Plugin("painter", hooks=(painter,)),
        Plugin("garden", hooks=(garden,), base=Base),
        *more,
    ]


def counted(session: Session) -> list[int]:
    """Return the number of items that the demo created."""
    models = (User, Role, Tag, Plant, Tool)
    return [session.scalar(select(func.count()).select_from(model)) or 0 for model in models]


def test_hook_demo_fills_an_empty_instance_once(
    app: Client, instance: Instance, session: Session
) -> None:
    assert fill(instance)

    shown = app.get("/api/plants").json
    assert {plant["title"] for plant in shown} == {"Rose", "ورد"}
    rose = app.get("/api/plants/rose").json
    assert rose["content"] == "<p>x</p>"
    assert rose["author"] == {"displayName": "Noor Haddad"}
    assert rose["picture"] == "/pictures/garden.png"
    assert [tag["name"] for tag in rose["tags"]] == ["Prickly", "Red"]
    found = app.get("/api/plants", {"search": "ورد"}).json
    assert [plant["title"] for plant in found] == ["ورد"]
    before = counted(session)
    assert not fill(instance)
    assert counted(session) == before


def test_one_draft_waits_for_approval(app: Client, instance: Instance) -> None:
    admin = app.as_role("admin")

    fill(instance)

    plants = {plant["title"]: plant for plant in admin.get("/api/staff/plants").json}
    assert {title: plant["approvalStatus"] for title, plant in plants.items()} == {
        "Rose": "approved",
        "ورد": "approved",
        "Moss": "pending",
        "Fern": "draft",
    }
    users = {user["username"]: user for user in admin.get("/api/staff/users").json}
    author, approver = users["demo-noor"], users["demo-mateo"]
    assert plants["Rose"]["createdBy"] == {
        "id": author["id"],
        "username": "demo-noor",
        "displayName": author["displayName"],
    }
    assert plants["Rose"]["approvedBy"] == approver["id"]
    assert plants["Moss"]["approvalRequestedBy"] == author["id"]
    [notification] = admin.get("/api/staff/notifications").json
    assert notification["message"] == 'Noor Haddad requests approval of "Moss"'
    pairs = [
        (a["contentType"], a["roleName"]) for a in admin.get("/api/staff/approval-config").json
    ]
    assert ("plants", "coordinator") in pairs
    admin.post_json(
        "/api/staff/approval/approve", {"contentType": "plants", "contentId": plants["Moss"]["id"]}
    )
    assert app.get("/api/plants/moss").json["title"] == "Moss"


def test_the_users_of_the_demo_cannot_log_in(app: Client, instance: Instance) -> None:
    fill(instance)

    for username in ("demo-noor", "demo-mateo"):
        for password in ("", " ", username):
            sent = {"username": username, "password": password}
            app.post_json("/api/auth/login", sent, status=(400, 401))
    users = app.as_role("admin").get("/api/staff/users").json
    assert {u["disabled"] for u in users if u["username"].startswith("demo-")} == {True}


@pytest.mark.parametrize("kept", ["plants", "tools", "tags"])
def test_an_instance_with_something_in_it_stays_as_it_is(
    kept: str, app: Client, instance: Instance, session: Session
) -> None:
    values = {"plants": {"title": "Oak"}, "tools": {"name": "Rake"}, "tags": {"name": "Green"}}
    app.as_role("admin").post_json(f"/api/staff/{kept}", values[kept])
    before = counted(session)

    with pytest.raises(StartError) as refused:
        fill(instance)

    table = {"plants": "garden_plant", "tools": "garden_tool", "tags": "core_tag"}[kept]
    assert str(refused.value) == (
        f"the demo is for an empty instance, and here are rows in {table}; start without --demo"
    )
    assert counted(session) == before


def test_users_alone_do_not_stand_in_its_way(app: Client, instance: Instance) -> None:
    app.as_role("admin").get("/api/staff/plants")

    assert fill(instance)


def test_nothing_is_requested_where_editors_may_not(app: Client, instance: Instance) -> None:
    admin = app.as_role("admin")
    [editor] = [role for role in admin.get("/api/staff/roles").json if role["name"] == "editor"]
    admin.put_json(f"/api/staff/roles/{editor['id']}", {"permissions": ["garden.read"]})

    assert fill(instance)

    assert admin.get("/api/staff/notifications").json == []


def test_of_two_starts_at_once_one_fills_it_in(instance: Instance, session: Session) -> None:
    with ThreadPoolExecutor(2) as starts:
        filled = list(starts.map(fill, [instance, instance]))

    assert sorted(filled) == [False, True]
    assert session.scalar(select(func.count()).select_from(Plant)) == 4


@pytest.mark.parametrize("plugins", [[Plugin("thorns", hooks=(Thorns(),))]], indirect=True)
def test_all_of_it_is_filled_in_or_nothing(instance: Instance, session: Session) -> None:
    before = counted(session)

    with pytest.raises(StartError) as refused:
        fill(instance)

    said = str(refused.value)
    assert said.startswith("plugin thorns can't fill in its demo: name: At most 10 characters (")
    assert said.endswith("; correct the plugin, or start without --demo")
    assert counted(session) == before


def test_a_name_that_is_taken_is_told(app: Client, instance: Instance, session: Session) -> None:
    app.as_role("admin").post_json(
        "/api/staff/users",
        {"username": "Demo-Noor", "email": "n@example.org", "password": "correct horse battery"},
    )
    before = counted(session)

    with pytest.raises(StartError, match=r"can't be filled in: Username already exists"):
        fill(instance)

    assert counted(session) == before


def test_deleted_items_of_the_demo_are_not_created_again(app: Client, instance: Instance) -> None:
    fill(instance)
    admin = app.as_role("admin")
    for plant in admin.get("/api/staff/plants").json:
        admin.delete(f"/api/staff/plants/{plant['id']}")

    assert not fill(instance)

    assert admin.get("/api/staff/plants").json == []
