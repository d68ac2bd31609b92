"""The revisions that the files of a plugin declare, and the one that a database has.

Alembic, which makes them and runs them, takes memory and time to load, and nearly every start only
finds that there is nothing to do.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import Connection, column, inspect, select, table

from masthead.errors import StartError

if TYPE_CHECKING:
    from masthead.plugins import Plugin


_VERSION_TABLE = "alembic_version_"


def version_table(plugin: Plugin) -> str:
    """The name of the table that says which revision a database has."""
    return _VERSION_TABLE + plugin.name


def tables_of_others(names: Collection[str], plugins: Iterable[Plugin]) -> list[str]:
    """Those among the tables of a database that belong to other plugins than ``plugins``.

    They are left of plugins that were switched off or removed.
    """
    versions = (
        name.removeprefix(_VERSION_TABLE) for name in names if name.startswith(_VERSION_TABLE)
    )
    others = {*versions} - {plugin.name for plugin in plugins}
    return [name for name in names if name.partition("_")[0] in others]


def versions_of(plugin: Plugin) -> Path:
    """The folder of the revisions of a plugin that has some."""
    return Path(str(files(str(plugin.migrations)))) / "versions"


def found_in(connection: Connection, plugin: Plugin) -> str | None:
    """The revision of the plugin's tables; None where there are none yet."""
    name = version_table(plugin)
    if not inspect(connection).has_table(name):
        return None
    revision: str | None = connection.scalar(select(column("version_num")).select_from(table(name)))
    return revision


def state(found: str | None, plugin: Plugin) -> Literal["behind", "current", "newer"]:
    """How the tables at the revision ``found`` are related to the plugin's code.

    :raises StartError: where the files declare no single newest revision.
    """
    before = revisions_of(plugin)
    older = {revision for each in before.values() for revision in each}
    newest = [revision for revision in before if revision not in older]
    if len(newest) > 1:
        raise StartError(f"the migrations of {plugin.name} end in {' and in '.join(newest)}")
    if found == (newest[0] if newest else None):
        return "current"
    return "behind" if found is None or found in before else "newer"


def revisions_of(plugin: Plugin) -> dict[str, tuple[str, ...]]:
    """Each revision that the plugin's files declare, and those that it follows.

    :raises StartError: where one isn't written down as it is.
    """
    folder = versions_of(plugin)
    # Readiness is asked for every few seconds, and who writes a plugin adds files meanwhile.
    return _read(folder, tuple(sorted(file.name for file in folder.glob("*.py"))))


@cache
def _read(folder: Path, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    declared = [_assigned(folder / name) for name in names]
    return {
        each["revision"]: _several(each.get("down_revision"))
        for each in declared
        if "revision" in each
    }


@cache
def kit_of(folder: Path) -> int:
    """The newest kit that revisions in a folder make tables by; 0 where none does.

    Asked once: a process goes on with the code that it has loaded when files are replaced.

    :raises StartError: where one isn't written down as it is.
    """
    kits = [0]
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="create_kit_table"), keywords=keywords):
                    kits += [_number(k.value, file) for k in keywords if k.arg == "kit"]
    return max(kits)


def _number(value: ast.expr, file: Path) -> int:
    match value:
        case ast.Constant(value=int(number)):
            return number
    raise StartError(f"{file.name} must name its kit by a plain number")


def _assigned(file: Path) -> dict[str, Any]:
    """What a revision's file says of its place, without running it."""
    found = {}
    for statement in ast.parse(file.read_text("utf-8")).body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if name in ("revision", "down_revision"):
                found[name] = _plain(value, file)
    return found


def _plain(value: ast.expr, file: Path) -> Any:
    try:
        return ast.literal_eval(value)
    except ValueError:
        raise StartError(f"{file.name} must name its revisions by plain texts") from None


def _several(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value
