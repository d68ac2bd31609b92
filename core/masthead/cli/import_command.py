"""``masthead import``: content from a JSON lines file, or a whole instance from an export."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import BinaryIO

import click

from masthead.auth.caller import Caller
from masthead.auth.grants import read_grants
from masthead.auth.services.users import get_user_named
from masthead.cli.transfer import import_folder
from masthead.console.context import config_option, open_from
from masthead.console.progress import open_with_progress
from masthead.content.contenttype import content_types_of
from masthead.content.jsonl_import import content_importer
from masthead.errors import NotFound
from masthead.instance import Instance
from masthead.resources.declaration import CREATE
from masthead.resources.jsonl import Importer, import_lines
from masthead.resources.jsonl_import import resource_importer


@click.command("import")
@click.argument("source")
@click.argument("file", type=click.File("rb"), required=False)
@click.option("--publish", is_flag=True, help="Approve and publish the imported items.")
@click.option("--as", "username", metavar="USER", help="Creator of the imported items.")
@config_option
@click.pass_context
def import_content(
    context: click.Context,
    source: str,
    file: BinaryIO | None,
    publish: bool,
    username: str | None,
    config: Path | None,
) -> None:
    """Import content, or a whole instance.

    With FILE, SOURCE is a content type or resource (news, people …), and FILE contains one item per
    line of JSON, optionally compressed with gzip; "-" is standard input. A line has the fields that
    the staff API accepts, and names instead of ids of tags. Errors are reported with their line
    numbers; all valid lines are imported.

    Without FILE, SOURCE is a folder that "masthead export" wrote, and this instance must be empty.
    Either all of it is imported or nothing.
    """
    if file is None:
        if publish or username:
            raise click.UsageError("--publish and --as are for items from a FILE")
        import_folder(Path(source), config)
        return
    counts: Counter[str] = Counter()
    with open_from(config) as instance, open_with_progress(file, "Importing") as lines:
        importer = _importer(instance, source)
        actor = _caller(instance, username) if username else None
        for line in import_lines(instance, importer, lines, publish=publish, actor=actor):
            counts["errors" if line.error else "imported"] += 1
            counts["warnings"] += len(line.warnings)
            for problem in [*line.warnings, *([line.error] if line.error else [])]:
                click.echo(f"line {line.number}: {problem}", err=True)
    click.echo(", ".join(f"{what} {counts[what]}" for what in ("imported", "warnings", "errors")))
    context.exit(1 if counts["errors"] else 0)


def _importer(instance: Instance, name: str) -> Importer:
    importers = {kind.name: content_importer(kind) for kind in content_types_of(instance)}
    made = (it for it in instance.resources.values() if CREATE in it.operations)
    importers |= {it.name: resource_importer(it) for it in made}
    if name not in importers:
        known = ", ".join(importers) or "none"
        raise NotFound(f"There is no content type {name}; there are: {known}")
    return importers[name]


def _caller(instance: Instance, username: str) -> Caller:
    """Return the user with this name as a caller with the user's permissions."""
    with instance.database.session(read_only=True) as session:
        user_id = get_user_named(session, username).id
    grants = read_grants(instance, user_id)
    if grants is None:
        raise NotFound(f"The user {username} is disabled")
    return Caller(user_id, grants.username, grants.permissions, grants.approves)
