"""Making of backups: contents, shared images, deletion of old ones, and refusals."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from sqlalchemy import make_url

from masthead import Instance, StartError, utcnow
from masthead.backup import writing
from masthead.backup.models import BackupState
from masthead.backup.plugin import MAX_AGE, age_trouble
from masthead.backup.writing import Backup
from masthead.instance import DATABASE_URL
from masthead.testing import Client
from masthead.testing.clock import Clock

BackUp = Callable[..., Backup]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "backups"
    folder.mkdir()
    return folder


@pytest.mark.usefixtures("picture")
def test_the_file_is_private_and_names_what_it_has(instance: Instance, back_up: BackUp) -> None:
    path = back_up().path

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.glob(".masthead-backup.*")] == []
    with ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        names = archive.namelist()
    assert manifest["format"] == 1
    assert manifest["database"]["place"] == instance.database.place
    assert {"core", "news", "media"} <= {each["name"] for each in manifest["plugins"]}
    assert [(each["name"], each["count"]) for each in manifest["files"]] == [("media", 1)]
    assert len([name for name in names if name.startswith("files/media/")]) == 1
    password = make_url(instance.settings[DATABASE_URL]).password or "auth.secret"
    assert password not in json.dumps(manifest)


def test_an_existing_file_is_kept(back_up: BackUp, tmp_path: Path) -> None:
    path = tmp_path / "mine.zip"
    path.write_text("mine")

    with pytest.raises(StartError, match="exists already"):
        back_up(path)
    assert path.read_text() == "mine"


@pytest.mark.parametrize("name", ["backups", "backups.tar", "backup.ZIP"])
def test_a_missing_folder_becomes_no_file(back_up: BackUp, tmp_path: Path, name: str) -> None:
    with pytest.raises(StartError, match=rf"{name} is no folder, and .* end with \.zip"):
        back_up(tmp_path / name)

    assert not (tmp_path / name).exists()


@pytest.mark.usefixtures("picture")
def test_backups_in_a_folder_share_images_and_old_ones_are_deleted(
    clock: Clock, back_up: BackUp, folder: Path, place: Any
) -> None:
    (folder / "notes.txt").write_text("mine")
    first = back_up(folder, incremental=True)
    [image] = folder.rglob("*.png.*")
    written = image.stat().st_ino
    clock.shift(days=1)
    second = back_up(folder, incremental=True, keep=2)
    assert (second.deleted, image.stat().st_ino) == ([], written)
    assert second.path.stat().st_size < first.path.stat().st_size + 1000

    clock.shift(days=1)
    third = back_up(folder, incremental=True, keep=1)

    assert third.deleted == [first.path.name, second.path.name]
    left = sorted(each.name for each in folder.iterdir())
    assert left == ["files", third.path.name, "notes.txt"]
    place.run("restore", third.path)


@pytest.mark.usefixtures("picture")
def test_images_that_no_backup_names_are_deleted_with_the_last_that_did(
    clock: Clock, instance: Instance, back_up: BackUp, folder: Path
) -> None:
    back_up(folder, incremental=True)
    with instance.database.transaction() as session:
        session.connection().exec_driver_sql("DELETE FROM media_image")
    clock.shift(days=1)
    back_up(folder, incremental=True, keep=2)
    assert len([*folder.rglob("*.png.*")]) == 1

    clock.shift(days=1)
    back_up(folder, incremental=True, keep=2)

    assert [*folder.rglob("*.png.*")] == []


def test_an_old_backup_that_cannot_be_deleted_is_no_missing_backup(
    clock: Clock, back_up: BackUp, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, real = back_up(folder).path, Path.unlink

    def unlink(path: Path, *, missing_ok: bool = False) -> None:
        if path == first:
            raise PermissionError(errno.EPERM, "Operation not permitted", str(path))
        real(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    clock.shift(days=1)

    with pytest.raises(StartError, match=f"is complete, but old .* can't use {first}: operation"):
        back_up(folder, keep=1)

    assert len([*folder.glob("masthead-2*.zip")]) == 2


@pytest.mark.usefixtures("picture")
@pytest.mark.parametrize("name", ["masthead-20200101T000000Z.zip", "before the move.zip"])
def test_a_backup_that_cannot_be_read_is_kept_with_all_images_that_it_may_name(
    clock: Clock, instance: Instance, back_up: BackUp, folder: Path, name: str
) -> None:
    damaged = folder / name
    damaged.write_bytes(b"damaged")
    first = back_up(folder, incremental=True)
    with instance.database.transaction() as session:
        session.connection().exec_driver_sql("DELETE FROM media_image")
    clock.shift(days=1)

    second = back_up(folder, incremental=True, keep=1)

    assert second.deleted == [first.path.name]
    assert damaged.exists()
    assert len([*folder.rglob("*.png.*")]) == 1


@pytest.mark.usefixtures("picture")
def test_an_image_that_is_missing_is_named_and_left_out(
    instance: Instance, back_up: BackUp, place: Any
) -> None:
    [image] = (instance.data / "media").rglob("*.png")
    image.unlink()

    made = back_up()

    assert made.missing == [f"media/images/{image.name}"]
    assert (
        "was missing when the backup was made: media/images/"
        in place.run("restore", made.path).output
    )


@pytest.mark.usefixtures("picture")
def test_an_image_that_is_deleted_after_the_snapshot_is_in_the_backup(
    instance: Instance, back_up: BackUp, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    [image] = (instance.data / "media").rglob("*.png")

    # The moment between the snapshot and the end of the copy.
    def states(*arguments: Any) -> Any:
        image.unlink(missing_ok=True)
        return original(*arguments)

    original = writing.states
    monkeypatch.setattr(writing, "_check_migrated", lambda _instance: None)
    monkeypatch.setattr(writing, "states", states)

    made = back_up()

    assert not image.exists()
    assert made.missing == []
    place.run("restore", made.path)
    assert len([*(place.folder / "media").rglob("*.png")]) == 1


def test_a_second_backup_in_the_same_folder_is_refused(back_up: BackUp, folder: Path) -> None:
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StartError, match="another backup is being written"):
            back_up(folder)
    finally:
        os.close(lock)


def test_remains_of_a_killed_backup_are_deleted_and_a_failed_one_leaves_none(
    back_up: BackUp, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".masthead-backup.dead").mkdir()
    (folder / ".masthead-backup.dead" / "copy").write_bytes(b"part")
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: os.terminal_size((0, 0)))

    with pytest.raises(Exception, match="free"):
        back_up(folder)

    assert [*folder.iterdir()] == []


METRIC = "masthead_backup_last_timestamp_seconds"


def figures(app: Client) -> dict[str, float]:
    found = app.as_role("admin").get("/api/staff/system").json["figures"]
    return {each["name"]: each["value"] for each in found}


def test_the_age_of_the_last_backup_is_known(
    clock: Clock, instance: Instance, back_up: BackUp, app: Client
) -> None:
    assert age_trouble(instance) == "no backup was made by masthead backup"
    assert figures(app)[METRIC] == 0
    made = back_up()
    assert age_trouble(instance) is None
    with instance.database.session(read_only=True) as session:
        state = session.get_one(BackupState, 1)
        assert (state.made_at, state.size) == (utcnow(), made.size)

    clock.shift(days=3)

    assert age_trouble(instance) == "the last backup is 3 days old"


class TestWithOtherTools:
    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {MAX_AGE.name: "0"}

    def test_the_age_is_neither_checked_nor_a_metric(self, instance: Instance, app: Client) -> None:
        assert age_trouble(instance) is None
        assert METRIC not in figures(app)


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        ("pg_dump (PostgreSQL) 9.6.1", "pg_dump is of version 9, older than the server"),
        ("", "pg_dump isn't on PATH"),
    ],
)
def test_programs_that_are_old_or_missing(
    instance: Instance,
    back_up: BackUp,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    shown: str,
    reason: str,
) -> None:
    if instance.database.dialect != "postgresql":
        pytest.skip("SQLite needs no program")
    programs = folder.parent / "programs"
    programs.mkdir()
    if shown:
        (programs / "pg_dump").write_text(f"#!/bin/sh\necho '{shown}'\n")
        (programs / "pg_dump").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}")
    monkeypatch.setattr("masthead.backup.postgresql._DEBIAN", folder)

    with pytest.raises(StartError, match=reason):
        back_up(folder)

    assert [*folder.iterdir()] == []
