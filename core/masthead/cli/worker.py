"""``masthead worker``: background jobs without a web server."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import click

from masthead.cli.logs import log_origin, start_log
from masthead.cli.runtime import warn_of_vulnerable_python
from masthead.console.context import config_option, open_from, read_ini
from masthead.db import migrate
from masthead.server.options import STOP_TIMEOUT
from masthead.server.working import work_until_signal
from masthead.worker.jobs import jobs_of
from masthead.worker.worker import new_id, work


@click.command()
@config_option
def worker(config: Path | None) -> None:
    """Run a worker; any number of them share the work."""
    ini = read_ini(config)
    start_log(config)
    warn_of_vulnerable_python()
    with open_from(config) as instance:
        log_origin(instance, config)
        jobs_of(instance)
        migrate.check_current(instance.database, instance.plugins)
        stop_timeout = instance.settings[STOP_TIMEOUT]
    in_time = work_until_signal(
        lambda stop: work(ini, os.environ, new_id(), stop),
        stop_timeout,
        signal.SIGTERM,
        signal.SIGINT,
        ready=lambda: click.echo("The worker is running"),
    )
    if not in_time:
        # The database rolls back the uncommitted work of its job.
        raise click.ClickException(f"the worker didn't stop within {stop_timeout} s")
