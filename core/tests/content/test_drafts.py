"""Drafts that a plugin creates equal those that clients create."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from masthead import Caller, ContentType, Invalid, create_draft
from masthead.auth.models import User
from masthead.db import Database
from masthead.instance import Instance
from masthead.testing import Desk

EMBED = '<iframe src="https://video.example.org/embed/a" onload="x()"></iframe>'


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.html.embed_hosts": "video.example.org"}


@pytest.fixture
def content_type(instance: Instance) -> ContentType:
    found = instance.content_types["toys"]
    assert isinstance(found, ContentType)
    return found


def test_a_draft_is_checked_and_shown_like_a_clients_draft(
    database: Database, content_type: ContentType, toys: Desk, make_user: Callable[..., User]
) -> None:
    ada = make_user("ada")
    caller = Caller(ada.id, ada.username, frozenset(), approves=frozenset())
    values = {"title": " A  ball ", "content": f"<p onclick=x>Round</p>{EMBED}", "published": True}

    with database.transaction() as session:
        item_id = create_draft(session, content_type, values, caller).id

    shown = toys.show(item_id)
    assert shown["title"] == "A  ball"
    assert shown["content"].startswith("<p>Round</p><iframe src=")
    assert "onload" not in shown["content"]
    assert (shown["approvalStatus"], shown["published"]) == ("draft", False)
    assert shown["createdBy"] == {"id": ada.id, "username": "ada", "displayName": None}
    assert [item["id"] for item in toys.list(search="round")] == [item_id]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "title: Required"),
        ({"title": "x" * 201}, "title: At most"),
        ({"title": "A ball", "photo": "javascript:alert(1)"}, "photo: "),
        ({"title": "A ball", "tagIds": [77]}, "tagIds: Unknown tag"),
        ({"title": "A ball", "minAge": 3, "maxAge": 2}, "maxAge: "),
    ],
)
def test_values_that_a_client_may_not_send_are_refused(
    database: Database, content_type: ContentType, toys: Desk, values: dict[str, Any], message: str
) -> None:
    with pytest.raises(Invalid, match=f"^{message}"), database.transaction() as session:
        create_draft(session, content_type, values, None)

    assert toys.list() == []
