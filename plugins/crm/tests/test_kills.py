"""Imports and workers that are killed at any moment."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from masthead import Instance, utcnow
from masthead.audit.models import AuditEntry
from masthead_crm.models import Contact, ContactTag, FollowUp, Rule, Stage

pytestmark = pytest.mark.slow

ROWS = 2_000
MAILS = 600
KILLS = int(os.environ.get("MASTHEAD_TEST_KILLS", "4"))
KILLED = Path(__file__).with_name("killed.py")


class Processes:
    """Starts processes and reads their messages."""

    def __init__(self, url: str) -> None:
        self._running = subprocess.Popen(
            [sys.executable, str(KILLED), url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            start_new_session=True,
        )

    def begin(self, line: str) -> int:
        """Start a process and return its id."""
        assert self._running.stdin is not None
        self._running.stdin.write(f"{line}\n")
        return self.hear("begins")

    def hear(self, word: str) -> int:
        """Wait for a message and return the id of the process that sent it."""
        assert self._running.stdout is not None
        for line in self._running.stdout:
            said, number = line.split()
            assert said != "fails"
            if said == word:
                return int(number)
        raise AssertionError(f"no process sent {word}")

    def close(self) -> None:
        """Kill all processes."""
        os.killpg(self._running.pid, signal.SIGKILL)
        self._running.communicate()


def kill(number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(number, signal.SIGKILL)


@pytest.fixture
def processes(instance: Instance, database_url: str) -> Iterator[Processes]:
    assert instance.database.dialect in database_url
    running = Processes(database_url)
    yield running
    running.close()


def write(folder: Path, number: int) -> Path:
    rows = (f"N{number},n{number}-{row}@example.org,choir\n" for row in range(ROWS))
    file = folder / f"{number}.csv"
    file.write_text("name,email,tags\n" + "".join(rows), "utf-8")
    return file


def test_a_killed_import_is_stored_completely_or_not_at_all(
    processes: Processes, session: Session, tmp_path: Path
) -> None:
    processes.begin(f"import {write(tmp_path, 0)}")
    began = time.monotonic()
    processes.hear("done")
    takes = time.monotonic() - began

    for number in range(1, KILLS + 1):
        importing = processes.begin(f"import {write(tmp_path, number)}")
        time.sleep(random.uniform(0, 1.1 * takes))
        kill(importing)
    # It waits for the locks of the last one.
    processes.begin(f"import {write(tmp_path, 0)}")
    processes.hear("done")

    counted = select(Contact.name, func.count().label("rows")).group_by(Contact.name)
    made = {row.name: row.rows for row in session.execute(counted)}
    assert set(made.values()) == {ROWS}
    tags = session.scalar(select(func.count()).select_from(ContactTag))
    assert tags == ROWS * len(made)


@pytest.fixture
def due(instance: Instance) -> None:
    """Create follow-ups by mail that are due."""
    past = utcnow() - timedelta(days=1)
    people = {number: f"c{number}@example.org" for number in range(1, MAILS + 1)}
    with instance.database.transaction() as session:
        session.add(Stage(id=1, name="Met", name_key="met"))
        session.flush()
        rule = {"name": "Write", "trigger_stage_id": 1, "days_after": 0, "catchup_type": "mail"}
        session.add(Rule(id=1, **rule, email_template_id=1))
        session.execute(
            insert(Contact),
            [{"id": n, "name": "Ada", "email": a, "email_key": a} for n, a in people.items()],
        )
        session.execute(
            insert(FollowUp),
            [{"contact_id": n, "rule_id": 1, "reached_at": past, "due_at": past} for n in people],
        )


@pytest.mark.usefixtures("due")
def test_killed_workers_send_each_follow_up_exactly_once(
    processes: Processes, session: Session
) -> None:
    workers = [processes.begin("work"), last := processes.begin("work")]
    for number in range(KILLS):
        time.sleep(random.uniform(0, 1.0 / KILLS))
        kill(workers[number % 2])
        workers[number % 2] = last = processes.begin("work")
    while processes.hear("done") != last:
        pass

    mails = session.scalars(select(AuditEntry.detail).where(AuditEntry.action == "post.mail")).all()
    assert sorted(mail["to"] for mail in mails) == sorted(session.scalars(select(Contact.email)))
    done = select(func.count()).where(FollowUp.completed_at.is_not(None))
    assert session.scalar(done) == len(mails) == MAILS
