"""Pages of documentation that are printed from what is declared, so that they can't be wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.settings import Setting

_SETTINGS = """\
# Settings

Written by `masthead settings --markdown`. A setting stands in the section `[app:main]` of the ini
file, or in the environment, which goes first: `MASTHEAD_DATABASE_URL` sets `masthead.database.url`.
`masthead settings` shows what is in force and where it comes from; `masthead settings --ini` prints
a file to start with. An unknown setting or a value that can't be used stops the start.
"""
_ENDPOINTS = """\
# Endpoints

Written by `masthead openapi --markdown`. What all of them have in common stands in
[rest-api.md](rest-api.md); bodies and answers are described by `/openapi.json` of a running
instance, or by `masthead openapi`.
"""
_NOT_A_VALUE = "?"


def settings_page(owned: Iterable[tuple[str, Setting[Any]]]) -> str:
    """A Markdown page with a table of each plugin's settings.

    :param owned: settings after the names of their plugins.
    """
    tables: dict[str, list[Sequence[str]]] = {}
    for owner, setting in owned:
        default = " ".join(setting.default.split())
        row = (_code(setting.name), _code(default) if default else "", _explained(setting))
        tables.setdefault(owner, []).append(row)
    sections = [
        f"\n## {owner}\n\n" + _table(("Setting", "Default", "Meaning"), rows)
        for owner, rows in tables.items()
    ]
    return _SETTINGS + "".join(sections)


def endpoints_page(endpoints: Iterable[Endpoint]) -> str:
    """A Markdown page with tables of endpoints, by who may call them."""
    ordered = sorted(endpoints, key=lambda e: (e.path, e.method))
    public = [_described(e) for e in ordered if e.permission == PUBLIC]
    signed_in = [_described(e) for e in ordered if e.permission == SIGNED_IN]
    staff = [
        (*_described(e), _code(e.permission))
        for e in ordered
        if e.permission not in (PUBLIC, SIGNED_IN)
    ]
    columns = ("Method", "Path", "What it does", "Query")
    return (
        f"{_ENDPOINTS}\n## For everybody\n\n{_table(columns, public)}"
        f"\n## For who has a token\n\n{_table(columns, signed_in)}"
        f"\n## By permission\n\n{_table((*columns, 'Permission'), staff)}"
    )


def _explained(setting: Setting[Any]) -> str:
    """The help, and what is expected where not every text will do."""
    try:
        setting.parse(_NOT_A_VALUE)
    except ValueError as error:
        return f"{setting.help} Takes {error}."
    return setting.help


def _described(endpoint: Endpoint) -> tuple[str, str, str, str]:
    query = " ".join(_code(node.name) for node in endpoint.parameters)
    return endpoint.method, _code(endpoint.path), endpoint.summary, query


def _code(text: str) -> str:
    return f"`{text}`"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(
        "| " + " | ".join(c.replace("|", r"\|") for c in line) + " |\n" for line in lines
    )
