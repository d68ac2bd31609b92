"""Pages of lists."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from masthead.testing.client import Client

TAGS = [f"Tag {number:02}" for number in range(1, 8)]


@pytest.fixture
def settings() -> dict[str, str]:
    return {"masthead.base_url": "https://api.example.org/base"}


@pytest.fixture
def tags(app: Client) -> Client:
    editor = app.as_role("editor")
    for name in TAGS:
        editor.post_json("/api/staff/tags", {"name": name})
    return app


def names(answer: Any) -> list[str]:
    return [tag["name"] for tag in answer.json]


def links(answer: Any) -> dict[str, str]:
    found = re.findall(r'<([^>]*)>; rel="(\w+)"', answer.headers.get("Link", ""))
    return {rel: address for address, rel in found}


def test_without_parameters_a_list_is_whole(tags: Client) -> None:
    answer = tags.get("/api/tags")

    assert names(answer) == TAGS
    assert answer.headers["X-Total-Count"] == "7"
    assert "Link" not in answer.headers


def test_limit_and_offset_cut_out_a_page(tags: Client) -> None:
    answer = tags.get("/api/tags?limit=2&offset=3")

    assert names(answer) == TAGS[3:5]
    assert answer.headers["X-Total-Count"] == "7"
    assert links(answer) == {
        "next": "https://api.example.org/base/api/tags?limit=2&offset=5",
        "prev": "https://api.example.org/base/api/tags?limit=2&offset=1",
    }


def test_following_next_meets_every_row_once(tags: Client) -> None:
    seen, address = [], "/api/tags?limit=3"
    while address:
        answer = tags.get(address)
        seen += names(answer)
        parts = urlsplit(links(answer).get("next", ""))
        address = f"/api/tags?{parts.query}" if parts.query else ""

    assert seen == TAGS


def test_following_prev_ends_at_the_first_row(tags: Client) -> None:
    answer = tags.get("/api/tags?limit=5&offset=3")

    assert parse_qs(urlsplit(links(answer)["prev"]).query) == {"limit": ["5"], "offset": ["0"]}
    assert "next" not in links(answer) or links(answer)["next"].endswith("offset=8")


@pytest.mark.parametrize("offset", [7, 100, 2**63 - 20_000])
def test_past_the_end_there_is_nothing(tags: Client, offset: int) -> None:
    answer = tags.get(f"/api/tags?offset={offset}")

    assert names(answer) == []
    assert answer.headers["X-Total-Count"] == "7"
    assert "next" not in links(answer)


@pytest.mark.parametrize("limit", [500, 501, 10**9, 2**63 - 1, 2**63, 10**40])
def test_a_limit_past_500_means_500(tags: Client, limit: int) -> None:
    assert names(tags.get(f"/api/tags?limit={limit}")) == TAGS


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=-1",
        "limit=",
        "limit=ten",
        "limit=1.0",
        "limit=1e3",
        "limit=+1",
        "limit=0x1",
        "limit=true",
        "limit=null",
        "limit=%D9%A1",
        "limit=1%00",
        "limit=1&limit=x",
        "offset=-1",
        "offset=",
        "offset=NaN",
        "offset=9223372036854775807",
        "offset=9223372036854775808",
        "offset=-9223372036854775809",
    ],
)
def test_garbage_is_refused_naming_the_parameter(tags: Client, query: str) -> None:
    for client, path in ((tags, "/api/tags"), (tags.as_role("editor"), "/api/staff/tags")):
        answer = client.get(f"{path}?{query}", status=400)

        assert answer.json["error"].startswith(query.partition("=")[0] + ":")


def test_of_a_repeated_parameter_the_last_counts_also_in_links(tags: Client) -> None:
    answer = tags.get("/api/tags?limit=5&limit=2&offset=1&offset=0")

    assert names(answer) == TAGS[:2]
    assert links(answer) == {"next": "https://api.example.org/base/api/tags?limit=2&offset=2"}


def test_unknown_parameters_change_neither_body_nor_header(tags: Client) -> None:
    plain = tags.get("/api/tags?limit=2")
    odd = tags.get("/api/tags?sort=name&limit=2&Limit=1&LIMIT=x&order[]=id&callback=alert&tag=x")

    def told(answer: Any) -> dict[str, str]:
        return {name: v for name, v in answer.headers.items() if name != "X-Request-Id"}

    assert odd.body == plain.body
    assert told(odd) == told(plain)
