"""Documentation pages that are generated from declarations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.ports.audit import AuditAction
from masthead.settings import Setting

_SETTINGS = """\
# Settings

Written by `masthead settings --markdown`. Settings are read from the section `[app:main]` of the
ini file; environment variables override them: `MASTHEAD_DATABASE_URL` sets `masthead.database.url`.
`masthead settings` shows the values in force and their sources; `masthead settings --ini` prints a
complete file. Masthead doesn't start with an unknown setting or an invalid value, nor with a
setting in another section; `[DEFAULT]` is for variables, as in `%(name)s`.
"""
_ENDPOINTS = """\
# Endpoints

Written by `masthead openapi --markdown`. [rest-api.md](rest-api.md) describes the rules that all
endpoints share; `/openapi.json` of a running instance and `masthead openapi` describe their bodies
and responses.
"""
_AUDIT_ACTIONS = """\
# Actions of the audit log

Written by `masthead audit-actions --markdown`. An entry of the
[audit log](rest-api.md#audit-log) has one of these values as its `action`; plugins of third parties
[add others](hooks.md#masthead_audit_actionsresources).

"""
_NOT_A_VALUE = "?"


def settings_page(owned: Iterable[tuple[str, Setting[Any]]]) -> str:
    """Return a Markdown page with a table of settings for each plugin.

    :param owned: pairs of plugin name and setting.
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
    """Return a Markdown page with tables of endpoints: public, authenticated, by permission."""
    ordered = sorted(endpoints, key=lambda e: (e.path, e.method))
    public = [_described(e) for e in ordered if e.permission == PUBLIC]
    signed_in = [_described(e) for e in ordered if e.permission == SIGNED_IN]
    staff = [
        (*_described(e), " ".join(map(_code, e.permissions)))
        for e in ordered
        if e.permission not in (PUBLIC, SIGNED_IN)
    ]
    columns = ("Method", "Path", "Summary", "Query")
    return (
        f"{_ENDPOINTS}\n## Public\n\n{_table(columns, public)}"
        f"\n## Authenticated\n\n{_table(columns, signed_in)}"
        f"\n## By permission\n\n{_table((*columns, 'Permission'), staff)}"
    )


def audit_actions_page(actions: Iterable[AuditAction]) -> str:
    """Return a Markdown page with a table of the actions of the audit log."""
    rows = [(_code(action.name), action.help) for action in sorted(actions, key=lambda it: it.name)]
    return _AUDIT_ACTIONS + _table(("Action", "Meaning"), rows)


def _explained(setting: Setting[Any]) -> str:
    """Return the help text, with the accepted values if not every text is valid."""
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
