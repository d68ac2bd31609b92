"""Errors, repetition, conditional requests and changes, against a real server."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from clients.python.tests.conftest import QUICK, Connect, Unreliable
from masthead_client import (
    AsyncClient,
    BadRequest,
    Cache,
    Client,
    Forbidden,
    MastheadError,
    NotFound,
    PreconditionFailed,
    Retry,
    ServerError,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    UnexpectedAnswer,
    etag_of,
    types,
)
from masthead_client.requests import part
from tests.journeys.conftest import Site

pytestmark = pytest.mark.slow

LOST = httpx.ReadError("lost")


@pytest.fixture
def network() -> Unreliable:
    """The network of the client ``over``."""
    return Unreliable()


@pytest.fixture
def over(connect: Connect, token: str, network: Unreliable) -> Client:
    """A client of the administrator over an unreliable network, with a cache."""
    http = httpx.Client(transport=network)
    return connect(token=token, http=http, retry=QUICK, cache=Cache())


def unavailable(seconds: int = 0, status: int = 503) -> httpx.Response:
    return httpx.Response(status, headers={"Retry-After": str(seconds)}, json={"error": "busy"})


def test_an_error_names_the_fields_and_the_request(client: Client) -> None:
    with pytest.raises(BadRequest) as caught:
        client.staff.news.create({"title": "a" * 201, "lang": "not a language"})

    first, second = caught.value.fields
    assert (first.path, first.code, first.values) == ("title", "too_long", {"limit": 200})
    assert (second.path, second.code) == ("lang", "not_a_language")
    assert caught.value.message in str(caught.value)
    assert caught.value.request_id in str(caught.value)


def test_each_status_has_its_error(connect: Connect) -> None:
    with pytest.raises(Unauthorized):
        connect(token="none").staff.news.list()
    with pytest.raises(NotFound) as caught:
        connect().news.show("unknown")
    assert caught.value.moved_to is None


def test_errors_of_the_network_are_those_of_httpx() -> None:
    with pytest.raises(httpx.ConnectError), Client("http://127.0.0.1:1", retry=None) as client:
        client.news.list()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (302, UnexpectedAnswer),
        (403, Forbidden),
        (418, MastheadError),
        (429, TooManyRequests),
        (500, ServerError),
        (504, Unavailable),
    ],
)
def test_the_answers_of_a_proxy_are_errors(
    over: Client, network: Unreliable, status: int, kind: type[MastheadError]
) -> None:
    network.faults = [httpx.Response(status, html="<h1>Sorry</h1>") for _ in range(3)]

    with pytest.raises(kind) as caught:
        over.news.list()

    assert type(caught.value) is kind
    assert caught.value.fields == ()


def test_a_page_instead_of_json_is_an_error(over: Client, network: Unreliable) -> None:
    network.faults = [httpx.Response(200, html="<h1>Log in to the hotel's network</h1>")]

    with pytest.raises(UnexpectedAnswer):
        over.news.list()


def test_a_former_slug_leads_to_the_present_one(client: Client) -> None:
    item = client.staff.news.create({"title": "Old name"})
    client.approval.request({"contentType": "news", "contentId": item["id"]})
    client.approval.approve({"contentType": "news", "contentId": item["id"]})
    client.staff.news.update(item["id"], {"slug": "new-name"})

    with pytest.raises(NotFound) as caught:
        client.news.show("old-name")

    assert caught.value.moved_to == "new-name"


def test_a_read_is_repeated(over: Client, network: Unreliable) -> None:
    network.faults = [LOST, unavailable()]

    assert over.tags.list().total is not None
    assert len(network.sent) == 3


def test_a_create_is_repeated_with_its_key(over: Client, network: Unreliable) -> None:
    network.faults = [LOST, unavailable()]

    over.staff.news.create({"title": "Once"})

    assert len(network.sent) == 3
    assert len({request.headers["Idempotency-Key"] for request in network.sent}) == 1


def test_a_create_with_the_same_key_answers_the_first_item(client: Client) -> None:
    first, second = (
        client.staff.news.create({"title": "Once"}, idempotency_key="row-17") for _ in range(2)
    )

    assert first["id"] == second["id"]


def test_a_change_is_not_repeated(over: Client, network: Unreliable) -> None:
    item = over.staff.news.create({"title": "A"})
    network.faults = [LOST]
    network.sent.clear()

    with pytest.raises(httpx.ReadError):
        over.staff.news.update(item["id"], {"title": "B"})

    assert len(network.sent) == 1


@pytest.mark.parametrize(
    ("faults", "sent", "kind"),
    [
        ([LOST] * 9, 3, httpx.ReadError),
        ([unavailable()] * 9, 3, Unavailable),
        ([unavailable(3600, 429)], 1, TooManyRequests),
    ],
)
def test_the_repetition_ends(
    over: Client, network: Unreliable, faults: list, sent: int, kind: type[Exception]
) -> None:
    network.faults = faults

    with pytest.raises(kind):
        over.news.list()

    assert len(network.sent) == sent


def test_pauses_grow_up_to_the_longest() -> None:
    pauses = list(Retry(attempts=10, first=1, longest=20).pauses())

    wholes = [1, 2, 4, 8, 16, 20, 20, 20, 20]
    assert all(0.5 <= each / whole <= 1 for each, whole in zip(pauses, wholes, strict=True))


def test_an_unchanged_answer_is_not_sent_again(over: Client, network: Unreliable) -> None:
    first = over.tags.list()
    again = over.tags.list()
    assert (again, again.total) == (first, first.total)
    assert network.sent[1].headers["If-None-Match"] == first.etag

    over.staff.tags.create({"name": "New"})

    assert len(over.tags.list()) == len(first) + 1


def test_a_public_request_has_no_token(over: Client, network: Unreliable) -> None:
    over.tags.list()
    over.staff.tags.list()

    assert ["Authorization" in request.headers for request in network.sent] == [False, True]


def test_answers_to_a_token_are_stored_only_if_asked(connect: Connect, token: str) -> None:
    for private in (False, True):
        cache = Cache(private=private)
        client = connect(token=token, cache=cache)
        item = client.staff.news.create({"title": "Secret"})

        shown = [client.staff.news.show(item["id"]) for _ in range(2)]

        assert shown[0] == shown[1]
        assert etag_of(shown[1]) == etag_of(item)
        assert len(cache) == int(private)


def test_a_cache_has_bounds(connect: Connect) -> None:
    few, small = Cache(answers=2), Cache(size=7)
    for cache in (few, small):
        client = connect(cache=cache)
        for offset in range(5):
            assert client.tags.list(offset=1_000 + offset) == []
        client.site.show()

    assert len(few) == 2
    assert len(small) == 3  # of 2 bytes each
    few.clear()
    assert len(few) == 0


def test_a_stale_change_is_refused(client: Client) -> None:
    item = client.staff.news.create({"title": "A"})
    client.staff.news.update(item["id"], {"title": "B"}, if_match=item)

    with pytest.raises(PreconditionFailed):
        client.staff.news.update(item["id"], {"title": "C"}, if_match=item)
    with pytest.raises(PreconditionFailed):
        client.staff.news.delete(item["id"], if_match=str(etag_of(item)))
    with pytest.raises(ValueError, match="if_match has no ETag"):
        client.staff.news.delete(item["id"], if_match=client.staff.news.list()[0])


def test_an_edit_keeps_the_change_of_somebody_else(client: Client) -> None:
    item = client.staff.news.create({"title": "A"})
    others = iter(["B", "C"])

    def append(found: types.NewsArticleStaff) -> types.NewsArticleUpdate:
        for title in others:
            client.staff.news.update(found["id"], {"title": title})
            break
        return {"title": found["title"] + "!"}

    assert client.edit(client.staff.news, item["id"], append)["title"] == "C!"


def test_an_edit_gives_up_at_last(client: Client) -> None:
    item = client.staff.news.create({"title": "A"})

    def change(found: types.NewsArticleStaff) -> types.NewsArticleUpdate:
        client.staff.news.update(found["id"], {"title": found["title"] + "B"})
        return {"title": "C"}

    with pytest.raises(PreconditionFailed):
        client.edit(client.staff.news, item["id"], change)


@pytest.mark.parametrize("segment", ["", ".", ".."])
def test_a_segment_that_changes_the_path_is_refused(client: Client, segment: str) -> None:
    with pytest.raises(ValueError, match="can't be a part"):
        client.news.show(segment)


def test_other_segments_are_escaped() -> None:
    assert part("../a?b#c ü") == "..%2Fa%3Fb%23c%20%C3%BC"


def test_the_asynchronous_client_repeats_and_changes_too(site: Site, password: str) -> None:
    async def walk() -> None:
        async with AsyncClient(site.address, retry=QUICK, cache=Cache()) as client:
            assert (await client.log_in("admin", password))["user"]["username"] == "admin"
            item = await client.staff.news.create({"title": "A"})
            edited = await client.edit(
                client.staff.news, item["id"], lambda found: {"title": found["title"] + "!"}
            )
            assert edited["title"] == "A!"
            with pytest.raises(PreconditionFailed):
                await client.staff.news.delete(item["id"], if_match=item)
            await client.staff.news.delete(item["id"], if_match=edited)
            await client.log_out()
            with pytest.raises(Unauthorized):
                await client.staff.news.list()

    asyncio.run(walk())
