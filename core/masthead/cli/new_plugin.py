"""``masthead new-plugin``: write the files of a new plugin."""

from __future__ import annotations

from pathlib import Path
from string import Template

import click

from masthead.cli.plugin_files import FILES
from masthead.errors import StartError
from masthead.faults import CORE
from masthead.plugins import installed, is_plugin_name

MAX_NAME = 30
"""PostgreSQL truncates names after 63 bytes; ``fk_<name>_item_approval_requested_by`` must fit."""


@click.command("new-plugin")
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--kind",
    type=click.Choice(list(FILES)),
    default="content",
    show_default=True,
    help="The declarations: a content type, a resource, or a setting and an endpoint.",
)
def new_plugin(name: str, folder: Path | None, kind: str) -> None:
    """Write the files of a new plugin NAME, with tests.

    They are written into FOLDER, by default masthead_NAME, which must be empty or missing.
    """
    if not is_plugin_name(name) or len(name) > MAX_NAME:
        raise click.BadParameter(
            f"must start with a letter, consist of a-z and 0-9, and be at most {MAX_NAME} long",
            param_hint="NAME",
        )
    available = installed()
    if name in available:
        raise StartError(f"a plugin named {name} is already installed")
    root = folder or Path(f"masthead_{name}")
    if root.exists() and any(root.iterdir()):
        raise StartError(f"{root} is not empty")
    versions = _compatible(available[CORE].version)
    for path, text in FILES[kind].items():
        names = {"name": name, "label": name.capitalize(), "versions": versions}
        written = root / Template(path).substitute(names)
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(Template(text).substitute(names), "utf-8")
    click.echo(f"Wrote {root}; see its README.md for the next steps")


def _compatible(version: str) -> str:
    """Return the range of compatible versions of core, as a requirement."""
    major, minor, *_ = version.split(".")
    return f">={major}.{minor},<{major}.{int(minor) + 1}"
