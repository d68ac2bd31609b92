"""``masthead jobs`` and ``masthead maintenance``: the running system from the command line."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from masthead.audit.services import record
from masthead.console.context import config_option, open_from
from masthead.console.table import show_table
from masthead.db import migrate
from masthead.db.maintenance import OBEYED_AFTER, switch_maintenance
from masthead.instance import Instance
from masthead.worker.queue import QueuedJob, queued_jobs, run_soon


@click.command()
@click.option("--run", metavar="NAME", help="Have a worker run this job within seconds.")
@config_option
def jobs(run: str | None, config: Path | None) -> None:
    """List the background jobs: last run, next run, last error."""
    with open_from(config) as instance:
        migrate.check_current(instance.database, instance.plugins)
        if instance.maintenance.is_on():
            click.echo("Maintenance is on: no job runs.", err=True)
        if run is not None:
            _run(instance, run)
            return
        with instance.database.read() as connection:
            rows = [_row(job) for job in queued_jobs(instance, connection)]
    show_table(("JOB", "EVERY", "LAST RUN", "NEXT RUN", "RUNS", "FAILURES", "LAST ERROR"), rows)


@click.command()
@click.argument("state", type=click.Choice(["on", "off"]), required=False)
@config_option
def maintenance(state: str | None, config: Path | None) -> None:
    """Turn maintenance on or off for all servers and workers; without argument, show it.

    In maintenance reads go on, all other requests get 503, and no job begins.
    """
    with open_from(config) as instance:
        migrate.check_current(instance.database, instance.plugins)
        if state is not None:
            turn(instance, on=state == "on")
        shown = "on" if instance.maintenance.is_on() else "off"
    click.echo(f"Maintenance is {shown}")
    if state == "on":
        click.echo(
            f"All servers and workers obey within {OBEYED_AFTER:g} s;"
            " requests and jobs that run now are finished"
        )


def turn(instance: Instance, *, on: bool) -> None:
    """Switch maintenance and write an audit entry."""
    with instance.database.transaction() as session:
        switch_maintenance(session, on=on)
        record(session, f"maintenance.{'on' if on else 'off'}", None)
    instance.maintenance.forget()


def _run(instance: Instance, name: str) -> None:
    with instance.database.transaction() as session:
        run_soon(session, name)
        record(session, "job.run", None, job=name)
    click.echo(f"{name} is due; the next free worker runs it")


def _row(job: QueuedJob) -> tuple[str, ...]:
    next_run = "running" if job.running else _time(job.next_run)
    return (
        job.name,
        f"{job.every.total_seconds():g} s",
        _time(job.last_run),
        next_run,
        str(job.runs),
        str(job.failures),
        job.last_error or "-",
    )


def _time(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment is not None else "-"
