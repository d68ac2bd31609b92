"""Every PUT and DELETE of every plugin refuses a stale revision, and takes the present one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import BytesIO
from itertools import count
from threading import Barrier
from typing import Any

import pytest
from PIL import Image
from webtest.forms import Upload

from masthead import Endpoint, Instance, utcnow
from masthead.http.revisions import CHANGING
from masthead.testing import Client, Desk

STALE = '"999"'
NUMBERS = count(1)
LETTER = {"subject": "Hello", "html_content": "<p>Hello</p>", "text_content": "Hello"}
PROPOSAL = {
    "title": "A café",
    "description": "For repairs",
    "contactName": "Ada",
    "contactEmail": "ada@example.org",
}
IN_A_DAY = (utcnow() + timedelta(days=1)).isoformat()
MESSAGE = {"name": "Ada", "email": "ada@example.org", "subject": "A", "message": "B"}
USER = {"username": "ada", "email": "ada@example.org", "password": "a long password"}
BODIES: Mapping[str, Mapping[str, Any]] = {
    "/api/staff/api-tokens": {"name": "Build", "permissions": [], "expiresAt": IN_A_DAY},
    "/api/staff/about/values": {"title": "Care"},
    "/api/staff/actions": {"title": "A"},
    "/api/staff/compose-emails": {**LETTER, "recipient_emails": ["ada@example.org"]},
    "/api/staff/contact-import-mappings": {
        "name": "A",
        "columns": [{"column": "N", "field": None}],
    },
    "/api/staff/contacts": {"name": "Ada"},
    "/api/staff/email-templates": {"name": "A", "category": "invite", **LETTER},
    "/api/staff/events": {"title": "A", "startDate": "2036-01-01"},
    "/api/staff/navigation": {"label": "More", "path": "/more"},
    "/api/staff/news": {"title": "A"},
    "/api/staff/newsletter-subscribers": {"email": "ada@example.org"},
    "/api/staff/newsletters": {"title": "A", **LETTER},
    "/api/staff/pages": {"title": "A"},
    "/api/staff/people": {"name": "Ada", "role": "Chair"},
    "/api/staff/progression-stages": {"name": "Met", "description": "", "order": 1},
    "/api/staff/roles": {"name": "Helper"},
    "/api/staff/static-images": {"id": "our-own", "name": "Ours"},
    "/api/staff/tags": {"name": "Water"},
    "/api/staff/users": USER,
    "/api/staff/webhooks": {"url": "https://example.org/", "events": ["*"]},
}
"""A body that creates an item, by the address to which it is sent."""
CHANGES: Mapping[str, Mapping[str, Any]] = {
    "/api/staff/about": {"mission": {"title": "Our mission"}},
    "/api/staff/api-tokens/{id}": {"name": "Site"},
    "/api/staff/comments/{type}/{id}/{comment_id}": {"text": "Hello"},
    "/api/staff/images/{prefix}/{filename}": {"altText": "A dot"},
    "/api/staff/navigation/{entry}": {"label": "Even more"},
    "/api/staff/profile": {"displayName": "The boss"},
    "/api/staff/roles/{id}": {"permissions": ["news.read"]},
    "/api/staff/tags/{id}": {"name": "Air"},
    "/api/staff/users/{id}": {"roles": []},
}
"""A change of an item, by the path of the endpoint, for items with services of their own."""


@pytest.fixture
def plugins() -> list[str]:
    """Enable all installed plugins."""
    return []


class Items:
    """Creates an item for each endpoint that changes or deletes one."""

    def __init__(self, app: Client) -> None:
        self.app = app
        self.admin = app.as_role("admin")

    def address(self, endpoint: Endpoint) -> str:
        """Create an item, and return the address at which the endpoint changes it."""
        path = endpoint.path
        if "{" not in path:
            return path
        collection = path.partition("/{")[0]
        if path.endswith("/{id}/staged"):
            return f"{collection}/{self._staged(collection)}/staged"
        own, _, part = path.partition("}/")
        own = f"{own}}}" if part in PARTS else path
        made = SPECIAL[own](self) if own in SPECIAL else self._created(collection, part)
        if part == "previews/{preview_id}":
            at = "previews" if collection.endswith("newsletters") else "preview"
            link = self.admin.post_json(f"{collection}/{made}/{at}", {}).json["id"]
            return f"{collection}/{made}/previews/{link}"
        return f"{collection}/{made}/{part}" if part in PARTS else f"{collection}/{made}"

    def _created(self, collection: str, part: str = "") -> Any:
        body = BODIES[collection]
        # The item without a part may have the same name.
        further = {
            name: f"other-{next(NUMBERS)}" for name in ("id", "name") if part and name in body
        }
        return self.admin.post_json(collection, {**body, **further}).json["id"]

    def _staged(self, collection: str) -> Any:
        name = collection.rpartition("/")[2]
        desk = Desk(self.app, name).as_role("editor")
        item = desk.create_public(**BODIES[collection])
        desk.edit(item["id"], title="Edited")
        return item["id"]

    def proposal(self) -> Any:
        return self.app.post_json("/api/ycs/submit-action", PROPOSAL).json["id"]

    def message(self) -> Any:
        self.app.post_json("/api/contact", MESSAGE)
        return self.admin.get("/api/staff/contact-messages").json[0]["id"]

    def rule(self) -> Any:
        body = {**BODIES["/api/staff/progression-stages"], "name": f"Stage {next(NUMBERS)}"}
        stage = self.admin.post_json("/api/staff/progression-stages", body).json["id"]
        rule = {"name": "Call", "triggerStageId": stage, "daysAfter": 1, "catchupType": "call"}
        return self.admin.post_json("/api/staff/follow-up-rules", rule).json["id"]

    def image(self) -> str:
        file = BytesIO()
        Image.new("RGB", (4, 3)).save(file, "PNG")
        upload = Upload("dot.png", file.getvalue(), "image/png")
        key: str = self.admin.post("/api/staff/upload/image", {"file": upload}).json["key"]
        return key

    def approver(self) -> Any:
        role = self.admin.post_json("/api/staff/roles", {"name": "Approver"}).json["id"]
        body = {"contentType": "news", "roleId": role}
        return self.admin.post_json("/api/staff/approval-config", body).json["id"]

    def comment(self) -> str:
        news = self._created("/api/staff/news")
        comments = f"/api/staff/comments/news/{news}"
        return f"news/{news}/{self.admin.post_json(comments, {'text': 'Hi'}).json['id']}"

    def notification(self) -> Any:
        desk = Desk(self.app, "news").as_role("editor")
        desk.request(desk.create()["id"])
        return self.admin.get("/api/staff/notifications").json[0]["id"]

    def trashed(self) -> Any:
        news = "/api/staff/news"
        self.admin.delete(f"{news}/{self._created(news)}")
        return self.admin.get("/api/staff/trash").json[0]["id"]

    def link(self) -> Any:
        name = f"user{next(NUMBERS)}"
        user = {**USER, "username": name, "email": f"{name}@example.org"}
        user_id = self.admin.post_json("/api/staff/users", user).json["id"]
        body = {"userId": user_id, "subject": name, "issuer": "https://login.example.org"}
        return self.admin.post_json("/api/staff/oidc/links", body).json["id"]

    def own_link(self) -> Any:
        user_id = self.admin.get("/api/auth/check").json["user"]["id"]
        body = {"userId": user_id, "subject": "boss", "issuer": "https://login.example.org"}
        return self.admin.post_json("/api/staff/oidc/links", body).json["id"]

    def suppression(self) -> str:
        body = {"email": "bob@example.org"}
        self.admin.post_json("/api/staff/email/suppressions", body)
        return body["email"]


SPECIAL: Mapping[str, Callable[[Items], Any]] = {
    "/api/auth/oidc/links/{id}": Items.own_link,
    "/api/staff/action-proposals/{id}": Items.proposal,
    "/api/staff/approval-config/{id}": Items.approver,
    "/api/staff/comments/{type}/{id}/{comment_id}": Items.comment,
    "/api/staff/contact-messages/{id}": Items.message,
    "/api/staff/email/suppressions/{email}": Items.suppression,
    "/api/staff/follow-up-rules/{id}": Items.rule,
    "/api/staff/images/{prefix}/{filename}": Items.image,
    "/api/staff/notifications/{id}": Items.notification,
    "/api/staff/oidc/links/{id}": Items.link,
    "/api/staff/trash/{id}": Items.trashed,
}
"""Creators of items that staff don't create, or not by a fixed body, by the endpoint's path."""


OTHER = {
    **dict.fromkeys(("title", "name", "subject", "label"), "Other"),
    "url": "https://example.com/",
}
"""Other values of fields; each item that can be merged has one of them."""
PARTS = ("presence", "previews/{preview_id}")
"""The rest of the paths of endpoints for a part of an item."""


@pytest.fixture
def items(app: Client) -> Items:
    return Items(app)


def of_method(instance: Instance, *methods: str) -> list[Endpoint]:
    return [each for each in instance.endpoints if each.method in methods]


def send(client: Client, endpoint: Endpoint, address: str, **options: Any) -> Any:
    """Send a PUT or DELETE, with the members that the body of the endpoint needs."""
    needed = [] if endpoint.body is None else [c.name for c in endpoint.body.children if c.required]
    created = BODIES.get(endpoint.path.rpartition("/{")[0], {})
    body = {**{name: created[name] for name in needed}, **options.pop("body", {})}
    return client.request(
        address, method=endpoint.method, body=json.dumps(body).encode(), **options
    )


@pytest.mark.parametrize("method", CHANGING)
def test_a_stale_revision_is_refused_everywhere(
    instance: Instance, items: Items, method: str
) -> None:
    readable = {each.path for each in of_method(instance, "GET")}
    endpoints = of_method(instance, method)
    assert len(endpoints) > 20

    for endpoint in endpoints:
        address = items.address(endpoint)
        stale = send(items.admin, endpoint, address, headers={"If-Match": STALE}, status=412)
        named = send(items.admin, endpoint, address, body={"etag": "999"}, status=400)
        wrong = send(items.admin, endpoint, address, body={"etag": [1]}, status=400)

        assert stale.json["error"], endpoint.name
        for refused, code in ((named, "changed"), (wrong, "not_a_string")):
            [problem] = refused.json["fields"]
            assert (problem["path"], problem["code"]) == ("etag", code), endpoint.name
        present = "*"
        if endpoint.path in readable:
            present = items.admin.get(address).headers["ETag"]
        # Nothing was deleted, nor changed.
        if method == "PUT":
            send(items.admin, endpoint, address, body={"etag": present})
        send(items.admin, endpoint, address, headers={"If-Match": present})


def test_an_item_that_can_be_changed_can_be_read_with_its_revision(
    instance: Instance, items: Items
) -> None:
    creates = {each.path: each for each in of_method(instance, "POST")}
    for endpoint in of_method(instance, "PUT"):
        address = items.address(endpoint)
        before = items.admin.get(address).headers["ETag"]

        after = send(items.admin, endpoint, address)

        assert after.headers["ETag"] == before, endpoint.name
        collection = endpoint.path.rpartition("/{")[0]
        if endpoint.path.endswith("}") and collection in creates and collection in BODIES:
            items.admin.delete(address)
            body = BODIES[collection]
            created = items.admin.post_json(collection, body)
            own = f"{collection}/{created.json['id']}"
            assert items.admin.get(own).headers["ETag"] == created.headers["ETag"]
            items.admin.delete(own)


def test_a_change_is_merged_with_that_of_another_client(instance: Instance, items: Items) -> None:
    merging = [e for e in of_method(instance, "PUT") if e.body is not None and "merge" in e.body]
    assert len(merging) > 12

    for endpoint in merging:
        address = items.address(endpoint)
        before = items.admin.get(address).headers["ETag"]
        name = next(each for each in OTHER if each in endpoint.body)
        items.admin.put_json(address, {name: OTHER[name]})

        saved = items.admin.put_json(address, {"etag": before, "merge": True}).json

        assert name in saved["merged"], endpoint.name
        assert saved[name] == OTHER[name]


def test_each_change_raises_the_revision(instance: Instance, items: Items) -> None:
    for endpoint in of_method(instance, "PUT"):
        if endpoint.path in CHANGES:
            address, change = items.address(endpoint), CHANGES[endpoint.path]
            before = items.admin.get(address).headers["ETag"]

            changed = items.admin.put_json(address, change).headers["ETag"]
            items.admin.put_json(address, change, headers={"If-Match": before}, status=412)
            repeated = items.admin.put_json(address, change).headers["ETag"]

            assert changed != before, endpoint.name
            assert repeated == changed, endpoint.name
            assert items.admin.get(address).headers["ETag"] == changed


def test_a_static_entry_of_the_navigation_has_a_revision(app: Client) -> None:
    admin, path = app.as_role("admin"), "/api/staff/navigation/static-about"
    before = admin.get(path).headers["ETag"]

    admin.put_json(path, {"label": "Us"}, headers={"If-Match": before})

    admin.put_json(path, {"label": "We"}, headers={"If-Match": before}, status=412)
    assert admin.get(path).json["label"] == "Us"


def test_entries_that_move_up_change(app: Client) -> None:
    admin, path = app.as_role("admin"), "/api/staff/navigation"
    folder = admin.post_json(path, {"label": "More", "isFolder": True}).json["id"]
    entry = {"label": "A", "path": "/a", "parentId": folder}
    created = admin.post_json(path, entry)

    admin.delete(f"{path}/{folder}")

    own, read = f"{path}/{created.json['id']}", {"If-Match": created.headers["ETag"]}
    admin.put_json(own, {"label": "B"}, headers=read, status=412)


def test_of_two_changes_of_one_revision_one_is_refused(app: Client) -> None:
    admin, path = app.as_role("admin"), "/api/staff/tags"
    created = admin.post_json(path, {"name": "Water"})
    own, read = f"{path}/{created.json['id']}", {"If-Match": created.headers["ETag"]}
    barrier = Barrier(2)

    def rename(name: str) -> int:
        barrier.wait()
        status: int = admin.put_json(own, {"name": name}, headers=read, status="*").status_int
        return status

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(rename, ("Air", "Earth"))) == [200, 412]


def test_the_body_of_a_deletion_may_be_anything(app: Client) -> None:
    admin, path = app.as_role("admin"), "/api/staff/tags"
    for number, body in enumerate((b"[]", b"null", b"{", b'{"etag": null}', b"\xff")):
        tag = admin.post_json(path, {"name": f"Tag {number}"}).json["id"]
        admin.request(f"{path}/{tag}", method="DELETE", body=body)
    tag = admin.post_json(path, {"name": "Water"}).json["id"]
    admin.request(f"{path}/{tag}", method="DELETE", body=b'{"etag": "\\"1\\""}')


def test_a_wrong_password_is_recorded_in_spite_of_a_revision(app: Client) -> None:
    admin, path = app.as_role("admin"), "/api/staff/profile"
    body = {"password": "another password", "currentPassword": "a wrong one"}

    answer = admin.put_json(path, body, headers={"If-Match": STALE}, status=400)

    assert answer.json["fields"][0]["code"] == "wrong_password"
    [entry] = admin.get("/api/staff/audit-log", {"limit": 1}).json
    assert entry["action"] == "login.failed"


def test_each_item_with_former_states_shows_compares_and_restores_them(
    instance: Instance, items: Items
) -> None:
    restoring = [e for e in instance.endpoints if e.name.endswith(".restore-revision")]
    updates = {e.path: e for e in instance.endpoints if e.method == "PUT"}

    assert len(restoring) > 10
    for endpoint in restoring:
        path = endpoint.path.partition("/revisions")[0]
        address = items.address(updates[path])
        shown = items.admin.get(address).json
        text = next((n for n in ("title", "name", "subject", "description") if n in shown), "")
        items.admin.put_json(address, CHANGES.get(path, {text: "Changed"}))
        found = items.admin.get(f"{address}/revisions").json
        number = found[-1]["number"]
        assert items.admin.get(f"{address}/revisions/{number}").json["number"] == number
        compared = items.admin.get(f"{address}/revisions/compare?from={number}&to={number}")
        assert compared.json["differences"] == []
        restore = f"{address}/revisions/{number}/restore"
        items.admin.post_json(restore, {}, headers={"If-Match": STALE}, status=412)
        assert items.admin.post_json(restore, {}).json["success"]
