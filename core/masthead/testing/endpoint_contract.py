"""The tests of the endpoints that show a content type's items, and of the search."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Sequence
from typing import Any

import colander
import pytest
from sqlalchemy import update

from masthead.auth.models import Role, User
from masthead.content.contenttype import ContentType
from masthead.content.times import TIMES
from masthead.db.changed_tables import touch
from masthead.http.permissions import ADMIN
from masthead.instance import Instance
from masthead.testing.addresses import read_addresses
from masthead.testing.client import Client
from masthead.testing.desk import Desk
from masthead.testing.owned import Owned
from masthead.testing.writes import write_requests

Answers = dict[tuple[int, str], tuple[int, bytes]]
_HIDDEN = "Quite Hidden"
"""The title of an item that strangers don't see; no sample contains it."""
_LATER = "2100-01-01T00:00:00.000Z"


class EndpointContract:
    """The tests of the endpoints that show a content type's items, and of the search."""

    content_type: ContentType
    staff_only: Collection[str] = ()
    """The fields of its own that are declared with ``public=False``, named a second time."""
    unstaged: Collection[str] = ()
    """The fields that are declared with ``staged=False``, named a second time."""

    @abstractmethod
    def first(self, *names: str) -> dict[str, Any]:
        """Return values for these fields, by default for all except the times."""

    @abstractmethod
    def second(self, *names: str) -> dict[str, Any]:
        """Return other values for the same fields."""

    @pytest.fixture
    def strangers(
        self,
        app: Client,
        owned: Owned,
        make_role: Callable[..., Role],
        make_user: Callable[..., User],
    ) -> list[Client]:
        """Clients that may not read the items: without an account, a role or the permission."""
        own = {ADMIN, *(f"{area}." for area in owned.areas)}
        others = [name for name in owned.instance.permissions if not name.startswith(tuple(own))]
        make_role("stranger", *others)
        return [app, app.as_user(make_user(role=None)), app.as_role("stranger")]

    def test_fields_that_the_public_or_an_approver_does_not_see_are_named_twice(self) -> None:
        fields = [field for field in self.content_type.fields if field.name not in TIMES]

        hidden = {field.name for field in fields if not field.public}
        live = {field.name for field in fields if not field.staged}
        assert hidden == set(self.staff_only), "name the fields with public=False in `staff_only`"
        assert live == set(self.unstaged), "name the fields with staged=False in `unstaged`"

    def test_the_plugins_endpoints_show_strangers_nothing_but_public_content(
        self, desk: Desk, instance: Instance, owned: Owned, strangers: Sequence[Client]
    ) -> None:
        if not any(read_addresses(owned.endpoints)):
            return
        known = desk.create_public(**{**self.first(), "title": "Known"})
        withdrawn = desk.create_public(**{**self.second(), "title": "Withdrawn"})
        desk.as_role("admin").edit(withdrawn["id"], published=False)
        # It lends its values to the addresses.
        drafted = desk.create(**{**self.second(), "title": "Unknown"})
        desk.delete(drafted["id"])
        addresses = list(read_addresses(owned.endpoints, [known, withdrawn, drafted]))
        before = _answers(instance, strangers, addresses)

        assert [address for address, (_, body) in before.items() if b"Withdrawn" in body] == []
        self._make_hidden(desk, known)
        assert _answers(instance, strangers, addresses) == before
        self._change_hidden_fields(instance, known["id"])
        assert _answers(instance, strangers, addresses) == before
        for address in addresses:
            # The client compares the answer with its declaration.
            desk.as_role("admin").client.get(address, status="*")

    def test_the_plugins_endpoints_tell_strangers_who_write_nothing_of_hidden_items(
        self, desk: Desk, owned: Owned, strangers: Sequence[Client]
    ) -> None:
        if all(endpoint.method == "GET" for endpoint in owned.endpoints):
            return
        hidden, gone = self._make_invisible(desk), self._make_invisible(desk)
        shown = [desk.show(item["id"]) for item in hidden]
        for item in gone:
            desk.delete(item["id"])

        for item, other in zip(hidden, gone, strict=True):
            requests = (write_requests(owned.endpoints, [each]) for each in (item, other))
            for write, same in zip(*requests, strict=True):
                for client in strangers:
                    # The first request may change the answer to the same one.
                    expected = [_told(same.send(client), other) for _ in range(2)][-1]
                    assert _told(write.send(client), item) == expected, f"{write}: not as deleted"
        assert [desk.show(item["id"]) for item in hidden] == shown

    def test_the_plugins_endpoints_tell_strangers_who_write_nothing_of_staged_edits(
        self, desk: Desk, owned: Owned, strangers: Sequence[Client]
    ) -> None:
        known = desk.create_public(**{**self.first(), "title": "Known"})
        desk.edit(known["id"], title=_HIDDEN)

        for write in write_requests(owned.endpoints, [known]):
            for client in strangers:
                assert _HIDDEN not in write.send(client).text, f"{write} shows a staged edit"

    def test_no_fixed_address_hides_an_item(self, desk: Desk, instance: Instance) -> None:
        start = f"/api/{self.content_type.name}/"
        paths = [each.path for each in instance.endpoints if each.path.startswith(start)]

        for word in {path.removeprefix(start) for path in paths if "{" not in path}:
            item = desk.create_public(**{**self.first(), "title": word})
            shown = desk.client.get(start + item["slug"]).json
            assert isinstance(shown, dict), f"{start}{item['slug']} hides an item"
            assert shown.get("id") == item["id"], f"{start}{item['slug']} hides an item"

    def test_a_search_finds_it_by_its_title(self, desk: Desk) -> None:
        item = desk.create_public(**{**self.first(), "title": "Sonnenblumen"})
        desk.create_public(**{**self.second(), "title": "Something else"})

        hits = desk.client.get("/api/search", {"q": "sonnenblumen"}).json["items"]
        for found in (desk.public_list(search="sonnenblumen"), desk.list(search="sonnenblumen")):
            assert [each["id"] for each in found] == [item["id"]]
        assert [(each["type"], each["id"]) for each in hits] == [(desk.content_type, item["id"])]

    def _make_invisible(self, desk: Desk) -> list[Any]:
        """Create a draft, and an item that was public."""
        values = {**self.second(), "title": _HIDDEN}
        withdrawn = desk.create_public(**values)
        withdrawn = desk.as_role("admin").edit(withdrawn["id"], published=False)
        return [desk.create(**values), withdrawn]

    def _make_hidden(self, desk: Desk, known: Any) -> None:
        """Create an item in each state that hides it, and a staged edit of a public one."""
        hidden = {**self.second(), "title": "Unknown"}
        desk.create(**hidden)
        desk.request(desk.create(**hidden)["id"])
        desk.create_public(**hidden, scheduledPublishAt=_LATER)
        desk.edit(known["id"], title="Unknown")

    def _change_hidden_fields(self, instance: Instance, item_id: int) -> None:
        """Replace the values of staff-only fields, without a trace in public ones."""
        given = self.second(*self.staff_only) if self.staff_only else {}
        values = {
            field.attribute: field.kind.deserialize(colander.SchemaNode(field.kind), given[name])
            for field in self.content_type.fields
            if (name := field.name) in given
        }
        if values:
            table = self.content_type.table
            with instance.database.transaction() as session:
                session.execute(update(table).where(table.c.id == item_id).values(values))


def _told(answer: Any, item: Any) -> tuple[int, str]:
    """Return the status of an answer, and the text of a refusal without the names of the item."""
    assert _HIDDEN not in answer.text, f"an answer shows a hidden item: {answer.text}"
    if answer.status_int < 400:
        return answer.status_int, ""
    text = answer.text.replace(item["slug"] or "/", "slug")
    return answer.status_int, re.sub(r"[0-9]+", "0", text)


def _answers(instance: Instance, clients: Sequence[Client], addresses: Sequence[str]) -> Answers:
    """Return the answer to each client at each address, without those of the cache."""
    with instance.database.transaction() as session:
        touch(session.connection())
    found: Answers = {}
    for number, client in enumerate(clients):
        for address in addresses:
            answer = client.get(address, status="*")
            found[number, address] = answer.status_int, answer.body
    return found
