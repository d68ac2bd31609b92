"""The kinds of files that are recognised by their first bytes."""

from __future__ import annotations

import pytest

from masthead import HEAD_SIZE, kind_of_file


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"PK\x03\x04...", "a ZIP archive"),
        (b"\x1f\x8b\x08", "a gzip archive"),
        (b"%PDF-1.7", "a PDF document"),
        (b"SQLite format 3\x00", "an SQLite database"),
        (b"\xff\xfe<\x00", "text in UTF-16"),
        (b"\xef\xbb\xbf \n<?xml version='1.0'?>", "XML"),
        (b"<rss version='2.0'>", "XML"),
        (b"<!doctype HTML>", "an HTML page"),
        (b"begin:vcalendar\r\n", "an iCalendar file"),
        (b"BEGIN:VCARD\r\n", "a vCard file"),
        (b"-- MySQL dump", "an SQL dump"),
        (b'[{"title": 1}]', "a JSON array"),
        (b"[\n", "a JSON array"),
        (b'{"title": 1}', "JSON"),
        (b"[sic] text", None),
        (b"title,text\n", None),
        (b"", None),
        (b" " * HEAD_SIZE, None),
    ],
)
def test_a_kind_is_recognised_by_its_first_bytes(head: bytes, kind: str | None) -> None:
    assert kind_of_file(head) == kind
