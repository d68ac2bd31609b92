"""Exports that were tampered with."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from masthead import Instance, StartError

Rows = Callable[[Instance, Any], list[dict[str, Any]]]


def change(file: Path, old: str, new: str) -> None:
    """Change a file of an export, and update its checksum in the manifest."""
    manifest = file.parents[1] / "manifest.json"
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    content = file.read_text("utf-8")
    assert old in content
    file.write_text(content.replace(old, new), "utf-8")
    after = hashlib.sha256(file.read_bytes()).hexdigest()
    manifest.write_text(manifest.read_text("utf-8").replace(before, after), "utf-8")


# Each changes an export and returns the expected error.
def _without_manifest(folder: Path) -> str:
    (folder / "manifest.json").unlink()
    return "no manifest.json"


def _manifest_that_is_no_json(folder: Path) -> str:
    (folder / "manifest.json").write_bytes(b"\xff{")
    return "UTF-8"


def _manifest_without_tables(folder: Path) -> str:
    _edit(folder, tables=None)
    return "tables"


def _of_the_future(folder: Path) -> str:
    _edit(folder, format=2)
    return "has the format 2; this Masthead reads 1 only"


def _of_other_tables(folder: Path) -> str:
    plugins = json.loads((folder / "manifest.json").read_text("utf-8"))["plugins"]
    _edit(folder, plugins=[{**each, "revision": "0999"} for each in plugins])
    return "the tables of core are of revision 0999"


def _of_another_kit(folder: Path) -> str:
    _edit(folder, kit=99)
    return "the tables have kit 99 in the export"


def _table_that_is_a_path(folder: Path) -> str:
    table = {"name": "../../../etc/passwd", "rows": 1, "sha256": "0", "lastId": None}
    _edit(folder, tables=[table])
    return "isn't known here: '../../../etc/passwd'"


def _table_that_stays(folder: Path) -> str:
    _edit(folder, tables=[{"name": "core_audit", "rows": 1, "sha256": "0", "lastId": None}])
    return "isn't known here: 'core_audit'"


def _table_left_out(folder: Path) -> str:
    tables = json.loads((folder / "manifest.json").read_text("utf-8"))["tables"]
    _edit(folder, tables=[each for each in tables if each["name"] != "garden_bed"])
    return "lacks the table garden_bed"


def _table_twice(folder: Path) -> str:
    tables = json.loads((folder / "manifest.json").read_text("utf-8"))["tables"]
    _edit(folder, tables=[*tables, tables[0]])
    return "names a table twice"


def _rows_changed(folder: Path) -> str:
    file = folder / "tables" / "garden_plant.jsonl"
    file.write_bytes(file.read_bytes().replace(b"Rose", b"Nose"))
    return "checksum is wrong"


def _rows_missing(folder: Path) -> str:
    (folder / "tables" / "garden_plant.jsonl").unlink()
    return "garden_plant.jsonl is missing"


def _bytes_changed(folder: Path) -> str:
    (folder / "files" / "shed" / "beds" / "1.png").write_bytes(b"other")
    return "1.png was changed"


def _unknown_column(folder: Path) -> str:
    change(folder / "tables" / "garden_bed.jsonl", '"depth":', '"height":')
    return "line 1: there is too much or something missing: depth, height"


def _secret_column(folder: Path) -> str:
    change(folder / "tables" / "garden_bed.jsonl", '"depth":', '"gardener":"me","depth":')
    return "gardener"


def _wrong_type(folder: Path) -> str:
    change(folder / "tables" / "garden_bed.jsonl", '"id":2', '"id":"2"')
    return "line 2: id: Must be a whole number"


def _no_json(folder: Path) -> str:
    change(folder / "tables" / "garden_bed.jsonl", '{"id":2', '{"id":NaN')
    return "line 2: It has NaN"


def _row_of_nothing(folder: Path) -> str:
    change(folder / "tables" / "garden_bed.jsonl", '"inside":3', '"inside":99')
    return "rows of garden_bed can't be stored"


def _row_twice(folder: Path) -> str:
    change(folder / "tables" / "garden_bed.jsonl", '"id":2', '"id":1')
    return "rows of garden_bed can't be stored"


def _key_that_is_a_path(folder: Path) -> str:
    change(folder / "files" / "shed.jsonl", "beds/1.png", "../../../../etc/passwd")
    return "can't be the key of a file"


def _key_that_no_row_names(folder: Path) -> str:
    shutil.copyfile(folder / "files/shed/beds/1.png", folder / "files/shed/beds/7.png")
    change(folder / "files" / "shed.jsonl", "beds/1.png", "beds/7.png")
    return "no row names the file shed/beds/7.png"


def _file_that_is_a_link(folder: Path) -> str:
    file = folder / "files" / "shed" / "beds" / "1.png"
    file.rename(folder.parent / "elsewhere.png")
    file.symlink_to(folder.parent / "elsewhere.png")
    return "leads out of the folder"


def _list_without_keys(folder: Path) -> str:
    change(folder / "files" / "shed.jsonl", '"key"', '"name"')
    return "a line without a key"


def _edit(folder: Path, **changes: Any) -> None:
    file = folder / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changes), "utf-8")


_HOSTILE = [
    _without_manifest,
    _manifest_that_is_no_json,
    _manifest_without_tables,
    _of_the_future,
    _of_other_tables,
    _of_another_kit,
    _table_that_is_a_path,
    _table_that_stays,
    _table_left_out,
    _table_twice,
    _rows_changed,
    _rows_missing,
    _bytes_changed,
    _unknown_column,
    _secret_column,
    _wrong_type,
    _no_json,
    _row_of_nothing,
    _row_twice,
    _key_that_is_a_path,
    _key_that_no_row_names,
    _file_that_is_a_link,
    _list_without_keys,
]


@pytest.mark.slow
@pytest.mark.parametrize("spoil", _HOSTILE, ids=[each.__name__.strip("_") for each in _HOSTILE])
def test_a_folder_that_was_tampered_with_is_refused_and_nothing_imported(
    spoil: Callable[[Path], str],
    target: Instance,
    export: Callable[[], Path],
    bring: Callable[[Path], bool],
    models: SimpleNamespace,
    rows: Rows,
) -> None:
    folder = export()
    expected = spoil(folder)

    with pytest.raises(StartError) as refused:
        bring(folder)

    assert expected in str(refused.value)
    assert "\n" not in str(refused.value)
    assert rows(target, models.Plant) == rows(target, models.Bed) == []
