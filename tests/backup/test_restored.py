"""A restored instance has all content, and does nothing a second time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import select
from webtest import TestApp

from masthead import Instance, Mail, User
from masthead.audit.models import AuditEntry
from masthead.auth.models import RecoveryRequest
from masthead.auth.services.recovery import request_link
from masthead.auth.tokens import Tokens
from masthead.backup.restoring import restore_backup
from masthead.backup.writing import Backup
from masthead.cli.first_start import prepare
from masthead.db.maintenance import switch_maintenance
from masthead.testing import Client, Desk
from masthead.web.app import app_of
from masthead.worker.worker import YIELD_DELAY, Worker

BackUp = Callable[..., Backup]


def work_on(instance: Instance) -> None:
    worker = Worker(instance)
    while worker.turn() == YIELD_DELAY:
        pass


def test_it_has_the_content_and_the_images(
    app: Client, picture: str, back_up: BackUp, place: Any
) -> None:
    Desk(app, "news").as_role("editor").create_public(title="The garden opens", imageUrl=picture)

    place.run("restore", back_up().path)

    restored = TestApp(app_of(place.open()))
    [article] = restored.get("/api/news").json
    assert article["title"] == "The garden opens"
    path = picture[picture.index("/api") :]
    assert restored.get(path).body == app.get(path).body


def test_tokens_of_before_are_invalid(
    instance: Instance, app: Client, make_user: Callable[..., User], back_up: BackUp, place: Any
) -> None:
    ada = make_user("ada", role="admin")
    token = Tokens(instance).issue(ada.id, ada.username, ada.generation)
    headers = {"Authorization": f"Bearer {token}"}
    app.get("/api/auth/check", headers=headers)
    with instance.database.transaction() as session:
        request_link(session, "ada")

    said = place.run("restore", back_up().path).output

    assert "All users have to log in again" in said
    restored = place.open()
    TestApp(app_of(restored)).get("/api/auth/check", headers=headers, status=401)
    with restored.database.session(read_only=True) as session:
        assert session.scalars(select(User.username)).all() == ["ada"]
        assert session.scalars(select(RecoveryRequest.id)).all() == []
        assert "system.restore" in session.scalars(select(AuditEntry.action)).all()


def test_mail_that_waited_is_not_sent_by_the_restored_instance(
    instance: Instance, back_up: BackUp, place: Any, work: Callable[..., None]
) -> None:
    mail = Mail(to="bo@example.org", kind="follow-up", subject="Hello", text="Hello, Bo")
    with instance.database.transaction() as session:
        instance.hooks.masthead_deliver_mail(session=session, mail=mail)
    made = back_up()
    work("email.")
    assert len([*(instance.data / "mail").glob("*.eml")]) == 1

    said = place.run("restore", made.path).output
    checked = place.run("mail", "check", status=1).output
    diagnosed = place.run("doctor", status=1).output
    restored = place.open()
    work_on(restored)

    assert "E-mail is paused" in said
    paused = "all sending is paused: the database seems to be a copy: a restored backup"
    assert f"FAIL  outbox: {paused}" in checked
    assert paused in diagnosed
    assert [*(restored.data / "mail").glob("*.eml")] == []
    assert "Hello" in place.run("mail", "pending").output
    place.run("mail", "resume", "--cancel")
    work_on(restored)
    assert [*(restored.data / "mail").glob("*.eml")] == []


def test_maintenance_ends(instance: Instance, back_up: BackUp, place: Any) -> None:
    with instance.database.transaction() as session:
        switch_maintenance(session, on=True)

    place.run("restore", back_up().path)

    assert not place.open().maintenance.is_on()


def test_a_restore_that_was_killed_before_its_end_is_finished_by_the_next_start(
    back_up: BackUp, place: Any
) -> None:
    restored = place.open()
    restore_backup(restored, back_up().path, lambda *_: None)

    said = place.run("worker", status=1).output
    assert "the restore isn't finished; run masthead db upgrade" in said

    place.run("db", "upgrade")
    with restored.database.session(read_only=True) as session:
        assert session.scalars(select(AuditEntry.action)).all() == ["system.restore"]


def test_an_instance_that_was_not_restored_keeps_its_tokens(
    instance: Instance, make_user: Callable[..., User]
) -> None:
    generation = make_user("ada").generation
    prepare(instance)

    with instance.database.session(read_only=True) as session:
        assert session.scalars(select(User.generation)).one() == generation
