"""What isn't public leaves no trace in any public answer, whichever type and outlet it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from pyramid.interfaces import IRoutesMapper
from sqlalchemy import update

from masthead import ContentType, Endpoint, Instance
from masthead.testing import Client, Clock, Database, Desk

Answers = dict[str, tuple[int, dict[str, str], bytes]]
Addresses = Callable[[Sequence[Any]], list[str]]

# A canary's text and number, and its time as JSON, calendars and feeds write it.
NEEDLES = (
    "qzhidden",
    "7070707070",
    "07:07:07",
    "T070707",
    "2036-07-07",
    "20360707",
    "Jul 2036",
)
# Both are random.
CHANGING = {"ETag", "X-Request-Id"}


def ask(app: Client, addresses: Sequence[str]) -> Answers:
    """What each address answers."""
    answers: Answers = {}
    for address in addresses:
        answer = app.get(address, status="*")
        headers = {name: v for name, v in answer.headers.items() if name not in CHANGING}
        answers[address] = answer.status_int, headers, answer.body
    return answers


def showing(answers: Answers, *needles: str) -> list[str]:
    """The addresses whose answers hold one of these texts anywhere."""
    return [
        address
        for address, answer in answers.items()
        if any(needle in str(answer) for needle in needles)
    ]


def differing(one: Answers, other: Answers) -> list[str]:
    """The addresses that answer differently."""
    return [address for address, answer in one.items() if other[address] != answer]


def empty_listings(database: Database, newsrooms: Sequence[Any]) -> None:
    """Leave lists nothing to join, as an upgrade does, so that they make what they show."""
    with database.transaction() as session:
        for room in newsrooms:
            session.execute(update(room.kind.table).values(listed=None))


def test_hidden_content_leaves_no_trace_in_any_public_answer(
    clock: Clock,
    app: Client,
    database: Database,
    newsrooms: Sequence[Any],
    addresses: Addresses,
) -> None:
    # Days later, for some outlets show days, and the latest of all.
    clock.shift(days=1)
    for room in newsrooms:
        room.hide_some()
    clock.shift(days=1)
    for room in newsrooms:
        room.hide("draft")
    everywhere = addresses(newsrooms)

    cold, warm = ask(app, everywhere), ask(app, everywhere)
    empty_listings(database, newsrooms)
    emptied = ask(app, everywhere)
    for room in newsrooms:
        room.remove_hidden()
    without = ask(app, everywhere)

    assert showing(cold, *NEEDLES) == []
    assert differing(cold, warm) == []
    assert differing(cold, emptied) == []
    assert differing(cold, without) == []


@pytest.mark.usefixtures("clock")
def test_totals_count_what_is_visible(app: Client, newsrooms: Sequence[Any]) -> None:
    for room in newsrooms:
        room.hide_some()

        for query, found in (
            ({}, room.visible),
            ({"tag": "water"}, room.visible),
            ({"tag": "air"}, []),
        ):
            answer = app.get(f"/api/{room.kind.name}", query)
            assert answer.headers["X-Total-Count"] == str(len(found))
            assert {item["id"] for item in answer.json} == {item["id"] for item in found}


def test_what_is_withheld_shows_at_its_time_everywhere_and_not_before(
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
        name, [item], [seen, *_] = room.kind.name, room.hidden, room.visible
        for address in (
            f"/api/{name}",
            f"/api/{name}?tag=air",
            f"/api/{name}?search=qzhidde",
            f"/api/{name}/{item['slug']}",
            f"/api/{name}/{seen['id']}/related",
            *([f"/api/feed/{name}"] if room.kind.feed else []),
        ):
            assert address in shown
    assert any(address.startswith("/sitemap-") for address in shown)
    clock.shift(seconds=-1)
    assert showing(ask(app, everywhere), *NEEDLES) == []


@pytest.mark.usefixtures("clock")
def test_an_entity_tag_tells_nothing_of_what_is_stored(
    app: Client, newsrooms: Sequence[Any]
) -> None:
    for room in newsrooms:
        path = f"/api/{room.kind.name}"
        item = room.desk.create(**room.hidden_values("draft", related=False))
        tags = [app.get(path).headers["ETag"]]
        for title in ("Something else", item["title"]):
            room.desk.edit(item["id"], title=title)
            tags.append(app.get(path).headers["ETag"])

        # A digest of what is stored would be the first one again.
        assert len(set(tags)) == 3


def test_every_public_route_of_the_router_is_asked(
    app: Client,
    instance: Instance,
    outlets: Sequence[Endpoint],
    newsrooms: Sequence[Any],
    addresses: Addresses,
) -> None:
    paths = [address.partition("?")[0] for address in addresses(newsrooms)]

    assert names_of_routes(app) == {endpoint.name for endpoint in instance.endpoints}
    for outlet in outlets:
        pattern = "[^/]+".join(map(re.escape, re.split(r"{[^{}]*}", outlet.path)))
        assert any(re.fullmatch(pattern, path) for path in paths), outlet.name
    assert {outlet.returns for outlet in outlets if isinstance(outlet.returns, str)} >= {
        "application/rss+xml",
        "application/xml",
        "text/calendar",
    }


def names_of_routes(app: Client) -> set[str]:
    """What Pyramid's router knows, behind the layers in front of it."""
    layer = app.app
    while not hasattr(layer, "registry"):
        layer = layer._app
    return {route.name for route in layer.registry.getUtility(IRoutesMapper).get_routes()}


def test_each_content_type_is_looked_at(
    newsrooms: Sequence[Any], content_types: Sequence[ContentType]
) -> None:
    assert [room.kind for room in newsrooms] == content_types
    assert len(content_types) >= 2


@pytest.mark.usefixtures("clock")
def test_an_edit_shows_nowhere_before_it_is_approved(
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
        assert f"/api/{room.kind.name}" in shown
        assert f"/api/{room.kind.name}/{room.visible[0]['slug']}" in shown
