"""The trash: deleted items that staff list, restore and purge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from io import BytesIO
from threading import Barrier
from typing import Any

import orjson
import pytest
from PIL import Image
from sqlalchemy import func, select, update
from webtest.forms import Upload

from masthead import Instance
from masthead.auth.models import Role
from masthead.history.models import Approved, Revision, RevisionValue
from masthead.history.values import compress, decompress
from masthead.history.verifying import verify
from masthead.resources.external_ids import ExternalId, remember_ids
from masthead.resources.trashed import TrashedItem
from masthead.testing import Client, Clock, Desk
from masthead.trash.kinds import trash_kinds
from masthead.trash.retention import purging

TRASH = "/api/staff/trash"
LETTER = {"title": "First", "subject": "First", "html_content": "<p>A</p>", "text_content": "A"}
BODIES: Mapping[str, Mapping[str, Any]] = {
    "news": {"title": "First"},
    "events": {"title": "First", "startDate": "2036-01-01"},
    "actions": {"title": "First"},
    "pages": {"title": "First", "published": True},
    "people": {"name": "First", "role": "Chair", "published": True},
    "newsletters": LETTER,
    "email-templates": {**{n: LETTER[n] for n in LETTER if n != "title"}, "name": "First"},
}
"""A body that creates an item, for each kind of items that has a trash."""


@pytest.fixture
def staff(clock: Clock, app: Client) -> Client:  # noqa: ARG001 - stops the clock before
    return app.as_role("admin")


@pytest.fixture
def news(clock: Clock, app: Client) -> Desk:  # noqa: ARG001 - stops the clock before
    return Desk(app, "news").as_role("editor")


def trash(client: Client, **query: Any) -> list[Any]:
    found: list[Any] = client.get(TRASH, query).json
    return found


def delete(desk: Desk, item_id: int) -> int:
    """Delete an item, and return its number in the trash."""
    path = f"/api/staff/{desk.content_type}/{item_id}"
    desk.client.delete(path, headers={"User-Agent": "Desk/2.1"})
    return int(trash(desk.client)[0]["id"])


def restore(client: Client, number: int, status: int = 200) -> Any:
    return client.post(f"{TRASH}/{number}/restore", status=status).json


def test_an_item_of_each_kind_comes_back_as_it_was(staff: Client, instance: Instance) -> None:
    assert BODIES.keys() <= trash_kinds(instance).keys()
    for name in sorted(BODIES.keys() & trash_kinds(instance).keys()):
        address = f"/api/staff/{name}"
        made = staff.post_json(address, BODIES[name]).json["id"]
        before = staff.get(f"{address}/{made}").json
        staff.delete(f"{address}/{made}")
        staff.get(f"{address}/{made}", status=404)

        [trashed] = trash(staff, contentType=name)
        shown = staff.get(f"{TRASH}/{trashed['id']}").json
        restored = restore(staff, trashed["id"])

        assert (trashed["title"], trashed["contentId"]) == ("First", made)
        assert (trashed["available"], trashed["mayRestore"]) == (True, True)
        assert shown["unfit"] == restored["unfit"] == []
        assert shown["values"].items() >= {k: before[k] for k in BODIES[name]}.items()
        assert restored["path"] == f"{address}/{made}"
        answer = staff.get(f"{address}/{made}")
        assert answer.headers["ETag"] == f'"{restored["etag"]}"'
        changing = {"published", "updatedAt", "updated_at"}
        assert without(answer.json, changing) == without(before, changing)
        assert answer.json.get("published") in (False, None)
        assert trash(staff) == []
        restore(staff, trashed["id"], status=404)


def without(item: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name not in names}


def test_a_public_item_comes_back_unpublished_and_approved(news: Desk, instance: Instance) -> None:
    admin = news.as_role("admin").client
    tags = [admin.post_json("/api/staff/tags", {"name": n}).json["id"] for n in ("Air", "Sea")]
    item = news.create_public(title="Open", tagIds=tags, content="<p>Text</p>")
    news.edit(item["id"], content="<p>Edited</p>")
    news.request(item["id"])
    staged = news.show(item["id"])
    number = delete(news, item["id"])
    admin.delete(f"/api/staff/tags/{tags[1]}")

    shown = news.client.get(f"{TRASH}/{number}").json
    assert shown["client"] == "Desk/2.1"
    restored = restore(news.client, number)

    assert shown["values"]["content"] == "<p>Edited</p>"
    assert shown["names"] == {"tagIds": {str(tags[0]): "Air", str(tags[1]): "Sea"}}
    [unfit] = restored["unfit"]
    assert (unfit["field"], unfit["message"]) == ("tagIds", "Does not exist any more: Sea")
    after = news.show(item["id"])
    assert (after["published"], after["approvalStatus"]) == (False, "draft")
    assert after["tags"] == [each for each in staged["tags"] if each["name"] == "Air"]
    assert news.public_list() == []
    news.public_item(item["slug"], status=404)
    news.request(item["id"])
    Desk.approve(news.as_role("admin"), item["id"])
    assert news.public_item(item["slug"])["content"] == "<p>Edited</p>"
    assert verify(instance).deviations == []


def test_an_approved_item_is_published_again_in_one_step(news: Desk, instance: Instance) -> None:
    item = news.create_public(title="Open")

    restore(news.client, delete(news, item["id"]))
    news.edit(item["id"], published=True)

    assert news.public_item(item["slug"])["title"] == "Open"
    assert verify(instance).deviations == []
    [first, *_] = news.as_role("admin").client.get("/api/staff/audit-log").json
    assert first["action"] == "content.publish"
    actions = [e["action"] for e in news.as_role("admin").client.get("/api/staff/audit-log").json]
    assert {"content.delete", "content.restore"} <= set(actions)


def test_slugs_that_others_have_got_are_left_to_them(news: Desk) -> None:
    item = news.create_public(title="Open")
    desk = news.as_role("admin")
    desk.edit(item["id"], slug="second")
    desk.edit(item["id"], slug="third")
    number = delete(news, item["id"])
    other, former = news.create(title="Third"), news.create(title="Open")
    assert (other["slug"], former["slug"]) == ("third", "open")

    restored = restore(news.client, number)

    assert restored["slug"] == news.show(item["id"])["slug"] == "third-2"
    desk.edit(item["id"], published=True)
    moved = news.client.get("/api/news/second", status="*")
    assert moved.json["movedTo"]["slug"] == "third-2"
    news.public_item("open", status=404)


def test_revisions_stay_until_the_purge(news: Desk, instance: Instance, staff: Client) -> None:
    item = news.create_public(title="Open")
    number = delete(news, item["id"])
    news.client.get(f"/api/staff/news/{item['id']}/revisions", status=404)
    restore(news.client, number)
    assert news.client.get(f"/api/staff/news/{item['id']}/revisions").json
    number = delete(news, item["id"])

    news.client.delete(f"{TRASH}/{number}", status=403)
    staff.delete(f"{TRASH}/{number}")

    staff.delete(f"{TRASH}/{number}", status=404)
    restore(staff, number, status=404)
    with instance.database.session(read_only=True) as session:
        for table in (Revision, RevisionValue, Approved, TrashedItem):
            assert session.scalar(select(func.count()).select_from(table)) == 0
    [entry, *_] = staff.get("/api/staff/audit-log").json
    assert (entry["action"], entry["contentId"]) == ("content.purge", item["id"])


def test_old_items_are_purged(news: Desk, clock: Clock, instance: Instance) -> None:
    old, new = (news.create(title=title)["id"] for title in ("Old", "New"))
    delete(news, old)
    clock.shift(days=20)
    news = news.as_role("editor")
    delete(news, new)
    [_, trashed] = trash(news.client)
    deleted, purged = (datetime.fromisoformat(trashed[n]) for n in ("deletedAt", "purgeAt"))
    clock.shift(days=10)
    with instance.database.transaction() as session:
        assert purging(30)(session) is False

    assert purged - deleted == timedelta(days=30)
    assert [each["contentId"] for each in trash(news.as_role("editor").client)] == [new]


def test_the_list_is_filtered_searched_and_paged(news: Desk, staff: Client) -> None:
    news.bulk("delete", [news.create(title=title)["id"] for title in ("Ärger", "100 %", "Sea")])
    page = staff.post_json("/api/staff/pages", {"title": "Sea"}).json["id"]
    staff.delete(f"/api/staff/pages/{page}")

    assert [each["title"] for each in trash(staff)] == ["Sea", "Sea", "100 %", "Ärger"]
    assert [each["title"] for each in trash(staff, search="ÄRG")] == ["Ärger"]
    assert [each["title"] for each in trash(staff, search="0 %")] == ["100 %"]
    assert [each["title"] for each in trash(staff, search="%_")] == []
    assert [each["contentType"] for each in trash(staff, search="sea")] == ["pages", "news"]
    assert len(trash(staff, contentType="news")) == 3
    answer = staff.get(TRASH, {"limit": 1, "offset": 1})
    assert [each["contentType"] for each in answer.json] == ["news"]
    assert answer.headers["X-Total-Count"] == "4"
    staff.get(TRASH, {"contentType": "contacts"}, status=400)


def test_callers_see_and_restore_only_what_they_may(
    news: Desk, app: Client, staff: Client, make_role: Callable[..., Role]
) -> None:
    make_role("reader", "news.read")
    make_role("other", "events.read", "events.write", "trash.purge")
    number = delete(news, news.create(title="Secret")["id"])
    reader, other = app.as_role("reader"), app.as_role("other")

    [seen] = trash(reader)
    assert (seen["mayRestore"], seen["deletedBy"]["displayName"]) == (False, None)
    assert trash(other) == []
    other.get(TRASH, {"contentType": "news"}, status=403)
    reader.get(f"{TRASH}/{number}")
    other.get(f"{TRASH}/{number}", status=404)
    restore(reader, number, status=403)
    restore(other, number, status=404)
    other.delete(f"{TRASH}/{number}", status=404)
    body = {"operation": "restore", "ids": [number]}
    assert reader.post_json(f"{TRASH}/bulk", body).json["failed"][0]["error"] == "Forbidden"
    purge = {"operation": "purge", "ids": [number]}
    assert other.post_json(f"{TRASH}/bulk", purge).json["affected"] == 0
    reader.post_json(f"{TRASH}/bulk", purge, status=403)
    assert trash(staff)


def test_many_items_are_each_judged_for_themselves(news: Desk, staff: Client) -> None:
    ids = [news.create(title=title)["id"] for title in ("A", "B", "C")]
    news.bulk("delete", ids)
    numbers = sorted(each["id"] for each in trash(staff))
    restored = {"operation": "restore", "ids": [*numbers[:2], 999]}

    answer = staff.post_json(f"{TRASH}/bulk", restored).json

    assert answer == {
        "success": True,
        "affected": 2,
        "failed": [{"id": 999, "error": "Not found"}],
    }
    assert {item["id"] for item in news.list()} == set(ids[:2])
    purged = {"operation": "purge", "ids": numbers}
    assert staff.post_json(f"{TRASH}/bulk", purged).json["affected"] == 1
    assert trash(staff) == []


def test_values_of_other_fields_are_named_and_the_rest_is_restored(
    news: Desk, instance: Instance
) -> None:
    number = delete(news, news.create(title="First", description="Kept")["id"])
    hostile = {"content": "<p>Hi</p><script>alert(1)</script>", "colour": "red", "lang": "?"}
    change(instance, number, lambda row: {n: row[n] for n in row if n != "category"} | hostile)

    shown = news.client.get(f"{TRASH}/{number}").json
    restored = restore(news.client, number)

    assert shown["values"]["content"] == "<p>Hi</p>"
    reasons = {each["field"]: each["reason"] for each in restored["unfit"]}
    assert reasons == {"category": "added", "colour": "removed", "lang": "invalid"}
    item = news.show(restored["contentId"])
    assert (item["description"], item["content"]) == ("Kept", "<p>Hi</p>")


def test_an_item_without_a_needed_value_stays_in_the_trash(news: Desk, instance: Instance) -> None:
    number = delete(news, news.create(title="First")["id"])
    change(instance, number, lambda row: row | {"title": None})

    error = restore(news.client, number, status=400)["error"]

    assert error == "It can't be restored without a value of title: Required"
    assert trash(news.client)


def change(instance: Instance, number: int, edit: Callable[[Any], Any]) -> None:
    """Change the stored row of an item in the trash."""
    with instance.database.transaction() as session:
        found = session.get_one(TrashedItem, number)
        stored = orjson.loads(decompress(found.data, found.size))
        text = orjson.dumps(stored | {"row": edit(stored["row"])})
        found.data, found.size = compress(text), len(text)


def test_damaged_data_and_kinds_that_are_gone_are_shown_as_such(
    news: Desk, instance: Instance, staff: Client
) -> None:
    damaged, gone = (delete(news, news.create(title=title)["id"]) for title in ("A", "B"))
    with instance.database.transaction() as session:
        other = update(TrashedItem).where(TrashedItem.id == gone).values(kind="films")
        session.execute(other)
        rest = update(TrashedItem).where(TrashedItem.id == damaged).values(data=b"junk")
        session.execute(rest)

    assert [each["id"] for each in trash(news.client)] == [damaged]
    assert "damaged" in news.client.get(f"{TRASH}/{damaged}", status=404).json["error"]
    restore(news.client, damaged, status=404)
    shown = staff.get(f"{TRASH}/{gone}").json
    assert (shown["available"], shown["values"], shown["contentType"]) == (False, {}, "films")
    assert "disabled" in restore(staff, gone, status=400)["error"]
    news.client.get(f"{TRASH}/{gone}", status=404)
    staff.delete(f"{TRASH}/{gone}")
    staff.delete(f"{TRASH}/{damaged}")


def test_a_scheduled_newsletter_comes_back_as_a_draft(staff: Client, clock: Clock) -> None:
    address = "/api/staff/newsletters"
    body = {**LETTER, "scheduled_send_at": "2036-01-01T00:00:00.000Z"}
    made = staff.post_json(address, body).json["id"]
    staff.delete(f"{address}/{made}")
    clock.shift(days=1)

    restore(staff, trash(staff)[0]["id"])

    found = staff.get(f"{address}/{made}").json
    assert (found["status"], found["scheduled_send_at"]) == ("draft", None)


def test_of_two_restores_and_a_purge_at_once_one_wins(news: Desk, staff: Client) -> None:
    number = delete(news, news.create(title="Open")["id"])
    clients = [news.client, news.as_role("editor").client, staff]
    barrier = Barrier(len(clients))

    def send(client: Client) -> int:
        barrier.wait()
        path = f"{TRASH}/{number}"
        if client is staff:
            return int(client.delete(path, status="*").status_int)
        return int(client.post(f"{path}/restore", status="*").status_int)

    with ThreadPoolExecutor(len(clients)) as pool:
        statuses = sorted(pool.map(send, clients))

    assert statuses == [200, 404, 404]
    assert trash(staff) == []


def test_an_image_of_a_deleted_item_is_kept_until_the_purge(staff: Client) -> None:
    file = BytesIO()
    Image.new("RGB", (8, 8)).save(file, "PNG")
    sent = {"file": Upload("a.png", file.getvalue(), "image/png")}
    image = staff.post("/api/staff/upload/image", sent).json
    text = f'<p>A</p><img src="http://127.0.0.1:6543{image["url"]}?w=640">'
    made = staff.post_json("/api/staff/news", {"title": "Open", "content": text}).json["id"]
    staff.delete(f"/api/staff/news/{made}")
    [trashed] = trash(staff)
    address = f"/api/staff/images/{image['key']}"

    error = staff.delete(address, status=400).json["error"]

    assert error == f"The image is used: trash {trashed['id']} (Open)"
    staff.delete(f"{TRASH}/{trashed['id']}")
    staff.delete(address)


def test_an_import_finds_the_items_that_are_restored(news: Desk, instance: Instance) -> None:
    made = news.create(title="Open")["id"]
    with instance.database.transaction() as session:
        remember_ids(session, "news", "wordpress", {"7": made})
    number = delete(news, made)
    with instance.database.session(read_only=True) as session:
        assert session.scalar(select(func.count()).select_from(ExternalId)) == 0

    restore(news.client, number)

    with instance.database.session(read_only=True) as session:
        [row] = session.scalars(select(ExternalId))
        assert (row.kind, row.external_id, row.item_id) == ("news", "7", made)


def test_staff_see_a_restored_item_in_the_change_log(news: Desk, clock: Clock) -> None:
    item = news.create(title="Open")
    number = delete(news, item["id"])
    cursor = news.client.get("/api/staff/changes").json["cursor"]
    clock.shift(seconds=1)

    restore(news.client, number)

    [change] = news.client.get("/api/staff/changes", {"since": cursor}).json["changes"]
    assert (change["change"], change["publicChange"], change["id"]) == ("created", None, item["id"])
    assert news.list(search="open")[0]["id"] == item["id"]
