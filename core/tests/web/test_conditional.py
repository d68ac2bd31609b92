"""Documents for feed readers and crawlers are dated, and conditional requests compare dates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from pyramid.response import Response
from sqlalchemy.orm import DeclarativeBase
from webtest import TestApp

from masthead import (
    PUBLIC,
    Approvable,
    ContentItem,
    ContentType,
    Endpoint,
    Plugin,
    Request,
    hookimpl,
    plugin_metadata,
)
from masthead.cli.first_start import prepare
from masthead.core_plugin import plugin as core
from masthead.http.dates import http_date, read_date
from masthead.instance import Instance, open_instance
from masthead.testing import Client, Clock, Desk
from masthead.web.app import app_of

SECRET = {"masthead.auth.secrets": "4d0f2c77b1e94a8c9f63a1d85be27c06"}


class Base(DeclarativeBase):
    metadata = plugin_metadata("pamphlets")


class Pamphlet(ContentItem, Base):
    __tablename__ = "pamphlets_pamphlet"


PAMPHLETS = ContentType(name="pamphlets", label="Pamphlet", model=Pamphlet)


def show_titles(request: Request) -> Response:
    """Show the titles of all public pamphlets."""
    rows = request.db.connection().exec_driver_sql("SELECT title FROM pamphlets_pamphlet")
    return Response("\n".join(title for (title,) in rows).encode(), content_type="text/plain")


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [PAMPHLETS]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        return [
            Endpoint(
                name="pamphlets.titles",
                method="GET",
                path="/titles.txt",
                view=show_titles,
                permission=PUBLIC,
                returns="text/plain",
                keep=True,
            )
        ]


PLUGIN = Plugin(name="pamphlets", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, PLUGIN]


@pytest.fixture
def settings() -> Mapping[str, str]:
    """Let the app see the writes of another instance at once."""
    return {"masthead.cache.strict": "true"}


@pytest.fixture
def pamphlets(app: Client) -> Desk:
    return Desk(app, "pamphlets").as_role("editor")


def since(app: Client, date: str, **headers: str) -> Any:
    return app.get("/titles.txt", headers={"If-Modified-Since": date, **headers})


def test_a_document_has_the_date_of_the_last_change(
    clock: Clock, app: Client, pamphlets: Desk
) -> None:
    clock.shift(hours=1)
    pamphlets.create_public(title="First")
    clock.shift(hours=1, milliseconds=400)

    for answer in (app.get("/titles.txt"), app.head("/titles.txt"), app.get("/titles.txt")):
        assert answer.headers["Last-Modified"] == "Sun, 01 Mar 2026 10:30:00 GMT"
        assert "ETag" in answer.headers
    assert "Last-Modified" not in app.get("/api/pamphlets").headers


def test_a_date_since_which_nothing_has_changed_is_answered_with_304(
    clock: Clock, app: Client, pamphlets: Desk
) -> None:
    pamphlets.create_public(title="First")
    clock.shift(days=1)
    date = app.get("/titles.txt").headers["Last-Modified"]
    clock.shift(days=1)

    for known in (date, http_date(clock.now())):
        answer = since(app, known)
        assert (answer.status_int, answer.body) == (304, b"")
        assert answer.headers["Last-Modified"] == date
        assert {"ETag", "Cache-Control"} <= set(answer.headers)
        assert app.head("/titles.txt", headers={"If-Modified-Since": known}).status_int == 304
    assert since(app, "Sat, 28 Feb 2026 10:30:00 GMT").status_int == 200


def test_a_change_is_in_the_very_next_answer_even_within_a_second(
    clock: Clock, app: Client, pamphlets: Desk
) -> None:
    pamphlets.create_public(title="First")
    clock.shift(seconds=3)
    date = app.get("/titles.txt").headers["Last-Modified"]
    for number in range(3):
        pamphlets.create_public(title=f"Title {number}")

        for known in (date, http_date(clock.now())):
            answer = since(app, known)
            assert f"Title {number}" in answer.text
            assert "Last-Modified" not in answer.headers


def test_no_process_takes_an_earlier_answer_of_the_same_second_for_the_present_one(
    clock: Clock, app: Client, pamphlets: Desk, instance: Instance
) -> None:
    pamphlets.create_public(title="First")
    dates = set()
    for _ in range(8):
        dates.add(app.get("/titles.txt").headers.get("Last-Modified"))
        clock.shift(milliseconds=100)
    pamphlets.create_public(title="Second")
    dates.add(app.get("/titles.txt").headers.get("Last-Modified"))

    for seconds in (0, 1, 10):
        clock.shift(seconds=seconds)
        other_process = TestApp(app_of(instance))
        for date in filter(None, dates):
            known = {"If-Modified-Since": date}
            assert "Second" in other_process.get("/titles.txt", headers=known).text


def test_an_entity_tag_counts_instead_of_a_date(clock: Clock, app: Client, pamphlets: Desk) -> None:
    pamphlets.create_public(title="First")
    clock.shift(minutes=1)
    old = app.get("/titles.txt")
    pamphlets.create_public(title="Second")
    clock.shift(minutes=1)
    new = app.get("/titles.txt")
    future = "Sun, 01 Mar 2037 10:30:00 GMT"

    assert since(app, future, **{"If-None-Match": old.headers["ETag"]}).status_int == 200
    past = {"If-None-Match": new.headers["ETag"]}
    assert since(app, old.headers["Last-Modified"], **past).status_int == 304


def test_content_that_appears_by_the_passing_of_time_changes_the_date(
    clock: Clock, app: Client, pamphlets: Desk
) -> None:
    pamphlets.create_public(title="First", scheduledPublishAt="2026-03-02T00:00:00Z")
    clock.move_to("2026-03-01T23:59:59.999Z")
    date = app.get("/titles.txt").headers["Last-Modified"]

    for moment in ("2026-03-02T00:00:00Z", "2026-03-02T00:00:02.999Z"):
        clock.move_to(moment)
        answer = since(app, date)
        assert answer.status_int == 200
        assert "Last-Modified" not in answer.headers
    clock.move_to("2026-03-02T00:00:03Z")
    answer = since(app, date)
    assert answer.status_int == 200
    assert answer.headers["Last-Modified"] == "Mon, 02 Mar 2026 00:00:01 GMT"


def test_a_start_with_other_settings_changes_the_date(
    clock: Clock, app: Client, pamphlets: Desk, instance: Instance, database_url: str
) -> None:
    prepare(instance)
    pamphlets.create_public(title="First")
    clock.shift(days=1)
    date = app.get("/titles.txt").headers["Last-Modified"]
    clock.shift(days=1)
    prepare(instance)
    assert since(app, date).status_int == 304

    ini = {"masthead.database.url": database_url, "masthead.base_url": "https://other.example"}
    other = open_instance(ini | SECRET, {}, {plugin.name: plugin for plugin in instance.plugins})
    prepare(other)
    other.close()

    assert since(app, date).status_int == 200


def test_a_date_does_not_reveal_a_time_in_hidden_content(
    clock: Clock, app: Client, pamphlets: Desk
) -> None:
    clock.shift(minutes=1)
    pamphlets.create(title="Hidden", scheduledPublishAt="2026-03-02T07:07:07Z")
    app.get("/titles.txt")

    clock.move_to("2026-03-02T12:00:00Z")

    assert "07:07:07" not in app.get("/titles.txt").headers["Last-Modified"]


@pytest.mark.parametrize(
    "date",
    [
        *("", "x", "0", "-1", "1e5", "٠", "Sun, 99 Mar 2037 10:30:00 GMT", "9" * 400),
        *("Sun, 01 Mar 99999999999 10:30:00 GMT", "Sun, 01 Mar 2037 10:30:99 GMT"),
        *("Sun, 01 Mar 2037 10:30:00 +99999999999999999999", "x" * 65_000, "(" * 65_000),
    ],
)
def test_a_malformed_date_is_ignored(app: Client, date: str) -> None:
    assert read_date(date) is None
    if date.isascii():
        assert since(app, date[:8_000]).status_int == 200


@pytest.mark.parametrize(
    "text",
    ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"],
)
def test_the_three_formats_of_dates_are_read(text: str) -> None:
    assert read_date(text) == datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC)
