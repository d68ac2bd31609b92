"""Commands that describe an instance: its plugins, settings and endpoints."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from masthead.cli.ini_file import ini_file
from masthead.cli.pages import endpoints_page, settings_page
from masthead.console.context import config_option, open_from, read_ini
from masthead.console.table import show_table
from masthead.plugins import collect, installed, make_manager
from masthead.settings import Setting, given
from masthead.web.openapi.document import document


@click.command()
@config_option
def plugins(config: Path | None) -> None:
    """List the installed plugins with their content types, resources and settings."""
    with open_from(config) as instance:
        available = installed()
        enabled = {plugin.name for plugin in instance.plugins}
        types = collect(instance.manager, "masthead_content_types")
        resources = collect(instance.manager, "masthead_resources")
        owned = _owned_settings()
    rows = [
        (
            plugin.name,
            plugin.version,
            "yes" if plugin.name in enabled else "no",
            _names(plugin.name, types),
            _names(plugin.name, resources),
            str(sum(owner == plugin.name for owner, _ in owned)),
        )
        for plugin in available.values()
    ]
    show_table(("PLUGIN", "VERSION", "ENABLED", "CONTENT TYPES", "RESOURCES", "SETTINGS"), rows)


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


def _owned_settings() -> list[tuple[str, Setting[Any]]]:
    """Return the settings of all installed plugins, as pairs of plugin name and setting."""
    return collect(make_manager(installed().values()), "masthead_settings")


def _names(plugin: str, owned: Iterable[tuple[str, Any]]) -> str:
    """Return the names of the plugin's declarations, for a cell."""
    return " ".join(each.name for owner, each in owned if owner == plugin) or "-"


def _in_force(setting: Setting[Any], ini: Mapping[str, str]) -> tuple[str, str, str]:
    """Return the name of a setting, the source of its value, and the unparsed value."""
    source, value = given(setting, ini, os.environ)
    value = " ".join(value.split())
    return setting.name, source, "***" if setting.secret and value else value
