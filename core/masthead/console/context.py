"""What every command starts with: the configuration file and the instance it describes."""

from __future__ import annotations

import configparser
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
import plaster
from sqlalchemy.exc import DBAPIError

from masthead.db import migrate
from masthead.errors import StartError
from masthead.instance import Instance, open_instance

config_option = click.option(
    "-c",
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The configuration file; without one the defaults and the environment hold.",
)
"""Passes ``config``, the path of the ini file or None."""


@contextmanager
def open_from(config: Path | None, environ: Mapping[str, str] = os.environ) -> Iterator[Instance]:
    """Open the instance that a configuration file describes, and close it afterwards.

    :param config: the ini file; None where only the defaults and the environment hold.
    :raises StartError: with one line that says what can't work.
    """
    instance = open_instance(read_ini(config), environ)
    try:
        yield instance
    except DBAPIError:
        _check_database(instance)
        raise
    finally:
        instance.close()


def read_ini(config: Path | None) -> dict[str, str]:
    """The settings of a PasteDeploy file's ``[app:main]`` or ``[app:masthead]``.

    :raises StartError: where the file can't be read or has neither section.
    """
    if config is None:
        return {}

    try:
        # A URL of parts, so that blanks, "#" and "?" may stand in the path.
        loader = plaster.get_loader(plaster.PlasterURL("file+ini", str(config)))
        sections = loader.get_sections()
        for section in ("app:main", "app:masthead"):
            if section in sections:
                return dict(loader.get_settings(section))
    except (OSError, UnicodeDecodeError, configparser.Error) as error:
        raise StartError(f"{config} can't be read: {' '.join(str(error).split())}") from error
    raise StartError(f"{config} has no section [app:main]")


def _check_database(instance: Instance) -> None:
    """Make sure that there is nothing about the database that a deployer can mend.

    :raises StartError: where there is.
    """
    try:
        migrate.check_current(instance.database, instance.plugins)
    except DBAPIError as error:
        reason = " ".join(str(error.orig).split())
        raise StartError(f"the database can't be reached: {reason}") from error
