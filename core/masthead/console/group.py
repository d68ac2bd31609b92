"""The command that all others hang below: it gathers them and words what goes wrong."""

from __future__ import annotations

import sys
from typing import Any

import click

from masthead.errors import Refusal, StartError
from masthead.plugins import collect, installed, make_manager


class PluginGroup(click.Group):
    """A group that asks every installed plugin for its commands when they are first needed."""

    _gathered = False

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command; what it refuses becomes one line, and 1 the exit status."""
        try:
            return super().main(*args, **kwargs)
        except (StartError, Refusal, OSError) as error:
            click.echo(f"Error: {error}", err=True)
            sys.exit(1)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, sorted."""
        self._gather()
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, if there is one."""
        self._gather()
        return super().get_command(ctx, cmd_name)

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command.

        :raises StartError: where another plugin has added one of that name.
        """
        other = self.commands.get(name or cmd.name or "")
        if other is not None and other is not cmd:
            raise StartError(
                f"{_origin(other)} and {_origin(cmd)} both add the command {name or cmd.name}"
            )
        super().add_command(cmd, name)

    def _gather(self) -> None:
        if self._gathered:
            return
        self._gathered = True

        collect(make_manager(installed().values()), "masthead_commands", group=self)


def _origin(command: click.Command) -> str:
    return command.callback.__module__ if command.callback else "click"
