"""Comments of staff beside items of each type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from masthead import Instance, User
from masthead.auth.models import Role
from masthead.comments.models import Comment
from masthead.testing import Client, Clock, Desk

BODIES = {
    "news": {"title": "Garden"},
    "events": {"title": "Garden", "startDate": "2036-01-01T00:00:00.000Z"},
    "actions": {"title": "Garden"},
    "newsletters": {"title": "Garden", "subject": "Garden", "html_content": "<p>One</p>"},
}
MakeUser = Callable[..., User]


class Thread:
    """The comments beside an item."""

    def __init__(self, client: Client, content_type: str, item_id: int) -> None:
        self._client = client
        self._path = f"/api/staff/comments/{content_type}/{item_id}"

    def by(self, client: Client) -> Thread:
        """Return the same comments for another user."""
        other = Thread(client, "", 0)
        other._path = self._path
        return other

    def write(self, text: Any, *, status: int = 200) -> Any:
        return self._client.post_json(self._path, {"text": text}, status=status).json

    def list(self, *, status: int = 200, **query: Any) -> Any:
        return self._client.get(self._path, query, status=status)

    def texts(self, **query: Any) -> list[str]:
        return [each["text"] for each in self.list(**query).json]

    def change(self, comment: Any, text: str, *, status: int = 200) -> Any:
        path = f"{self._path}/{comment['id']}"
        return self._client.put_json(path, {"text": text}, status=status).json

    def delete(self, comment: Any, *, status: int = 200) -> Any:
        return self._client.delete(f"{self._path}/{comment['id']}", status=status).json

    def show(self, comment: Any, *, status: int = 200) -> Any:
        return self._client.get(f"{self._path}/{comment['id']}", status=status).json

    def resolve(self, comment: Any, **body: Any) -> Any:
        return self._client.post_json(f"{self._path}/{comment['id']}/resolve", body).json


@pytest.fixture
def thread(clock: Clock, app: Client) -> Thread:  # noqa: ARG001 - stops the clock before
    editor = Desk(app, "news").as_role("editor")
    return Thread(editor.client, "news", editor.create(title="Garden")["id"])


def mentions(client: Client) -> list[Any]:
    found = client.get("/api/staff/notifications").json
    return [each for each in reversed(found) if each["title"].startswith("Comment")]


@pytest.mark.parametrize("name", BODIES)
def test_comments_of_each_type_go_with_their_item(
    app: Client, instance: Instance, name: str
) -> None:
    desk = Desk(app, name).as_role("editor")
    kept, deleted = (desk.create(**BODIES[name])["id"] for _ in range(2))
    threads = [Thread(desk.client, name, each) for each in (kept, deleted)]
    for thread in threads:
        comment = thread.write("First")
        thread.write("Second")
    assert threads[0].texts() == ["First", "Second"]

    admin = desk.as_role("admin")
    admin.delete(deleted)

    threads[1].list(status=404)
    threads[1].write("Third", status=404)
    threads[1].show(comment, status=404)
    [trashed] = admin.client.get("/api/staff/trash").json
    admin.client.post_json(f"/api/staff/trash/{trashed['id']}/restore", {})
    assert threads[1].texts() == ["First", "Second"]
    admin.delete(deleted)
    [trashed] = admin.client.get("/api/staff/trash").json
    admin.client.delete(f"/api/staff/trash/{trashed['id']}")
    with instance.database.session() as session:
        assert set(session.scalars(select(Comment.item))) == {str(kept)}


def test_an_author_changes_and_deletes_and_all_readers_resolve(
    thread: Thread, app: Client, clock: Clock, make_user: MakeUser
) -> None:
    other = thread.by(app.as_user(make_user("ada")))
    first, second = thread.write("First"), thread.write("  Second\nline ")
    assert (second["text"], second["author"]["username"]) == ("Second\nline", "some-editor")
    assert (first["editedAt"], first["resolvedAt"], first["etag"]) == (None, None, "1")
    clock.shift(hours=1)

    other.change(first, "Forged", status=403)
    other.delete(first, status=403)
    changed = thread.change(first, "Changed")
    assert (changed["text"], changed["etag"]) == ("Changed", "2")
    assert changed["editedAt"] > first["createdAt"]
    resolved = other.resolve(first)
    assert resolved["resolvedBy"]["username"] == "ada"
    assert thread.resolve(first) == resolved
    assert thread.texts(resolved="true") == ["Changed"]
    assert thread.texts(resolved="false") == ["Second\nline"]
    assert thread.resolve(first, resolved=False)["resolvedAt"] is None

    thread.delete(first)
    thread.delete(first, status=404)
    thread.by(app.as_role("admin")).delete(second)
    assert thread.texts() == []


def test_comments_are_paged_and_bounded(thread: Thread) -> None:
    for number in range(5):
        thread.write(f"Comment {number}")

    page = thread.list(limit=2, offset=2)

    assert [each["text"] for each in page.json] == ["Comment 2", "Comment 3"]
    assert page.headers["X-Total-Count"] == "5"
    for wrong in ("", "  ", "x" * 5_001, None, 5, ["a"], "a\x00b"):
        assert thread.write(wrong, status=400)["fields"][0]["path"] == "text"
    hostile = "<script>alert(1)</script>"
    assert thread.write(hostile)["text"] == hostile


def test_comments_need_the_permission_to_read_the_type(
    thread: Thread, app: Client, make_user: MakeUser, make_role: Callable[..., Role]
) -> None:
    comment = thread.write("Secret")
    make_role("readers", "news.read")
    make_role("others", "events.read", "events.write")
    reader, other = (
        thread.by(app.as_user(make_user(role, role=role))) for role in ("readers", "others")
    )

    assert reader.texts() == ["Secret"]
    reader.write("Mine")
    other.list(status=403)
    other.write("Mine", status=403)
    other.delete(comment, status=403)
    other.change(comment, "Mine", status=403)
    app.as_role("editor").get("/api/staff/comments/boats/1", status=404)
    app.as_role("editor").get("/api/staff/comments/tags/1", status=404)
    Thread(app.as_role("editor"), "news", 999).list(status=404)
    # A comment isn't found beside another item.
    item = Desk(app, "news").as_role("editor").create(title="Other")["id"]
    Thread(app.as_role("editor"), "news", item).delete(comment, status=404)


def test_mentions_notify_readers_once(
    thread: Thread, app: Client, make_user: MakeUser, make_role: Callable[..., Role]
) -> None:
    make_role("others", "events.read")
    ada, lovelace, stranger = (
        app.as_user(make_user(name, role=role))
        for name, role in (("ada", "editor"), ("Ada Lovelace", "editor"), ("eve", "others"))
    )
    comment = thread.write("@ADA, @ada: ask @eve and @editor, not mail@ada. @nobody")

    [told] = mentions(ada)
    assert (told["type"], told["title"]) == ("system", "Comment: News Article")
    assert told["message"].startswith('some-editor mentions you beside "Garden": @ADA, @ada: ask')
    assert (told["contentType"], told["item"]["title"]) == ("news", "Garden")
    assert [mentions(each) for each in (lovelace, stranger)] == [[], []]

    thread.change(comment, '@ada and @"ada lovelace"')
    thread.change(comment, "Nobody")
    thread.change(comment, "@ada again")
    assert [len(mentions(each)) for each in (ada, lovelace, stranger)] == [1, 1, 0]
    thread.write("@ada.")
    assert len(mentions(ada)) == 2
    thread.write("@" * 5_000)
    thread.write("@a." * 1_600)
