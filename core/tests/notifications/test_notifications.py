"""Sending, listing, reading and deleting notifications."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import Select

from masthead.auth.models import Role, User
from masthead.db import Database, utcnow
from masthead.notifications.models import Notification
from masthead.notifications.services import holders, notify, user
from masthead.ports.notice import Notice, NoticeType
from masthead.testing.client import Client
from masthead.testing.clock import Clock

URL = "/api/staff/notifications"

MakeUser = Callable[..., User]
Tell = Callable[..., None]


@pytest.fixture
def tell(database: Database) -> Tell:
    def tell(recipients: Select[int], *titles: str) -> None:
        for title in titles:
            with database.transaction() as session:
                notify(session, recipients, Notice(title, f"About {title}"))

    return tell


def titles(client: Client, query: str = "") -> list[str]:
    return [each["title"] for each in client.get(URL + query).json]


def test_a_notification_has_one_of_the_declared_types() -> None:
    assert Notice("Title", "Text").type is NoticeType.SYSTEM
    with pytest.raises(ValueError, match="'gardening' is not a valid NoticeType"):
        Notice("Title", "Text", type="gardening")  # type: ignore[arg-type]  # as in a plugin


@pytest.mark.usefixtures("clock")
def test_a_user_reads_their_notifications(
    app: Client, make_user: MakeUser, database: Database
) -> None:
    ada = make_user()
    notice = Notice("Approval Request: News", "Ben asks", "approval_request", "news", 7)

    with database.transaction() as session:
        notify(session, user(ada.id), notice)

    [told] = app.as_user(ada).get(URL).json
    assert told.pop("id") > 0
    assert told == {
        "type": "approval_request",
        "title": "Approval Request: News",
        "message": "Ben asks",
        "contentType": "news",
        "contentId": 7,
        "item": None,
        "read": False,
        "createdAt": "2026-03-01T09:30:00.000Z",
        "readAt": None,
    }


def test_users_read_only_their_own_notifications(
    app: Client, make_user: MakeUser, tell: Tell
) -> None:
    ada, ben = make_user(), make_user()

    tell(user(ada.id), "a")

    assert titles(app.as_user(ben)) == []


def test_the_newest_comes_first(clock: Clock, app: Client, make_user: MakeUser, tell: Tell) -> None:
    ada = make_user()

    tell(user(ada.id), "first", "second at the same time")
    clock.shift(seconds=-1)
    tell(user(ada.id), "from before")

    assert titles(app.as_user(ada)) == ["second at the same time", "first", "from before"]


def test_the_list_is_paged(app: Client, make_user: MakeUser, tell: Tell) -> None:
    ada = make_user()
    tell(user(ada.id), "a", "b", "c")

    answer = app.as_user(ada).get(URL + "?limit=1&offset=1")

    assert [each["title"] for each in answer.json] == ["b"]
    assert answer.headers["X-Total-Count"] == "3"
    assert 'rel="next"' in answer.headers["Link"]


def test_read_notifications_can_be_left_out(app: Client, make_user: MakeUser, tell: Tell) -> None:
    ada = make_user()
    client = app.as_user(ada)
    tell(user(ada.id), "a", "b")
    newest = client.get(URL).json[0]["id"]

    client.post(f"{URL}/{newest}/read")

    assert titles(client, "?unreadOnly=true") == ["a"]
    assert titles(client, "?unreadOnly=false") == ["b", "a"]
    assert client.get(URL + "?unreadOnly=1").headers["X-Total-Count"] == "1"
    client.get(URL + "?unreadOnly=perhaps", status=400)


def test_the_time_of_reading_is_stored_once(
    clock: Clock, app: Client, make_user: MakeUser, tell: Tell
) -> None:
    ada = make_user()
    client = app.as_user(ada)
    tell(user(ada.id), "a")
    [told] = client.get(URL).json

    first = client.post(f"{URL}/{told['id']}/read").json
    clock.shift(minutes=1)
    client.post(f"{URL}/{told['id']}/read")

    assert first == {"success": True}
    [read] = client.get(URL).json
    assert (read["read"], read["readAt"]) == (True, "2026-03-01T09:30:00.000Z")


def test_all_unread_notifications_are_marked_and_counted(
    app: Client, make_user: MakeUser, tell: Tell
) -> None:
    ada, ben = make_user(), make_user()
    client = app.as_user(ada)
    tell(user(ada.id), "a", "b", "c")
    tell(user(ben.id), "d")
    client.post(f"{URL}/{client.get(URL).json[0]['id']}/read")

    assert client.post(f"{URL}/read-all").json == {"success": True, "marked": 2}
    assert client.post(f"{URL}/read-all").json == {"success": True, "marked": 0}
    assert titles(app.as_user(ben), "?unreadOnly=true") == ["d"]


def test_a_deleted_notification_is_gone(app: Client, make_user: MakeUser, tell: Tell) -> None:
    ada = make_user()
    client = app.as_user(ada)
    tell(user(ada.id), "a", "b")
    newest = client.get(URL).json[0]["id"]

    assert client.delete(f"{URL}/{newest}").json == {"success": True}
    assert titles(client) == ["a"]
    client.delete(f"{URL}/{newest}", status=404)


def test_a_notification_of_another_user_is_not_found(
    app: Client, make_user: MakeUser, tell: Tell
) -> None:
    ada, ben = make_user(), make_user()
    tell(user(ada.id), "a")
    [told] = app.as_user(ada).get(URL).json

    app.as_user(ben).post(f"{URL}/{told['id']}/read", status=404)
    app.as_user(ben).delete(f"{URL}/{told['id']}", status=404)

    assert app.as_user(ada).get(URL).json == [told]


@pytest.mark.parametrize("number", ["0", "-1", "x", "9223372036854775808", "12345"])
def test_an_unknown_id_is_not_found(app: Client, number: str) -> None:
    app.as_role("editor").post(f"{URL}/{number}/read", status=404)
    app.as_role("editor").delete(f"{URL}/{number}", status=404)


def test_notifications_need_a_token(app: Client) -> None:
    app.get(URL, status=401)
    app.post(f"{URL}/1/read", status=401)
    app.post(f"{URL}/read-all", status=401)
    app.delete(f"{URL}/1", status=401)


def test_the_holders_of_a_permission_are_notified_once_each(
    app: Client, make_user: MakeUser, make_role: Callable[..., Role], tell: Tell
) -> None:
    make_role("a", "messages.read")
    make_role("b", "messages.read", "messages.write")
    twice, once = make_user(role="a", roles=("b",)), make_user(role="b")
    admin, nobody = make_user(role="admin"), make_user(role=None)
    gone = make_user(role="a", disabled=True)

    tell(holders("messages.read"), "news")

    told = {each.id: titles(app.as_user(each)) for each in (twice, once, admin, nobody)}
    assert told == {twice.id: ["news"], once.id: ["news"], admin.id: ["news"], nobody.id: []}
    assert gone.disabled


def test_disabled_users_are_not_notified(
    make_user: MakeUser, tell: Tell, database: Database
) -> None:
    gone = make_user(disabled=True)

    tell(user(gone.id), "a")

    with database.session(read_only=True) as session:
        assert session.query(Notification).count() == 0


def test_a_deleted_user_s_notifications_are_deleted(
    make_user: MakeUser, tell: Tell, database: Database
) -> None:
    ada = make_user(role=None)
    tell(user(ada.id), "a")

    with database.transaction() as session:
        session.delete(session.get_one(User, ada.id))

    with database.session(read_only=True) as session:
        assert session.query(Notification).count() == 0


def test_the_time_of_a_notification_is_kept_to_the_millisecond(
    make_user: MakeUser, tell: Tell, database: Database
) -> None:
    ada = make_user()

    tell(user(ada.id), "a")

    with database.session(read_only=True) as session:
        told = session.query(Notification).one()
    assert utcnow() - told.created_at < timedelta(minutes=1)
    assert told.created_at.microsecond % 1000 == 0
