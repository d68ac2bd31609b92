"""Hidden content leaves no trace in any public answer, of any content type and endpoint."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from pyramid.interfaces import IRoutesMapper
from sqlalchemy import update

from masthead import ContentType, Endpoint, Instance
from masthead.search import finder
from masthead.testing import Client, Clock, Database, Desk

Answers = dict[str, tuple[int, dict[str, str], bytes]]
Addresses = Callable[[Sequence[Any]], list[str]]

# A canary's text and number, and its time in the formats of JSON, calendars and feeds.
NEEDLES = (
    "qzhidden",
    "7070707070",
    "07:07:07",
    "T070707",
    "2036-07-07",
    "20360707",
    "Jul 2036",
)
# It is random.
CHANGING = {"X-Request-Id"}


def ask(app: Client, addresses: Sequence[str]) -> Answers:
    """Return the answer of each address."""
    answers: Answers = {}
    for address in addresses:
        answer = app.get(address, status="*")
        headers = {name: v for name, v in answer.headers.items() if name not in CHANGING}
        answers[address] = answer.status_int, headers, answer.body
    return answers


def showing(answers: Answers, *needles: str) -> list[str]:
    """Return the addresses whose answers contain one of the texts."""
    return [
        address
        for address, answer in answers.items()
        if (text := str(answer)) and any(needle in text for needle in needles)
    ]


def differing(one: Answers, other: Answers) -> list[str]:
    """Return the addresses whose answers differ, apart from the time of the last write.

    ``/readyz`` may differ: it compares the clocks of this machine and of the database.
    """

    def undated(answers: Answers, address: str) -> Any:
        status, headers, body = answers[address]
        return status, {**headers, "Last-Modified": None}, body

    compared = one.keys() - {"/readyz"}
    return sorted(each for each in compared if undated(one, each) != undated(other, each))


def delete_list_json(database: Database, newsrooms: Sequence[Any]) -> None:
    """Delete all list JSON, as an upgrade does, so that lists generate it."""
    with database.transaction() as session:
        for room in newsrooms:
            session.execute(update(room.content_type.table).values(listed=None))


@pytest.mark.parametrize("query", ["search=text", pytest.param("", marks=pytest.mark.exhaustive)])
def test_hidden_content_leaves_no_trace_in_any_public_answer(
    clock: Clock,
    app: Client,
    database: Database,
    newsrooms: Sequence[Any],
    addresses: Addresses,
    query: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if query:
        # Without hit scans, each search that finds something reads the list in its order.
        monkeypatch.setattr(finder, "MAX_HIT_SCAN", 0)
    # Days later, because some answers show days, and the latest of them.
    clock.shift(days=1)
    for room in newsrooms:
        room.hide_some()
    clock.shift(days=1)
    for room in newsrooms:
        room.hide("draft")
        room.preview_hidden()
    everywhere = [address for address in addresses(newsrooms) if query in address]

    cold, warm = ask(app, everywhere), ask(app, everywhere)
    delete_list_json(database, newsrooms)
    generated = ask(app, everywhere)
    for room in newsrooms:
        room.remove_hidden()
    without = ask(app, everywhere)

    assert showing(cold, *NEEDLES) == []
    assert differing(cold, warm) == []
    assert differing(cold, generated) == []
    assert differing(cold, without) == []


@pytest.mark.exhaustive
@pytest.mark.usefixtures("clock")
def test_totals_count_visible_items(app: Client, newsrooms: Sequence[Any]) -> None:
    for room in newsrooms:
        room.hide_some()

        for query, found in (
            ({}, room.visible),
            ({"tag": "water"}, room.visible),
            ({"tag": "air"}, []),
        ):
            answer = app.get(f"/api/{room.content_type.name}", query)
            assert answer.headers["X-Total-Count"] == str(len(found))
            assert {item["id"] for item in answer.json} == {item["id"] for item in found}


@pytest.mark.exhaustive
def test_a_scheduled_item_appears_everywhere_at_its_time_and_not_before(
    clock: Clock, app: Client, newsrooms: Sequence[Any], addresses: Addresses
) -> None:
    for room in newsrooms:
        values = room.hidden_values("due", related=True)
        item = room.desk.create(**values, scheduledPublishAt="2026-03-02T08:00:00.000Z")
        room.hidden.append(room.desk.publish(item["id"]))
    everywhere = addresses(newsrooms)

    clock.move_to("2026-03-02T07:59:59.999Z")
    before, again = ask(app, everywhere), ask(app, everywhere)
    clock.shift(milliseconds=1)
    after = ask(app, everywhere)

    assert showing(before, *NEEDLES) == showing(again, *NEEDLES) == []
    shown = showing(after, *NEEDLES)
    for room in newsrooms:
        name, [item], [seen, *_] = room.content_type.name, room.hidden, room.visible
        for address in (
            f"/api/{name}",
            f"/api/{name}?tag=air",
            f"/api/{name}?search=qzhidde",
            f"/api/{name}?search=air",
            f"/api/{name}/{item['slug']}",
            f"/api/{name}/{seen['id']}/related",
            *([f"/api/feed/{name}"] if room.content_type.feed else []),
        ):
            assert address in shown
    assert any(address.startswith("/sitemap-") for address in shown)
    clock.shift(seconds=-1)
    assert showing(ask(app, everywhere), *NEEDLES) == []


@pytest.mark.exhaustive
def test_an_item_vanishes_everywhere_at_its_time_and_not_before(
    clock: Clock, app: Client, newsrooms: Sequence[Any], addresses: Addresses
) -> None:
    for room in newsrooms:
        values = room.hidden_values("due", related=True)
        item = room.desk.create(**values, scheduledUnpublishAt="2026-03-02T08:00:00.000Z")
        room.hidden.append(room.desk.publish(item["id"]))
    everywhere = addresses(newsrooms)

    clock.move_to("2026-03-02T07:59:59.999Z")
    before = showing(ask(app, everywhere), *NEEDLES)
    clock.shift(milliseconds=1)

    assert {f"/api/{room.content_type.name}" for room in newsrooms} <= set(before)
    assert showing(ask(app, everywhere), *NEEDLES) == []


def test_approved_edits_appear_everywhere_at_their_time_and_not_before(
    clock: Clock, app: Client, newsrooms: Sequence[Any], addresses: Addresses
) -> None:
    everywhere = addresses(newsrooms)
    original = ask(app, everywhere)
    for room in newsrooms:
        item = room.visible[0]
        room.desk.edit(
            item["id"], **room.edits() | {"scheduledPublishAt": "2026-03-02T08:00:00.000Z"}
        )
        Desk.publish(room.desk, item["id"])

    clock.move_to("2026-03-02T07:59:59.999Z")
    before = ask(app, everywhere)
    clock.shift(milliseconds=1)
    after = ask(app, everywhere)

    assert differing(original, before) == []
    shown = showing(after, *NEEDLES)
    for room in newsrooms:
        name = room.content_type.name
        for address in (
            f"/api/{name}",
            f"/api/{name}?tag=air",
            f"/api/{name}?search=qzhidde",
            f"/api/{name}?search=air",
            f"/api/{name}/{room.visible[0]['slug']}",
        ):
            assert address in shown


@pytest.mark.usefixtures("clock")
def test_an_entity_tag_reveals_nothing_about_hidden_rows(
    app: Client, newsrooms: Sequence[Any]
) -> None:
    for room in newsrooms:
        path = f"/api/{room.content_type.name}"
        item = room.desk.create(**room.hidden_values("draft", related=False))
        tags = [app.get(path).headers["ETag"]]
        for title in ("Something else", item["title"]):
            room.desk.edit(item["id"], title=title)
            tags.append(app.get(path).headers["ETag"])

        assert len(set(tags)) == 1


def test_every_public_route_of_the_router_is_requested(
    app: Client,
    instance: Instance,
    public_endpoints: Sequence[Endpoint],
    newsrooms: Sequence[Any],
    addresses: Addresses,
) -> None:
    paths = [address.partition("?")[0] for address in addresses(newsrooms)]

    assert names_of_routes(app) == {endpoint.name for endpoint in instance.endpoints}
    for outlet in public_endpoints:
        pattern = "[^/]+".join(map(re.escape, re.split(r"{[^{}]*}", outlet.path)))
        assert any(re.fullmatch(pattern, path) for path in paths), outlet.name
    assert {outlet.returns for outlet in public_endpoints if isinstance(outlet.returns, str)} >= {
        "application/rss+xml",
        "application/xml",
        "text/calendar",
    }


def names_of_routes(app: Client) -> set[str]:
    """Return the names of the routes of Pyramid's router, behind the layers in front of it."""
    layer = app.app
    while not hasattr(layer, "registry"):
        layer = layer._app
    return {route.name for route in layer.registry.getUtility(IRoutesMapper).get_routes()}


def test_each_content_type_is_tested(
    newsrooms: Sequence[Any], content_types: Sequence[ContentType]
) -> None:
    assert [room.content_type for room in newsrooms] == content_types
    assert len(content_types) >= 2


@pytest.mark.usefixtures("clock")
def test_an_edit_is_shown_nowhere_before_its_approval(
    app: Client, newsrooms: Sequence[Any], addresses: Addresses
) -> None:
    everywhere = addresses(newsrooms)
    before = ask(app, everywhere)
    for room in newsrooms:
        room.desk.edit(room.visible[0]["id"], **room.edits())
    staged = ask(app, everywhere)
    for room in newsrooms:
        Desk.publish(room.desk, room.visible[0]["id"])

    assert differing(before, staged) == []
    shown = showing(ask(app, everywhere), *NEEDLES)
    for room in newsrooms:
        assert f"/api/{room.content_type.name}" in shown
        assert f"/api/{room.content_type.name}/{room.visible[0]['slug']}" in shown
