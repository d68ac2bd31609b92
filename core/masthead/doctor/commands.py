"""``masthead doctor``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from masthead.checking.running import ERROR, OK, SKIPPED, WARNING, Finding, run_checks
from masthead.console.context import config_option, read_ini
from masthead.console.table import show_table, show_wrapped_table
from masthead.doctor.proxy import visitor_trouble
from masthead.doctor.running_server import with_server_findings
from masthead.errors import StartError
from masthead.http.routes import base_address
from masthead.instance import Check, Instance, open_instance

_SECONDS = 20.0
"""The time limit of each check."""
_LOCK_SECONDS, _STATEMENT_SECONDS = 5, 15
_CANNOT_RUN = 2


@click.command()
@click.option(
    "--url",
    help="Public address; it is called to check the reverse proxy and the server behind it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@config_option
@click.pass_context
def doctor(context: click.Context, url: str | None, as_json: bool, config: Path | None) -> None:
    """Check settings, folders, database, worker, mail, storage and proxy; needs no server.

    A check that passes here, but fails in the server that runs on this machine or at the public
    address, has the trouble of the server.

    Each problem has a line with its remedy. The exit status is 0 without an error, 1 with one, and
    2 if the settings can't be used. Warnings don't change it.
    """
    try:
        address = None if url is None else base_address(url)
    except ValueError as error:
        raise click.BadParameter(f"expected {error}", param_hint="--url") from None
    try:
        instance = open_instance(read_ini(config), os.environ, check=False)
    except StartError as error:
        remedy = "correct the setting; docs/settings.md describes each"
        _show([Finding("settings", ERROR, str(error), remedy)], as_json=as_json)
        context.exit(_CANNOT_RUN)
    try:
        found = _examine(instance, address)
    finally:
        instance.close()
    _show(found, as_json=as_json)
    context.exit(1 if any(each.level == ERROR for each in found) else 0)


def _examine(instance: Instance, url: str | None) -> list[Finding]:
    # A missing file is a finding, and it stays missing.
    instance.database.never_create()
    instance.database.waits.lock = _LOCK_SECONDS
    instance.database.waits.statement = _STATEMENT_SECONDS
    checks = list(instance.all_checks)
    if url is not None:
        trouble = partial(visitor_trouble, url=url)
        checks.append(Check("proxy.visitor", trouble, remedy="see the reverse proxy in deploy.md"))
    return with_server_findings(instance, run_checks(instance, checks, _SECONDS), url)


def _show(found: Sequence[Finding], *, as_json: bool) -> None:
    levels = {each.level for each in found}
    status = next((level for level in (ERROR, WARNING) if level in levels), OK)
    if as_json:
        answer = {"status": status, "checks": [asdict(each) for each in found]}
        click.echo(json.dumps(answer, indent=2, ensure_ascii=False))
        return
    skipped = [each.name for each in found if each.level == SKIPPED]
    heading = ("STATUS", "CHECK", "PROBLEM", "REMEDY")
    rows = [
        (str(each.level), each.name, each.text, each.remedy)
        for each in found
        if each.level != SKIPPED
    ]
    if sys.stdout.isatty():
        show_wrapped_table(heading, rows)
    else:
        show_table(heading, rows)
    if skipped:
        click.echo(f"not checked without the database: {', '.join(skipped)}")
