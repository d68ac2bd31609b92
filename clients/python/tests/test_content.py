"""Lists, files and live events, against a real server."""

from __future__ import annotations

import asyncio
import io
import os
import tempfile
from contextlib import aclosing, closing
from pathlib import Path

import httpx
import pytest

from clients.python.tests.conftest import QUICK, Connect, Unreliable
from masthead_client import AsyncClient, Client, LiveEvent, Retry, Unauthorized
from masthead_client.live import Feed
from tests.journeys.conftest import Site

pytestmark = pytest.mark.slow

GIF = b"GIF89a\x01\x00\x01\x00\x80\x00\x00" + b"\x00\xff" * 3
GIF += b"!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"


def contacts(number: int) -> bytes:
    rows = (f"Visitor {each},v{each}@example.org\n" for each in range(number))
    return f"name,email\n{''.join(rows)}".encode()


def test_all_pages_of_a_list_follow_each_other(client: Client, site: Site) -> None:
    for number in range(5):
        client.staff.people.create({"name": f"P{number}", "role": "Guide", "published": True})

    page = client.people.list(limit=2, sort=["-name"])
    assert [each["name"] for each in page] == ["P4", "P3"]
    assert page.total == 5
    assert [each["name"] for each in page.all()] == ["P4", "P3", "P2", "P1", "P0"]
    assert len(client.people.list(ids=[each["id"] for each in page])) == 2

    async def names() -> list[str]:
        async with AsyncClient(site.address) as asynchronous:
            assert (await asynchronous.people.list(limit=1)).total == 5
            listed = asynchronous.people.list(limit=2, sort=["-name"])
            return [each["name"] async for each in listed.all()]

    assert asyncio.run(names()) == ["P4", "P3", "P2", "P1", "P0"]


def test_a_file_is_uploaded_in_each_form(client: Client, folder: Path) -> None:
    (folder / "dot.gif").write_bytes(GIF)
    first = client.staff.images.upload("dot.gif")
    with Path("dot.gif").open("rb") as file:
        second = client.staff.images.upload(file)
        assert not file.closed
    third = client.staff.images.upload(("dot.gif", GIF))
    fourth = client.staff.images.upload(io.BytesIO(GIF))

    assert first["url"] == second["url"] == third["url"] == fourth["url"]
    assert client.staff.images.list()[0]["originalName"] == "dot.gif"
    assert client.images.show(*first["key"].split("/")) == GIF


def test_a_file_that_is_not_written_yet_and_a_pipe_are_uploaded(client: Client) -> None:
    seen: list[tuple[int, int | None]] = []
    with tempfile.TemporaryFile() as file:
        file.write(GIF)
        first = client.staff.images.upload(file)
    read, write = os.pipe()
    os.write(write, GIF)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        second = client.staff.images.upload(pipe, progress=lambda *state: seen.append(state))

    assert first["url"] == second["url"]
    assert seen == [(len(GIF), None)]
    with pytest.raises(TypeError, match="binary mode"):
        client.staff.images.upload(io.StringIO("text"))  # type: ignore[arg-type]  # it is text


def test_an_upload_reports_its_progress(client: Client, site: Site, token: str) -> None:
    content = contacts(8_000)
    seen: list[tuple[int, int | None]] = []
    report = client.staff.contacts.import_(
        ("c.csv", content), progress=lambda *state: seen.append(state), dryRun=True
    )

    assert report["imported"] == 8_000
    assert len(seen) > 2
    assert seen == sorted(seen)
    assert seen[-1] == (len(content), len(content))

    async def upload() -> None:
        seen.clear()
        async with AsyncClient(site.address, token=token) as asynchronous:
            await asynchronous.staff.contacts.import_(
                ("c.csv", content), progress=lambda *state: seen.append(state), dryRun=True
            )

    asyncio.run(upload())
    assert seen[-1] == (len(content), len(content))


def test_fields_of_a_form_go_with_the_file(client: Client) -> None:
    report = client.staff.newsletter_subscribers.import_(
        ("s.csv", b"email,rating\ns@example.org,3\n"),
        form={"source": "fair", "ignore": "rating"},
    )

    assert report["imported"] == 1
    assert client.staff.newsletter_subscribers.list(search="s@example")[0]["source"] == "fair"


def test_what_is_no_json_is_bytes_or_a_stream(client: Client, site: Site) -> None:
    assert client.staff.contacts.export_all().startswith(b"name,email")
    assert b"<rss" in client.feeds.rss.news()
    with client.stream("GET", "/api/staff/contacts/export") as response:
        assert b"".join(response.iter_bytes()) == client.staff.contacts.export_all()
    with pytest.raises(Unauthorized), client.stream("GET", "/api/staff/users", public=True):
        pass

    async def read() -> bytes:
        async with (
            AsyncClient(site.address) as asynchronous,
            asynchronous.stream("GET", "/api/feed/news") as streamed,
        ):
            return b"".join([chunk async for chunk in streamed.aiter_bytes()])

    assert asyncio.run(read()) == client.feeds.rss.news()


def test_live_events_tell_of_a_change(client: Client, site: Site, token: str) -> None:
    item = client.staff.news.create({"title": "A"})
    with closing(client.live_events.stream(watch=f"news:{item['id']}")) as events:
        states = (event.data["etag"] for event in events if event.event == "changed")
        assert next(states) == "1"
        client.staff.news.update(item["id"], {"title": "B"})
        assert next(states) == "2"

    async def first() -> LiveEvent:
        async with (
            AsyncClient(site.address, token=token) as asynchronous,
            aclosing(asynchronous.live_events.stream(types="news")) as streamed,
        ):
            return await anext(streamed)

    assert asyncio.run(first()).event == "notifications"


def test_live_events_continue_after_a_failure(connect: Connect, token: str) -> None:
    network = Unreliable(httpx.ConnectError("away"), httpx.Response(503))
    client = connect(token=token, http=httpx.Client(transport=network), retry=QUICK)
    with closing(client.live_events.stream()) as events:
        assert next(events).event == "notifications"
    network.faults = [httpx.ConnectError("away")] * 3

    with pytest.raises(httpx.ConnectError):
        next(client.live_events.stream())
    with pytest.raises(Unauthorized):
        next(connect(retry=QUICK).live_events.stream())


def test_events_arrive_in_any_pieces() -> None:
    text = (
        'retry: 200\r\n\r\n: alive\n\nid: 7\nevent: changed\ndata: {"a":\ndata: "ü"}\n\nid: 8\n\n'
    )
    for size in range(1, len(text) + 1):
        feed = Feed(Retry(), {"types": "news"})
        pieces = [text[at : at + size] for at in range(0, len(text), size)]

        found = [event for piece in pieces for event in feed.read(piece)]

        assert found == [LiveEvent("changed", {"a": "ü"}, "7")]
        assert feed.query == {"types": "news", "lastEventId": "8"}
        assert feed.pause == 0.2
