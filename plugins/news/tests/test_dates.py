"""The date of an article is the client's, or else the time when it first became public."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.testing import Clock, Desk

pytestmark = pytest.mark.usefixtures("clock")

NOW = "2026-03-01T09:30:00.000Z"
SCHEDULED = "2026-03-05T00:00:00.000Z"


def titles(items: list[dict[str, Any]]) -> list[str]:
    return [item["title"] for item in items]


def test_an_article_is_dated_by_its_first_approval(clock: Clock, desk: Desk) -> None:
    item = desk.create()
    assert item["publishedAt"] is None

    assert desk.publish(item["id"])["publishedAt"] == NOW
    clock.shift(days=1)
    desk.edit(item["id"], title="Edited")
    assert desk.publish(item["id"])["publishedAt"] == NOW
    desk.edit(item["id"], published=False)
    desk.edit(item["id"], title="Edited again")
    assert desk.publish(item["id"])["publishedAt"] == NOW


def test_a_scheduled_article_is_dated_by_its_schedule(desk: Desk) -> None:
    later = desk.create_public(scheduledPublishAt="2026-03-09T00:00:00.000Z")
    past = desk.create_public(scheduledPublishAt="2026-02-01T00:00:00.000Z")

    assert later["publishedAt"] == "2026-03-09T00:00:00.000Z"
    assert past["publishedAt"] == NOW


@pytest.mark.slow
@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("moved", [None, "2026-03-06T00:00:00.000Z"])
@pytest.mark.parametrize("own", [None, "2025-01-01T00:00:00.000Z"])
def test_an_articles_date_follows_its_schedule_until_it_comes(
    clock: Clock, desk: Desk, staged: bool, moved: str | None, own: str | None
) -> None:
    item = desk.create_public(scheduledPublishAt=SCHEDULED, publishedAt=own)

    clock.move_to("2026-03-03T00:00:00Z")
    (desk if staged else desk.as_role("admin")).edit(item["id"], scheduledPublishAt=moved)
    if staged:
        desk.publish(item["id"])

    dated = own or moved or "2026-03-03T00:00:00.000Z"
    assert desk.show(item["id"])["publishedAt"] == dated
    clock.move_to("2026-03-07T00:00:00Z")
    desk.as_role("admin").edit(item["id"], scheduledPublishAt="2026-03-20T00:00:00.000Z")
    desk.as_role("admin").edit(item["id"], scheduledPublishAt=None)
    assert [each["publishedAt"] for each in desk.public_list()] == [dated]


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("own", [None, "2025-01-01T00:00:00.000Z"])
def test_an_article_taken_down_before_its_time_is_dated_by_its_return(
    clock: Clock, desk: Desk, own: str | None, staged: bool
) -> None:
    item = desk.create_public(scheduledPublishAt=SCHEDULED, publishedAt=own)
    if staged:
        desk.edit(item["id"], title="Edited")

    desk.bulk("unpublish", [item["id"]])
    assert desk.show(item["id"])["publishedAt"] == own
    clock.move_to("2026-03-07T00:00:00Z")
    if staged:
        desk.publish(item["id"])
    else:
        desk.bulk("publish", [item["id"]])

    assert desk.public_list()[0]["publishedAt"] == (own or "2026-03-07T00:00:00.000Z")


def test_a_date_that_is_staged_stays_when_the_article_is_taken_down(
    clock: Clock, desk: Desk
) -> None:
    item = desk.create_public(scheduledPublishAt=SCHEDULED)
    desk.edit(item["id"], publishedAt="2025-01-01")
    desk.bulk("unpublish", [item["id"]])

    clock.move_to("2026-03-07T00:00:00Z")
    desk.publish(item["id"])

    assert desk.public_list()[0]["publishedAt"] == "2025-01-01T00:00:00.000Z"


def test_a_schedule_that_comes_with_the_publishing_dates_the_article(desk: Desk) -> None:
    item = desk.create_public(scheduledPublishAt=SCHEDULED)
    desk.edit(item["id"], published=False)

    later = "2026-03-09T00:00:00.000Z"
    shown = desk.as_role("admin").edit(item["id"], published=True, scheduledPublishAt=later)

    assert shown["publishedAt"] == later


def test_a_date_of_the_clients_own_stays(desk: Desk) -> None:
    old = desk.create_public(title="Old", publishedAt="2020-01-01")
    ahead = desk.create_public(title="Ahead", publishedAt="2030-01-01T01:00:00+01:00")

    assert old["publishedAt"] == "2020-01-01T00:00:00.000Z"
    assert ahead["publishedAt"] == "2030-01-01T00:00:00.000Z"
    assert titles(desk.public_list()) == ["Ahead", "Old"]


def test_a_date_given_while_pending_stays(desk: Desk) -> None:
    item = desk.create()
    desk.request(item["id"])

    desk.as_role("admin").edit(item["id"], publishedAt="2021-01-01")
    desk.as_role("admin").approve(item["id"])

    assert desk.show(item["id"])["publishedAt"] == "2021-01-01T00:00:00.000Z"


def test_the_latest_come_first_and_then_the_highest_id(desk: Desk) -> None:
    same = [desk.create_public(title=f"Same {n}", publishedAt="2026-01-02") for n in range(3)]
    desk.create_public(title="Newest", publishedAt="2026-01-03")
    desk.create_public(title="Oldest", publishedAt="2026-01-01")
    undated = desk.create_public(title="Undated", publishedAt="2020-01-01")
    desk.as_role("admin").edit(undated["id"], publishedAt=None)

    wanted = ["Undated", "Newest", "Same 2", "Same 1", "Same 0", "Oldest"]
    assert titles(desk.public_list()) == wanted
    desk.as_role("admin").edit(same[0]["id"], publishedAt="2026-01-04")
    assert titles(desk.public_list())[:3] == ["Undated", "Same 0", "Newest"]


def test_staff_see_drafts_last_and_the_newest_of_them_first(clock: Clock, desk: Desk) -> None:
    desk.create(title="Older draft")
    clock.shift(minutes=1)
    desk.create(title="Newer draft")
    desk.create(title="Newest draft")
    desk.create(title="Dated draft", publishedAt="2025-01-01")
    desk.create_public(title="Public")

    assert titles(desk.list()) == [
        "Public",
        "Dated draft",
        "Newest draft",
        "Newer draft",
        "Older draft",
    ]
    assert titles(desk.list(limit=2, offset=1)) == ["Dated draft", "Newest draft"]


def test_a_staged_date_moves_nothing_before_its_approval(desk: Desk) -> None:
    first = desk.create_public(title="First", publishedAt="2026-01-02")
    desk.create_public(title="Second", publishedAt="2026-01-01")

    edited = desk.edit(first["id"], publishedAt="2025-01-01")

    assert (edited["publishedAt"], edited["staged"]) == ("2025-01-01T00:00:00.000Z", True)
    assert titles(desk.public_list()) == ["First", "Second"]
    desk.publish(first["id"])
    assert titles(desk.public_list()) == ["Second", "First"]


def test_a_form_that_was_opened_on_the_draft_keeps_the_date_when_saved(desk: Desk) -> None:
    draft = desk.create(title="One")
    published = desk.publish(draft["id"])["publishedAt"]
    form = {name: draft[name] for name in ("title", "description", "publishedAt")}

    desk.as_role("admin").edit(draft["id"], **form, category="live")
    assert desk.show(draft["id"])["publishedAt"] == published
    desk.edit(draft["id"], **form, category="staged")
    desk.publish(draft["id"])

    assert desk.show(draft["id"])["publishedAt"] == published
    assert desk.public_list()[0]["publishedAt"] == published
