"""``masthead import-site`` in the assembled product: its options, images, and interruptions."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image
from webtest import TestApp

from masthead.cli import main
from masthead.console.context import open_from
from masthead.web.app import app_of

Run = Callable[..., Result]
SITE = "https://old.example"
HEAD = (
    '<?xml version="1.0"?><rss xmlns:content="http://purl.org/rss/1.0/modules/content/"'
    ' xmlns:wp="http://wordpress.org/export/1.2/"><channel>'
    f"<link>{SITE}</link><wp:wxr_version>1.2</wp:wxr_version>"
)


@pytest.fixture
def run(upgraded: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run commands on a new instance with an upgraded database."""
    monkeypatch.chdir(upgraded.parent)
    runner = CliRunner()
    return lambda *arguments: runner.invoke(main, [str(each) for each in arguments])


def read(path: str) -> Any:
    with open_from(None) as instance:
        return TestApp(app_of(instance)).get(path).json


def item(number: int, content: str = "", kind: str = "post") -> str:
    return (
        f"<item><title>Item {number}</title><link>{SITE}/item-{number}/</link>"
        f"<content:encoded><![CDATA[{content}]]></content:encoded>"
        f"<wp:post_id>{number}</wp:post_id><wp:post_name>item-{number}</wp:post_name>"
        "<wp:post_date_gmt>2019-05-01 08:00:00</wp:post_date_gmt>"
        f"<wp:status>publish</wp:status><wp:post_type>{kind}</wp:post_type></item>"
    )


def wxr(path: Path, *items: str) -> Path:
    path.write_text(HEAD + "\n".join(items) + "</channel></rss>")
    return path


def test_a_website_is_imported_with_its_images(run: Run, tmp_path: Path) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (40, 30), "green").save(picture, "JPEG")
    uploads = tmp_path / "uploads"
    uploads.mkdir()
    (uploads / "tree.jpg").write_bytes(picture.getvalue())
    (uploads / "text.jpg").write_text("no image")
    base = f"{SITE}/wp-content/uploads"
    image = f'<img src="{base}/tree.jpg"><img src="{base}/text.jpg">'
    file = wxr(tmp_path / "old.xml", item(1, image), item(2, '<a href="/item-1/">x</a>', "page"))

    arguments = ("import-site", "wordpress", file, "--media", uploads, "--publish")
    dry, done = run(*arguments, "--dry-run"), run(*arguments)

    assert (dry.exit_code, done.exit_code, done.stderr) == (0, 0, "")
    assert done.stdout.splitlines() == [
        "images: imported 1, skipped 0, errors 0",
        "news: imported 1, skipped 0, errors 0",
        "pages: imported 1, skipped 0, errors 0",
        "warning: an image can't be stored (1)",
        "  text.jpg: Invalid file type. Only images are allowed.",
    ]
    assert dry.stdout.splitlines()[1] == "dry run: news: imported 1, skipped 0, errors 0"
    [redirect] = [each for each in read("/api/redirects") if "tree" in each["from"]]
    content = read("/api/news/item-1")["content"]
    assert redirect["to"] in content
    with open_from(None) as instance:
        assert TestApp(app_of(instance)).get(redirect["to"]).content_type == "image/jpeg"
    assert 'href="/news/item-1"' in read("/api/pages/item-2")["content"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--url", "old.example"], "doesn't start with http"),
        (["--into", "post"], "isn't one of post, page, event"),
        (["--map", "x=y"], "isn't one of id, type, title"),
        (["--timezone", "Mars/One"], "Mars/One isn't known"),
        (["--media", "nowhere"], "does not exist"),
    ],
)
def test_a_wrong_option_is_refused(
    run: Run, tmp_path: Path, options: list[str], message: str
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("title\n")

    result = run("import-site", "csv", table, *options)

    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--into", "post=poems"], "There is no content type poems; there are: "),
        (["--as", "nobody"], "There is no user nobody"),
        (["--permalinks", "%name%"], "--permalinks: %name% is unknown"),
    ],
)
def test_a_wrong_name_is_refused_in_one_line(
    run: Run, tmp_path: Path, options: list[str], message: str
) -> None:
    result = run("import-site", "wordpress", wxr(tmp_path / "o.xml", item(1)), *options)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {message}")
    assert result.stderr.count("\n") == 1


def test_posts_may_become_another_content_type(run: Run, tmp_path: Path) -> None:
    file = wxr(tmp_path / "old.xml", item(1))

    run("import-site", "wordpress", file, "--into", "post=actions", "--publish")

    assert [each["slug"] for each in read("/api/actions")] == ["item-1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<?xml version='1.0'?>\n<rss>\n</rss>\n", "XML, not JSON lines; an export of a website"),
        (b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "an iCalendar file, not JSON lines; a calendar"),
        (b"PK\x03\x04\n\n", "a ZIP archive, not JSON lines; an export of a website"),
        (b'[{"title": "One"},\n{"title": "Two"}]\n', "a JSON array, not JSON lines; write one"),
        (b"\x89PNG\r\n\x1a\n", "a PNG image, not JSON lines"),
        (b"\xff\xfe{\x00", "text in UTF-16, not JSON lines"),
    ],
)
def test_another_format_is_named_in_one_line_where_json_lines_are_wanted(
    run: Run, tmp_path: Path, content: bytes, message: str
) -> None:
    file = tmp_path / "old"
    file.write_bytes(content)

    result = run("import", "news", file)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"Error: The file is {message}")
    assert result.stderr.count("\n") == 1


def test_links_to_a_page_with_a_reserved_slug_are_right(run: Run, tmp_path: Path) -> None:
    page = item(2, kind="page").replace("<wp:post_name>item-2", "<wp:post_name>news")
    file = wxr(tmp_path / "old.xml", item(1, '<a href="/item-2/">x</a>'), page)

    run("import-site", "wordpress", file, "--publish")

    assert read("/api/news/item-1")["content"] == '<p><a href="/news-2">x</a></p>'
    assert read("/api/pages/news-2")["title"] == "Item 2"


@pytest.mark.slow
def test_a_killed_import_is_continued_without_doubles(run: Run, tmp_path: Path) -> None:
    number = 2_000
    file = wxr(tmp_path / "old.xml", *(item(n, "<p>Text</p>" * 20) for n in range(1, number + 1)))
    arguments = ("import-site", "wordpress", str(file), "--publish")
    command = [sys.executable, "-c", "from masthead.cli import main; main()", *arguments]
    with subprocess.Popen(command) as process:
        while not count() and process.poll() is None:
            pass
        process.send_signal(signal.SIGKILL)
    stopped_at = count()

    result = run(*arguments)

    assert 0 < stopped_at < number
    assert result.stdout == (
        f"news: imported {number - stopped_at}, skipped {stopped_at}, errors 0\n"
    )
    assert count() == number


def count() -> int:
    with open_from(None) as instance:
        return int(TestApp(app_of(instance)).get("/api/news?limit=1").headers["X-Total-Count"])
