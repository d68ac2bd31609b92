"""``masthead import-site``: the import of a website from another system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from masthead import caller_named, config_option, open_from, timezone_option
from masthead_importers.entries import EVENT, PAGE, POST, Export
from masthead_importers.moving import Options, move

FORMATS = ("wordpress", "ghost", "substack", "icalendar", "csv")
_KINDS = (POST, PAGE, EVENT)


@click.command("import-site")
@click.argument("format", type=click.Choice(FORMATS))
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option("--publish", is_flag=True, help="Publish the items that were public.")
@click.option("--dry-run", is_flag=True, help="Check everything and store nothing.")
@click.option("--as", "username", metavar="USER", help="Creator of the imported items.")
@click.option(
    "--media",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of the uploaded files, such as wp-content/uploads.",
)
@click.option("--create-authors", is_flag=True, help="Create disabled users for unknown authors.")
@click.option("--url", default="", help="Address of the former website.")
@click.option("--permalinks", default="", help="Permalink structure of WordPress.")
@click.option("--map", "columns", multiple=True, metavar="FIELD=COLUMN", help="Column of a field.")
@click.option("--into", multiple=True, metavar="KIND=NAME", help="Content type for post or page.")
@click.option("--source", default="", help="Name of the system that has the ids.")
@timezone_option
@config_option
@click.pass_context
def import_site(
    context: click.Context,
    /,
    format: str,  # noqa: A002 - the name of the argument in the help
    files: tuple[Path, ...],
    config: Path | None,
    **options: Any,
) -> None:
    """Import a website from the export of another system.

    FORMAT is wordpress (WXR, .xml), ghost (.json), substack (.zip), icalendar (.ics) or csv. Items
    become drafts; with --publish, those that were public become public. Former addresses are kept
    as redirects. Items that an earlier run has imported are skipped, so that an import can be
    repeated.
    """
    export = _export(format, files, options)
    if options["url"]:
        export.home = _address(options["url"])
    with open_from(config) as instance:
        username = options["username"]
        chosen = Options(
            source=options["source"],
            publish=options["publish"],
            dry_run=options["dry_run"],
            caller=caller_named(instance, username) if username else None,
            media=options["media"],
            create_authors=options["create_authors"],
            targets=_pairs("--into", options["into"], _KINDS),
        )
        report = move(instance, export, chosen)
    prefix = "dry run: " if options["dry_run"] else ""
    for line in report.lines():
        click.echo(prefix + line)
    context.exit(1 if report.failed else 0)


def _export(name: str, files: Sequence[Path], options: dict[str, Any]) -> Export:
    # Each reader has libraries that the other commands don't need.
    readers: dict[str, Callable[[], Export]] = {
        "wordpress": lambda: _wordpress(files, options),
        "ghost": lambda: _ghost(files),
        "substack": lambda: _substack(files),
        "icalendar": lambda: _icalendar(files, options),
        "csv": lambda: _csv(files, options),
    }
    return readers[name]()


def _wordpress(files: Sequence[Path], options: dict[str, Any]) -> Export:
    from masthead_importers.wordpress.export import WordPressExport

    return WordPressExport(files, options["permalinks"], options["timezone"])


def _ghost(files: Sequence[Path]) -> Export:
    from masthead_importers.ghost.export import GhostExport

    return GhostExport(files)


def _substack(files: Sequence[Path]) -> Export:
    from masthead_importers.substack import SubstackExport

    return SubstackExport(files)


def _icalendar(files: Sequence[Path], options: dict[str, Any]) -> Export:
    from masthead_importers.calendars import CalendarExport

    return CalendarExport(files, options["timezone"])


def _csv(files: Sequence[Path], options: dict[str, Any]) -> Export:
    from masthead_importers.tables import FIELDS, TableExport

    columns = _pairs("--map", options["columns"], FIELDS)
    return TableExport(files, columns, options["timezone"])


def _pairs(option: str, words: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Return the pairs of an option whose values are ``name=value``."""
    pairs = {}
    for word in words:
        name, found, value = word.partition("=")
        if not found or not value.strip() or name.strip() not in known:
            form = f"{word} isn't one of {', '.join(known)}, followed by = and a name"
            raise click.BadParameter(form, param_hint=option)
        pairs[name.strip()] = value.strip()
    return pairs


def _address(url: str) -> str:
    if not url.lower().startswith(("http://", "https://")):
        raise click.BadParameter(
            f"{url} doesn't start with http:// or https://", param_hint="--url"
        )
    return url.rstrip("/")
