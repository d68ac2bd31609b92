"""The values in an export are checked as those of clients are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, String

from masthead import Instance, ListOf, Nullable, StartError
from masthead.errors import Invalid
from masthead.transfer.instance_export import export_instance
from masthead.transfer.instance_import import import_instance
from masthead.transfer.tables import ExportableTable, exportable_tables

SCRIPT = "<script>alert(1)</script><p>Hello</p>"
CANARIES = {"script": SCRIPT, "javascript": "javascript:alert(1)", "control": "a\x07b"}
PLAIN = {"Str", "PlainText", "Line", "DisplayName"}
"""Types of text that is never used as HTML or as an address."""
ALLOWED = {"script": PLAIN, "javascript": PLAIN | {"Html", "ClassNames"}, "control": set[str]()}
"""The types that store a canary."""
Fill = Callable[[Instance], None]


def text_columns(instance: Instance) -> Iterator[tuple[ExportableTable, str]]:
    """Yield the exported columns that store text or JSON."""
    for table in exportable_tables(instance):
        for column in table.columns:
            if isinstance(column.type, String | JSON):
                yield table, column.name


def type_name(kind: Any) -> str:
    """Return the name of a field type, inside Nullable and ListOf."""
    while hasattr(kind, "inner"):
        kind = kind.inner
    return type(kind).__name__


def cleaned(table: ExportableTable, name: str, value: Any) -> Any:
    """Return the value that an import stores for a value of a column; None if it is refused."""
    row: dict[str, Any] = dict.fromkeys(table.codecs) | {name: value}
    try:
        table.clean(row)
    except Invalid:
        return None
    return row[name]


def test_each_exported_text_has_a_type(make_instance: Callable[[str], Instance]) -> None:
    columns = list(text_columns(make_instance("sqlite")))

    assert [f"{t.name}.{name}" for t, name in columns if name not in t.kinds] == []
    assert len(columns) > 80


@pytest.mark.parametrize("canary", CANARIES)
def test_no_column_stores_what_its_type_forbids(
    canary: str, make_instance: Callable[[str], Instance]
) -> None:
    stored = []
    for table, name in text_columns(make_instance("sqlite")):
        kind = type_name(table.kinds[name])
        declared = table.kinds[name]
        is_list = isinstance(declared.inner if isinstance(declared, Nullable) else declared, ListOf)
        value: Any = [CANARIES[canary]] if is_list else CANARIES[canary]
        found = cleaned(table, name, value)
        if kind in ALLOWED[canary]:
            assert found == value, f"{table.name}.{name}"
        else:
            stored += [f"{table.name}.{name}"] if found == value else []
            assert "script>" not in str(found), f"{table.name}.{name}"

    assert stored == []


@pytest.mark.parametrize("canary", CANARIES)
def test_staged_edits_are_checked_as_fields_are(
    canary: str, make_instance: Callable[[str], Instance]
) -> None:
    tables = [t for t in exportable_tables(make_instance("sqlite")) if "staged" in t.kinds]
    assert len(tables) == 3
    for table in tables:
        for name in ("title", "content", "imageUrl", "link", "coverImageUrl"):
            staged = {"tagIds": [], name: CANARIES[canary], "unknown": SCRIPT}
            found = cleaned(table, "staged", staged) or {}
            assert "unknown" not in found
            if name != "title":
                assert "<script" not in str(found)
            if name.lower().endswith(("url", "link")):
                assert name not in found


def test_a_blank_time_among_staged_edits_is_none(
    make_instance: Callable[[str], Instance],
) -> None:
    tables = {t.name: t for t in exportable_tables(make_instance("sqlite"))}
    staged = {"tagIds": [], "title": "", "scheduledPublishAt": ""}

    found = cleaned(tables["events_event"], "staged", staged)
    assert found == staged | {"scheduledPublishAt": None}
    assert cleaned(tables["events_event"], "staged", {"tagIds": [], "startDate": ""}) is None


def test_a_tampered_text_is_cleaned_and_reported(
    make_instance: Callable[[str], Instance], fill: Fill, tmp_path: Path
) -> None:
    source, target = make_instance("sqlite"), make_instance("sqlite")
    fill(source)
    export_instance(source, tmp_path / "out", report=lambda *_: None)
    messages: list[str] = []
    change_rows(tmp_path / "out", "news_article", content=SCRIPT)

    assert import_instance(target, tmp_path / "out", lambda *_: None, messages.append)

    assert "Cleaned news_article.content in line 1, 2, 3" in messages
    export_instance(target, tmp_path / "again", report=lambda *_: None)
    assert "<script" not in (tmp_path / "again/tables/news_article.jsonl").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "values", "said"),
    [
        ("news_article", {"image_url": "javascript:alert(1)"}, "line 1: image_url: Must be"),
        ("news_article", {"approval_status": "perfect"}, "line 1: approval_status: Must be one of"),
        ("news_article", {"approval_status": ""}, "line 1: approval_status: Must be one of"),
        ("media_image", {"key": ""}, "line 1: key: Must match"),
        ("news_article", {"title": "a\x1bb"}, "line 1: title: Must not contain control"),
        ("news_article", {"title": "a" * 201}, "line 1: title: At most 200"),
        ("news_article", {"slug": '"><script>'}, "line 1: slug: Must match"),
        ("media_image", {"key": "../auth.secret"}, "line 1: key: Must match"),
        ("site_message", {"email": "no address"}, "line 1: email: "),
    ],
)
def test_a_tampered_value_that_can_not_be_cleaned_is_named(
    table: str,
    values: dict[str, Any],
    said: str,
    make_instance: Callable[[str], Instance],
    fill: Fill,
    tmp_path: Path,
) -> None:
    source, target = make_instance("sqlite"), make_instance("sqlite")
    fill(source)
    export_instance(source, tmp_path / "out", report=lambda *_: None)
    change_rows(tmp_path / "out", table, **values)

    with pytest.raises(StartError) as refused:
        import_instance(target, tmp_path / "out", report=lambda *_: None)

    assert f"{table}.jsonl, {said}" in str(refused.value)
    export_instance(target, tmp_path / "again", report=lambda *_: None)
    assert (tmp_path / "again/tables/news_article.jsonl").read_text("utf-8") == ""


def change_rows(folder: Path, table: str, **values: Any) -> None:
    """Change values of all rows of a table, and its checksum in the manifest."""
    file, manifest = folder / "tables" / f"{table}.jsonl", folder / "manifest.json"
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    rows = [json.loads(line) | values for line in file.read_text("utf-8").splitlines()]
    assert rows
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    after = hashlib.sha256(file.read_bytes()).hexdigest()
    manifest.write_text(manifest.read_text("utf-8").replace(before, after), "utf-8")
