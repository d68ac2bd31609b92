from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from sqlalchemy import text
from sqlalchemy.orm import Session

from masthead import Instance, Job, Plugin, hookimpl, span
from masthead.db.observed import observe
from masthead.telemetry import tracing
from masthead.testing import Client
from masthead.worker.worker import Worker

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


class Garden:
    """Hooks of a plugin with a job that fails and one that makes a span of its own."""

    @hookimpl
    def masthead_jobs(self) -> list[Job]:
        hour = timedelta(hours=1)
        return [Job("garden.digging", hour, self.dig), Job("garden.mowing", hour, self.mow)]

    def dig(self, session: Session) -> None:
        with span("bed", garden__bed="north"):
            session.execute(text("SELECT :secret"), {"secret": "hush"})

    def mow(self, _session: Session) -> None:
        raise RuntimeError("hush")


@pytest.fixture
def plugins() -> Sequence[str | Plugin]:
    return (Plugin(name="garden", hooks=(Garden(),)),)


@pytest.fixture
def exported(instance: Instance) -> Iterator[InMemorySpanExporter]:
    """The spans of an instance; tracing is on during the test."""
    exporter = InMemorySpanExporter()
    tracing.start(SimpleSpanProcessor(exporter))
    observe(instance.database)
    yield exporter
    tracing.stop()


def named(exporter: InMemorySpanExporter, name: str) -> ReadableSpan:
    (found,) = [each for each in exporter.get_finished_spans() if each.name == name]
    return found


def shown(exporter: InMemorySpanExporter) -> str:
    """Return all that the spans hold as text."""
    return "".join(each.to_json() for each in exporter.get_finished_spans())


def test_a_request_continues_the_trace_of_its_client(
    app: Client, exported: InMemorySpanExporter
) -> None:
    admin = app.as_role("admin")
    headers = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
    exported.clear()

    admin.post_json("/api/staff/tags", {"name": "Hush"}, headers=headers)

    request = named(exported, "POST staff.tags.create")
    context: Any = request.context
    parent: Any = request.parent
    attributes = dict(request.attributes or {})
    assert (f"{context.trace_id:032x}", f"{parent.span_id:016x}") == (TRACE, PARENT)
    assert attributes["http.response.status_code"] == 200
    assert attributes["masthead.endpoint"] == "staff.tags.create"
    inserts = [each for each in exported.get_finished_spans() if each.name == "INSERT"]
    assert inserts
    for each in inserts:
        inner: Any = each.parent
        assert inner.span_id == context.span_id
        assert "INSERT INTO" in str((each.attributes or {})["db.query.text"])
    assert "hush" not in shown(exported).lower(), "no value of a parameter is exported"


def test_a_job_is_a_span_and_a_failure_tells_no_text(
    instance: Instance, exported: InMemorySpanExporter
) -> None:
    Worker(instance).turn()

    job, bed = named(exported, "job garden.digging"), named(exported, "bed")
    context, parent = job.context, bed.parent
    assert context is not None
    assert parent is not None
    assert parent.span_id == context.span_id
    assert dict(bed.attributes or {}) == {"garden.bed": "north"}
    assert not named(exported, "job garden.mowing").status.is_ok
    assert "hush" not in shown(exported)


def test_statements_outside_of_requests_and_jobs_are_no_traces(
    instance: Instance, exported: InMemorySpanExporter
) -> None:
    with instance.database.read() as connection:
        connection.execute(text("SELECT 1"))

    assert not exported.get_finished_spans()


def test_without_tracing_there_are_no_spans(app: Client) -> None:
    app.get("/healthz", headers={"traceparent": f"00-{TRACE}-{PARENT}-01"})

    assert not tracing.is_on()
    with span("bed") as made:
        assert made is None
