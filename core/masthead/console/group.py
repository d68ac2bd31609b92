"""The main command: it collects the subcommands of plugins and reports errors."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import click

from masthead.console.context import config_option, read_ini
from masthead.errors import Refusal, StartError, WrongConfiguration
from masthead.faults import CORE
from masthead.instance import PLUGINS
from masthead.plugins import collect, installed, make_manager
from masthead.settings import read_setting
from masthead.telemetry.journal import is_journal, with_priority

_EX_CONFIG = 78  # of sysexits.h, which Python has on POSIX only
_NOTIFICATIONS = "NOTIFY_SOCKET"  # set by systemd for a service with Type=notify


class PluginGroup(click.Group):
    """A group that loads the commands of plugins when they are first needed.

    Those are the plugins that the configuration of the command enables; without a configuration,
    all installed ones. A plugin whose commands can't be loaded is named in one line, and the other
    commands work.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._own = self.commands
        """The commands that no plugin adds."""
        self._plugins: tuple[str, ...] | None = None
        """The plugins whose commands this run uses; None before they are loaded."""
        self._loaded: tuple[str, ...] = ()
        self._broken: list[str] = []
        self.shows_traceback = False

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command; an expected error prints one line and exits with its status."""
        self._plugins = None
        try:
            return super().main(*args, **kwargs)
        except (StartError, Refusal, OSError) as error:
            if self.shows_traceback:
                traceback.print_exception(error)
            self._tell(_message(error))
            sys.exit(getattr(error, "exit_status", 1))
        finally:
            self._tell()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command of the arguments, which may name a configuration."""
        self._load(args)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        self._load(())
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with this name; None if there is none."""
        self._load(())
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

    def _load(self, arguments: Sequence[str]) -> None:
        """Load the commands of plugins, once in each run.

        :param arguments: the arguments of the command.
        """
        if self._plugins is not None:
            return
        available = installed()
        self._plugins = tuple(_enabled_by(arguments, available) or available)
        if self._plugins == self._loaded:
            return
        self.commands, self._loaded = dict(self._own), self._plugins
        for name in self._plugins:
            try:
                collect(make_manager([available[name]]), "masthead_commands", group=self)
            except StartError as error:
                if name == CORE:
                    raise
                self._broken.append(str(error))

    def _tell(self, message: str = "") -> None:
        """Print an error, and the plugins whose commands are missing, each in one line."""
        if message:
            _print(f"Error: {message}", logging.ERROR)
        for line in self._broken:
            if line != message:
                _print(f"Warning: {line}", logging.WARNING)
        self._broken = []


class ServiceCommand(click.Command):
    """A command that systemd starts again, unless its configuration is wrong.

    As a service of systemd, it then ends with 78, as in ``RestartPreventExitStatus`` of the units.
    """

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except WrongConfiguration as error:
            if _NOTIFICATIONS in os.environ:
                error.exit_status = _EX_CONFIG
            raise


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@config_option
def _configured(config: Path | None) -> Path | None:
    """Find the option ``--config`` among the arguments of any command."""
    return config


def _enabled_by(arguments: Sequence[str], available: Collection[str]) -> list[str]:
    """Return the names of the installed plugins that a configuration enables.

    :param arguments: the arguments of the command, which may name the configuration.
    :returns: an empty list if it enables all, or can't be read; the command tells why.
    """
    context = _configured.make_context("masthead", [*arguments], resilient_parsing=True)
    try:
        names = read_setting(PLUGINS, read_ini(context.params["config"]), os.environ)
    except StartError:
        return []
    return [name for name in dict.fromkeys([CORE, *names]) if name in available] if names else []


def _origin(command: click.Command) -> str:
    return command.callback.__module__ if command.callback else "click"


def _print(line: str, level: int) -> None:
    """Print a line on standard error; in the journal of systemd, it has a priority."""
    click.echo(with_priority(line, level) if is_journal(sys.stderr) else line, err=True)


def _message(error: Exception) -> str:
    if not isinstance(error, PermissionError) or not isinstance(error.filename, str):
        return str(error)
    from masthead.checking.folders import trouble_of

    # config/deploy/masthead.sh runs commands as another user than the one who types them.
    return trouble_of(Path(error.filename).absolute(), error)
