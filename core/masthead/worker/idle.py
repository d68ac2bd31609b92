"""Jobs without work: a worker looks for it by a query, and doesn't run them."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from masthead.db import CLOCK_SKEW, utcnow
from masthead.db.waits import is_unavailable
from masthead.faults import in_plugin
from masthead.instance import Instance
from masthead.worker.jobs import Chore, Job
from masthead.worker.schedule import State, time_since_run

logger = logging.getLogger(__name__)

_LONGEST = timedelta(minutes=1)
"""The time after which a job runs in any case, so that its lag stays short."""
_NOW = timedelta(0)


def latest_run(job: Job | Chore, state: Any) -> datetime:
    """Return the time at which a job runs, whether it has something to do or not.

    :param state: the row of the job.
    """
    due: datetime = state.due_at
    is_regular = job.has_work is not None and time_since_run(job, state) is not None
    return max(due, state.last_run_at + _LONGEST) if is_regular else due


class IdleJobs:
    """The jobs that had nothing to do when this worker looked last."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._looks: dict[str, datetime] = {}
        self._broken = set[str]()

    def wait(self, job: Job | Chore, state: State) -> timedelta:
        """Return the time until the next look at a due job; zero if it is to run now."""
        since = time_since_run(job, state)
        # A time in the future is from before the clock was set back.
        if job.has_work is None or since is None or not -CLOCK_SKEW < since < _LONGEST:
            return _NOW
        now = utcnow()
        last = self._looks.get(job.name)
        passed = job.every if last is None else now - last
        if not _NOW <= passed < job.every:
            if self._may_have_work(job):
                return _NOW
            self._looks[job.name], passed = now, _NOW
        return min(job.every - passed, _LONGEST - since)

    def _may_have_work(self, job: Job | Chore) -> bool:
        assert job.has_work is not None
        try:
            return job.has_work(self._instance)
        # Panics of extension modules and sys.exit() don't raise an Exception.
        except BaseException as error:
            if job.name not in self._broken and not is_unavailable(error):
                named = in_plugin(error, self._instance.plugins)
                text = "The job %s runs at each interval, because looking for its work failed%s"
                logger.exception(text, job.name, named)
                self._broken.add(job.name)
            return True
