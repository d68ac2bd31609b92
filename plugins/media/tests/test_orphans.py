"""Bytes without an image are swept if this instance recorded them; other files stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import Instance, Plugin, hookimpl
from masthead.db import migrate
from masthead.instance import open_instance
from masthead.testing import Client, Clock
from masthead.worker.worker import YIELD_DELAY, Worker
from masthead_media.models import Image
from masthead_media.plugin import plugin as media
from masthead_media.settings import STORAGE

Picture = Callable[..., bytes]


class Hooks:
    """A plugin that fails commits with fewer or more images than allowed."""

    minimum, maximum = 0, 9

    @hookimpl
    def masthead_committing(self, session: Session) -> None:
        with session.begin_nested():
            images = session.scalar(select(func.count(Image.id))) or 0
        if not self.minimum <= images <= self.maximum:
            raise RuntimeError("the power is gone")


HOOKS = Hooks()


@pytest.fixture
def hooks() -> Hooks:
    """The same object in each test, with a new state, so that tests share an instance."""
    vars(HOOKS).clear()
    return HOOKS


@pytest.fixture
def plugins(hooks: Hooks) -> list[Plugin]:
    return [media, Plugin(name="guard", hooks=(hooks,))]


@pytest.fixture
def folder(instance: Instance) -> Path:
    """Return the folder in which images are stored."""
    return instance.data / "media"


@pytest.fixture
def other(folder: Path, tmp_path: Path, _available: Mapping[str, Plugin]) -> Iterator[Instance]:
    """Open an instance with another database and the same storage."""
    ini = {"masthead.data": str(tmp_path), "masthead.media.storage": folder.as_uri()}
    opened = open_instance(ini, {}, _available)
    migrate.upgrade(opened.database, opened.plugins)
    yield opened
    opened.close()


def test_images_of_another_database_and_foreign_files_are_left_alone(
    clock: Clock,
    picture: Picture,
    upload: Any,
    submit: Any,
    kept: Any,
    other: Instance,
    work: Any,
) -> None:
    image = upload(picture("JPEG", 700, 20))
    submit(picture())
    folder = Path(other.settings[STORAGE].removeprefix("file://"))
    looks_like_ours = image["key"].replace(image["filename"][:13], "1000000000000")
    for name in (
        f"renditions/{image['key']}/640.jpg",
        "holiday.jpg",
        "backup/site.tar",
        looks_like_ours,
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"somebody's")
    everything = kept()
    clock.shift(days=2)

    worker = Worker(other)
    while worker.turn() == YIELD_DELAY:
        pass
    work()

    assert len(everything) == 6
    assert kept() == everything


@pytest.mark.parametrize("who", ["upload", "submit"])
def test_bytes_orphaned_by_a_failed_commit_are_swept_a_day_later(
    who: str, clock: Clock, hooks: Hooks, picture: Picture, request: Any, kept: Any, work: Any
) -> None:
    send = request.getfixturevalue(who)
    saved = send(picture())
    work()
    hooks.maximum = 1
    send(picture(seed=2), status=500)
    assert len(kept()) == 2

    clock.shift(hours=23)
    work()
    assert len(kept()) == 2
    clock.shift(hours=24)
    work()
    assert kept() == [saved["key"]]


def test_partial_files_are_swept_too(
    clock: Clock, picture: Picture, upload: Any, editor: Client, folder: Path, kept: Any, work: Any
) -> None:
    image, other = upload(picture("JPEG", 700, 20)), upload(picture())
    renditions = f"renditions/{image['key']}"
    (folder / renditions).mkdir(parents=True)
    for name in (f"{image['key']}#1", f"{image['key']}#23", f"{renditions}/640.jpg#2"):
        (folder / name).write_bytes(b"half of it")
    (folder / f"{image['key']}#x").write_bytes(b"somebody's")
    (folder / f"{other['key']}#1").write_bytes(b"half of another")

    editor.delete(f"/api/staff/images/{image['key']}")
    clock.shift(days=2)
    work()

    assert kept() == sorted([f"{image['key']}#x", other["key"], f"{other['key']}#1"])


def test_a_delete_succeeds_while_the_storage_fails_and_is_swept_later(
    clock: Clock, picture: Picture, upload: Any, editor: Client, folder: Path, work: Any
) -> None:
    images = [upload(picture(seed=seed)) for seed in range(2)]
    stuck = folder / images[0]["key"]
    stuck.unlink()
    # The storage fails to delete a folder in place of a file.
    (stuck / "x").mkdir(parents=True)

    for image in images:
        answer = editor.delete(f"/api/staff/images/{image['key']}", status=200)
        assert answer.json == {"success": True}

    assert editor.get("/api/staff/images").json == []
    clock.shift(days=2)
    with pytest.raises(AssertionError, match=r"media\.sweep"):
        work()
    (stuck / "x").rmdir()
    stuck.rmdir()
    stuck.write_bytes(b"as it was")
    clock.shift(hours=2)
    work()
    assert not stuck.exists()


def test_an_upload_to_a_failing_storage_is_swept_later(
    clock: Clock, picture: Picture, upload: Any, folder: Path, kept: Any, work: Any
) -> None:
    folder.mkdir(parents=True)
    (folder / "images").write_bytes(b"no folder")
    upload(picture(), status=500)
    (folder / "images").unlink()

    clock.shift(days=2)
    work()

    assert kept() == []


def test_a_delete_that_is_not_committed_leaves_the_bytes(
    hooks: Hooks, picture: Picture, upload: Any, editor: Client, app: Client, kept: Any
) -> None:
    image = upload(picture())
    hooks.minimum = 1

    editor.delete(f"/api/staff/images/{image['key']}", status=500)

    assert kept() == [image["key"]]
    app.get(image["url"], status=200)
