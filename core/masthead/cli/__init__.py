"""The command line: ``masthead`` and its commands."""

from __future__ import annotations

import click

from masthead.console.group import PluginGroup

__all__ = ["main"]


def _show_tracebacks(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if isinstance(context.command, PluginGroup):
        context.command.shows_traceback = value


@click.group(cls=PluginGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_tracebacks,
    help="Print the traceback of an error as well.",
)
@click.version_option(package_name="masthead-core", prog_name="masthead")
def main() -> None:
    """The backend of an organisation's website."""
