"""Logs a trouble of the worker with its database once, and its end."""

from __future__ import annotations

import logging

from sqlalchemy.exc import SQLAlchemyError

from masthead.db import Database
from masthead.db.waits import is_lost

logger = logging.getLogger(__name__)


class TroubleLog:
    """The lines about a trouble that several attempts in a row meet.

    :param begin: the line at the beginning, with ``%s`` for the trouble.
    :param end: the line at the end.
    """

    def __init__(self, database: Database, begin: str, end: str) -> None:
        self._database = database
        self._begin, self._end = begin, end
        self._trouble = ""
        """The trouble that the log has last told of."""

    def note(self, trouble: str, error: SQLAlchemyError | None = None) -> None:
        """Log a trouble unless it is known, and the end of one.

        :param trouble: blank after a success.
        """
        if error is not None and self._database.outage.covers(error):
            return
        if error is not None and is_lost(error):
            # A probe has begun, and an outage that lasts is logged by it.
            logger.info("The worker lost the database: %s", trouble)
            return
        if trouble and trouble != self._trouble:
            logger.error(self._begin, trouble)
        elif self._trouble and not trouble:
            logger.warning(self._end)
        self._trouble = trouble
