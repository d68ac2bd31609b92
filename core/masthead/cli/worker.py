"""``masthead worker``: background jobs without a web server."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from masthead.backup.finishing import restore_trouble
from masthead.cli.logs import log_origin, running_log
from masthead.cli.metrics_port import scrape_port
from masthead.cli.runtime import warn_of_vulnerable_python
from masthead.console.context import config_option, configuring, open_from, read_ini
from masthead.console.group import ServiceCommand
from masthead.db import migrate
from masthead.errors import StartError
from masthead.i18n.checks import check_texts
from masthead.server.events import Events
from masthead.server.options import STOP_TIMEOUT
from masthead.server.service_manager import ServiceManager
from masthead.server.working import Work, work_until_signal
from masthead.telemetry.settings import WORKER_LISTEN
from masthead.web.metrics import answer_on
from masthead.worker.jobs import jobs_of
from masthead.worker.progress import Progress
from masthead.worker.worker import new_id, work


@click.command(cls=ServiceCommand)
@config_option
def worker(config: Path | None) -> None:
    """Run a worker; any number of them share the work."""
    ini = read_ini(config)
    with running_log(config) as reload:
        warn_of_vulnerable_python()
        _run(config, ini, reload)


def _run(config: Path | None, ini: Mapping[str, str], reload: Callable[[], None]) -> None:
    with open_from(config) as instance:
        log_origin(instance, config)
        with configuring():
            jobs_of(instance)
        check_texts(instance)
        migrate.check_current(instance.database, instance.plugins)
        if trouble := restore_trouble(instance):
            raise StartError(f"{trouble}; run masthead db upgrade")
        migrate.warn_of_others(instance.database, instance.plugins)
        stop_timeout, port = instance.settings[STOP_TIMEOUT], instance.settings[WORKER_LISTEN]
    events = Events(lambda: click.echo("The worker is running"), reload=reload)
    progress = Progress()
    with scrape_port(port) as scrapes:

        def run(stop: threading.Event) -> None:
            work(
                ini,
                os.environ,
                new_id(),
                stop,
                lambda opened: answer_on(scrapes, opened),
                progress,
            )

        in_time = work_until_signal(
            Work(run, progress.is_made),
            stop_timeout,
            signal.SIGTERM,
            signal.SIGINT,
            events=ServiceManager(os.environ).telling(events),
        )
    if not in_time:
        # The database rolls back the uncommitted work of its job.
        raise StartError(f"the worker didn't stop within {stop_timeout} s")
