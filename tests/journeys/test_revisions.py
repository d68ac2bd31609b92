"""Revisions: former states of items that staff list, compare and restore."""

from __future__ import annotations

from typing import Any

import pytest

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
