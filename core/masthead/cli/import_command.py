"""``masthead import``: content from a JSON lines file, or a whole instance from an export."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import click

from masthead.auth.callers import caller_named
from masthead.cli.transfer import import_folder
from masthead.console.context import config_option, open_from
from masthead.console.progress import open_with_progress
from masthead.console.zone import timezone_option
from masthead.content.importers import importer_named
from masthead.errors import Invalid
from masthead.file_kinds import kind_of_file
from masthead.instance import Instance
from masthead.resources.importing import ForeignItem, Origin
from masthead.resources.jsonl import import_lines

_HINTS = {
    "XML": "; an export of a website is imported by masthead import-site",
    "an iCalendar file": "; a calendar is imported by masthead import-site",
    "a ZIP archive": "; an export of a website is imported by masthead import-site",
    "a JSON array": "; write one item per line",
}
_COUNTED = ("imported", "skipped", "warnings", "errors")


@click.command("import")
@click.argument("source")
@click.argument("file", type=click.File("rb"), required=False)
@click.option("--publish", is_flag=True, help="Approve and publish the imported items.")
@click.option("--as", "username", metavar="USER", help="Creator of the imported items.")
@click.option("--dry-run", is_flag=True, help="Check all lines and store nothing.")
@click.option("--source", "system", default="", help="Name of the system that has the ids.")
@timezone_option
@config_option
@click.pass_context
def import_content(
    context: click.Context,
    /,
    source: str,
    file: BinaryIO | None,
    config: Path | None,
    **options: Any,
) -> None:
    """Import content, or a whole instance.

    With FILE, SOURCE is a content type or resource (news, people …), and FILE contains one item per
    line of JSON, optionally compressed with gzip; "-" is standard input. A line has the fields that
    the staff API accepts, and names instead of ids of tags. Errors are reported with their line
    numbers; all valid lines are imported. A line whose "externalId", or else "id", was imported
    before is skipped. Times may be ISO 8601, RFC 2822 or Unix times.

    Without FILE, SOURCE is a folder that "masthead export" wrote, and this instance must be empty.
    Either all of it is imported or nothing.
    """
    if file is None:
        if any(options[name] for name in ("publish", "username", "dry_run", "system")):
            raise click.UsageError(
                "--publish, --as, --dry-run and --source are for items from a FILE"
            )
        import_folder(Path(source), config)
        return
    with open_from(config) as instance, open_with_progress(file, "Importing") as content:
        counts = _import_items(instance, source, _lines(content), options)
    shown = [name for name in _COUNTED if name != "skipped" or counts[name]]
    prefix = "dry run: " if options["dry_run"] else ""
    click.echo(prefix + ", ".join(f"{name} {counts[name]}" for name in shown))
    context.exit(1 if counts["errors"] else 0)


def _import_items(
    instance: Instance, kind: str, lines: Iterable[bytes], options: Mapping[str, Any]
) -> Counter[str]:
    """Import lines, show their problems, and return the number of lines by outcome."""
    # Garbage collections need not visit the loaded objects, which stay until the end.
    gc.freeze()
    counts: Counter[str] = Counter()
    username = options["username"]
    done = import_lines(
        instance,
        importer_named(instance, kind),
        lines,
        publish=options["publish"],
        actor=caller_named(instance, username) if username else None,
        origin=Origin(options["system"], options["timezone"]),
        dry_run=options["dry_run"],
        ahead=True,
    )
    for line in done:
        counts[_outcome(line)] += 1
        counts["warnings"] += len(line.warnings)
        for problem in [*line.warnings, *([line.error] if line.error else [])]:
            click.echo(f"line {line.number}: {problem}", err=True)
    return counts


def _lines(content: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file.

    :raises Invalid: for a file of another format, which has no useful line.
    """
    lines = iter(content)
    first = next(lines, b"")
    kind = kind_of_file(first)
    if kind not in (None, "JSON"):
        raise Invalid(f"The file is {kind}, not JSON lines{_HINTS.get(kind, '')}")
    yield first
    yield from lines


def _outcome(line: ForeignItem) -> str:
    if line.error:
        return "errors"
    return "skipped" if line.skipped else "imported"
