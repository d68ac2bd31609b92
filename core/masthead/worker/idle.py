"""Jobs without work: a worker looks for it by a query, and doesn't run them."""

from __future__ import annotations

from datetime import datetime, timedelta

from masthead.db import utcnow
from masthead.instance import Instance
from masthead.worker.jobs import Chore, Job
from masthead.worker.schedule import State, time_since_run

_LONGEST = timedelta(minutes=1)
"""The time after which a job runs in any case, so that its lag stays short."""


class IdleJobs:
    """The jobs that had nothing to do when this worker looked last."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._looks: dict[str, datetime] = {}

    def wait(self, job: Job | Chore, state: State) -> timedelta:
        """Return the time until the next look at a due job; zero if it is to run now."""
        since = time_since_run(job, state)
        if job.has_work is None or since is None or since >= _LONGEST:
            return timedelta(0)
        now = utcnow()
        passed = now - self._looks.get(job.name, datetime.min.replace(tzinfo=now.tzinfo))
        # A time in the future is from before the clock was set back.
        if timedelta(0) <= passed < job.every:
            return job.every - passed
        try:
            if job.has_work(self._instance):
                return timedelta(0)
        except Exception:  # noqa: BLE001 - the run fails, too, and that is recorded
            return timedelta(0)
        self._looks[job.name] = now
        return job.every
