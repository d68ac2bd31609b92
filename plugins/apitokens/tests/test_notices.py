"""Notices to the owners of API tokens that end soon."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from masthead import Instance, Notice, Plugin, User, hookimpl, texts_of, utcnow
from masthead.testing import Client, Clock
from masthead_apitokens.notices import notify_of_ends
from masthead_apitokens.plugin import plugin as apitokens

TOKENS = "/api/staff/api-tokens"
MakeUser = Callable[..., User]
Work = Callable[..., None]


class Mails:
    """A plugin that keeps the notices, as one that mails them gets them."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []

    @hookimpl
    def masthead_notified(self, notice: Notice) -> None:
        self.notices.append(notice)


@pytest.fixture(scope="module")
def mails() -> Mails:
    return Mails()


@pytest.fixture
def plugins(mails: Mails) -> list[Plugin]:
    mails.notices.clear()
    return [apitokens, Plugin(name="mails", hooks=(mails,))]


def make_token(client: Client, name: str, days: float) -> Any:
    expires = (utcnow() + timedelta(days=days)).isoformat()
    body = {"name": name, "permissions": [], "expiresAt": expires}
    return client.post_json(TOKENS, body).json


Told = Callable[[User], list[str]]


@pytest.fixture
def told(session: Session) -> Told:
    """Return the messages to a user, who may have no valid login any more."""

    def read(user: User) -> list[str]:
        messages = text("SELECT message FROM core_notification WHERE user_id = :id")
        return list(session.scalars(messages, {"id": user.id}))

    return read


def test_the_owner_is_notified_once_some_days_before_the_end(
    clock: Clock,
    app: Client,
    instance: Instance,
    make_user: MakeUser,
    told: Told,
    mails: Mails,
    work: Work,
) -> None:
    owner, other = make_user("ada"), make_user("bob")
    for name, days in (("Build", 10), ("Later", 60), ("Short", 6)):
        make_token(app.as_user(owner), name, days)

    clock.shift(days=2, hours=23)
    work("apitokens.notices")
    assert told(owner) == []
    clock.shift(hours=2)
    for _ in range(2):
        work("apitokens.notices")

    end = 'The API token "Build" is valid until 2026-03-11 09:30 UTC. Programs that use it need a'
    assert told(owner) == [f"{end} new one before"]
    assert told(other) == []
    [notice] = mails.notices
    mail = texts_of(instance).render_mail(notice.mail, "de", **notice.mail_values)
    assert notice.personal
    assert mail.subject == "Ein API-Token läuft bald ab"
    assert "Das API-Token „Build“ ist gültig bis 11. März 2026" in mail.text
    clock.shift(days=30)
    work("apitokens.notices")
    assert len(told(owner)) == 1, "nobody needs to know the end of an expired token"


def test_a_disabled_owner_is_notified_once_enabled(
    clock: Clock, app: Client, make_user: MakeUser, told: Told, work: Work
) -> None:
    owner, admin = make_user("ada"), app.as_role("admin")
    make_token(app.as_user(owner), "Build", 10)
    admin.put_json(f"/api/staff/users/{owner.id}", {"disabled": True})
    clock.shift(days=5)
    work("apitokens.notices")
    admin.put_json(f"/api/staff/users/{owner.id}", {"disabled": False})

    work("apitokens.notices")

    assert len(told(owner)) == 1


def test_two_workers_notify_once(
    clock: Clock, app: Client, instance: Instance, make_user: MakeUser, told: Told
) -> None:
    owner = make_user("ada")
    for number in range(30):
        make_token(app.as_user(owner), f"Build {number}", 10)
    clock.shift(days=5)

    def run(_worker: int) -> None:
        more = True
        while more:
            with instance.database.transaction() as session:
                more = notify_of_ends(session)

    with ThreadPoolExecutor(2) as workers:
        list(workers.map(run, range(2)))

    assert len(told(owner)) == len(set(told(owner))) == 30


class TestNever:
    """An instance that notifies of no end."""

    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {"masthead.apitokens.notice_days": "0"}

    def test_nobody_is_notified(
        self, clock: Clock, app: Client, make_user: MakeUser, told: Told, work: Work
    ) -> None:
        owner = make_user("ada")
        make_token(app.as_user(owner), "Build", 1)
        clock.shift(hours=23)
        work("apitokens.notices")
        assert told(owner) == []
