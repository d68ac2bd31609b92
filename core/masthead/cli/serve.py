"""``masthead serve``: the web server, and what a first start has to make."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import click

from masthead import server
from masthead.auth.views.login import log_in
from masthead.cli.first_start import prepare
from masthead.cli.logs import start_log
from masthead.console.context import config_option, open_from, read_ini
from masthead.http.endpoints import secret_paths
from masthead.http.routes import BASE_URL
from masthead.http.wire import common_headers
from masthead.instance import Instance, open_instance
from masthead.server import Options
from masthead.server.options import HOST, PORT, PROCESSES
from masthead.server.serving import http_address
from masthead.settings import DEFAULT, given
from masthead.web.app import make_app
from masthead.worker.heartbeat import beat
from masthead.worker.jobs import jobs_of
from masthead.worker.plugin import INSIDE
from masthead.worker.worker import new_id, work

_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - what may be asked for


@click.command()
@config_option
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 takes any.")
@click.option("--processes", type=click.IntRange(1, 256), help="Processes that answer requests.")
@click.option("--demo", is_flag=True, help="Fill an empty instance with something to look at.")
@click.pass_context
def serve(
    context: click.Context,
    config: Path | None,
    host: str | None,
    port: int | None,
    processes: int | None,
    demo: bool,
) -> None:
    """Start the web server.

    The first start also makes the database, the secrets and an administrator.
    """
    ini = read_ini(config)
    start_log(config)
    environ = {**os.environ, **_asked(host, port, processes)}
    with open_from(config, environ) as instance:
        options = _options(instance)
        if given(BASE_URL, ini, environ)[0] == DEFAULT:
            environ[BASE_URL.variable] = _base_url(options)
        worker_id = new_id() if instance.settings[INSIDE] else ""

        def before_fork() -> None:
            _prepare(instance, worker_id)
            if demo:
                _fill_demo(ini, environ)

        code = server.serve(
            lambda: make_app(ini, environ),
            options,
            before_fork=before_fork,
            after_start=lambda address: click.echo(f"Masthead answers at {address}"),
            worker=(lambda stop: work(ini, environ, worker_id, stop)) if worker_id else None,
        )
    context.exit(code)


def _asked(host: str | None, port: int | None, processes: int | None) -> dict[str, str]:
    """What the command line asks for, as the environment would."""
    asked = {HOST.variable: host, PORT.variable: port, PROCESSES.variable: processes}
    return {variable: str(value) for variable, value in asked.items() if value is not None}


def _options(instance: Instance) -> Options:
    return Options.from_settings(
        instance.settings,
        tuple(common_headers(instance.settings[BASE_URL])),
        # Anybody may ask for the hashing of passwords, and must not keep readers waiting by it.
        slow_paths=(log_in.path,),
        secret_paths=secret_paths(instance.endpoints),
    )


def _prepare(instance: Instance, worker_id: str) -> None:
    """Make what the processes to come need.

    :param worker_id: of the worker among them; blank where there is none.
    """
    prepare(instance, _announce_admin)
    # What is declared twice stops the start, and not only the worker.
    jobs_of(instance)
    if worker_id:
        # Who asks /readyz as soon as the server answers has to find a worker.
        beat(instance.database, worker_id)
    # The processes to come must not share a connection.
    instance.close()


def _fill_demo(ini: Mapping[str, str], environ: Mapping[str, str]) -> None:
    """Fill the demo into an empty instance, once; who starts it again just starts it.

    :raises StartError: where the instance has content of its own.
    """
    if hasattr(os, "fork"):
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # What stores images keeps threads, and no process may be forked from one that has some.
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
    """Where links start if nobody sets it: at the address that is listened on."""
    if options.port == 0:
        # Which port it will be is known only when the app is made.
        click.echo(f"{BASE_URL.name} isn't set; links start with {BASE_URL.default}")
        return BASE_URL.default
    host = _ANYWHERE.get(options.host, options.host)
    return http_address(host, options.port)


def _announce_admin(username: str, password: str) -> None:
    click.echo("The first administrator is made. Keep the password, it isn't shown again.")
    click.echo(f"  username: {username}\n  password: {password}")
