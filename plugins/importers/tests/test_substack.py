"""The import of Substack archives."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from masthead import Invalid
from masthead_importers import substack
from masthead_importers.report import Report
from masthead_importers.substack import SubstackExport

MoveIn = Callable[..., Report]
Read = Callable[..., Any]
Write = Callable[..., Path]
HEADER = "post_id,post_date,is_published,email_sent_at,type,audience,title,subtitle,podcast_url\n"


def archive(rows: str, header: str = HEADER, **pages: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as written:
        written.writestr("posts.csv", header + rows)
        for name, page in pages.items():
            written.writestr(f"posts/{name.replace('_', '.', 1)}.html", page)
    return content.getvalue()


def test_posts_arrive_as_everybody_could_read_them(
    move_in: MoveIn, export: Write, read: Read
) -> None:
    rows = (
        "1.one,2024-05-01T10:00:00.000Z,true,,newsletter,everyone,One,A & B,\n"
        "2.paid,2024-05-02T10:00:00.000Z,true,,newsletter,only_paid,Paid,,\n"
        "3.,,false,,newsletter,everyone,Draft,,\n"
        "4.talk,2024-05-03T10:00:00.000Z,true,,podcast,everyone,Talk,,https://a.example/t.mp3\n"
        "5.thread,2024-05-03T10:00:00.000Z,true,,thread,everyone,Thread,,\n"
    )
    page = (
        '<p>Hi <a href="https://old.substack.com/p/talk?r=1">talk</a></p>'
        '<p class="button"><a class="x" href="%%share_url%%"><span>Share</span></a></p>'
        '<img src="https://substackcdn.com/image/a.png">'
    )
    source = SubstackExport([export(archive(rows, **{"1_one": page}), "s.zip")])
    source.home = "https://old.substack.com"

    report = move_in(source)

    assert [item["title"] for item in read("/api/news")] == ["Talk", "One"]
    one, talk = read("/api/news/one"), read("/api/news/talk")
    assert one["description"] == "A & B"
    assert one["content"] == (
        '<p>Hi <a href="/news/talk">talk</a></p><p class="button"></p>'
        '<img src="https://substackcdn.com/image/a.png">'
    )
    assert talk["category"] == "Podcast"
    assert '<audio controls="" src="https://a.example/t.mp3"></audio>' in talk["content"]
    assert list(report.lines()) == [
        "news: imported 4, skipped 0, errors 0",
        "left out: 1 threads",
        "warning: an item for subscribers becomes a draft (1)",
        "  post 2 'Paid'",
        "warning: images stay at the servers of Substack (1)",
        "  post 1 'One': 1",
    ]
    assert {"from": "/p/one", "to": "/news/one"} in read("/api/redirects")


def test_a_bomb_is_refused(move_in: MoveIn, export: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(substack, "_LARGEST_PAGE", 1024)
    rows = "1.one,2024-05-01T10:00:00.000Z,true,,newsletter,everyone,One,,\n"
    file = export(archive(rows, **{"1_one": "x" * 100_000}), "s.zip")

    with pytest.raises(Invalid, match=r"posts/1\.one\.html is larger than"):
        move_in(SubstackExport([file]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"post_id,title\n", "s.zip is something else, not a Substack archive"),
        (archive("x\n", "id\n"), "s.zip: posts.csv has no column post_id"),
        (archive("")[:-9], "s.zip is damaged: "),
    ],
)
def test_other_files_are_named_in_one_line(
    move_in: MoveIn, export: Write, content: bytes, message: str
) -> None:
    with pytest.raises(Invalid) as refused:
        move_in(SubstackExport([export(content, "s.zip")]))

    assert refused.value.message.startswith(message)
