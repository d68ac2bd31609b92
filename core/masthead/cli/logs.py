"""The logging configuration of servers and workers."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import plaster

from masthead.console.context import configuring, read_ini
from masthead.errors import StartError
from masthead.instance import Instance
from masthead.server.log_handler import LogHandler
from masthead.server.signals import RELOAD, handling
from masthead.settings import Settings, read_settings
from masthead.telemetry.log_formats import JsonFormatter, TextFormatter
from masthead.telemetry.settings import LOG_FORMAT, LOG_LEVELS

logger = logging.getLogger(__name__)


def log_origin(instance: Instance, config: Path | None) -> None:
    """Log the database and the configuration file, because a wrong file leads to another database.

    :param config: the file; None if there is only the environment.
    """
    origin = config or "the environment without a configuration file"
    logger.info("The database is %s, from %s", instance.database.place, origin)


@contextmanager
def running_log(config: Path | None) -> Iterator[Callable[[], None]]:
    """Start the log, and reload it inside the block at SIGHUP.

    :returns: the function that reloads it, for code that handles the signal itself.
    :raises WrongConfiguration: if the settings or the logging sections can't be used.
    """
    log = Log(config)
    with configuring():
        log.start()
    signals = [] if RELOAD is None else [RELOAD]
    with handling(lambda *_: log.reload(), *signals):
        yield log.reload


class Log:
    """The log of a program.

    :param config: a file that ``read_ini`` has read; None for standard error.
    """

    def __init__(self, config: Path | None) -> None:
        self._config = config
        self._changed: dict[str, int] = {}
        """The former levels of loggers whose level a setting has changed."""

    def start(self) -> None:
        """Configure logging from the file, or to standard error if it has no loggers.

        :raises StartError: if the settings or the logging sections can't be used.
        """
        settings = self._settings()
        for name, level in self._changed.items():
            logging.getLogger(name).setLevel(level)
        self._changed = {}
        if not self._load_sections():
            handler = LogHandler()
            handler.setFormatter(TextFormatter())
            logging.basicConfig(level=logging.INFO, handlers=[handler])
            # Alembic logs the type of the database whenever it connects.
            logging.getLogger("alembic").setLevel(logging.WARNING)
        _set_format(settings[LOG_FORMAT])
        for name, level in settings[LOG_LEVELS].items():
            named = logging.getLogger(name)
            self._changed[name] = named.level
            named.setLevel(level)

    def reload(self) -> None:
        """Read the file again and reopen the files of logs; after an error keep the former log."""
        try:
            self.start()
        except StartError as error:
            logger.error("The log isn't reloaded: %s", error)  # noqa: TRY400 - the text says all
        else:
            logger.info("The log is reloaded")

    def _settings(self) -> Settings:
        own = {setting.name: setting for setting in (LOG_FORMAT, LOG_LEVELS)}
        ini = {name: value for name, value in read_ini(self._config).items() if name in own}
        return read_settings(own, ini, os.environ)

    def _load_sections(self) -> bool:
        """Configure logging as the sections of the file say; False if there are none."""
        if self._config is None:
            return False
        loader = plaster.get_loader(plaster.PlasterURL("file+ini", str(self._config)), ["wsgi"])
        if "loggers" not in loader.get_sections():
            return False
        try:
            loader.setup_logging()
        # The sections may name any class and contain Python expressions.
        except Exception as error:
            why = " ".join(str(error).split()) or type(error).__name__
            raise StartError(f"the logging of {self._config} can't be used: {why}") from error
        return True


def _set_format(wanted: str) -> None:
    """Let all handlers write JSON, or text again where they have written JSON."""
    names = list(logging.root.manager.loggerDict)
    for named in (logging.root, *map(logging.getLogger, names)):
        for handler in named.handlers:
            if wanted == "json":
                handler.setFormatter(JsonFormatter())
            elif isinstance(handler.formatter, JsonFormatter):
                handler.setFormatter(TextFormatter())
