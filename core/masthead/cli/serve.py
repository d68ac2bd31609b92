"""``masthead serve``: the web server, and the preparation of a first start."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import click

from masthead import server
from masthead.cli.first_start import prepare
from masthead.cli.logs import log_origin, running_log
from masthead.cli.metrics_port import scrape_port
from masthead.cli.operating import turn
from masthead.cli.reloading import watch, watch_files
from masthead.cli.runtime import warn_of_vulnerable_python
from masthead.console.context import config_option, open_from, read_ini
from masthead.console.group import ServiceCommand
from masthead.db import migrate
from masthead.http.endpoints import secret_paths
from masthead.http.routes import BASE_URL
from masthead.http.wire import common_headers
from masthead.i18n.checks import check_texts
from masthead.instance import Instance, open_instance
from masthead.server import Options
from masthead.server.options import HOST, PORT, PROCESSES
from masthead.server.serving import http_address
from masthead.server.working import Work
from masthead.settings import DEFAULT, given
from masthead.telemetry.settings import LISTEN, TOKEN
from masthead.telemetry.shared_folder import shared_folder
from masthead.web.app import make_app
from masthead.web.metrics import answer_on
from masthead.worker.heartbeat import beat
from masthead.worker.plugin import INSIDE
from masthead.worker.progress import Progress
from masthead.worker.worker import new_id, work

_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - users may configure it


@click.command(cls=ServiceCommand)
@config_option
@click.option("--host", help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 takes a free one."
)
@click.option("--processes", type=click.IntRange(1, 256), help="Number of server processes.")
@click.option(
    "--maintenance", is_flag=True, help="Turn maintenance on, as masthead maintenance on does."
)
@click.option("--reload", is_flag=True, help="Start again when a file changes, for development.")
@click.option("--demo", is_flag=True, help="Fill an empty instance with example content.")
@click.pass_context
def serve(  # noqa: PLR0913 - one parameter per option
    context: click.Context,
    config: Path | None,
    *,
    host: str | None,
    port: int | None,
    processes: int | None,
    maintenance: bool,
    reload: bool,
    demo: bool,
) -> None:
    """Start the web server.

    The first start also creates the database, the secrets and an administrator.
    """
    ini = read_ini(config)
    environ = {**os.environ, **_asked(host, port, processes)}
    if reload:
        watch(ini, environ)
    with running_log(config) as read_again, open_from(config, environ, creates=True) as instance:
        warn_of_vulnerable_python()
        log_origin(instance, config)
        options = _options(instance)
        if reload:
            watch_files(instance, config)
        if given(BASE_URL, ini, environ)[0] == DEFAULT:
            environ[BASE_URL.variable] = _base_url(options)
        worker_id = new_id() if instance.settings[INSIDE] else ""

        def before_fork() -> None:
            _prepare(instance, worker_id, maintenance=maintenance)
            if demo:
                _fill_demo(ini, environ)

        with scrape_port(instance.settings[LISTEN]) as scrapes, _shared_metrics(instance):
            code = server.serve(
                lambda: make_app(ini, environ, lambda opened: answer_on(scrapes, opened)),
                options,
                before_fork=before_fork,
                after_start=lambda address: click.echo(f"Masthead answers at {address}"),
                worker=_worker(ini, environ, worker_id) if worker_id else None,
                reload=read_again,
            )
    context.exit(code)


def _shared_metrics(instance: Instance) -> AbstractContextManager[None]:
    """Return a context with a folder for the metrics of several processes, if it is needed."""
    settings = instance.settings
    wanted = settings[LISTEN] or settings[TOKEN]
    return shared_folder() if wanted and settings[PROCESSES] > 1 else nullcontext()


def _worker(ini: Mapping[str, str], environ: Mapping[str, str], worker_id: str) -> Work:
    progress = Progress()
    return Work(
        lambda stop: work(ini, environ, worker_id, stop, progress=progress), progress.is_made
    )


def _asked(host: str | None, port: int | None, processes: int | None) -> dict[str, str]:
    """Return the options of the command line as environment variables."""
    asked = {HOST.variable: host, PORT.variable: port, PROCESSES.variable: processes}
    return {variable: str(value) for variable, value in asked.items() if value is not None}


def _options(instance: Instance) -> Options:
    return Options.from_settings(
        instance.settings,
        tuple(common_headers(instance.settings[BASE_URL])),
        secret_paths=secret_paths(instance.endpoints),
    )


def _prepare(instance: Instance, worker_id: str, *, maintenance: bool) -> None:
    """Prepare the instance before the server processes are forked.

    :param worker_id: the id of the worker among them; blank if there is none.
    """
    prepare(instance, _announce_admin)
    migrate.warn_of_others(instance.database, instance.plugins)
    check_texts(instance)
    if worker_id:
        # /readyz must report a worker as soon as the server answers.
        beat(instance.database, worker_id)
    if maintenance:
        turn(instance, on=True)
    if instance.maintenance.is_on():
        click.echo("Maintenance is on: only reading requests are answered")
    # The processes must not share a connection.
    instance.close()


def _fill_demo(ini: Mapping[str, str], environ: Mapping[str, str]) -> None:
    """Fill an empty instance with the demo, unless that was done before.

    :raises StartError: if the instance has content of its own.
    """
    if hasattr(os, "fork"):
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # Storing images starts threads, and a process with threads must not fork the servers.
        with ProcessPoolExecutor(1, get_context("fork")) as apart:
            filled = apart.submit(_fill, ini, environ).result()
    else:
        filled = _fill(ini, environ)
    click.echo("The demo is filled in" if filled else "The demo is here already")


def _fill(ini: Mapping[str, str], environ: Mapping[str, str]) -> bool:
    from masthead.demo.filling import fill

    instance = open_instance(ini, environ)
    try:
        return fill(instance)
    finally:
        instance.close()


def _base_url(options: Options) -> str:
    """Return the default base URL: the address on which the server listens."""
    if options.port == 0:
        # The port is not known before the socket is open.
        click.echo(f"{BASE_URL.name} isn't set; links start with {BASE_URL.default}")
        return BASE_URL.default
    host = _ANYWHERE.get(options.host, options.host)
    return http_address(host, options.port)


def _announce_admin(username: str, password: str) -> None:
    click.echo("The first administrator is created. Keep the password, it isn't shown again.")
    click.echo(f"  username: {username}\n  password: {password}")
