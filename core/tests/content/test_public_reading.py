"""Public answers: related content, current tags and authors, and conditional requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from masthead.auth.models import User
from masthead.testing import Desk
from masthead.testing.clock import Clock


def test_related_items_share_the_most_tags_and_are_the_newest(
    clock: Clock, memos: Desk, make_tag: Callable[[str], Any]
) -> None:
    a, b, c = (make_tag(name)["id"] for name in "abc")

    def publish(*tags: int) -> int:
        clock.shift(minutes=1)
        item: int = memos.create_public(tagIds=tags)["id"]
        return item

    this = publish(a, b, c)
    old, two, new = publish(a), publish(a, b), publish(c)
    publish()

    assert [each["id"] for each in memos.related(this)] == [two, new, old]
    newer = publish(b)
    assert [each["id"] for each in memos.related(this)] == [two, newer, new]
    assert [each["id"] for each in memos.related(old)] == [two, this]


def test_equal_values_in_a_related_by_field_relate_items(
    toys: Desk,
) -> None:
    both = toys.create_public(maker="Ada", minAge=3)["id"]
    maker = toys.create_public(maker="Ada", minAge=4)["id"]
    age = toys.create_public(maker="", minAge=3)["id"]
    neither = toys.create_public(maker="")["id"]

    assert sorted(each["id"] for each in toys.related(both)) == [maker, age]
    assert [each["id"] for each in toys.related(age)] == [both]
    assert toys.related(neither) == []


def test_case_blanks_and_normal_forms_make_no_difference_to_related_items(toys: Desk) -> None:
    makers = ["Café  Straße", "CAFÉ STRASSE", "cafe\u0301 strasse", "cAFé\u00a0STRAßE"]
    ids = [toys.create_public(maker=maker)["id"] for maker in makers]
    toys.create_public(maker="cafe strasse")
    hidden = toys.create(maker="café straße")["id"]

    for item_id in ids:
        assert {each["id"] for each in toys.related(item_id)} == set(ids) - {item_id}
    assert toys.related(hidden) == []


def test_a_former_slug_leads_to_a_renamed_tag_until_another_tag_has_it(
    memos: Desk, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("Water")
    memos.create_public(title="Lake", tagIds=[tag["id"]])

    def rename(item: Any, name: str) -> None:
        memos.client.as_role("admin").put_json(f"/api/staff/tags/{item['id']}", {"name": name})

    rename(tag, "Sea")
    rename(tag, "Ocean")
    for slug in ("water", "sea", "ocean"):
        assert len(memos.public_list(tag=slug)) == 1
        assert len(memos.public_list(tag=slug, search="lake")) == 1
        assert memos.client.get(f"/api/memos?tag={slug}").headers["X-Total-Count"] == "1"
    air, other = make_tag("Air"), make_tag("Fire")
    rename(air, "Sea")
    assert len(memos.public_list(tag="sea")) == 1
    for item, name in ((air, "Sea"), (other, "Water")):
        body = {"name": name, "slug": name.lower(), "takeOver": True}
        memos.client.as_role("admin").put_json(f"/api/staff/tags/{item['id']}", body)
    assert [len(memos.public_list(tag=slug)) for slug in ("water", "sea", "ocean")] == [0, 0, 1]
    rename(other, "Rain")
    assert [len(memos.public_list(tag=slug)) for slug in ("water", "rain", "ocean")] == [0, 0, 1]
    rename(tag, "Ocean!")
    assert len(memos.public_list(tag="ocean")) == 1


def test_hidden_items_are_not_related_and_have_no_related_items(
    clock: Clock, memos: Desk, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("a")["id"]
    public = memos.create_public(tagIds=[tag])["id"]
    draft = memos.create(tagIds=[tag])["id"]
    down = memos.create_public(tagIds=[tag])["id"]
    memos.edit(down, published=False)
    later = memos.create_public(tagIds=[tag], scheduledPublishAt="2026-04-01")["id"]

    for hidden in (draft, down, later, 999):
        assert memos.related(hidden) == []
    assert memos.related(public) == []
    clock.move_to("2026-04-01T00:00:00.000Z")
    assert [each["id"] for each in memos.related(public)] == [later]
    assert [each["id"] for each in memos.related(later)] == [public]


def test_a_renamed_or_deleted_tag_shows_at_once(
    memos: Desk, make_tag: Callable[[str], Any]
) -> None:
    tag, other = make_tag("Water"), make_tag("Air")
    item = memos.create_public(tagIds=[tag["id"], other["id"]])
    path = f"/api/staff/tags/{tag['id']}"

    def shown() -> list[list[str]]:
        outlets = (memos.public_item(item["slug"]), *memos.public_list(), memos.show(item["id"]))
        return [[each["slug"] for each in outlet["tags"]] for outlet in outlets]

    assert shown() == [["air", "water"]] * 3
    memos.client.put_json(path, {"name": "Aether"})
    assert shown() == [["aether", "air"]] * 3
    assert len(memos.public_list(tag="water")) == 1
    assert len(memos.public_list(tag="aether")) == 1
    memos.client.delete(path)
    assert shown() == [["air"]] * 3
    assert memos.public_list(tag="aether") == memos.public_list(tag="water") == []


def test_the_authors_name_shows_at_once(memos: Desk, make_user: Callable[..., User]) -> None:
    ada = memos.as_user(make_user("ada", display_name="Ada"))
    item = ada.create_public()
    assert memos.public_list()[0]["author"] == {"displayName": "Ada"}

    for name, author in (("Ada L.", {"displayName": "Ada L."}), (None, None)):
        ada.client.put_json("/api/staff/profile", {"displayName": name})
        assert memos.public_list()[0]["author"] == author
        assert memos.public_item(item["slug"])["author"] == author


def test_an_unchanged_answer_is_not_sent_again(clock: Clock, memos: Desk) -> None:
    item = memos.create_public()
    memos.create_public(title="Later", scheduledPublishAt="2026-04-01")
    paths = ("/api/memos", f"/api/memos/{item['slug']}", f"/api/memos/{item['id']}/related")
    etags = {path: memos.client.get(path).headers["ETag"] for path in paths}

    def unchanged(path: str) -> bool:
        answer = memos.client.get(path, headers={"If-None-Match": etags[path]}, status="*")
        return bool(answer.status_int == 304)

    assert all(unchanged(path) for path in paths)
    clock.move_to("2026-04-01T00:00:00.000Z")
    assert not unchanged("/api/memos")
    memos.as_role("admin").edit(item["id"], title="Changed")
    assert not unchanged(paths[1])


def test_head_has_the_headers_of_get(memos: Desk) -> None:
    memos.create_public()
    for path in ("/api/memos", "/api/memos/a-title", "/api/memos/1/related"):
        got, head = memos.client.get(path), memos.client.head(path)
        assert head.headers["ETag"] == got.headers["ETag"]
        assert head.headers.get("X-Total-Count") == got.headers.get("X-Total-Count")


def test_text_in_any_script_is_returned_byte_for_byte(memos: Desk) -> None:
    text = "„Zitat“ 'quote' \"double\" back\\slash 日本 😀 \u2028 &amp; </script>"
    title = text.replace("\u2028 ", "")
    item = memos.create_public(title=title, description=text)

    for shown in (memos.public_item(item["slug"]), *memos.public_list(), *memos.list()):
        assert (shown["title"], shown["description"]) == (title, text)
