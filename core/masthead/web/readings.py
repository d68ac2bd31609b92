"""The gauges that are read from the database, kept for some seconds."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError

from masthead.db.outage import one_line
from masthead.instance import Instance
from masthead.web.shared_run import SharedRun

if TYPE_CHECKING:
    from prometheus_client import Metric

logger = logging.getLogger(__name__)

KEPT_SECONDS = 5.0
"""The time for which values are used again, however often they are asked for."""
_WAIT_SECONDS = 3.0
"""The time in which all readings have to end; a scrape must work while the database hangs."""
UP = "masthead_database_up"
_UP_HELP = "Whether the database has answered all readings: 1 or 0."

Values = dict[str, list[tuple[tuple[str, ...], float]]]
"""By the name of a reading: label values and the value."""


class Readings:
    """The readings of an instance, read once for all requests at the same time."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._run = SharedRun("readings", self._read, _WAIT_SECONDS)
        event.listen(instance.database.engine, "engine_disposed", lambda _engine: self.forget())

    def forget(self) -> None:
        """Read all values again when they are next asked for."""
        self._run.forget()

    def values(self) -> tuple[Values, bool]:
        """Return the values, and whether all of them could be read in time."""
        values = self._run.results(KEPT_SECONDS)
        return values, len(values) == len(self._instance.readings)

    # The method of prometheus_client's collectors.
    def collect(self) -> Iterable[Metric]:
        """Yield the gauges in the form of prometheus_client."""
        from prometheus_client.core import GaugeMetricFamily

        values, complete = self.values()
        up = GaugeMetricFamily(UP, _UP_HELP)
        up.add_metric((), int(complete))
        yield up
        for reading in self._instance.readings:
            family = GaugeMetricFamily(reading.name, reading.help, labels=reading.labels)
            for labels, value in values.get(reading.name, ()):
                family.add_metric(labels, value)
            yield family

    def _read(self, values: Values) -> None:
        database = self._instance.database
        for reading in self._instance.readings:
            try:
                with database.read() as connection:
                    values[reading.name] = list(reading.read(self._instance, connection))
            # A reading may be a plugin's, and the others don't depend on it.
            except Exception as error:  # noqa: BLE001
                if isinstance(error, SQLAlchemyError) and database.outage.covers(error):
                    return
                logger.warning("The metric %s can't be read: %s", reading.name, one_line(error))
