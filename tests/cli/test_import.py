from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select
from webtest import TestApp

from masthead import User, content_types_of
from masthead.cli import main
from masthead.console.context import open_from
from masthead.web.app import app_of
from masthead_news.models import Article


@pytest.fixture
def run(upgraded: Path) -> Callable[..., Result]:
    """Run commands on a new instance with an upgraded database."""
    runner = CliRunner(env={"MASTHEAD_DATA": str(upgraded)})
    return lambda *arguments, stdin="": runner.invoke(main, arguments, stdin)


def lines(*items: Any) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


def published(path: str = "/api/news") -> list[dict[str, Any]]:
    with open_from(None) as instance:
        found: list[dict[str, Any]] = TestApp(app_of(instance)).get(path).json
    return found


def test_published_items_are_what_visitors_read(run: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "news.jsonl"
    file.write_text(lines({"title": "One", "tags": ["press", "software"]}, {"title": "Two"}))

    result = run("import", "news", str(file), "--publish")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "imported 2, warnings 0, errors 0\n"
    assert sorted(item["title"] for item in published()) == ["One", "Two"]
    assert [item["title"] for item in published("/api/news?tag=press")] == ["One"]


def test_what_is_not_published_stays_a_draft(run: Callable[..., Result]) -> None:
    result = run("import", "news", "-", stdin=lines({"title": "One"}))

    assert result.stdout == "imported 1, warnings 0, errors 0\n"
    assert published() == []


def test_a_repeated_import_skips_what_it_has_imported(run: Callable[..., Result]) -> None:
    given = lines({"title": "One", "externalId": 1}, {"title": "Two", "externalId": 2})

    assert run("import", "news", "-", stdin=given).stdout == "imported 2, warnings 0, errors 0\n"
    again = run("import", "news", "-", "--publish", stdin=given)
    other = run("import", "news", "-", "--source", "wordpress", stdin=given)

    assert again.stdout == "imported 0, skipped 2, warnings 0, errors 0\n"
    assert other.stdout == "imported 2, warnings 0, errors 0\n"


def test_a_dry_run_stores_nothing(run: Callable[..., Result]) -> None:
    given = lines({"title": "One"}, {"title": 1})

    result = run("import", "news", "-", "--publish", "--dry-run", stdin=given)

    assert (result.exit_code, result.stderr) == (1, "line 2: title: Must be a string\n")
    assert result.stdout == "dry run: imported 1, warnings 0, errors 1\n"
    assert published() == []


def test_times_without_a_zone_are_of_the_stated_one(run: Callable[..., Result]) -> None:
    given = lines({"title": "One", "publishedAt": "2024-05-01 10:00:00"})

    run("import", "news", "-", "--publish", "--timezone", "Europe/Berlin", stdin=given)

    assert [item["publishedAt"] for item in published()] == ["2024-05-01T08:00:00.000Z"]
    assert run("import", "news", "-", "--timezone", "Mars/One", stdin=given).exit_code == 2


@pytest.mark.slow
def test_each_error_names_its_field_in_every_content_type(run: Callable[..., Result]) -> None:
    with open_from(None) as instance:
        fields = {kind.name: {f.name for f in kind.fields} for kind in content_types_of(instance)}
    for kind, names in fields.items():
        valid = {"title": "One", "eventDate": "2030-05-01", "startDate": "2030-05-01"}
        given = lines(*({**valid, name: {"wrong": 1}} for name in sorted(names)))

        result = run("import", kind, "-", "--dry-run", stdin=given)

        named = [line.split(": ")[1] for line in result.stderr.splitlines()]
        assert set(named) >= names, kind


def test_a_file_may_be_packed_by_gzip(run: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "news.jsonl.gz"
    file.write_bytes(gzip.compress(lines({"title": "One"}, {"title": "Two"}).encode()))

    result = run("import", "news", str(file), "--publish")

    assert (result.exit_code, result.stderr) == (0, "")
    assert sorted(item["title"] for item in published()) == ["One", "Two"]


@pytest.mark.slow
@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.usefixtures("run")
def test_what_comes_through_a_pipe_may_be_packed_too(
    monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    given = lines({"title": "One"}, {"title": "Two"}).encode()
    end, other_end = os.pipe()
    with os.fdopen(other_end, "wb") as pipe:
        pipe.write(gzip.compress(given) if packed else given)
    with os.fdopen(end, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        main(["import", "news", "-", "--publish"], standalone_mode=False)

    assert sorted(item["title"] for item in published()) == ["One", "Two"]


def test_a_damaged_packed_file_is_told_in_one_line(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    file = tmp_path / "news.jsonl.gz"
    file.write_bytes(gzip.compress(lines({"title": "One"}).encode())[:-9])

    result = run("import", "news", str(file))

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: The file is damaged: ")
    assert result.stderr.count("\n") == 1


def test_lines_that_cannot_be_used_are_named_and_the_rest_is_imported(
    run: Callable[..., Result],
) -> None:
    given = lines({"title": 1}, {"title": "One", "imageUrl": "no address"}) + "nonsense\n"

    result = run("import", "news", "-", "--publish", stdin=given)

    assert result.exit_code == 1
    assert result.stdout == "imported 1, warnings 1, errors 2\n"
    named = result.stderr.splitlines()
    assert named[0] == "line 1: title: Must be a string"
    assert named[1].startswith("line 2: imageUrl: ")
    assert named[2] == "line 3: The body is not JSON"
    assert [item["imageUrl"] for item in published()] == [None]


def test_the_user_who_is_named_becomes_the_creator(run: Callable[..., Result]) -> None:
    run("user", "add", "ada", "--password-stdin", stdin="correct horse\n")

    run("import", "news", "-", "--as", "ADA", stdin=lines({"title": "One"}))

    creator = select(User.username).join(Article, Article.created_by == User.id)
    with open_from(None) as instance, instance.database.read() as connection:
        assert connection.scalars(creator).all() == ["ada"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["import", "nothing", "-"], "There is no content type nothing; there are: "),
        (["import", "news", "-", "--as", "nobody"], "There is no user nobody"),
        (["import", "news", "-", "--as", "gone"], "The user gone is disabled"),
    ],
)
def test_who_or_what_is_not_there_is_refused(
    run: Callable[..., Result], arguments: list[str], message: str
) -> None:
    run("user", "add", "gone", "--password-stdin", stdin="correct horse\n")
    run("user", "disable", "gone")

    result = run(*arguments)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {message}")


def test_a_file_that_is_not_there_is_wrong_usage(run: Callable[..., Result]) -> None:
    assert run("import", "news", "nowhere.jsonl").exit_code == 2


def test_who_moves_a_website_keeps_its_addresses(run: Callable[..., Result]) -> None:
    line = {
        "title": "The garden opens again in spring",
        "slug": "garden-2019",
        "publishedAt": "2019-03-01T09:00:00Z",
        "formerPaths": ["/2019/03/garden/"],
    }

    result = run("import", "news", "-", "--publish", stdin=lines(line))

    assert result.stdout == "imported 1, warnings 0, errors 0\n"
    assert published("/api/news/garden-2019")
    assert published("/api/redirects") == [{"from": "/2019/03/garden", "to": "/news/garden-2019"}]
