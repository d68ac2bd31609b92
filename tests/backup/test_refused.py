"""Backups that can't be restored, and places that aren't empty: nothing is changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from masthead.backup.writing import Backup
from masthead.db.direct import LISTEN
from masthead.db.settings import PREPARED

pytestmark = pytest.mark.usefixtures("picture")

BackUp = Callable[..., Backup]
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def made(back_up: BackUp) -> Path:
    return back_up().path


def rewrite(path: Path, changes: dict[str, Callable[[bytes], bytes]]) -> Path:
    """Copy an archive with changed members."""
    copy = path.with_name("changed.zip")
    with ZipFile(path) as old, ZipFile(copy, "w", ZIP_DEFLATED) as new:
        for info in old.infolist():
            change = changes.get(info.filename, lambda content: content)
            new.writestr(info.filename, change(old.read(info)))
    return copy


def edited(change: Change) -> Callable[[bytes], bytes]:
    """Change the manifest."""

    def edit(content: bytes) -> bytes:
        manifest = json.loads(content)
        change(manifest)
        return json.dumps(manifest).encode()

    return edit


def plugin(manifest: dict[str, Any], name: str) -> dict[str, Any]:
    return next(each for each in manifest["plugins"] if each["name"] == name)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda m: m.update(format=2), "the format 2"),
        (lambda m: m.pop("database"), "database"),
        (lambda m: m.update(plugins=[*m["plugins"], {"name": "garden", "revision": "0001"}]),
         "plugins of the backup aren't enabled here: garden"),
        (lambda m: plugin(m, "news").update(revision="0999"),
         "the tables of news are of revision 0999 in the backup"),
        (lambda m: m.update(kit=99), "the tables have kit 99 in the backup"),
        (lambda m: m["database"].update(dialect="mysql"), "masthead export and import move"),
        (lambda m: m["database"].update(size=1), "another checksum"),
        (lambda m: m["database"].update(sha256="0" * 64), "another checksum"),
        (lambda m: m["files"][0].update(count=7), "the number of media is wrong"),
        (lambda m: m["files"][0].update(name="../../tmp"), "no plugin here has the files"),
        (lambda m: m["files"].append(m["files"][0]), "It names a kind of files twice"),
    ],
)  # fmt: skip
def test_a_manifest_that_does_not_fit(made: Path, place: Any, change: Change, reason: str) -> None:
    path = rewrite(made, {"manifest.json": edited(change)})

    said = place.run("restore", path, status=1).output

    assert reason in said
    assert said.count("\n") == 1
    assert place.is_empty()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda _: b"", "is no backup, or an incomplete one"),
        (lambda _: b"GIF89a", "is no backup, or an incomplete one"),
        (lambda content: content[:-10], "is no backup, or an incomplete one"),
        (lambda content: content[: len(content) // 2], "is no backup, or an incomplete one"),
        (lambda content: content[:3000] + b"xxxxxxxx" + content[3008:], "is damaged"),
    ],
)
def test_a_damaged_file(
    made: Path, place: Any, damage: Callable[[bytes], bytes], reason: str
) -> None:
    made.write_bytes(damage(made.read_bytes()))

    assert reason in place.run("restore", made, status=1).output
    assert place.is_empty()


def test_a_changed_image(made: Path, place: Any) -> None:
    with ZipFile(made) as archive:
        [image] = [each for each in archive.namelist() if each.endswith(".png")]
    path = rewrite(made, {image: lambda content: content + b"x"})

    assert f"{image} has another checksum" in place.run("restore", path, status=1).output
    assert place.is_empty()


@pytest.mark.parametrize("key", ["../../etc/passwd", "/etc/passwd", "a/../../b", ".ssh/id", ""])
def test_a_key_that_leads_elsewhere(made: Path, place: Any, key: str) -> None:
    line = json.dumps({"key": key, "size": 1, "sha256": "0" * 64}).encode() + b"\n"

    def point(manifest: dict[str, Any]) -> None:
        manifest["files"][0].update(size=len(line), sha256=sha256(line).hexdigest(), shared=True)

    changes = {"files/media.jsonl": lambda _: line, "manifest.json": edited(point)}

    assert "can't be the key of a file" in place.run(
        "restore", rewrite(made, changes), status=1
    ).output  # fmt: skip
    assert place.is_empty()


def test_a_place_that_is_not_empty(made: Path, place: Any) -> None:
    place.run("db", "upgrade")

    said = place.run("restore", made, status=1).output

    assert "a restore needs an empty place, but there is" in said
    assert place.run("user", "list").output.count("\n") == 1


def test_a_log_that_is_left_over_from_a_former_database(made: Path, place: Any) -> None:
    if not place.url.startswith("sqlite"):
        pytest.skip("PostgreSQL has no such file")
    place.folder.mkdir()
    (place.folder / "masthead.db-wal").write_bytes(b"old")

    assert "masthead.db-wal" in place.run("restore", made, status=1).output
    assert [each.name for each in place.folder.iterdir()] == ["masthead.db-wal"]


def test_a_missing_or_changed_shared_image(back_up: BackUp, place: Any, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    path = back_up(folder, incremental=True).path
    [image] = folder.rglob("*.png.*")
    content = image.read_bytes()

    image.write_bytes(content[:-1] + b"x")
    assert "was changed: its checksum is wrong" in place.run("restore", path, status=1).output
    image.unlink()
    assert "is missing, which" in place.run("restore", path, status=1).output
    image.symlink_to("/etc/passwd")
    assert "leads out of the folder" in place.run("restore", path, status=1).output
    assert place.is_empty()


def test_a_backup_of_the_other_database(made: Path, place: Any, tmp_path: Path) -> None:
    if place.url.startswith("sqlite"):
        pytest.skip("is tested with PostgreSQL")
    place.settings["masthead.database.url"] = f"sqlite:///{tmp_path}/other/masthead.db"

    said = place.run("restore", made, status=1).output

    assert "the backup is of PostgreSQL, and this instance has SQLite" in said
    assert not (tmp_path / "other").exists()


def test_a_file_that_does_not_exist(place: Any, tmp_path: Path) -> None:
    assert "there is no file" in place.run("restore", tmp_path / "none.zip", status=1).output
    assert "there is no file" in place.run("restore", tmp_path, status=1).output


def test_check_needs_no_database(made: Path, place: Any) -> None:
    assert "is complete" in place.run("restore", "--check", made).output

    shutil.copy(made, made.with_name("cut.zip"))
    made.with_name("cut.zip").write_bytes(made.read_bytes()[:-1])
    assert (
        "incomplete" in place.run("restore", "--check", made.with_name("cut.zip"), status=1).output
    )
    assert place.is_empty()


def test_a_restore_through_a_pooler_only(made: Path, place: Any) -> None:
    if place.url.startswith("sqlite"):
        pytest.skip("SQLite has no pooler")
    place.settings[PREPARED.name] = "false"

    said = place.run("restore", made, status=1).output
    assert "set masthead.database.listen to the URL of PostgreSQL" in said
    assert place.is_empty()
    place.settings[LISTEN.name] = place.url
    place.run("restore", made)
