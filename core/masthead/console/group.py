"""The main command: it collects the subcommands of plugins and reports errors."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from masthead.errors import Refusal, StartError
from masthead.plugins import collect, installed, make_manager


class PluginGroup(click.Group):
    """A group that loads the commands of all installed plugins when they are first needed."""

    _loaded = False

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command; an expected error prints one line and exits with status 1."""
        try:
            return super().main(*args, **kwargs)
        except (StartError, Refusal, OSError) as error:
            click.echo(f"Error: {_message(error)}", err=True)
            sys.exit(1)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        self._load()
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with this name; None if there is none."""
        self._load()
        return super().get_command(ctx, cmd_name)

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command.

        :raises StartError: if another plugin has added a command with the same name.
        """
        other = self.commands.get(name or cmd.name or "")
        if other is not None and other is not cmd:
            raise StartError(
                f"{_origin(other)} and {_origin(cmd)} both add the command {name or cmd.name}"
            )
        super().add_command(cmd, name)

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True

        collect(make_manager(installed().values()), "masthead_commands", group=self)


def _origin(command: click.Command) -> str:
    return command.callback.__module__ if command.callback else "click"


def _message(error: Exception) -> str:
    if not isinstance(error, PermissionError) or not isinstance(error.filename, str):
        return str(error)
    from masthead.checking.folders import trouble_of

    # config/deploy/masthead.sh runs commands as another user than the one who types them.
    return trouble_of(Path(error.filename).absolute(), error)
