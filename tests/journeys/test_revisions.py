"""Revisions: former states of items that staff list, compare and restore."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import func, select, update

from masthead import Instance
from masthead.auth.models import Role
from masthead.history.models import Revision, RevisionValue
from masthead.history.retention import delete_of_item, is_old
from masthead.history.snapshots import Snapshot
from masthead.history.values import Key, store
from masthead.history.verifying import verify
from masthead.testing import Client, Clock, Desk


@pytest.fixture
def news(clock: Clock, app: Client) -> Desk:  # noqa: ARG001 - stops the clock before
    return Desk(app, "news").as_role("editor")


def revisions(desk: Desk, item_id: int) -> list[Any]:
    found: list[Any] = desk.client.get(path(desk, item_id)).json
    return found


def revision(desk: Desk, item_id: int, number: int) -> Any:
    return desk.client.get(f"{path(desk, item_id)}/{number}").json


def compare(desk: Desk, item_id: int, **numbers: int) -> dict[str, Any]:
    query = {name.strip("_"): number for name, number in numbers.items()}
    found = desk.client.get(f"{path(desk, item_id)}/compare", query).json
    return {each["field"]: each for each in found["differences"]}


def restore(desk: Desk, item_id: int, number: int, *, status: int = 200, **body: Any) -> Any:
    where = f"{path(desk, item_id)}/{number}/restore"
    return desk.client.post_json(where, body, status=status).json


def path(desk: Desk, item_id: int) -> str:
    return f"/api/staff/{desk.content_type}/{item_id}/revisions"


def test_each_save_keeps_the_state_before_and_after_it(news: Desk, clock: Clock) -> None:
    item = news.create(title="Open", content="<p>One</p>")
    clock.shift(hours=1)
    news.client.put_json(
        f"/api/staff/news/{item['id']}", {"title": "Open again"}, headers={"User-Agent": "Desk/2"}
    )

    after, before = revisions(news, item["id"])

    assert (before["number"], before["saves"], before["changed"]) == (1, 0, [])
    assert before["user"]["id"] == item["createdBy"]["id"]
    assert (after["number"], after["copy"], after["saves"]) == (2, "live", 1)
    assert (after["client"], after["user"]["id"]) == ("Desk/2", item["createdBy"]["id"])
    assert "title" in after["changed"]
    values = revision(news, item["id"], 1)["values"]
    assert (values["title"], values["content"]) == ("Open", "<p>One</p>")
    assert revision(news, item["id"], 2)["values"]["title"] == "Open again"


def test_saves_of_one_person_within_minutes_are_one_revision(news: Desk, clock: Clock) -> None:
    item_id = news.create(title="First")["id"]
    clock.shift(hours=1)
    news.edit(item_id, title="Second")
    clock.shift(minutes=1)
    news.edit(item_id, title="Third", description="New")
    news.as_role("admin").edit(item_id, title="Fourth")
    clock.shift(minutes=6)
    news.as_role("admin").edit(item_id, title="Fifth")

    found = revisions(news, item_id)

    assert [each["saves"] for each in found] == [1, 1, 2, 0]
    assert {"title", "description"} <= set(found[2]["changed"])
    titles = [revision(news, item_id, n)["values"]["title"] for n in (1, 2, 3, 4)]
    assert titles == ["First", "Third", "Fourth", "Fifth"]


def test_a_comparison_marks_words_and_names_tags(news: Desk, clock: Clock) -> None:
    tag = news.client.post_json("/api/staff/tags", {"name": "Garden"}).json
    content = "<p>The <b>old</b> gate &amp; wall</p><ul><li>a</li></ul>"
    item_id = news.create(title="A <gate>", content=content)["id"]
    clock.shift(hours=1)
    changed = "<p>The <b>new</b> gate &amp; wall</p><ul><li>a</li><li>b</li></ul>"
    news.edit(item_id, title="A <wall>", content=changed, tagIds=[tag["id"]])
    news.as_role("admin").client.delete(f"/api/staff/tags/{tag['id']}")

    found = compare(news, item_id)

    assert found["title"]["html"] == "A &lt;<del>gate</del><ins>wall</ins>&gt;"
    assert found["content"]["html"] == (
        "<p>The <b><del>old</del><ins>new</ins></b> gate &amp; wall</p>"
        "<ul><li>a</li><li><ins>b</ins></li></ul>"
    )
    assert "tagIds" not in found  # The tag is deleted, which the next request names.
    unfit = revision(news, item_id, 2)["unfit"]
    assert unfit == [
        {"field": "tagIds", "reason": "invalid", "message": "Does not exist any more: Garden"}
    ]


def test_restoring_is_an_edit_that_waits_for_approval(news: Desk, clock: Clock) -> None:
    public = news.create_public(title="Public", content="<p>One</p>")
    clock.shift(hours=1)
    admin = news.as_role("admin")
    admin.edit(public["id"], content="<p>Two</p>")
    number = revisions(news, public["id"])[1]["number"]

    result = restore(news, public["id"], number)

    assert "content" in result["restored"]
    shown = news.show(public["id"])
    assert (shown["staged"], shown["content"]) == (True, "<p>One</p>")
    assert news.public_item(public["slug"])["content"] == "<p>Two</p>"
    newest = revisions(news, public["id"])[0]
    assert (newest["number"], newest["copy"]) == (result["number"], "staged")
    assert newest["restoredFrom"] == number
    restore(admin, public["id"], number, fields=["nonsense"], status=400)
    restore(admin, public["id"], 99, status=404)
    restore(admin, public["id"], number, etag="1", status=400)


def test_restoring_leaves_out_and_names_refused_values(news: Desk, clock: Clock) -> None:
    item_id = news.create(title="First", slug="first")["id"]
    clock.shift(hours=1)
    news.edit(item_id, title="Second", slug="chosen")
    news.create(title="Other", slug="first", takeOver=True)

    result = restore(news, item_id, 1)

    assert [each["field"] for each in result["unfit"]] == ["slug"]
    shown = news.show(item_id)
    assert (shown["title"], shown["slug"]) == ("First", "chosen")


def test_a_restore_keeps_the_state_before_it(news: Desk, clock: Clock) -> None:
    item_id = news.create(title="First")["id"]
    clock.shift(hours=1)
    news.edit(item_id, title="Second")
    restore(news, item_id, 1)
    restore(news, item_id, 1)

    found = revisions(news, item_id)

    assert [each["number"] for each in found] == [3, 2, 1]
    assert found[0]["digest"] == found[2]["digest"]
    news.delete(item_id)
    news.client.get(path(news, item_id), status=404)


def test_an_approval_records_what_was_shown_and_verify_finds_other_values(
    news: Desk, clock: Clock, instance: Instance
) -> None:
    tag = news.client.post_json("/api/staff/tags", {"name": "Garden"}).json
    item = news.create_public(title="Approved", content="<p>One</p>", tagIds=[tag["id"]])
    news.edit(item["id"], content="<p>Two</p>")
    clock.shift(hours=1)
    admin = news.as_role("admin")
    admin.edit(news.create_public(title="Edited later")["id"], title="By an approver")
    admin.client.delete(f"/api/staff/tags/{tag['id']}")
    approved = [each for each in revisions(news, item["id"]) if each["approvedAt"]]
    assert [each["number"] for each in approved] == [1]
    assert revision(news, item["id"], 1)["approvedAt"]
    assert verify(instance).deviations == []

    table = instance.content_types["news"].model
    with instance.database.transaction() as session:
        session.execute(update(table).where(table.id == item["id"]).values(description="Forged"))

    found = verify(instance)
    assert [(each.id, each.fields) for each in found.deviations] == [(item["id"], ["description"])]
    assert (found.checked, found.unrecorded) == (2, 0)


def test_old_revisions_are_deleted_but_for_what_counts(
    news: Desk, clock: Clock, instance: Instance
) -> None:
    item = news.create_public(title="Public", content="<p>One</p>" * 1_000)
    texts = [f"<p>{number}</p>" + "<p>One</p>" * 1_000 for number in range(6)]
    admin = news.as_role("admin")
    for text in texts[:4]:
        clock.shift(hours=1)
        admin.edit(item["id"], content=text)
    for text in texts[4:]:
        clock.shift(hours=1)
        news.edit(item["id"], content=text)

    with instance.database.transaction() as session:
        delete_of_item(session, Key("news", str(item["id"])), is_old(keep=1, days=0))

    left = revisions(news, item["id"])
    assert [(each["number"], each["copy"]) for each in left] == [
        (7, "staged"),
        (5, "live"),
        (1, "live"),
    ]
    assert revision(news, item["id"], 5)["values"]["content"] == texts[3]
    assert verify(instance).deviations == []


def test_an_approver_sees_live_and_proposed_values_and_all_moves(news: Desk, app: Client) -> None:
    item = news.create_public(title="Public", content="<p>One</p>")
    news.edit(item["id"], content="<p>Two</p>")
    news.request(item["id"], comment="Please")

    shown = app.as_role("admin").get(f"/api/staff/approval/news/{item['id']}").json

    assert (shown["live"]["content"], shown["proposed"]["content"]) == ("<p>One</p>", "<p>Two</p>")
    assert [each["html"] for each in shown["differences"]] == [
        "<p><del>One</del><ins>Two</ins></p>"
    ]
    assert [(each["action"], each["comment"], each["revision"]) for each in shown["moves"]] == [
        ("approval.request", "Please", None),
        ("approval.approve", None, 1),
        ("approval.request", None, None),
    ]
    assert (shown["mayApprove"], shown["revision"], shown["staged"]) == (True, 2, True)
    news.as_role("admin").reject(item["id"], reason="Too short")
    moves = app.as_role("admin").get(f"/api/staff/approval/news/{item['id']}").json["moves"]
    assert moves[0]["reason"] == "Too short"
    app.as_role("admin").get("/api/staff/approval/nonsense/1", status=404)
    news.client.get("/api/staff/approval/news/99", status=404)


def test_texts_about_the_organisation_and_pages_have_revisions(app: Client) -> None:
    site = app.as_role("editor")
    about = "/api/staff/about"
    site.put_json(about, {"mission": {"title": "Aim", "content": "<p>Trees</p>"}})
    app.as_role("admin").put_json(about, {"mission": {"content": "<p>Forests</p>"}})

    found = site.get(f"{about}/revisions/compare").json
    site.post_json(f"{about}/revisions/2/restore", {"etag": "1"}, status=400)
    restored = site.post_json(f"{about}/revisions/2/restore", {}).json

    assert [(each["field"], each["html"]) for each in found["differences"]] == [
        ("mission.content", "<p><del>Trees</del><ins>Forests</ins></p>")
    ]
    assert (restored["restored"], restored["number"]) == (["history", "mission"], 4)
    assert site.get(about).json["mission"]["content"] == "<p>Trees</p>"
    page = site.post_json("/api/staff/pages", {"title": "Imprint", "published": True}).json["id"]
    site.put_json(f"/api/staff/pages/{page}", {"title": "About us", "published": False})
    site.post_json(f"/api/staff/pages/{page}/revisions/1/restore", {})
    shown = site.get(f"/api/staff/pages/{page}").json
    assert (shown["title"], shown["published"]) == ("Imprint", False)


LETTER = {"title": "May", "subject": "First", "html_content": "<p>One</p>", "text_content": "One"}
FIRST_BODIES = {
    "news": {"title": "First"},
    "events": {"title": "First", "startDate": "2036-01-01T00:00:00.000Z"},
    "actions": {"title": "First"},
    "newsletters": LETTER,
    "email-templates": {"name": "First", **{n: LETTER[n] for n in LETTER if n != "title"}},
    "people": {"name": "First", "role": "Chair"},
}


@pytest.mark.parametrize("name", FIRST_BODIES)
def test_each_kind_of_items_can_be_restored(app: Client, clock: Clock, name: str) -> None:
    staff, address = app.as_role("admin"), f"/api/staff/{name}"
    changed = next(n for n, value in FIRST_BODIES[name].items() if value == "First")
    made = staff.post_json(address, FIRST_BODIES[name]).json["id"]
    clock.shift(minutes=10)
    staff.put_json(f"{address}/{made}", {changed: "Second"})

    [difference] = [
        each
        for each in staff.get(f"{address}/{made}/revisions/compare").json["differences"]
        if each["field"] == changed
    ]
    assert difference["html"] == "<del>First</del><ins>Second</ins>"
    answer = staff.post_json(f"{address}/{made}/revisions/1/restore", {}).json
    assert changed in answer["restored"]
    assert staff.get(f"{address}/{made}").json[changed] == "First"


def test_a_restore_with_an_outdated_revision_is_refused(news: Desk, clock: Clock) -> None:
    item_id = news.create(title="First")["id"]
    clock.shift(hours=1)
    for title in ("Second", "Third"):
        news.as_role("admin").edit(item_id, title=title)
    etag = str(news.client.get(f"/api/staff/news/{item_id}").headers["ETag"]).strip('"')

    assert restore(news, item_id, 1, etag=etag)["success"]
    newest = revisions(news, item_id)[0]["number"]
    assert revision(news, item_id, newest)["restoredFrom"] == 1
    refused = restore(news, item_id, 2, etag=etag, status=400)

    assert "error" in refused
    assert news.show(item_id)["title"] == "First"


def test_a_proposal_needs_the_permission_to_read_its_type(
    news: Desk, app: Client, make_role: Callable[..., Role]
) -> None:
    item_id = news.create(title="Secret")["id"]
    make_role("events only", "events.read", "events.write")

    answer = app.as_role("events only").get(f"/api/staff/approval/news/{item_id}", status=403)

    assert "Secret" not in answer.text


def test_values_of_other_fields_are_named_and_the_rest_is_restored(
    news: Desk, clock: Clock, instance: Instance
) -> None:
    item_id = news.create(title="First", description="Kept")["id"]
    clock.shift(hours=1)
    news.edit(item_id, title="Second", description="Changed")
    kept = instance.content_types["news"]
    former = news.client.get(f"{path(news, item_id)}/1").json["values"]
    hostile = {"content": "<p>Hi</p><script>alert(1)</script>", "title": "", "colour": "red"}
    values = {n: v for n, v in former.items() if n != "category"} | hostile
    with instance.database.transaction() as session:
        snapshot = Snapshot(values)
        store(session, Key(kept.name, str(item_id)), snapshot, None)
        first = update(Revision).where(Revision.item == str(item_id), Revision.number == 1)
        session.execute(first.values(digest=snapshot.digest))

    shown = revision(news, item_id, 1)
    result = restore(news, item_id, 1)

    assert shown["values"]["content"] == "<p>Hi</p>"
    reasons = {each["field"]: each["reason"] for each in shown["unfit"]}
    assert reasons == {"category": "added", "colour": "removed"}
    assert {each["field"] for each in result["unfit"]} == {"category", "colour", "title"}
    assert news.show(item_id)["description"] == "Kept"


def test_a_long_text_with_many_small_changes_needs_little_storage(
    news: Desk, clock: Clock, instance: Instance
) -> None:
    words = [f"word{number * 7919 % 10_007}" for number in range(8_000)]
    item_id = news.create(title="Long", content=f"<p>{' '.join(words)}</p>")["id"]
    for number in range(20):
        clock.shift(hours=1)
        words[number * 300] = "changed"
        news.edit(item_id, content=f"<p>{' '.join(words)}</p>")

    size = select(func.sum(func.length(RevisionValue.data)))
    with instance.database.read() as connection:
        stored = connection.execute(size.where(RevisionValue.item == str(item_id))).scalar_one()
    assert stored < len(" ".join(words))
    first, last = (revision(news, item_id, n)["values"]["content"] for n in (2, 21))
    assert (first.count("changed"), last.count("changed")) == (1, 20)


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("pages", "title", "content"),
        ("newsletters", "subject", "notes"),
        ("people", "name", "role"),
    ],
)
def test_two_changes_of_a_resource_are_merged(
    clock: Clock,  # noqa: ARG001 - stops the clock before
    app: Client,
    kind: str,
    first: str,
    second: str,
) -> None:
    editor, admin = app.as_role("editor"), app.as_role("admin")
    names = ("title", "name", "role", "subject", "html_content")
    answer = editor.post_json(f"/api/staff/{kind}", dict.fromkeys(names, "A"))
    path, stale = f"/api/staff/{kind}/{answer.json['id']}", {"If-Match": answer.headers["ETag"]}
    admin.put_json(path, {first: "B"})

    saved = editor.put_json(path, {first: "A", second: "C", "merge": True}, headers=stale)

    assert (saved.json[first], saved.json["merged"]) == ("B", [first])
    assert editor.get(path).json[second].replace("<p>", "").startswith("C")
    change = {first: "D", second: "D", "merge": True}
    conflict = editor.put_json(path, change, headers=stale, status=412).json["conflict"]
    assert conflict["collisions"] == sorted([first, second])
