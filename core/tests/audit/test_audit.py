"""The audit log as administrators read it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import event

from masthead.audit.services import record
from masthead.auth.models import User
from masthead.core_plugin import plugin as core
from masthead.db import Database
from masthead.errors import StartError
from masthead.hookspecs import hookimpl
from masthead.instance import open_instance
from masthead.plugins import Plugin
from masthead.ports.audit import AuditAction
from masthead.testing.client import Client
from masthead.testing.clock import Clock

URL = "/api/staff/audit-log"

MakeUser = Callable[..., User]
Log = Callable[..., None]
ACTIONS = [*"abcd", "first", "second-at-the-same-time", "from-before", "news.delete", "user.praise"]


class Hooks:
    @hookimpl
    def masthead_audit_actions(self) -> list[AuditAction]:
        return [AuditAction(name, "Something happened.") for name in ACTIONS]


PLUGIN = Plugin(name="garden", hooks=(Hooks(),))


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, PLUGIN]


@pytest.fixture
def log(database: Database) -> Log:
    def log(action: str, actor: User | int | None = None, *item: Any, **rest: Any) -> None:
        with database.transaction() as session:
            record(session, action, actor, *item, **rest)

    return log


def actions(app: Client, query: str = "") -> list[str]:
    return [each["action"] for each in app.as_role("admin").get(URL + query).json]


@pytest.mark.usefixtures("clock")
def test_an_entry_has_actor_action_and_item(app: Client, make_user: MakeUser, log: Log) -> None:
    ada = make_user("ada")

    log("news.delete", ada.id, content_type="news", content_id=7, title="Ode")

    [entry] = app.as_role("admin").get(URL).json
    assert entry.pop("id") > 0
    assert entry == {
        "at": "2026-03-01T09:30:00.000Z",
        "actor": {"id": ada.id, "username": "ada", "displayName": None},
        "action": "news.delete",
        "contentType": "news",
        "contentId": 7,
        "detail": {"title": "Ode"},
    }


def test_an_entry_names_the_row_and_the_user_that_are_passed(
    app: Client, make_user: MakeUser, log: Log
) -> None:
    ada, eve = make_user("ada"), make_user("eve")

    log("user.praise", ada, "user", eve, loudly=True)

    [entry] = app.as_role("admin").get(URL).json
    assert entry["actor"] == {"id": ada.id, "username": "ada", "displayName": None}
    assert (entry["contentType"], entry["contentId"]) == ("user", eve.id)
    assert entry["detail"] == {"loudly": True}


def test_an_entry_names_a_row_that_is_identified_by_a_name(app: Client, log: Log) -> None:
    log("content.delete", None, "texts", SimpleNamespace(id="about"), title="About")

    [entry] = app.as_role("admin").get(URL).json
    assert (entry["contentType"], entry["contentId"]) == ("texts", None)
    assert entry["detail"] == {"id": "about", "title": "About"}


def test_an_action_that_no_plugin_declares_is_refused(app: Client, log: Log) -> None:
    with pytest.raises(LookupError, match=r"'garden\.unknown'.*masthead_audit_actions"):
        log("garden.unknown")

    assert actions(app) == []


def test_two_plugins_that_declare_the_same_action_stop_the_start() -> None:
    other = Plugin(name="meadow", hooks=(Hooks(),))

    with pytest.raises(StartError, match=r"garden and meadow .* the audit action a"):
        open_instance({}, {}, {"core": core, "garden": PLUGIN, "meadow": other})


def test_an_entry_of_the_command_line_has_no_actor(app: Client, log: Log) -> None:
    log("user.create")

    [entry] = app.as_role("admin").get(URL).json
    assert (entry["actor"], entry["contentType"], entry["detail"]) == (None, None, {})


def test_the_newest_entry_comes_first(clock: Clock, app: Client, log: Log) -> None:
    log("first")
    log("second-at-the-same-time")
    clock.shift(seconds=-1)
    log("from-before")

    assert actions(app) == ["second-at-the-same-time", "first", "from-before"]


def test_entries_are_filtered_by_their_item(app: Client, log: Log) -> None:
    log("a", content_type="news", content_id=1)
    log("b", content_type="news", content_id=2)
    log("c", content_type="events", content_id=1)
    log("d")

    assert actions(app, "?contentType=news") == ["b", "a"]
    assert actions(app, "?contentType=news&contentId=1") == ["a"]
    assert actions(app, "?contentId=1") == ["c", "a"]
    assert actions(app, "?contentType=unknown") == []


def test_the_log_is_paged(app: Client, log: Log) -> None:
    for action in "abc":
        log(action, content_type="news")

    answer = app.as_role("admin").get(URL + "?contentType=news&limit=1&offset=1")

    assert [each["action"] for each in answer.json] == ["b"]
    assert answer.headers["X-Total-Count"] == "3"
    assert "contentType=news" in answer.headers["Link"]


def test_an_invalid_filter_is_refused(app: Client) -> None:
    app.as_role("admin").get(URL + "?contentId=x", status=400)
    app.as_role("admin").get(URL + "?contentId=0", status=400)


def test_only_administrators_read_the_log(app: Client) -> None:
    app.get(URL, status=401)
    app.as_role("editor").get(URL, status=403)


def test_a_longer_page_takes_no_more_queries(
    app: Client, make_user: MakeUser, log: Log, database: Database
) -> None:
    client = app.as_role("admin")
    statements: list[str] = []
    event.listen(
        database.engine,
        "before_cursor_execute",
        lambda _c, _cursor, statement, *_rest: statements.append(statement),
    )

    log("a", make_user().id)
    statements.clear()
    client.get(URL)
    one = len(statements)
    for _ in range(5):
        log("a", make_user().id)
    statements.clear()
    client.get(URL)

    assert len(statements) == one
