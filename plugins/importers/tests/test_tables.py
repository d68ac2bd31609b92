"""The import of CSV tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from masthead import Invalid
from masthead_importers.report import Report
from masthead_importers.tables import TableExport

MoveIn = Callable[..., Report]
Read = Callable[..., Any]
Write = Callable[..., Path]
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def do_import(move_in: MoveIn, export: Write) -> Callable[..., Report]:
    def run(content: str | bytes, columns: Any = None, **options: Any) -> Report:
        return move_in(TableExport([export(content, "t.csv")], columns or {}, BERLIN), **options)

    return run


def test_a_view_of_drupal_arrives(do_import: Callable[..., Report], read: Read) -> None:
    report = do_import(
        "nid,Type,Title,Body,Created,Status,Path,Tags\r\n"
        '7,article,One,"<p>Hi, ""you""\r\n<a href=""/about"">x</a></p>",2024-05-01 10:00:00,1,'
        '/node/7,"Tea, Cake"\r\n'
        "8,article,Draft,Text,1714557600,0,/node/8,\r\n"
        "9,page,About,<p>Us</p>,,1,/about,\r\n"
    )

    [item] = read("/api/news")
    assert not report.failed
    assert item["publishedAt"] == "2024-05-01T08:00:00.000Z"
    assert [tag["name"] for tag in item["tags"]] == ["Cake", "Tea"]
    assert read("/api/news/one")["content"] == '<p>Hi, "you"\n<a href="/about">x</a></p>'
    assert read("/api/pages")[0]["slug"] == "about"
    assert read("/api/redirects") == [{"from": "/node/7", "to": "/news/one"}]


def test_a_table_of_joomla_arrives(do_import: Callable[..., Report], read: Read) -> None:
    do_import(
        "id;title;alias;introtext;fulltext;state;publish_up\n"
        "1;Eins;eins-2019;<p>Intro</p>;<p>Rest</p>;1;2019-01-01 00:00:00\n"
        "2;Zwei;zwei;;;-2;\n"
    )

    assert [item["slug"] for item in read("/api/news")] == ["eins-2019"]
    assert read("/api/news/eins-2019")["content"] == "<p>Intro</p>\n<p>Rest</p>"


def test_columns_of_other_names_are_mapped(do_import: Callable[..., Report], read: Read) -> None:
    columns = {"title": "Headline", "content": "teaser+text", "id": "Key"}

    do_import("key,headline,text,teaser\n1,One,B,A\n", columns)

    assert read("/api/news/one")["content"] == "A\nB"


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_encoding_is_recognised(
    do_import: Callable[..., Report], read: Read, encoding: str
) -> None:
    do_import("id\ttitle\n1\tGrüße\n".encode(encoding))

    assert [item["title"] for item in read("/api/news")] == ["Grüße"]


def test_rows_without_an_id_are_known_by_title_and_date(
    do_import: Callable[..., Report],
) -> None:
    table = "title,date\nOne,2024-05-01\nOne,2024-05-02\n,\n"
    do_import(table)

    again = do_import(table + "Two,\n")

    assert again.outcomes["news"] == {"imported": 1, "skipped": 2}


@pytest.mark.parametrize(
    ("content", "columns", "message"),
    [
        ("name,text\n", {}, "t.csv has no column title; see --map. It has: name, text"),
        ("title\n", {"date": "when"}, "t.csv has no column when"),
        ('title\n"open', {}, "t.csv is damaged at line 2: unexpected end of data"),
        ("", {}, "t.csv is empty, not a CSV table"),
        ("PK\x03\x04", {}, "t.csv is a ZIP archive, not a CSV table"),
        ('{"a": 1}', {}, "t.csv is JSON, not a CSV table"),
    ],
)
def test_an_unusable_table_is_refused_in_one_line(
    do_import: Callable[..., Report], content: str, columns: Any, message: str
) -> None:
    with pytest.raises(Invalid) as refused:
        do_import(content, columns)

    assert refused.value.message == message


def test_a_date_with_two_meanings_is_left_out(do_import: Callable[..., Report], read: Read) -> None:
    report = do_import("id,title,date\n1,One,01/02/2024\n")

    assert "warning: publishedAt is changed or left out (1)" in list(report.lines())
    assert [item["title"] for item in read("/api/news")] == ["One"]
