"""Preview links: a holder sees an item as the public would see it after its approval."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select, update

from masthead import Instance, User
from masthead.db.content_version import ContentVersion
from masthead.previews.models import Preview
from masthead.previews.services import delete_expired
from masthead.testing import Client, Clock, Desk

GONE = {"error": "The link is not valid any more"}


def link(desk: Desk, item_id: int, *, status: int = 200, **options: Any) -> Any:
    """Make a link to the preview of an item."""
    path = f"/api/staff/{desk.content_type}/{item_id}/preview"
    return desk.client.post_json(path, options, status=status).json


def links(desk: Desk, item_id: int) -> list[Any]:
    """Return the links of an item."""
    found: list[Any] = desk.client.get(f"/api/staff/{desk.content_type}/{item_id}/previews").json
    return found


def version(instance: Instance) -> Any:
    """Return the versions by which caches know whether the public sees something else."""
    with instance.database.read() as connection:
        return connection.execute(select(ContentVersion.__table__)).all()


@pytest.fixture
def preview(app: Client) -> Callable[..., Any]:
    """Return a function that opens a preview without any account."""

    def ask(token: str, *, status: int = 200, **options: Any) -> Any:
        return app.post_json("/api/preview", {"token": token, **options}, status=status)

    return ask


def test_a_draft_is_shown_as_the_public_will_see_it(
    toys: Desk, preview: Any, make_tag: Any
) -> None:
    tag = make_tag("Water")
    values = {"title": "A boat", "lang": "ar", "content": "<p>It floats</p>", "minAge": 3}
    item = toys.create(**values, tagIds=[tag["id"]], note="Secret")

    answer = preview(link(toys, item["id"])["token"])

    assert answer.json["type"] == "toys"
    shown = answer.json["item"]
    assert shown == shown | values | {"slug": "a-boat", "dir": "rtl", "tags": [tag]}
    assert "note" not in shown
    toys.publish(item["id"])
    public = toys.public_item("a-boat")
    assert shown == public | {"updatedAt": shown["updatedAt"]}


def test_a_staged_edit_is_shown_and_the_public_keeps_the_live_copy(
    toys: Desk, preview: Any, make_tag: Any
) -> None:
    first, second = make_tag("Water"), make_tag("Fire")
    item = toys.create_public(title="A boat", tagIds=[first["id"]])
    toys.edit(item["id"], title="A ship", tagIds=[second["id"]], slug="a-ship")
    before = toys.public_item("a-boat"), toys.show(item["id"])

    shown = preview(link(toys, item["id"])["token"]).json["item"]

    assert (shown["title"], shown["slug"], shown["tags"]) == ("A ship", "a-ship", [second])
    assert (toys.public_item("a-boat"), toys.show(item["id"])) == before
    toys.public_item("a-ship", status=404)


def test_what_is_scheduled_or_taken_down_is_shown_too(toys: Desk, preview: Any) -> None:
    item = toys.create_public(title="A boat", scheduledPublishAt="2036-01-01T00:00:00Z")
    assert preview(link(toys, item["id"])["token"]).json["item"]["title"] == "A boat"
    toys.edit(item["id"], published=False)
    assert preview(link(toys, item["id"])["token"]).json["item"]["title"] == "A boat"


def test_a_staged_address_that_another_item_has_got_is_left_out(toys: Desk, preview: Any) -> None:
    item = toys.create_public(title="A boat")
    toys.edit(item["id"], title="A ship", slug="a-ship")
    toys.as_role("admin").edit(toys.create_public(title="Other")["id"], slug="a-ship")

    shown = preview(link(toys, item["id"])["token"]).json["item"]

    assert (shown["title"], shown["slug"]) == ("A ship", "a-boat")


def test_opening_a_preview_changes_nothing(toys: Desk, preview: Any, instance: Instance) -> None:
    item = toys.create(title="A boat")
    token = link(toys, item["id"])["token"]
    log = toys.client.get("/api/changes").json["cursor"]
    staff_log = toys.client.get("/api/staff/changes").json["cursor"]
    before = version(instance)

    answer = preview(token)

    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" not in answer.headers
    assert version(instance) == before
    assert toys.client.get("/api/changes", {"since": log}).json["changes"] == []
    assert toys.client.get("/api/staff/changes", {"since": staff_log}).json["changes"] == []
    assert toys.public_list() == []
    assert toys.show(item["id"]) == item


def test_a_link_ends_after_its_hours(clock: Clock, toys: Desk, preview: Any) -> None:
    item = toys.create()
    short, usual = link(toys, item["id"], hours=1), link(toys, item["id"], note="For Ada")
    assert [each["note"] for each in links(toys, item["id"])] == ["For Ada", None]

    clock.shift(hours=1)
    assert preview(short["token"], status=404).json == GONE
    assert [each["id"] for each in links(toys, item["id"])] == [usual["id"]]
    clock.shift(hours=70)
    preview(usual["token"])
    clock.shift(hours=1)
    assert preview(usual["token"], status=404).json == GONE
    assert links(toys, item["id"]) == []


def test_more_hours_than_the_setting_allows_are_refused(toys: Desk) -> None:
    item = toys.create()
    [field] = link(toys, item["id"], hours=721, status=400)["fields"]
    assert (field["path"], field["code"], field["maximum"]) == ("hours", "out_of_range", 720)
    assert link(toys, item["id"], hours=0, status=400)["fields"][0]["path"] == "hours"


def test_a_revoked_link_opens_nothing(toys: Desk, preview: Any) -> None:
    item, other = toys.create(), toys.create()
    made = link(toys, item["id"])
    path = f"/api/staff/toys/{{}}/previews/{made['id']}"
    toys.client.delete(path.format(other["id"]), status=404)
    preview(made["token"])

    toys.client.delete(path.format(item["id"]))

    assert preview(made["token"], status=404).json == GONE
    toys.client.delete(path.format(item["id"]), status=404)
    log = toys.client.as_role("admin").get("/api/staff/audit-log", {"contentType": "toys"}).json
    actions = [each["action"] for each in log]
    assert actions == ["preview.revoke", "preview.create"]
    assert made["token"] not in str(log)


def test_a_link_for_one_use_opens_once(toys: Desk, preview: Any) -> None:
    made = link(toys, toys.create()["id"], once=True)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: preview(made["token"], status="*").status_int, range(4)))

    assert sorted(answers) == [200, 404, 404, 404]
    assert preview(made["token"], status=404).json == GONE


def test_a_link_that_ends_on_change_shows_one_revision(toys: Desk, preview: Any) -> None:
    item = toys.create(title="A boat")
    strict, plain = link(toys, item["id"], endOnChange=True), link(toys, item["id"])
    toys.request(item["id"])
    assert preview(strict["token"]).json["item"]["title"] == "A boat"

    toys.as_role("admin").edit(item["id"], title="A ship")

    assert preview(strict["token"], status=404).json == GONE
    assert preview(plain["token"]).json["item"]["title"] == "A ship"


def test_links_of_deleted_items_and_disabled_users_open_nothing(
    toys: Desk, preview: Any, instance: Instance
) -> None:
    item, other = toys.create(), toys.create()
    first, second = link(toys, item["id"]), link(toys, other["id"])
    toys.delete(item["id"])
    assert preview(first["token"], status=404).json == GONE
    with instance.database.transaction() as session:
        session.execute(update(User).values(disabled=True))
    assert preview(second["token"], status=404).json == GONE


def test_an_item_with_the_id_of_a_deleted_one_is_not_shown(
    clock: Clock, toys: Desk, preview: Any, instance: Instance
) -> None:
    made = link(toys, toys.create()["id"])
    clock.shift(minutes=1)
    other = toys.create(title="Hidden")
    with instance.database.transaction() as session:
        session.execute(update(Preview).values(item=str(other["id"])))

    assert preview(made["token"], status=404).json == GONE


@pytest.mark.parametrize("token", ["", "x", "ä\u0007", "a" * 10_000, None, 7, ["x"]])
def test_a_wrong_token_opens_nothing(preview: Any, token: Any) -> None:
    assert preview(token, status="*").status_int in (400, 404)


def test_the_token_is_stored_nowhere(toys: Desk, instance: Instance) -> None:
    item = toys.create()
    path, headers = f"/api/staff/toys/{item['id']}/preview", {"Idempotency-Key": "once"}
    made = toys.client.post_json(path, {}, headers=headers).json
    assert made["url"] == f"http://127.0.0.1:6543/preview#{made['token']}"
    repeated = toys.client.post_json(path, {}, headers=headers).json
    assert repeated == made | {"token": None, "url": None}

    with instance.database.read() as connection:
        for plugin in instance.plugins:
            for table in plugin.metadata.sorted_tables if plugin.metadata else ():
                assert made["token"] not in str(connection.execute(select(table)).all())


def test_addresses_in_html_are_absolute_on_request(toys: Desk, preview: Any) -> None:
    item = toys.create(content='<p><a href="/about">We</a></p>')
    token = link(toys, item["id"])["token"]
    assert 'href="/about"' in preview(token).json["item"]["content"]
    assert (
        'href="http://127.0.0.1:6543/about"'
        in preview(token, html="absolute").json["item"]["content"]
    )


def test_the_worker_deletes_expired_links(clock: Clock, toys: Desk, instance: Instance) -> None:
    item = toys.create()
    link(toys, item["id"], hours=1)
    kept = link(toys, item["id"])
    clock.shift(hours=2)
    with instance.database.transaction() as session:
        assert delete_expired(session) is False
    with instance.database.read() as connection:
        assert connection.scalars(select(Preview.id)).all() == [kept["id"]]
