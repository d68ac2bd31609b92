"""A program whose types ``mypy --strict`` knows; no part of it runs.

An error that mypy should find has a comment that it is expected; mypy reports unused ones.
"""

from collections.abc import AsyncGenerator, Generator
from typing import Literal, assert_type

from masthead_client import AsyncClient, AsyncResults, Client, LiveEvent, ResultList, Results, types


def read(client: Client) -> None:
    """Read answers."""
    page = client.news.list(limit=10, tag="river", sort=["-publishedAt"], include=["content"])
    assert_type(page, Results[types.NewsArticleSummary])
    assert_type(page.total, int | None)
    for article in page.all():
        assert_type(article["title"], str)
        assert_type(article["lang"], str | None)
    item = client.staff.news.show(7)
    assert_type(item, types.NewsArticleStaff)
    assert_type(item["approvalStatus"], Literal["draft", "pending", "approved", "rejected"])
    assert_type(client.events.calendar(), bytes)
    assert_type(client.live_events.stream(types="news"), Generator[LiveEvent, None, None])
    assert_type(client.log_in("a", "b")["user"], types.SignedInUser)


def write(client: Client) -> None:
    """Write with valid and with wrong bodies."""
    item = client.staff.news.create({"title": "A", "tagIds": [1]})
    client.staff.news.update(item["id"], {"slug": None}, if_match=item)
    assert_type(
        client.edit(client.staff.news, 7, lambda found: {"title": found["title"]}),
        types.NewsArticleStaff,
    )
    client.news.list(limt=10)  # type: ignore[call-arg]  # no such parameter
    client.news.list(sort=["colour"])  # type: ignore[list-item]  # no such order
    client.staff.news.create({"slug": "a"})  # type: ignore[typeddict-item]  # no title
    client.staff.news.update("7", {})  # type: ignore[arg-type]  # the id is a number
    str(item["colour"])  # type: ignore[typeddict-item]  # no such member
    str(client.staff.plants)  # type: ignore[attr-defined]  # no such plugin


async def read_asynchronously(client: AsyncClient) -> None:
    """Read answers asynchronously."""
    listed: AsyncResults[types.NewsArticleSummary] = client.news.list(limit=10)
    assert_type(await listed, ResultList[types.NewsArticleSummary])
    async for article in listed.all():
        assert_type(article["slug"], str)
    assert_type(await client.staff.news.show(7), types.NewsArticleStaff)
    assert_type(await client.events.calendar(), bytes)
    assert_type(client.live_events.stream(types="news"), AsyncGenerator[LiveEvent, None])
    assert_type(
        await client.edit(client.staff.news, 7, lambda found: {"title": found["title"]}),
        types.NewsArticleStaff,
    )
