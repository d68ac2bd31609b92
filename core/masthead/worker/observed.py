"""The metrics and spans of jobs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from masthead.telemetry import tracing
from masthead.telemetry.metrics import LONG, Counter, Histogram

_RUNS = Histogram(
    "masthead_job_duration_seconds", "Time that runs of jobs took.", ("name",), buckets=LONG
)
_FAILURES = Counter("masthead_job_failures", "Runs of jobs that failed.", ("name",))


@dataclass
class Run:
    """A run of a job."""

    was_taken: bool = True
    """False if another worker has the job, so that there was no run."""


@contextmanager
def running(job: str) -> Iterator[Run]:
    """Measure the block as a run of a job."""
    run, began = Run(), time.monotonic()
    with tracing.span(f"job {job}", masthead__job=job):
        yield run
    if run.was_taken:
        _RUNS.observe(time.monotonic() - began, job)


def note_failure(job: str) -> None:
    """Count a failed run."""
    _FAILURES.add(job)
    tracing.fail_current_span()
