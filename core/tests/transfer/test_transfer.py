from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select, text
from webtest import TestApp

from masthead import Instance, StartError, User
from masthead.transfer.instance_export import export_instance
from masthead.transfer.instance_import import import_instance
from masthead.web.app import app_of

Rows = Callable[[Instance, Any], list[dict[str, Any]]]


def test_every_type_of_value_is_imported_unchanged(
    filled: Instance,
    target: Instance,
    export: Callable[[], Path],
    bring: Callable[[Path], bool],
    models: SimpleNamespace,
    rows: Rows,
) -> None:
    assert bring(export())

    assert rows(target, models.Plant) == rows(filled, models.Plant)
    beds = [bed | {"gardener": "nobody"} for bed in rows(filled, models.Bed)]
    assert rows(target, models.Bed) == beds
    assert [bed["photo"] for bed in beds] == [None, None, b"\x00\xff"]
    assert [bed["square_metres"] for bed in beds] == [None, None, Decimal("2.50")]


def test_null_stays_null_in_the_database(
    target: Instance, export: Callable[[], Path], bring: Callable[[Path], bool]
) -> None:
    bring(export())

    with target.database.session(read_only=True) as session:
        empty = "SELECT count(*) FROM garden_bed WHERE notes IS NULL"
        assert session.scalar(text(empty)) == 2


def test_initial_rows_are_replaced(
    target: Instance,
    export: Callable[[], Path],
    bring: Callable[[Path], bool],
    models: SimpleNamespace,
    rows: Rows,
) -> None:
    with target.database.transaction() as session:
        session.add(models.Season(name="spring"))

    bring(export())

    assert rows(target, models.Season) == [{"name": "autumn"}]


def test_hook_files_transfers_the_bytes(
    target: Instance, export: Callable[[], Path], bring: Callable[[Path], bool]
) -> None:
    bring(export())

    imported = target.data / "shed" / "beds"
    assert {f.name: f.read_bytes() for f in imported.iterdir()} == {
        f"{n}.png": bytes([n]) * 100 for n in (1, 2, 3)
    }


def test_hook_files_may_miss_some_which_are_named(filled: Instance, tmp_path: Path) -> None:
    (filled.data / "shed" / "beds" / "2.png").unlink()

    missing = export_instance(filled, tmp_path / "out", report=lambda *_: None)

    assert missing == ["shed/beds/2.png"]


def test_hook_imported_creates_data_that_is_not_exported(
    target: Instance,
    export: Callable[[], Path],
    bring: Callable[[Path], bool],
    models: SimpleNamespace,
    rows: Rows,
) -> None:
    bring(export())

    assert rows(target, models.Weather) == [{"id": 3}]
    found = TestApp(app_of(target)).get("/api/plants", {"search": "rose"}).json
    assert [plant["title"] for plant in found] == ["Rose"]


def test_a_used_id_is_not_used_again(
    filled: Instance,
    target: Instance,
    export: Callable[[], Path],
    bring: Callable[[Path], bool],
    models: SimpleNamespace,
) -> None:
    with filled.database.transaction() as session:
        gone = models.Plant(title="Weed")
        session.add(gone)
        session.flush()
        last = gone.id
        session.delete(gone)

    bring(export())

    with target.database.transaction() as session:
        new = models.Plant(title="Tulip")
        session.add(new)
        session.flush()
        assert new.id > last


def test_imported_users_are_disabled_and_have_no_password(
    make_user: Callable[..., User],
    target: Instance,
    export: Callable[[], Path],
    bring: Callable[[Path], bool],
) -> None:
    make_user("ada", role="admin", password="a long password")
    folder = export()

    bring(folder)

    stored = (folder / "tables" / "core_user.jsonl").read_text("utf-8")
    assert "password" not in stored
    login = {"username": "ada", "password": ""}
    refused = TestApp(app_of(target)).post_json("/api/auth/login", login, status="4*")
    assert refused.status_int in (400, 401)
    with target.database.session(read_only=True) as session:
        ada = session.scalars(select(User)).one()
        assert (ada.disabled, [role.name for role in ada.roles]) == (True, ["admin"])


def test_a_second_import_changes_nothing(
    target: Instance, export: Callable[[], Path], bring: Callable[[Path], bool]
) -> None:
    folder = export()
    assert bring(folder)
    token = target.version.token()

    assert not bring(folder)
    assert target.version.token() == token


def test_an_instance_with_content_refuses_an_import(
    filled: Instance, export: Callable[[], Path]
) -> None:
    folder = export()

    with pytest.raises(StartError, match="isn't empty: there are rows in garden_bed, garden_plant"):
        import_instance(filled, folder, report=lambda *_: None)


def test_an_interrupted_import_can_be_repeated(
    filled: Instance,
    target: Instance,
    export: Callable[[], Path],
    bring: Callable[[Path], bool],
    models: SimpleNamespace,
    rows: Rows,
) -> None:
    folder = export()

    def break_off(what: str, done: int, _total: int) -> None:
        if (what, done) == ("shed", 2):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_instance(target, folder, report=break_off)

    assert rows(target, models.Plant) == []
    assert bring(folder)
    assert rows(target, models.Plant) == rows(filled, models.Plant)


def test_a_storage_that_fails_stops_an_import_and_nothing_is_imported(
    target: Instance,
    export: Callable[[], Path],
    bring: Callable[[Path], bool],
    models: SimpleNamespace,
    rows: Rows,
) -> None:
    folder = export()
    (target.data / "shed").write_text("no folder")

    with pytest.raises(StartError, match=r"shed/beds/1.png can't be stored: .*Not a directory"):
        bring(folder)

    assert rows(target, models.Plant) == []


def test_a_storage_that_fails_stops_an_export(filled: Instance, tmp_path: Path) -> None:
    file = filled.data / "shed" / "beds" / "2.png"
    file.unlink()
    file.mkdir()

    with pytest.raises(StartError, match=r"shed/beds/2.png can't be read: .*Is a directory"):
        export_instance(filled, tmp_path / "out", report=lambda *_: None)


def test_a_missing_plugin_is_named(
    make_target: Callable[..., Instance], export: Callable[[], Path]
) -> None:
    folder = export()

    with pytest.raises(StartError, match="aren't enabled here: garden"):
        import_instance(make_target("core"), folder, report=lambda *_: None)


def test_an_export_goes_into_an_empty_folder_only(filled: Instance, tmp_path: Path) -> None:
    (tmp_path / "letter").touch()

    with pytest.raises(StartError, match="isn't empty"):
        export_instance(filled, tmp_path, report=lambda *_: None)
