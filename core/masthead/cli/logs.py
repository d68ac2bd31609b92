"""Where the log of a running server goes."""

from __future__ import annotations

import logging
from pathlib import Path

import plaster

from masthead.cli.ini_file import LOG_FORMAT
from masthead.errors import StartError
from masthead.server.log_handler import LogHandler


def start_log(config: Path | None) -> None:
    """Log as the configuration file says; where it doesn't, to standard error.

    :param config: a file that ``read_ini`` could read.
    :raises StartError: where its logging sections can't be used.
    """
    if config is not None:
        loader = plaster.get_loader(plaster.PlasterURL("file+ini", str(config)), ["wsgi"])
        if "loggers" in loader.get_sections():
            try:
                loader.setup_logging()
            # They name any class, and hold Python that is evaluated.
            except Exception as error:
                why = " ".join(str(error).split()) or type(error).__name__
                raise StartError(f"the logging of {config} can't be used: {why}") from error
            return
    logging.basicConfig(level=logging.INFO, format=LOG_FORMAT, handlers=[LogHandler()])
    # It says at each look at a database what kind of database it is.
    logging.getLogger("alembic").setLevel(logging.WARNING)
