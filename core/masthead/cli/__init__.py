"""The command line: ``masthead`` and its commands."""

from __future__ import annotations

import click

from masthead.console.group import PluginGroup

__all__ = ["main"]


@click.group(cls=PluginGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="masthead-core", prog_name="masthead")
def main() -> None:
    """The backend of an organisation's website."""
