"""A job that can't write because the disk is full."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from masthead import Instance, Job, Plugin, hookimpl
from masthead.core_plugin import plugin as core
from masthead.worker.worker import Worker


class Desk:
    """A plugin whose job fills the database."""

    @hookimpl
    def masthead_jobs(self) -> list[Job]:
        return [Job("desk.fill", timedelta(hours=1), fill)]


def fill(session: Session) -> None:
    # The least limit that SQLite accepts is the present size.
    session.execute(text("PRAGMA max_page_count = 1"))
    try:
        session.execute(text("CREATE TABLE desk_paper (sheet BLOB)"))
    finally:
        session.execute(text("PRAGMA max_page_count = 1073741823"))


@pytest.fixture
def plugins() -> Sequence[Plugin]:
    return (core, Plugin(name="desk", hooks=(Desk(),)))


def test_it_is_logged_in_one_line(instance: Instance, caplog: pytest.LogCaptureFixture) -> None:
    if instance.database.dialect != "sqlite":
        pytest.skip("only SQLite can limit the size of a database")

    Worker(instance).turn()

    assert "The job desk.fill waits for 10 s: database or disk is full" in caplog.text
    assert "Traceback" not in caplog.text
