from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event, select
from sqlalchemy.orm import Session

from masthead import Chore, Instance, Job, Plugin, hookimpl, utcnow
from masthead.audit.models import AuditEntry
from masthead.db.maintenance import switch_maintenance
from masthead.testing import Client
from masthead.worker.models import JobState
from masthead.worker.worker import Worker

WATERING, WEEDING = "garden.watering", "garden.weeding"


class Garden:
    """Hooks of a plugin with a job that the test can break."""

    def __init__(self) -> None:
        self.runs = 0
        self.broken = False
        self.weeded = 0
        self.while_weeding: Callable[[], object] = lambda: None

    @hookimpl
    def masthead_jobs(self) -> list[Job | Chore]:
        return [
            Job(WATERING, timedelta(hours=1), self.water),
            Chore(WEEDING, timedelta(hours=1), self.weed),
        ]

    def water(self, _session: Session) -> None:
        self.runs += 1
        if self.broken:
            raise RuntimeError("the hose is broken")

    def weed(self, _instance: Instance, _may_go_on: Callable[[], bool]) -> None:
        self.weeded += 1
        self.while_weeding()


@pytest.fixture
def garden() -> Garden:
    return Garden()


@pytest.fixture
def plugins(garden: Garden) -> Sequence[str | Plugin]:
    return (Plugin(name="garden", hooks=(garden,), version="3.1"),)


@pytest.fixture
def switch(instance: Instance) -> Callable[[bool], None]:
    """Return a function that turns maintenance on or off."""

    def turn(on: bool) -> None:
        with instance.database.transaction() as session:
            switch_maintenance(session, on=on)
        instance.maintenance.forget()

    return turn


def watering(app: Client) -> Any:
    jobs = app.as_role("admin").get("/api/staff/system").json["jobs"]
    return next(job for job in jobs if job["name"] == WATERING)


def test_administrators_see_the_jobs_and_run_one_that_waits_after_failures(
    app: Client, instance: Instance, garden: Garden, session: Session
) -> None:
    assert watering(app)["nextRun"] is None
    garden.broken = True
    Worker(instance).turn()
    failed = watering(app)
    garden.broken = False
    Worker(instance).turn()
    assert garden.runs == 1, "it waits after a failure"

    app.as_role("admin").post_json(f"/api/staff/system/jobs/{WATERING}/run", {})
    Worker(instance).turn()
    done = watering(app)

    assert failed["failures"] == 1
    assert failed["lastError"] == "RuntimeError: the hose is broken"
    assert garden.runs == 2
    assert (done["runs"], done["failures"], done["lastError"]) == (1, 0, None)
    assert (done["everySeconds"], done["running"]) == (3600, False)
    entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "job.run")).one()
    assert entry.detail == {"job": WATERING}
    assert entry.actor_id is not None


def test_a_chore_that_is_asked_for_while_it_runs_runs_once_more(
    app: Client, instance: Instance, garden: Garden
) -> None:
    def ask() -> None:
        garden.while_weeding = lambda: None
        app.as_role("admin").post_json(f"/api/staff/system/jobs/{WEEDING}/run", {})

    garden.while_weeding = ask
    for _ in range(3):
        Worker(instance).turn()

    assert garden.weeded == 2


def test_an_unknown_job_is_not_found(app: Client) -> None:
    app.as_role("admin").post_json("/api/staff/system/jobs/garden.mowing/run", {}, status=404)


def test_the_system_shows_software_disk_workers_and_figures(
    app: Client, instance: Instance
) -> None:
    with instance.database.transaction() as session:
        session.add(
            JobState(name=WATERING, due_at=utcnow() - timedelta(minutes=2), runs=0, failures=0)
        )

    shown = app.as_role("admin").get("/api/staff/system").json

    assert {"name": "garden", "version": "3.1"} in shown["plugins"]
    assert shown["database"] == instance.database.dialect
    assert 0 < shown["disk"]["freeBytes"] < shown["disk"]["totalBytes"]
    assert (shown["workers"], shown["maintenance"]) == ([], False)
    lag = {"name": "masthead_job_lag_seconds", "labels": {"name": WATERING}}
    (figure,) = [each for each in shown["figures"] if lag.items() <= each.items()]
    assert 119 < figure["value"] < 200


def test_others_see_and_run_nothing(app: Client) -> None:
    for client, status in ((app, 401), (app.as_role("editor"), 403)):
        client.get("/api/staff/system", status=status)
        client.post_json(f"/api/staff/system/jobs/{WATERING}/run", {}, status=status)


def test_the_switch_of_maintenance_adds_no_statement_to_a_request(
    app: Client, instance: Instance
) -> None:
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        statements.append(statement)

    body = {"username": "nobody", "password": "a wrong password"}
    app.post_json("/api/auth/login", body, status=401)
    instance.maintenance.forget()
    for engine in (instance.database.engine, instance.database.reader):
        event.listen(engine, "before_cursor_execute", note)
    app.post_json("/api/auth/login", body, status=401)
    first = list(statements)
    statements.clear()
    app.post_json("/api/auth/login", body, status=401)

    assert first
    assert first == statements


def test_maintenance_refuses_writes_and_pauses_jobs_but_reads_go_on(
    app: Client, instance: Instance, garden: Garden, switch: Callable[[bool], None]
) -> None:
    admin = app.as_role("admin")
    tag = {"name": "Garden"}
    switch(True)

    refused = [
        admin.post_json("/api/staff/tags", tag, status=503),
        app.post_json("/api/auth/login", {"username": "a", "password": "b"}, status=503),
    ]
    rest = Worker(instance).turn()

    for answer in refused:
        assert answer.headers["Retry-After"] == "60"
        assert "maintenance" in answer.json["error"]
    assert garden.runs == 0
    assert rest <= 1
    assert admin.get("/api/staff/tags").json == []
    assert admin.get("/api/staff/system").json["maintenance"] is True
    status = admin.get("/status").json
    assert "masthead maintenance off" in status["checks"]["maintenance"]

    switch(False)
    Worker(instance).turn()
    admin.post_json("/api/staff/tags", tag)
    assert garden.runs == 1
    assert admin.get("/status").json["checks"]["maintenance"] == "ok"
