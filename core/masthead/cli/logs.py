"""The logging configuration of servers and workers."""

from __future__ import annotations

import logging
from pathlib import Path

import plaster

from masthead.cli.ini_file import LOG_FORMAT
from masthead.errors import StartError
from masthead.instance import Instance
from masthead.server.log_handler import LogHandler

logger = logging.getLogger(__name__)


def log_origin(instance: Instance, config: Path | None) -> None:
    """Log the database and the configuration file, because a wrong file leads to another database.

    :param config: the file; None if there is only the environment.
    """
    origin = config or "the environment without a configuration file"
    logger.info("The database is %s, from %s", instance.database.place, origin)


def start_log(config: Path | None) -> None:
    """Configure logging from the configuration file, or to standard error if it has no loggers.

    :param config: a file that ``read_ini`` has read.
    :raises StartError: if its logging sections can't be used.
    """
    if config is not None:
        loader = plaster.get_loader(plaster.PlasterURL("file+ini", str(config)), ["wsgi"])
        if "loggers" in loader.get_sections():
            try:
                loader.setup_logging()
            # The sections may name any class and contain Python expressions.
            except Exception as error:
                why = " ".join(str(error).split()) or type(error).__name__
                raise StartError(f"the logging of {config} can't be used: {why}") from error
            return
    logging.basicConfig(level=logging.INFO, format=LOG_FORMAT, handlers=[LogHandler()])
    # Alembic logs the type of the database whenever it connects.
    logging.getLogger("alembic").setLevel(logging.WARNING)
