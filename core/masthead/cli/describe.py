"""Commands that describe an instance: its plugins, settings and endpoints."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from masthead.cli.ini_file import ini_file
from masthead.cli.pages import audit_actions_page, endpoints_page, settings_page
from masthead.console.context import config_option, open_from, read_ini
from masthead.console.table import show_table
from masthead.errors import StartError
from masthead.faults import CORE
from masthead.instance import PLUGINS, open_instance
from masthead.plugins import Plugin, collect, installed, make_manager
from masthead.settings import Setting, given, read_setting
from masthead.web.openapi.document import document
from masthead.worker.jobs import jobs_of

_HEADING = (
    "PLUGIN",
    "VERSION",
    "ENABLED",
    "CONTENT TYPES",
    "RESOURCES",
    "SETTINGS",
    "DISTRIBUTION",
)


@click.command()
@config_option
def plugins(config: Path | None) -> None:
    """List the installed plugins with their content types, resources and settings.

    A plugin that can't be used has the reason below the table. The exit status is 1 if that
    prevents the start.
    """
    available = installed()
    names = read_setting(PLUGINS, read_ini(config), os.environ) or tuple(available)
    reasons: list[str] = []
    rows = []
    for name in available:
        enabled = "yes" if name in (CORE, *names) else "no"
        try:
            declared = _declared(available[name])
        except StartError as error:
            declared, enabled = ("-", "-", "-"), f"{enabled}, broken"
            reasons.append(str(error))
        distribution, version = available.distribution(name)
        rows.append((name, version, enabled, *declared, distribution))
    show_table(_HEADING, rows)
    for reason in reasons:
        click.echo(f"\n{reason}")
    with closing(open_instance(read_ini(config), os.environ, available)) as instance:
        # Both raise for declarations that don't fit together.
        jobs_of(instance)
        _ = instance.endpoints


def _declared(plugin: Plugin) -> tuple[str, str, str]:
    """Return the content types, the resources and the number of settings of a plugin.

    :raises StartError: if the plugin can't be used.
    """
    manager = make_manager([plugin])
    types, resources, settings = (
        [item for _, item in collect(manager, hook)]
        for hook in ("masthead_content_types", "masthead_resources", "masthead_settings")
    )
    return _names(types), _names(resources), str(len(settings))


@click.command()
@click.option("--ini", is_flag=True, help="Print a complete configuration file with defaults.")
@click.option("--markdown", is_flag=True, help="Print a Markdown page of all settings.")
@config_option
def settings(ini: bool, markdown: bool, config: Path | None) -> None:
    """List the settings in force and the source of each value."""
    if markdown:
        click.echo(settings_page(_owned_settings()), nl=False)
        return
    if ini:
        click.echo(ini_file(setting for _, setting in _owned_settings()), nl=False)
        return
    with open_from(config) as instance:
        file = read_ini(config)
        rows = [_in_force(setting, file) for setting in instance.declared.values()]
    show_table(("SETTING", "FROM", "VALUE"), rows)


@click.command()
@click.option("--markdown", is_flag=True, help="Print a Markdown page of all endpoints.")
@config_option
def openapi(markdown: bool, config: Path | None) -> None:
    """Print the OpenAPI document of the REST interface."""
    with open_from(config) as instance:
        endpoints = instance.endpoints
        described = document(endpoints, instance)
    if markdown:
        click.echo(endpoints_page(endpoints), nl=False)
        return
    click.echo(json.dumps(described, indent=2, ensure_ascii=False))


@click.command("audit-actions")
@click.option("--markdown", is_flag=True, help="Print a Markdown page of all actions.")
@config_option
def audit_actions(markdown: bool, config: Path | None) -> None:
    """List the actions that the audit log can record."""
    with open_from(config) as instance:
        actions = instance.audit_actions
    if markdown:
        click.echo(audit_actions_page(actions.values()), nl=False)
        return
    show_table(("ACTION", "MEANING"), [(name, actions[name].help) for name in sorted(actions)])


def _owned_settings() -> list[tuple[str, Setting[Any]]]:
    """Return the settings of all installed plugins, as pairs of plugin name and setting.

    Those of a plugin that can't be used are left out, with a line.
    """
    available = installed()
    found = []
    for name in available:
        try:
            found += collect(make_manager([available[name]]), "masthead_settings", (Setting,))
        except StartError as error:
            click.echo(f"Warning: {error}", err=True)
    return found


def _names(declared: Iterable[Any]) -> str:
    """Return the names of declarations, for a cell."""
    return " ".join(each.name for each in declared) or "-"


def _in_force(setting: Setting[Any], ini: Mapping[str, str]) -> tuple[str, str, str]:
    """Return the name of a setting, the source of its value, and the unparsed value."""
    source, value = given(setting, ini, os.environ)
    value = " ".join(value.split())
    return setting.name, source, "***" if setting.secret and value else value
