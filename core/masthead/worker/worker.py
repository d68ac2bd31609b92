"""The worker: runs due jobs one after the other until it is stopped."""

from __future__ import annotations

import logging
import random
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session

from masthead.checking.at_start import warn_in_background
from masthead.db import migrate
from masthead.db.outage import one_line
from masthead.db.status import troubles
from masthead.db.waits import is_unavailable
from masthead.faults import in_plugin
from masthead.instance import Instance, open_instance, start_telemetry
from masthead.settings import Setting, integer
from masthead.worker.heartbeat import Heartbeat
from masthead.worker.idle import IdleJobs
from masthead.worker.jobs import Chore, Job, jobs_of
from masthead.worker.leases import Lease, take_lease
from masthead.worker.observed import note_failure, running
from masthead.worker.progress import Progress
from masthead.worker.schedule import (
    State,
    mark_done,
    mark_failed,
    mark_interrupted,
    register,
    states,
    take,
    wait,
)
from masthead.worker.trouble_log import TroubleLog

logger = logging.getLogger(__name__)

LEASE = Setting(
    "masthead.worker.lease",
    integer(1, 3600),
    "60",
    "Seconds after which other workers take over the work of an unresponsive worker; must be the"
    " same for all workers of a database.",
    shows=False,
)

YIELD_DELAY = 0.05
"""Seconds between portions of work, so that other writers of SQLite get the lock."""
_CONTENTION_DELAY = 1.0
"""Seconds until the next try of a job that another worker is running."""
_OUTAGE_DELAY = 2.0
"""Seconds until the next try when the database doesn't answer."""
_MAINTENANCE_DELAY = 1.0
"""Seconds until the next look at the switch of maintenance."""
_MAX_REST = 5.0
"""The maximum number of seconds between turns, because clocks and due times may change."""


class Worker:
    """Runs the jobs of an instance; any number of workers share the work.

    :param jobs: the jobs that this worker runs; by default all of the instance.
    """

    def __init__(
        self,
        instance: Instance,
        worker_id: str = "",
        progress: Progress | None = None,
        jobs: Sequence[Job | Chore] | None = None,
    ) -> None:
        self._instance = instance
        self._database = instance.database
        self._jobs = jobs_of(instance) if jobs is None else jobs
        self._lease = timedelta(seconds=instance.settings[LEASE])
        self._heartbeat = Heartbeat(self._database, worker_id or new_id(), self._lease)
        self._idle = IdleJobs(instance)
        self._progress = progress or Progress()
        self._interrupted: list[tuple[Chore, Lease]] = []
        """The runs whose result couldn't be stored."""
        self._stop = threading.Event()
        self._log = TroubleLog(
            self._database, "The worker waits for the database: %s", "The worker goes on"
        )

    def run(self, stop: threading.Event) -> None:
        """Work until ``stop`` is set, then finish the current jobs; continue after errors."""
        self._stop = stop
        logger.info("The worker has %d jobs", len(self._jobs))
        with self._heartbeat.beating(self._progress.beat):
            while not stop.is_set():
                self._progress.step()
                stop.wait(self._safe_turn())
        logger.info("The worker has stopped")

    def turn(self) -> float:
        """Do a portion of each due job; return the seconds to wait before the next turn.

        :raises SQLAlchemyError: if the database doesn't answer or the result of a job can't be
            stored; the remaining jobs wait for the next turn.
        """
        if self._instance.maintenance.is_on():
            return _MAINTENANCE_DELAY
        self._release_interrupted()
        waits = self._waits()
        due = [job for job, seconds in waits if not seconds]
        if not due:
            return min((seconds for _, seconds in waits), default=_MAX_REST)
        # In random order: a job that kills its worker, or whose failure can't be stored, must not
        # always end the turn before the same other jobs.
        random.shuffle(due)
        results = [self._do(job) for job in due if not self._stop.is_set()]
        return _CONTENTION_DELAY if None in results and True not in results else YIELD_DELAY

    def _safe_turn(self) -> float:
        try:
            seconds = min(self.turn(), _MAX_REST)
        except SQLAlchemyError as error:
            self._log.note(self._pending(error) or one_line(error), error)
        except Exception:
            logger.exception("The worker failed and continues")
        else:
            self._log.note("")
            return seconds
        return _OUTAGE_DELAY

    def _pending(self, error: BaseException) -> str | None:
        """Return a message if an error follows from tables that aren't migrated."""
        if not isinstance(error, DBAPIError) or is_unavailable(error):
            return None
        with suppress(SQLAlchemyError):
            return troubles(migrate.status(self._database, self._instance.plugins))
        return None

    def _waits(self) -> list[tuple[Job | Chore, float]]:
        with self._database.read() as connection:
            known = states(connection)
        new = [job for job in self._jobs if job.name not in known]
        if new:
            with self._database.transaction() as session:
                register(session, new)
        return [(job, self._wait(job, known.get(job.name))) for job in self._jobs]

    def _wait(self, job: Job | Chore, state: State | None) -> float:
        """Return the seconds until a job is to run; 0 if it is due and may have work."""
        if state is None:
            return 0.0
        if left := wait(job, state, self._lease):
            return left.total_seconds()
        with self._progress.working():
            return self._idle.wait(job, state).total_seconds()

    def _do(self, job: Job | Chore) -> bool | None:
        """Run a job; return whether there is more to do, or None if another worker has it."""
        with self._progress.working(), running(job.name) as run:
            more = self._do_job(job) if isinstance(job, Job) else self._do_chore(job)
            run.was_taken = more is not None
        return more

    def _do_job(self, job: Job) -> bool | None:
        try:
            with self._database.transaction() as session:
                self._set_idle_timeout(session)
                # The lock on the row is the lease: it ends with the transaction.
                if take(session, job, self._lease) is None:
                    return None
                more = bool(job.run(session))
                mark_done(session, job, more=more)
        # Panics of extension modules and sys.exit() don't raise an Exception.
        except BaseException as error:  # noqa: BLE001 - a job never stops the worker
            with self._database.transaction() as session:
                self._record_failure(session, job, error)
            return False
        return more

    def _do_chore(self, chore: Chore) -> bool | None:
        lease = take_lease(self._database, chore, self._lease)
        if lease is None:
            return None
        with self._heartbeat.keeping(lease):
            more, error = self._attempt(chore, lease)
        try:
            self._record(chore, lease, error, more=more)
        except SQLAlchemyError:
            self._interrupted.append((chore, lease))
            raise
        return more

    def _release_interrupted(self) -> None:
        """Make the chores due whose runs lost the database, instead of waiting for their leases."""
        while self._interrupted:
            chore, lease = self._interrupted[-1]
            with self._database.transaction() as session:
                if lease.stored_due(session) is not None:
                    mark_interrupted(session, chore)
            self._interrupted.pop()

    def _record(
        self, chore: Chore, lease: Lease, error: BaseException | None, *, more: bool
    ) -> None:
        with self._database.transaction() as session:
            due_at = lease.stored_due(session)
            if due_at is None:
                logger.warning("The chore %s took so long that another worker has it", chore.name)
            elif error is None:
                # A run that is asked for meanwhile comes after this one.
                more = more or due_at != lease.due_at
                mark_done(session, chore, more=more)
            else:
                self._record_failure(session, chore, error)

    def _attempt(self, chore: Chore, lease: Lease) -> tuple[bool, BaseException | None]:
        def may_go_on() -> bool:
            self._progress.step()
            stops = self._stop.is_set() or self._instance.maintenance.is_on()
            return lease.holds() and not stops

        try:
            return bool(chore.run(self._instance, may_go_on)), None
        except BaseException as error:  # noqa: BLE001 - as above
            return False, error

    def _set_idle_timeout(self, session: Session) -> None:
        """Let PostgreSQL end the transaction if the machine of the worker disappears."""
        if self._database.dialect == "postgresql":
            milliseconds = int(self._lease.total_seconds() * 1000)
            session.execute(text(f"SET LOCAL idle_in_transaction_session_timeout = {milliseconds}"))

    def _record_failure(self, session: Session, job: Job | Chore, error: BaseException) -> None:
        delay = mark_failed(session, job, error).total_seconds()
        note_failure(job.name)
        trouble = one_line(error) if is_unavailable(error) else self._pending(error)
        if trouble:
            logger.error("The job %s waits for %g s: %s", job.name, delay, trouble)
        else:
            named = in_plugin(error, self._instance.plugins)
            text = "The job %s failed%s; next try in %g s"
            logger.error(text, job.name, named, delay, exc_info=error)


def new_id() -> str:
    """Return a unique name for a worker."""
    return secrets.token_hex(16)


def work(
    ini: Mapping[str, str],
    environ: Mapping[str, str],
    worker_id: str,
    stop: threading.Event,
    opened: Callable[[Instance], object] = lambda _instance: None,
    progress: Progress | None = None,
) -> None:
    """Open an instance and run a worker until ``stop`` is set.

    :param opened: called with the instance before the worker starts.
    :param progress: notes the progress of the worker.
    :raises StartError: with a one-line message.
    """
    instance = open_instance(ini, environ)
    instance.database.never_create()
    start_telemetry(instance, "worker")
    opened(instance)
    instance.database.watch()
    # That check fails until the first heartbeat of this worker.
    warn_in_background(instance, without="worker")
    try:
        Worker(instance, worker_id, progress).run(stop)
    finally:
        instance.close()
