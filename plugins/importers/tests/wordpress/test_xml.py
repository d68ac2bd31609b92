"""Reading of WXR files: damaged ones, other formats, attacks, archives and large ones."""

from __future__ import annotations

import gzip
import io
import tracemalloc
import zipfile
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from types import SimpleNamespace

import pytest

from masthead import Invalid
from masthead_importers.report import Report
from masthead_importers.wordpress.export import WordPressExport
from masthead_importers.wordpress.xml import read_elements

Write = Callable[..., Path]


def titles(*files: Path) -> list[str]:
    return [entry.title for entry in WordPressExport(files, "", UTC).entries(Report())]


def refusal(file: Path) -> str:
    with pytest.raises(Invalid) as refused:
        list(read_elements(file))
    assert "\n" not in refused.value.message
    return str(refused.value.message)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "empty"),
        (b'{"db": []}', "JSON"),
        (b"BEGIN:VCALENDAR\r\n", "an iCalendar file"),
        (b"<!DOCTYPE html><html></html>", "an HTML page"),
        (b"-- MySQL dump 10.13\n", "an SQL dump"),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'></feed>", "something else"),
        (b"<?xml version='1.0'?><feed></feed>", "XML"),
        (b"\xff\xd8\xff\xe0", "a JPEG image"),
        (b"just text", "something else"),
    ],
)
def test_another_kind_of_file_is_named_in_one_line(
    export: Write, content: bytes, kind: str
) -> None:
    assert refusal(export(content)) == f"export.xml is {kind}, not a WordPress export"


def test_a_feed_is_no_export(export: Write) -> None:
    feed = "<?xml version='1.0'?><rss><channel><item><title>x</title></item></channel></rss>"

    assert refusal(export(feed)) == "export.xml is an RSS feed, not a WordPress export"


def test_damaged_xml_is_named_with_its_line(export: Write, wp: SimpleNamespace) -> None:
    lines = wp.export(wp.item(1, "One")).splitlines(keepends=True)

    broken = refusal(export("".join([*lines[:6], "<item><title>x</item>\n", *lines[6:]])))
    cut = refusal(export("".join(lines[:6])))

    assert broken.startswith("export.xml is damaged at line 7: ")
    assert cut.startswith("export.xml is damaged at line ")


def test_entities_are_neither_expanded_nor_fetched(export: Write, wp: SimpleNamespace) -> None:
    secret = export("secret", "secret.txt")
    text = wp.export(wp.item(1, "One"))
    start = text.index("<rss")
    for declared in (
        '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">',
        f'<!ENTITY b SYSTEM "{secret.as_uri()}">',
    ):
        attack = f"{text[:start]}<!DOCTYPE rss [{declared}]>{text[start:]}".replace("Old", "&b;")

        assert refusal(export(attack)) == (
            "export.xml declares a document type, which no WordPress export does"
        )


def test_control_characters_that_authors_typed_are_dropped(
    export: Write, wp: SimpleNamespace
) -> None:
    assert titles(export(wp.export(wp.item(1, "O\x0bn\x08e")))) == ["One"]


def test_exports_may_be_compressed_in_an_archive_or_in_several_files(
    export: Write, wp: SimpleNamespace
) -> None:
    one, two = wp.export(wp.item(1, "One")), wp.export(wp.item(2, "Two"))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as written:
        for name, text in (("b.xml", two), ("a.xml", one), ("__MACOSX/a.xml", "x"), ("c.txt", "")):
            written.writestr(name, text)

    packed = export(gzip.compress(one.encode()), "one.xml.gz")
    assert titles(packed, export(two, "two.xml")) == ["One", "Two"]
    assert titles(export(archive.getvalue(), "all.zip")) == ["One", "Two"]


def test_an_archive_without_an_export_is_refused(export: Write) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("a.txt", "x")

    assert refusal(export(archive.getvalue(), "a.zip")) == (
        "a.zip is a ZIP archive, not a WordPress export"
    )


def test_damaged_archives_are_refused(export: Write, wp: SimpleNamespace) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as written:
        written.writestr("a.xml", wp.export(wp.item(1, "One" * 1000)))
    content = archive.getvalue()

    assert "damaged" in refusal(export(content[:-30], "a.zip"))
    assert "damaged" in refusal(export(content[:80] + b"x" * 40 + content[120:], "b.zip"))


def test_a_large_export_needs_little_memory(export: Write, wp: SimpleNamespace) -> None:
    item = wp.item(1, "One", "x" * 10_000)
    file = export(wp.export(*[item] * 500))

    tracemalloc.start()
    count = sum(1 for _ in read_elements(file))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count == 502
    assert peak < 2_000_000
