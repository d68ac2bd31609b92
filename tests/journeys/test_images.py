"""Images and the items that use them, from upload to delete."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import pytest
import webtest
from PIL import Image
from webtest.forms import Upload

from masthead import Instance
from masthead.auth.tokens import SECRETS
from masthead.instance import DATA, DATABASE_URL, PLUGINS, open_instance
from masthead.testing import Client, Clock, Desk
from masthead.web.app import app_of
from masthead.worker.worker import YIELD_DELAY, Worker

BASE = "http://127.0.0.1:6543"
PROPOSALS = "/api/staff/action-proposals"


def image(colour: str) -> Upload:
    file = BytesIO()
    Image.new("RGB", (400, 300), colour).save(file, "PNG")
    return Upload("a.png", file.getvalue(), "image/png")


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


@pytest.fixture
def upload(staff: Client) -> Callable[[str], Any]:
    return lambda colour: staff.post("/api/staff/upload/image", {"file": image(colour)}).json


@pytest.fixture
def submit(app: Client) -> Callable[[str], Any]:
    return lambda colour: app.post("/api/ycs/upload/image", {"file": image(colour)}).json


def propose(app: Client, images: list[str], content: str | None = None) -> int:
    proposal = {
        "title": "A café for repairs",
        "description": "Once a month",
        "contactName": "Ada",
        "contactEmail": "ada@example.org",
        "imageUrls": images,
        "content": content or "<p>Bring what is broken</p>",
    }
    return int(app.post_json("/api/ycs/submit-action", proposal).json["id"])


def delete(staff: Client, key: str, status: int = 200, query: str = "") -> Any:
    return staff.delete(f"/api/staff/images/{key}{query}", status=status).json


def test_an_accepted_proposal_keeps_its_images(
    app: Client, staff: Client, submit: Callable[[str], Any]
) -> None:
    red, blue, green = (submit(colour)["url"] for colour in ("red", "blue", "green"))
    foreign = "https://example.org/c.png"
    widths = f'src="{green}?w=320" srcset="{green}?w=320 320w, {green} 400w"'
    content = f'<p><a href="{green}"><img {widths}></a><img src="{foreign}"></p>'
    proposal = propose(app, [red, BASE + blue, foreign], content)

    action_id = staff.post(f"{PROPOSALS}/{proposal}/accept").json["id"]

    action = Desk(app, "actions").as_role("editor").show(action_id)
    assert action["coverImageUrl"].startswith("/api/images/images/")
    assert app.get(action["coverImageUrl"]).body == app.get(red).body
    assert green not in action["content"]
    assert foreign in action["content"]
    assert action["content"].count("/api/images/images/") == 4
    assert action["content"].count("?w=320") == 2
    keys = [each["key"] for each in staff.get("/api/staff/images").json]
    assert sorted(key.split("/")[0] for key in keys) == ["images"] * 3 + ["ycs-submissions"] * 3
    # The sender still sees the submitted image.
    assert staff.get(f"{PROPOSALS}/{proposal}").json["imageUrls"] == [red, BASE + blue, foreign]


def test_a_copy_of_an_image_that_staff_have_is_the_same_image(
    app: Client, staff: Client, submit: Callable[[str], Any], upload: Callable[[str], Any]
) -> None:
    theirs = upload("red")
    proposals = [propose(app, [submit("red")["url"]]) for _ in range(2)]

    for proposal in proposals:
        action_id = staff.post(f"{PROPOSALS}/{proposal}/accept").json["id"]
        action = Desk(app, "actions").as_role("editor").show(action_id)
        assert action["coverImageUrl"] == theirs["url"]
        staff.post(f"{PROPOSALS}/{proposal}/accept", status=400)

    keys = [each["key"] for each in staff.get("/api/staff/images").json]
    assert sum(key.startswith("images/") for key in keys) == 1


def test_a_proposal_with_images_whose_bytes_are_missing_can_be_accepted(
    app: Client,
    staff: Client,
    submit: Callable[[str], Any],
    upload: Callable[[str], Any],
    instance: Instance,
) -> None:
    lost, known, again = submit("red"), upload("blue"), submit("blue")
    for each in (lost, known):
        (instance.data / "media" / each["key"]).unlink()
    proposal = propose(app, [again["url"]], f'<p><img src="{lost["url"]}"></p>')

    action_id = staff.post(f"{PROPOSALS}/{proposal}/accept").json["id"]

    action = Desk(app, "actions").as_role("editor").show(action_id)
    assert action["coverImageUrl"] == known["url"]
    assert app.get(known["url"]).body == app.get(again["url"]).body
    assert lost["url"] in action["content"]


def test_a_refused_acceptance_copies_no_image(
    app: Client,
    staff: Client,
    submit: Callable[[str], Any],
    make_user: Callable[..., Any],
    make_role: Callable[..., Any],
) -> None:
    make_role("reviewer", "proposals.read", "proposals.write")
    proposal = propose(app, [submit("red")["url"]])

    app.as_user(make_user(role="reviewer")).post(f"{PROPOSALS}/{proposal}/accept", status=403)

    assert len(staff.get("/api/staff/images").json) == 1


def test_every_use_of_an_image_is_found_before_it_is_deleted(
    app: Client, staff: Client, upload: Callable[[str], Any]
) -> None:
    made = upload("red")
    url, key = made["url"], made["key"]
    desk = Desk(app, "news").as_role("editor")
    in_text = desk.create(title="In a text", content=f'<p><img src="{BASE}{url}?w=320"></p>')
    staged = desk.create_public(title="Live")
    desk.edit(staged["id"], title="Staged", imageUrl=url)
    event = (
        Desk(app, "events")
        .as_role("editor")
        .create(title="Fair", startDate="2036-01-01T00:00:00.000Z", imageUrl=f"{url}?w=640")
    )
    person = staff.post_json(
        "/api/staff/people", {"name": "Ada", "role": "Chair", "imageUrl": url}
    ).json
    staff.put_json("/api/staff/static-images/logo", {"imageUrl": url})
    proposal = propose(app, ["https://example.org/a.png", url])

    error = delete(staff, key, 400)["error"]

    for use in (
        f"news {in_text['id']} (In a text)",
        f"news {staged['id']} (Live)",
        f"events {event['id']} (Fair)",
        f"people {person['id']} (Ada)",
        "static-images logo",
        f"proposals {proposal} (A café for repairs)",
    ):
        assert use in error
    app.get(url, status=200)
    assert delete(staff, key, query="?force=true") == {"success": True}
    app.get(url, status=404)
    delete(staff, key, 404)


def test_an_image_that_is_no_longer_used_can_be_deleted(
    app: Client, staff: Client, upload: Callable[[str], Any], instance: Instance
) -> None:
    first, other = upload("red"), upload("blue")
    desk = Desk(app, "news").as_role("editor")
    item = desk.create(title="Article", imageUrl=first["url"])
    app.get(f"{first['url']}?w=320", status=200)
    delete(staff, first["key"], 400, "?force=false")

    assert delete(staff, other["key"]) == {"success": True}
    desk.edit(item["id"], imageUrl=None)
    assert delete(staff, first["key"]) == {"success": True}

    folder = instance.data / "media"
    assert [p for p in folder.rglob("*") if p.is_file()] == []
    assert staff.get("/api/staff/images").json == []
    assert upload("red")["duplicate"] is False
    entries = app.as_role("admin").get("/api/staff/audit-log?contentType=images").json
    assert [entry["action"] for entry in entries] == ["image.delete"] * 2
    assert entries[0]["detail"] == {"key": first["key"], "uses": 0}


def test_visitors_uploads_are_deleted_after_a_week_unless_they_are_used(
    clock: Clock, app: Client, staff: Client, submit: Callable[[str], Any], work: Any
) -> None:
    named, unnamed, used = (submit(colour) for colour in ("red", "blue", "green"))
    proposal = propose(app, [named["url"]])
    Desk(app, "news").as_role("editor").create(title="Article", imageUrl=used["url"])

    clock.shift(days=6, hours=23)
    work()
    assert len(staff.get("/api/staff/images").json) == 3
    clock.shift(hours=2)
    work()

    app.get(named["url"], status=200)
    app.get(used["url"], status=200)
    app.get(unnamed["url"], status=404)
    staff = app.as_role("editor")
    staff.delete(f"{PROPOSALS}/{proposal}")
    clock.shift(days=1, hours=1)
    work()
    app.get(named["url"], status=404)
    staff = app.as_role("editor")
    assert [each["key"] for each in staff.get("/api/staff/images").json] == [used["key"]]


@pytest.fixture
def without_news(instance: Instance) -> Iterator[Instance]:
    """Return the same instance, opened with news disabled."""
    others = {plugin.name for plugin in instance.plugins} - {"core", "news"}
    ini = {
        DATA.name: str(instance.data),
        DATABASE_URL.name: instance.database.url.render_as_string(hide_password=False),
        PLUGINS.name: " ".join(others),
        SECRETS.name: " ".join(instance.settings[SECRETS]),
    }
    opened = open_instance(ini, {})
    yield opened
    opened.close()


def test_an_image_that_a_disabled_plugin_uses_is_kept(
    clock: Clock,
    app: Client,
    submit: Callable[[str], Any],
    without_news: Instance,
) -> None:
    covers, in_text, staged, _ = (submit(each) for each in ("red", "blue", "lime", "grey"))
    desk = Desk(app, "news").as_role("editor")
    item = desk.create_public(title="Cover", imageUrl=f"{BASE}{covers['url']}?w=320")
    desk.create(title="Text", content=f'<p><img src="{in_text["url"]}"></p>')
    desk.edit(item["id"], imageUrl=staged["url"])
    clock.shift(days=8)

    worker = Worker(without_news)
    while worker.turn() == YIELD_DELAY:
        pass

    found = {each["key"] for each in app.as_role("editor").get("/api/staff/images").json}
    assert found == {covers["key"], in_text["key"], staged["key"]}
    other = webtest.TestApp(app_of(without_news))
    other.authorization = app.as_role("editor").authorization
    path = f"/api/staff/images/{covers['key']}"
    error = other.delete(path, status=400).json["error"]
    assert error == "The image is used: once where you may not read"
    # The permissions of a disabled plugin are unknown, so only an administrator may read its items.
    other.authorization = app.as_role("admin").authorization
    error = other.delete(path, status=400).json["error"]
    assert error == f"The image is used: news_article {item['id']} (Cover)"
    other.delete(f"{path}?force=1", status=200)


def test_a_feed_has_the_length_of_an_image(app: Client, upload: Callable[[str], Any]) -> None:
    made = upload("red")
    Desk(app, "news").as_role("editor").create_public(title="Article", imageUrl=made["url"])
    length = len(app.get(made["url"]).body)

    feed = app.get("/api/feed/news")

    enclosure = f'<enclosure url="{BASE}{made["url"]}" length="{length}" type="image/png"/>'
    assert enclosure in feed.text
    delete(app.as_role("editor"), made["key"], query="?force=true")
    assert "<enclosure" not in app.get("/api/feed/news").text
