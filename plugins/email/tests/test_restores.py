"""A PostgreSQL server that was restored or replaced sends nothing a second time."""

from __future__ import annotations

import logging
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import make_url, select, text, update

from masthead import Instance
from masthead.cli import main
from masthead.db import migrate
from masthead.instance import open_instance
from masthead.testing.postgres import control, running_postgres
from masthead_email.delivery.runner import DeliveryRunner
from masthead_email.outbox import messages
from masthead_email.outbox.models import NEWSLETTER, Delivery, Handover
from masthead_email.outbox.restore_guard import resume_sending
from masthead_email.status import outbox_trouble
from masthead_email.subscribers.models import Subscriber

LETTERS = 200


class Place:
    """A PostgreSQL server of its own, with the data folder of a worker on another machine."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder / "worker"
        self._cluster = Path(str(make_url(url).query["host"]), "data")
        self._instance: Instance | None = None

    def open(self) -> Instance:
        """Return the instance as a new process opens it."""
        self.close()
        self._instance = open_instance(self.settings())
        return self._instance

    def close(self) -> None:
        if self._instance is not None:
            self._instance.close()
            self._instance = None

    def settings(self) -> dict[str, str]:
        return {
            "masthead.data": str(self.folder),
            "masthead.database.url": self.url,
            "masthead.plugins": "email",
            "masthead.auth.secrets": "4d0f2c77b1e94a8c9f63a1d85be27c06",
        }

    def queue(self, number: int) -> None:
        with self.open().database.transaction() as session:
            if session.scalar(select(Subscriber.id).limit(1)) is None:
                session.add_all(Subscriber(email=f"s{n}@example.org") for n in range(number))
                session.flush()
            mail = {"kind": NEWSLETTER, "source_id": 1, "subject": "May", "html": None}
            message = messages.create_message(session, text="Hi", unsubscribe=True, **mail)
            everybody = select(Subscriber.email, Subscriber.name, Subscriber.id)
            messages.fan_out(session, message, everybody.limit(number))

    def work(self) -> int:
        """Run the worker; return the number of mails that it hands over."""
        # A mail that is sent again has the same name.
        shutil.rmtree(self.folder / "mail", ignore_errors=True)
        instance = self.open()
        runner = DeliveryRunner(instance)
        while runner.run(instance, lambda: True):
            pass
        return len([*self.folder.glob("mail/*.eml")])

    def mail(self, *arguments: str) -> str:
        variables = {name.upper().replace(".", "_"): it for name, it in self.settings().items()}
        result = CliRunner().invoke(main, ["mail", *arguments], env=variables)
        assert result.exit_code == 0, result.output
        return result.output

    def copy(self, name: str) -> Path:
        """Copy the stopped cluster, as a snapshot of the disk does."""
        copy = self._cluster.with_name(name)
        self.restart(lambda: subprocess.run(["cp", "-a", self._cluster, copy], check=True))
        return copy

    def restore(self, copy: Path, *, promoted: bool = False) -> None:
        """Replace the cluster by a copy of it."""

        def replace() -> None:
            shutil.rmtree(self._cluster)
            subprocess.run(["cp", "-a", copy, self._cluster], check=True)

        self.restart(replace, promoted=promoted)

    def restart(self, meanwhile: Any = lambda: None, *, promoted: bool = False) -> None:
        """Stop and start the server; if promoted, on a new timeline."""
        self.close()
        control(self.url, "stop", "-m", "fast")
        meanwhile()
        if promoted:
            (self._cluster / "recovery.signal").touch()
            with (self._cluster / "postgresql.auto.conf").open("a") as file:
                file.write("restore_command = 'false'\n")
        control(self.url, "start")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    if os.environ.get("MASTHEAD_TEST_DATABASE") != "postgresql":
        pytest.skip("needs PostgreSQL")
    with running_postgres() as url:
        yield url


@pytest.fixture
def place(server: str, tmp_path: Path) -> Iterator[Place]:
    place = Place(server, tmp_path)
    instance = place.open()
    migrate.upgrade(instance.database, instance.plugins)
    yield place
    place.close()


def trouble(place: Place) -> str:
    return outbox_trouble(place.open()) or ""


@pytest.mark.slow
def test_a_restored_server_mails_nobody_again_until_it_is_resumed(place: Place) -> None:
    assert place.work() == 0
    place.queue(LETTERS)
    backup = place.copy("backup")
    assert place.work() == LETTERS

    place.restore(backup)
    # The log grows past the position that the file knows; the counts still tell.
    with place.open().database.transaction() as session:
        session.execute(text("CREATE TABLE filler AS SELECT generate_series(1, 100000)"))
    assert place.work() == 0
    lost = re.search(r"lacks (\d+) of (\d+) hand-overs of mail from this machine", trouble(place))
    assert lost is not None
    assert lost[1] == lost[2]
    assert "a base backup, a snapshot" in trouble(place)
    assert f"newsletter\t{LETTERS}\tMay" in place.mail("pending")
    assert place.mail("resume").startswith("Sending is resumed")
    assert trouble(place) == ""
    assert place.work() == LETTERS
    walk_promotions(place)


def walk_promotions(place: Place) -> None:
    """Check that a new timeline is a reason to pause only if the database lacks something."""
    place.queue(3)
    place.restart(promoted=True)
    assert place.work() == 3
    place.queue(3)
    backup = place.copy("later")
    # A new machine has no file.
    folder, place.folder = place.folder, place.folder.with_name("new")
    assert place.work() == 3
    place.queue(3)
    place.folder = folder
    assert place.work() == 3

    place.restore(backup, promoted=True)
    assert place.work() == 0
    assert "its timeline has changed from 2 to 3" in trouble(place)
    place.mail("resume", "--cancel")
    # The other machine has recorded more than this database knows, but before the resumption.
    place.folder = folder.with_name("new")
    place.queue(3)
    assert place.work() == 3


def change(file: Path, column: int, by: int) -> None:
    """Change a number in the file."""
    words = file.read_text().split()
    words[column] = str(int(words[column]) + by)
    file.write_text(" ".join(words))


EPOCH, COUNT, RUNS, TIMELINE, POSITION = range(1, 6)


LACKS = (
    (COUNT, 1, "lacks 1 of 2 hand-overs"),
    (RUNS, 2, "lacks 2 of "),
    (EPOCH, 1, "lacks the last resumption of mail"),
    (POSITION, 1 << 40, "bytes of its log; it was restored from a base backup"),
    (TIMELINE, 1, "lacks its timeline 2;"),
)
"""Numbers of the file, their changes, and words of the message about each."""


def test_the_file_tells_what_the_database_lacks(
    instance: Instance, queue: Any, send_by: Any, app: Any
) -> None:
    if instance.database.dialect != "postgresql":
        pytest.skip("needs PostgreSQL")
    ada = app.as_role("editor")
    file = instance.data / "mail.mark"
    send_by("log:")

    def paused() -> str:
        DeliveryRunner(instance).run(instance, lambda: True)
        found = outbox_trouble(instance) or ""
        with instance.database.transaction() as session:
            resume_sending(session, instance)
        # After a resumption, the next run writes the file.
        DeliveryRunner(instance).run(instance, lambda: True)
        return found

    queue(["ada@example.net"])
    assert paused() == ""
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for column, by, told in LACKS:
        change(file, column, by)
        assert told in paused()
        assert paused() == ""
    # Another timeline has another log.
    change(file, TIMELINE, -1)
    change(file, POSITION, 1 << 40)
    assert paused() == ""
    file.write_text("?")
    assert "is damaged" in paused()
    assert paused() == ""
    notices = ada.get("/api/staff/notifications").json
    assert {each["title"] for each in notices} == {"E-mail is paused"}
    assert any("lacks 1 of 2 hand-overs" in each["message"] for each in notices)


def test_a_server_that_is_replaced_during_a_run_pauses_before_the_next_mail(
    instance: Instance, queue: Any, send_by: Any, relay: Any
) -> None:
    if instance.database.dialect != "postgresql":
        pytest.skip("needs PostgreSQL")

    def answer(stage: str, _: bytes) -> None:
        if stage == "dot":
            with instance.database.transaction() as session:
                session.execute(update(Handover).values(count=0))

    here = relay(answer=answer)
    send_by(f"smtp://127.0.0.1:{here.port}")
    queue(100)
    DeliveryRunner(instance).run(instance, lambda: True)
    assert "a replica that lacked the last changes" in (outbox_trouble(instance) or "")
    assert len(here.taken) < 20


def test_a_data_folder_that_cannot_be_used_is_told_and_mail_is_sent(
    instance: Instance, queue: Any, send_by: Any, caplog: pytest.LogCaptureFixture
) -> None:
    if instance.database.dialect != "postgresql":
        pytest.skip("needs PostgreSQL")
    send_by("log:")
    (instance.data / "mail.mark").mkdir(parents=True)
    queue(["ada@example.net"])
    with caplog.at_level(logging.WARNING):
        DeliveryRunner(instance).run(instance, lambda: True)
    with instance.database.session(read_only=True) as session:
        assert session.scalars(select(Delivery.state)).all() == ["sent"]
    (warning,) = [each for each in caplog.messages if "mail.mark" in each]
    assert "some restores of the database aren't recognised" in warning


def test_an_earlier_content_of_a_sqlite_file_sends_nothing(
    instance: Instance, queue: Any, send_by: Any, tmp_path: Path
) -> None:
    if instance.database.dialect != "sqlite":
        pytest.skip("needs SQLite")
    send_by("log:")
    queue(["ada@example.net"])
    path = str(instance.database.url.database)
    with closing(connect(path)) as live, closing(connect(tmp_path / "backup.db")) as backup:
        live.backup(backup)
        DeliveryRunner(instance).run(instance, lambda: True)
        instance.database.dispose()
        backup.backup(live)
    DeliveryRunner(instance).run(instance, lambda: True)
    assert "all sending is paused: the database seems to be a copy" in (
        outbox_trouble(instance) or ""
    )
    with instance.database.session(read_only=True) as session:
        assert session.scalars(select(Delivery.state)).all() == ["queued"]
