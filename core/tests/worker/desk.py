"""A plugin whose jobs and chores are those of a test."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from masthead import Chore, Instance, Job, hookimpl
from masthead.worker.models import JobState

HOUR = timedelta(hours=1)


class Desk:
    """A plugin with the jobs of a test, and the record of their runs."""

    def __init__(self) -> None:
        self.jobs: list[Job | Chore] = []
        self.done: list[str] = []
        self.broken = False

    @hookimpl
    def masthead_committing(self) -> None:
        if self.broken:
            raise RuntimeError("the desk is broken")

    @hookimpl
    def masthead_jobs(self) -> list[Job | Chore]:
        return self.jobs

    def job(self, name: str, run: Callable[[Session], bool | None] = lambda _: None) -> None:
        def noted(session: Session) -> bool | None:
            self.done.append(name)
            session.execute(text("UPDATE desk_total SET value = value + 1"))
            return run(session)

        self.jobs.append(Job(name, HOUR, noted))

    def chore(self, name: str, run: Callable[[Callable[[], bool]], Any]) -> None:
        def noted(_instance: Instance, may_go_on: Callable[[], bool]) -> bool:
            self.done.append(name)
            return bool(run(may_go_on))

        self.jobs.append(Chore(name, HOUR, noted))


def state(session: Session, name: str) -> JobState:
    return session.scalars(select(JobState).where(JobState.name == name)).one()
