"""A deleted item is in no answer but those of the trash, to whomever it is given."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest

from masthead import Instance
from masthead.http.permissions import PUBLIC
from masthead.testing import Client
from tests.leaks.addresses import paths_of, queries_of

MARK = "qzdeleted"
TRASH = "/api/staff/trash"


QUERIES = 4
"""The number of queries of an endpoint to ask, the first of which is blank."""


def addresses(instance: Instance, ids: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return the addresses of all endpoints for staff; the other tests ask those of the public."""
    return [
        path + query
        for endpoint in instance.endpoints
        if (endpoint.method, isinstance(endpoint.returns, str)) == ("GET", False)
        if endpoint.permission != PUBLIC
        for path in paths_of(endpoint.path, ids, texts)
        for query in islice(queries_of(endpoint), QUERIES)
    ]


@pytest.mark.exhaustive
def test_a_deleted_item_is_in_no_answer_but_those_of_the_trash(
    app: Client, instance: Instance, newsrooms: Sequence[Any]
) -> None:
    ids = set[str]()
    for room in newsrooms:
        values = room.visible_values(1) | {"description": MARK, "content": f"<p>{MARK}</p>"}
        item = room.chief.create_public(**values | {"slug": None, "title": "Gone"})
        ids.add(str(item["id"]))
        room.chief.delete(item["id"])
    admin = app.as_role("admin")
    numbers = [str(each["id"]) for each in admin.get(TRASH).json]
    assert len(numbers) == len(newsrooms)

    asked = addresses(
        instance, sorted({*ids, *numbers}), [room.content_type.name for room in newsrooms]
    )
    shown = {address for address in asked if MARK in admin.get(address, status="*").text}

    assert shown == {f"{TRASH}/{number}" for number in numbers}
