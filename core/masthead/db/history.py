"""The revisions in the files of a plugin, and the revision of a database.

This module works without Alembic, which takes memory and time to load: at nearly every start there
is nothing to migrate.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import Connection, String, column, literal, select, table, union_all

from masthead.errors import StartError
from masthead.faults import describe

if TYPE_CHECKING:
    from masthead.plugins import Plugin


_VERSION_TABLE = "alembic_version_"


def version_table(plugin: Plugin) -> str:
    """Return the name of the table that stores the revision of the plugin's tables."""
    return _VERSION_TABLE + plugin.name


def tables_of_others(names: Collection[str], plugins: Iterable[Plugin]) -> list[str]:
    """Return the tables of plugins that aren't in ``plugins``: disabled or removed ones.

    :param names: the names of all tables of the database.
    """
    others = {*_version_tables(names)} - {plugin.name for plugin in plugins}
    return [name for name in names if name.partition("_")[0] in others]


def _version_tables(names: Collection[str]) -> dict[str, str]:
    """Return the version tables among the tables, by the name of the plugin."""
    return {
        name.removeprefix(_VERSION_TABLE): name for name in names if name.startswith(_VERSION_TABLE)
    }


def versions_of(plugin: Plugin) -> Path:
    """Return the folder of the plugin's revisions; the plugin must have migrations."""
    return Path(str(files(str(plugin.migrations)))) / "versions"


def current_revisions(connection: Connection, names: Collection[str]) -> dict[str, str]:
    """Return the revisions of the tables of all plugins, including disabled and removed ones.

    :param names: the names of all tables of the database.
    :return: the revisions by the name of the plugin; a plugin without tables isn't among them.
    """
    queries = [
        select(literal(plugin), column("version_num", String())).select_from(table(name))
        for plugin, name in _version_tables(names).items()
    ]
    return dict(connection.execute(union_all(*queries)).all()) if queries else {}


def state(found: str | None, plugin: Plugin) -> Literal["behind", "current", "newer"]:
    """Return how the tables at the revision ``found`` compare to the plugin's code.

    :raises StartError: if the files declare several newest revisions, or one follows a missing one.
    """
    before = revisions_of(plugin)
    older = {revision for each in before.values() for revision in each}
    newest = [revision for revision in before if revision not in older]
    if unknown := sorted(older - before.keys()):
        after = next(name for name, each in before.items() if unknown[0] in each)
        raise StartError(
            f"the migrations of {plugin.name} have no revision {unknown[0]}, which revision {after}"
            f" ({file_names(plugin)[after]}) follows; correct its down_revision"
        )
    if len(newest) > 1:
        files = file_names(plugin)
        names = " and ".join(f"{revision} ({files[revision]})" for revision in newest)
        raise StartError(
            f"the migrations of {plugin.name} have several newest revisions: {names}; let one"
            " follow the other by its down_revision"
        )
    if found == (newest[0] if newest else None):
        return "current"
    return "behind" if found is None or found in before else "newer"


def file_names(plugin: Plugin) -> dict[str, str]:
    """Return the name of the file of each revision."""
    found = ((_identifiers(file), file.name) for file in versions_of(plugin).glob("*.py"))
    return {each["revision"]: name for each, name in found if "revision" in each}


def revisions_of(plugin: Plugin) -> dict[str, tuple[str, ...]]:
    """Return the revisions in the plugin's files, each with the revisions that it follows.

    :raises StartError: if a file doesn't state them as literals.
    """
    folder = versions_of(plugin)
    # A readiness check comes every few seconds, and a developer may add files in between.
    return _read(folder, tuple(sorted(file.name for file in folder.glob("*.py"))))


@cache
def _read(folder: Path, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    declared = [_identifiers(folder / name) for name in names]
    return {
        each["revision"]: _as_tuple(each.get("down_revision"))
        for each in declared
        if "revision" in each
    }


def pending_revisions(found: str | None, plugin: Plugin) -> list[str]:
    """Return the revisions that tables at the revision ``found`` lack, in any order."""
    before = revisions_of(plugin)
    applied, unseen = set[str](), [found] if found else []
    while unseen:
        revision = unseen.pop()
        applied.add(revision)
        unseen += before.get(revision, ())
    return sorted(before.keys() - applied)


def exceptions_of(plugin: Plugin, revision: str) -> dict[str, str]:
    """Return the rules that a revision breaks by its own declaration, each with the reason.

    :raises StartError: if the file doesn't state them as literals.
    """
    for file in versions_of(plugin).glob("*.py"):
        declared = _identifiers(file)
        if declared.get("revision") == revision:
            return dict(declared.get("exceptions", {}))
    return {}


@cache
def kit_of(folder: Path) -> int:
    """Return the newest kit that the revisions in a folder create tables with; 0 if none does.

    The result is cached: when files are replaced, a process keeps running the code that it loaded.

    :raises StartError: if a revision doesn't state its kit as a literal.
    """
    kits = [0]
    for file in folder.glob("*.py"):
        for node in ast.walk(_parsed(file)):
            match node:
                case ast.Call(
                    func=ast.Name(id="create_kit_table") | ast.Attribute(attr="create_kit_table"),
                    keywords=keywords,
                ):
                    kits += [_number(k.value, file) for k in keywords if k.arg == "kit"]
    return max(kits)


def _number(value: ast.expr, file: Path) -> int:
    match value:
        case ast.Constant(value=int(number)):
            return number
    raise StartError(f"{file.name} must state its kit as an integer literal")


def _parsed(file: Path) -> ast.Module:
    """Return the syntax tree of a revision's file.

    :raises StartError: for wrong syntax, naming the line.
    """
    try:
        return ast.parse(file.read_text("utf-8"))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise StartError(f"the revision {file}:{line} can't be read: {describe(error)}") from error


def _identifiers(file: Path) -> dict[str, Any]:
    """Return the identifiers and the exceptions in a revision's file, without running it."""
    found = {}
    for statement in _parsed(file).body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if name in ("revision", "down_revision", "exceptions"):
                found[name] = _literal(value, file, name)
    return found


def _literal(value: ast.expr, file: Path, name: str) -> Any:
    try:
        return ast.literal_eval(value)
    except ValueError:
        kind = "exceptions" if name == "exceptions" else "revisions"
        raise StartError(f"{file.name} must state its {kind} as string literals") from None


def _as_tuple(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value
