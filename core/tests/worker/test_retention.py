from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from masthead.audit.models import AuditEntry
from masthead.auth.models import LoginFailure, User
from masthead.db import Database
from masthead.notifications.models import Notification
from masthead.testing.clock import Clock
from masthead.worker.models import JobState


@pytest.fixture
def settings() -> dict[str, str]:
    return {"masthead.retention.audit": "30"}


def test_notifications_go_ninety_days_after_they_were_read(
    clock: Clock,
    database: Database,
    session: Session,
    make_user: Callable[..., User],
    work: Callable[[], None],
) -> None:
    now, user = clock.now(), make_user()
    ages = {"unread": None, "kept": 90, "old": 91}
    with database.transaction() as writing:
        for title, days in ages.items():
            writing.add(
                Notification(
                    user_id=user.id,
                    type="system",
                    title=title,
                    message="",
                    created_at=now - timedelta(days=1000),
                    read_at=None if days is None else now - timedelta(days=days),
                )
            )

    work()

    assert set(session.scalars(select(Notification.title))) == {"unread", "kept"}


def test_the_audit_log_is_kept_for_as_long_as_it_is_set_and_goes_in_portions(
    clock: Clock, database: Database, session: Session, work: Callable[[], None]
) -> None:
    def entries(days: int, number: int) -> list[dict[str, object]]:
        at = clock.now() - timedelta(days=days)
        return [{"at": at, "action": f"after {days}", "detail": {}}] * number

    with database.transaction() as writing:
        writing.execute(insert(AuditEntry.__table__), entries(31, 1200) + entries(30, 2))

    work()

    assert session.scalars(select(AuditEntry.action)).all() == ["after 30"] * 2
    job = session.scalars(select(JobState).where(JobState.name == "audit.retention")).one()
    assert job.runs == 3


def test_failed_logins_are_forgotten_when_their_time_is_over(
    clock: Clock, database: Database, session: Session, work: Callable[[], None]
) -> None:
    with database.transaction() as writing:
        for minutes in (14, 15):
            since = clock.now() - timedelta(minutes=minutes)
            writing.add(LoginFailure(key=str(minutes), since=since, count=1))

    work()

    assert session.scalars(select(LoginFailure.key)).all() == ["14"]


class TestForEver:
    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {"masthead.retention.audit": "0"}

    def test_nought_days_keep_everything(
        self, clock: Clock, database: Database, session: Session, work: Callable[[], None]
    ) -> None:
        at = clock.now() - timedelta(days=10_000)
        with database.transaction() as writing:
            writing.add(AuditEntry(at=at, action="user.create", detail={}))

        work()

        assert session.scalars(select(AuditEntry.action)).all() == ["user.create"]
