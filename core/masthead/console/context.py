"""The configuration file of a command, and the instance that it describes."""

from __future__ import annotations

import configparser
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
import plaster
from sqlalchemy.exc import DBAPIError

from masthead.checking.running import reason_of
from masthead.db import migrate
from masthead.db.comparing import differences
from masthead.db.waits import is_lost
from masthead.errors import StartError, WrongConfiguration
from masthead.instance import Instance, open_instance
from masthead.settings import CONFIG_VARIABLE, PREFIX

_DISK_ERRORS = frozenset(
    (
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOTADB,
    )
)

_MOST = 3
"""The maximum number of differences to list."""

config_option = click.option(
    "-c",
    "--config",
    envvar=CONFIG_VARIABLE,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Configuration file; by default that of the environment variable MASTHEAD_CONFIG. Without"
    " one, defaults and environment variables apply.",
)
"""Adds the parameter ``config``, the path of the ini file or None."""


@contextmanager
def open_from(
    config: Path | None, environ: Mapping[str, str] = os.environ, *, creates: bool = False
) -> Iterator[Instance]:
    """Open the instance that a configuration file describes, and close it afterwards.

    :param config: the ini file; None for defaults and environment variables only.
    :param creates: whether a missing SQLite database is created. Otherwise a command without the
        right configuration would use an empty database instead of the instance's.
    :raises StartError: with a one-line message.
    """
    ini = read_ini(config)
    with configuring():
        instance = open_instance(ini, environ)
    if not creates:
        instance.database.never_create()
    try:
        yield instance
    except DBAPIError as error:
        if not is_lost(error):
            _check_database(instance)
        if is_lost(error) or _is_of_the_disk(error):
            raise StartError(reason_of(instance, error)) from error
        raise
    finally:
        instance.close()


@contextmanager
def configuring() -> Iterator[None]:
    """Turn each StartError in the block into a WrongConfiguration.

    :raises WrongConfiguration: in place of another StartError.
    """
    try:
        yield
    except StartError as error:
        raise WrongConfiguration(str(error)) from error


def read_ini(config: Path | None) -> dict[str, str]:
    """Return the settings in ``[app:main]`` or ``[app:masthead]`` of a PasteDeploy file.

    :raises WrongConfiguration: if the file can't be read, has neither section, or has a setting in
        a section that isn't read.
    """
    if config is None:
        return {}

    try:
        # A PlasterURL from parts allows blanks, "#" and "?" in the path.
        loader = plaster.get_loader(plaster.PlasterURL("file+ini", str(config)))
        sections = loader.get_sections()
        check_places(config)
        for section in ("app:main", "app:masthead"):
            if section in sections:
                return dict(loader.get_settings(section))
    except configparser.InterpolationSyntaxError as error:
        setting = f"[{error.section}] {error.option}"
        raise WrongConfiguration(
            f"{config} can't be read: {setting} has a single percent sign; write % as %%"
        ) from error
    except (OSError, UnicodeDecodeError, configparser.Error) as error:
        why = " ".join(str(error).split())
        raise WrongConfiguration(f"{config} can't be read: {why}") from error
    raise WrongConfiguration(f"{config} has no section [app:main]")


def check_places(config: Path) -> None:
    """Check that no setting stands where it has no effect.

    PasteDeploy ignores a key of ``[DEFAULT]`` in all sections.

    :raises WrongConfiguration: naming the setting and its section.
    """
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read(config, "utf-8")
    for section in (parser.default_section, *parser.sections()):
        if not section.startswith("app:"):
            for key in parser[section]:
                if key.startswith(PREFIX):
                    raise WrongConfiguration(
                        f"{config}: {key} is in the section [{section}], where nothing reads it;"
                        " move it to [app:main]"
                    )


def _check_database(instance: Instance) -> None:
    """Check the database for problems that a deployer can fix.

    :raises StartError: if it can't be reached, must be migrated, or lacks a table or a column.
    """
    try:
        migrate.check_current(instance.database, instance.plugins)
        found = differences(instance.database, instance.plugins)
    except DBAPIError as error:
        raise StartError(reason_of(instance, error)) from error
    if lacking := [line for line in found if " lacks " in line]:
        raise StartError(
            f"{'; '.join(lacking[:_MOST])}; masthead db check lists all differences, and"
            " masthead db revision writes a missing migration"
        )


def _is_of_the_disk(error: DBAPIError) -> bool:
    """Whether SQLite's file can't be used, for example because its disk is full or read-only."""
    # The lower byte of SQLite's code is the kind of the error.
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _DISK_ERRORS
