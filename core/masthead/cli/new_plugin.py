"""``masthead new-plugin``: write the files of a new plugin."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from importlib import import_module, invalidate_caches
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from masthead.cli.plugin_declarations import FIRST_FIELDS, Declared, own_names
from masthead.cli.plugin_fields import KINDS as KINDS_OF_FIELDS
from masthead.cli.plugin_fields import parse_fields, wire_name
from masthead.cli.plugin_files import KINDS, PLAIN, files_of
from masthead.db import migrate
from masthead.errors import StartError
from masthead.faults import CORE
from masthead.instance import open_instance
from masthead.plugins import Installed, Plugin, collect, installed, is_plugin_name, make_manager
from masthead.web.openapi.document import document

MAX_NAME = 30
"""PostgreSQL truncates names after 63 bytes; ``fk_<name>_item_approval_requested_by`` must fit."""
_FIELD_HELP = f"""\
A field, as NAME:KIND or NAME:KIND:ARGUMENT, such as price:number:10.2 or venue:ref:venues; can be
repeated. The kinds are {", ".join(KINDS_OF_FIELDS)}."""


@click.command("new-plugin")
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="content",
    show_default=True,
    help="The declarations: a content type, a resource, or a setting and an endpoint.",
)
@click.option("--field", "fields", multiple=True, metavar="FIELD", help=_FIELD_HELP)
@click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="NAME",
    help="A field that lists are filtered by; can be repeated.",
)
@click.option(
    "--expires", default="", metavar="NAME", help="The field with the time at which items vanish."
)
def new_plugin(
    name: str,
    folder: Path | None,
    kind: str,
    fields: tuple[str, ...],
    filters: tuple[str, ...],
    expires: str,
) -> None:
    """Write the files of a new plugin NAME, with its migration and tests.

    They are written into FOLDER, by default masthead_NAME, which must be empty or missing.
    """
    if not is_plugin_name(name) or len(name) > MAX_NAME:
        raise click.BadParameter(
            f"must start with a letter, consist of a-z and 0-9, and be at most {MAX_NAME} long",
            param_hint="NAME",
        )
    declared = _declared(kind, name, fields, filters, expires)
    available = installed()
    if name in available:
        raise StartError(f"a plugin named {name} is already installed")
    root = folder or Path(f"masthead_{name}")
    if root.exists() and any(root.iterdir()):
        raise StartError(f"{root} is not empty")
    others = _plugins_of_targets(declared, available)
    files = files_of(declared, _compatible(available[CORE].version), others)
    # A plugin that can't be used leaves no files.
    with TemporaryDirectory() as made:
        _write(files, Path(made))
        with _imported(name, Path(made)) as plugin:
            _check(plugin, available)
            if kind != PLAIN:
                migrate.revision([plugin], name, "First tables")
        shutil.copytree(made, root, dirs_exist_ok=True)
    click.echo(f"Wrote {root}; see its README.md for the next steps")


def _declared(
    kind: str, name: str, fields: tuple[str, ...], filters: tuple[str, ...], expires: str
) -> Declared:
    """Return the fields and options of the plugin.

    :raises click.UsageError: for the first one that is wrong.
    """
    if kind == PLAIN:
        if fields or filters or expires:
            raise click.UsageError("a plain plugin has no --field, --filter and --expires")
        return Declared(kind, name)
    if expires and kind != "content":
        raise click.UsageError("--expires needs --kind content")
    own = own_names(kind)
    parsed = parse_fields(fields or FIRST_FIELDS[kind], own)
    return Declared(
        kind,
        name,
        parsed,
        list(dict.fromkeys(wire_name(parsed, each, own, "--filter") for each in filters)),
        wire_name(parsed, expires, own, "--expires") if expires else "",
    )


def _plugins_of_targets(declared: Declared, available: Installed) -> dict[str, str]:
    """Return the plugins of the items that the fields refer to, with their distributions."""
    targets = {field.kind.target for field in declared.fields} - {"", declared.name}
    found = {}
    for other in available if targets else ():
        try:
            manager = make_manager([available[other]])
            kinds = [
                item
                for hook in ("masthead_content_types", "masthead_resources")
                for _, item in collect(manager, hook)
            ]
        except StartError:
            # A broken plugin doesn't concern this one.
            continue
        if other != CORE and targets & {each.name for each in kinds}:
            found[other], _ = available.distribution(other)
            targets -= {each.name for each in kinds}
    for target in sorted(targets):
        click.echo(f"No installed plugin has {target}; the tests refer to none", err=True)
    return found


def _write(files: Mapping[str, str], folder: Path) -> None:
    for path, text in files.items():
        written = folder / path
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(text, "utf-8")


def _check(plugin: Plugin, available: Installed) -> None:
    """Check that a plugin can be used, alone and together with all installed plugins.

    :raises StartError: if it can't.
    """
    everything = available.adding({plugin.name: plugin})
    _describe(everything, plugin.name)
    try:
        _describe(everything, *everything)
    except StartError as error:
        try:
            _describe(available, *available)
        except StartError:
            # The installed plugins don't work together, with or without this one.
            click.echo(f"Checked without the other installed plugins: {error}", err=True)
        else:
            message = f"{plugin.name} doesn't work together with the installed plugins: {error}"
            raise StartError(message) from error


def _describe(available: Installed, *names: str) -> None:
    """Describe the endpoints of an instance with these plugins.

    :raises StartError: if it can't start.
    """
    with TemporaryDirectory() as data:
        ini = {"masthead.plugins": " ".join(names), "masthead.data": data}
        with closing(open_instance(ini, {}, available, check=len(names) == 1)) as instance:
            document(instance.endpoints, instance)


@contextmanager
def _imported(name: str, folder: Path) -> Iterator[Plugin]:
    """Import a plugin from a folder, and forget its modules at the end."""
    package, writes = f"masthead_{name}", sys.dont_write_bytecode
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    invalidate_caches()
    try:
        plugin: Plugin = import_module(f"{package}.plugin").plugin
        yield plugin
    finally:
        sys.dont_write_bytecode = writes
        sys.path.remove(str(folder))
        _forget(each for each in list(sys.modules) if each.partition(".")[0] == package)


def _forget(modules: Iterable[str]) -> None:
    for each in modules:
        del sys.modules[each]


def _compatible(version: str) -> str:
    """Return the range of compatible versions of core, as a requirement."""
    major, minor, *_ = version.split(".")
    return f">={major}.{minor},<{major}.{int(minor) + 1}"
