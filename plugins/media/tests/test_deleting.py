"""Images can be deleted unless they are used; with force, any image can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    Approvable,
    ContentItem,
    ContentType,
    Html,
    ImageUse,
    Instance,
    ListOf,
    Plugin,
    Resource,
    ResourceItem,
    Str,
    Url,
    field,
    hookimpl,
    plugin_metadata,
)
from masthead.testing import Client, Desk
from masthead_media.models import Image
from masthead_media.plugin import plugin as media
from masthead_media.services.images import delete_images

Picture = Callable[..., bytes]


class Base(DeclarativeBase):
    metadata = plugin_metadata("album")


class Page(ContentItem, Base):
    __tablename__ = "album_page"

    pictures: Mapped[list[Any]] = field(ListOf(Url()), default=list)


class Frame(ResourceItem, Base):
    __tablename__ = "album_frame"

    note: Mapped[str | None] = field(Str(2000))
    text: Mapped[str | None] = field(Html())


PAGES = ContentType(name="pages", label="Page", model=Page)
FRAMES = Resource(name="frames", label="Frame", model=Frame, area="album")


class Hooks:
    """A plugin that uses one picture in a place that core can't search."""

    hung: str = ""

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [PAGES]

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [FRAMES]

    @hookimpl
    def masthead_image_uses(self, session: Session, paths: Sequence[str]) -> list[ImageUse]:
        assert session.connection()
        return [
            ImageUse(path, "walls", 7, "Hall", "album.read") for path in paths if path == self.hung
        ]


HOOKS = Hooks()


@pytest.fixture
def hooks() -> Hooks:
    """The same object in each test, with a new state, so that tests share an instance."""
    vars(HOOKS).clear()
    return HOOKS


@pytest.fixture
def plugins(hooks: Hooks) -> list[Plugin]:
    return [media, Plugin(name="album", hooks=(hooks,), base=Base)]


@pytest.fixture
def delete(editor: Client) -> Callable[..., Any]:
    def send(image: Any, query: str = "", status: int = 200) -> Any:
        return editor.delete(f"/api/staff/images/{image['key']}{query}", status=status).json

    return send


def test_hook_image_uses_keeps_an_image_that_a_plugin_uses(
    hooks: Hooks, picture: Picture, upload: Any, delete: Any, app: Client
) -> None:
    image = upload(picture())
    hooks.hung = image["url"]

    assert delete(image, status=400) == {"error": "The image is used: walls 7 (Hall)"}
    app.get(image["url"], status=200)
    hooks.hung = ""
    assert delete(image) == {"success": True}
    app.get(image["url"], status=404)
    delete(image, status=404)


def test_uses_are_found_in_lists_texts_and_staged_edits(
    picture: Picture, upload: Any, delete: Any, app: Client, editor: Client
) -> None:
    image, other = upload(picture()), upload(picture(seed=2))
    desk = Desk(app, "pages").as_role("editor")
    page = desk.create_public(title="Summer")
    desk.edit(page["id"], pictures=["/a.png", image["url"]])
    frame = editor.post_json(
        "/api/staff/frames", {"text": f'<img src="http://127.0.0.1:6543{image["url"]}?w=640">'}
    ).json
    editor.post_json("/api/staff/frames", {"note": f"No use of {image['url']}"})

    error = delete(image, status=400)["error"]

    assert error == f"The image is used: frames {frame['id']}, pages {page['id']} (Summer)"
    assert delete(other) == {"success": True}


def test_of_many_uses_the_error_names_some(
    picture: Picture, upload: Any, delete: Any, editor: Client
) -> None:
    image = upload(picture())
    for _ in range(12):
        editor.post_json("/api/staff/frames", {"text": f'<img src="{image["url"]}">'})

    assert delete(image, status=400)["error"].endswith("frames 10 and 2 more")
    assert delete(image, "?force=1") == {"success": True}


def test_force_is_true_or_false(picture: Picture, upload: Any, delete: Any) -> None:
    image = upload(picture())

    assert "force" in delete(image, "?force=maybe", 400)["error"]


def test_only_uses_that_the_caller_may_read_are_named(
    hooks: Hooks,
    picture: Picture,
    upload: Any,
    app: Client,
    editor: Client,
    make_role: Callable[..., Any],
) -> None:
    image = upload(picture())
    hooks.hung = image["url"]
    desk = Desk(app, "pages").as_role("editor")
    page = desk.create(title="Summer", pictures=[image["url"]])
    editor.post_json("/api/staff/frames", {"text": f'<img src="{image["url"]}">'})
    make_role("keeper", "media.write")
    make_role("curator", "media.write", "pages.read")

    def refusal(role: str) -> str:
        path = f"/api/staff/images/{image['key']}"
        return str(app.as_role(role).delete(path, status=400).json["error"])

    assert refusal("keeper") == "The image is used: 3 times where you may not read"
    named = f"pages {page['id']} (Summer); 2 times where you may not read"
    assert refusal("curator") == f"The image is used: {named}"


def test_a_refused_delete_leaves_the_bytes(
    hooks: Hooks, picture: Picture, upload: Any, delete: Any, kept: Any
) -> None:
    image = upload(picture())
    hooks.hung = image["url"]

    delete(image, status=400)

    assert kept() == [image["key"]]


def delete_rows(session: Session) -> None:
    """Delete all images in a transaction that the caller ends."""
    delete_images(session, session.scalars(select(Image)).all())


def test_a_session_that_is_rolled_back_and_used_again_keeps_the_bytes(
    picture: Picture, upload: Any, app: Client, kept: Any, instance: Instance
) -> None:
    image = upload(picture())

    with instance.database.session() as session:
        delete_rows(session)
        session.rollback()
        session.execute(update(Image).values(alt_text="Still here"))
        session.commit()
        delete_rows(session)
    with instance.database.session() as session:
        session.execute(update(Image).values(alt_text="Still here"))
        session.commit()

    assert kept() == [image["key"]]
    app.get(image["url"], status=200)


def test_a_rollback_to_a_savepoint_keeps_the_bytes(
    picture: Picture, upload: Any, kept: Any, instance: Instance
) -> None:
    image = upload(picture())

    with instance.database.transaction() as session:
        savepoint = session.begin_nested()
        with session.begin_nested():
            delete_rows(session)
        savepoint.rollback()

    assert kept() == [image["key"]]


def test_the_bytes_are_deleted_once_by_the_commit_of_the_whole_transaction(
    picture: Picture, upload: Any, kept: Any, instance: Instance
) -> None:
    images = [upload(picture(seed=seed)) for seed in range(2)]
    keys = sorted(image["key"] for image in images)

    with instance.database.session() as session:
        with session.begin_nested():
            delete_rows(session)
        assert kept() == keys
        session.commit()
        assert kept() == []

        (instance.data / "media" / keys[0]).write_bytes(b"another file")
        session.execute(update(Image).values(alt_text="Not here"))
        session.commit()

    assert kept() == keys[:1]
