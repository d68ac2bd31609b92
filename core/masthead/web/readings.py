"""The gauges that are read from the database, kept for some seconds."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlalchemy import event

from masthead.instance import Instance

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
    """The readings of an instance; a thread of their own reads them."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._lock = threading.Lock()
        self._run: _Run | None = None
        event.listen(instance.database.engine, "engine_disposed", lambda _engine: self.forget())

    def forget(self) -> None:
        """Read all values again when they are next asked for."""
        with self._lock:
            self._run = None

    def values(self) -> tuple[Values, bool]:
        """Return the values, and whether all of them could be read in time."""
        with self._lock:
            run, now = self._run, time.monotonic()
            if run is None or (run.ended.is_set() and now - run.began > KEPT_SECONDS):
                run = self._run = _Run(self._instance)
        ended = run.ended.wait(max(0.0, run.began + _WAIT_SECONDS - time.monotonic()))
        return dict(run.values), ended and not run.failed

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


class _Run:
    """One run of all readings, in a thread."""

    def __init__(self, instance: Instance) -> None:
        self.began = time.monotonic()
        self.ended = threading.Event()
        self.failed = False
        self.values: Values = {}
        threading.Thread(target=self._read, args=(instance,), name="readings", daemon=True).start()

    def _read(self, instance: Instance) -> None:
        try:
            for reading in instance.readings:
                with instance.database.read() as connection:
                    self.values[reading.name] = list(reading.read(instance, connection))
        # A reading may be a plugin's; the failure is a value, too.
        except Exception as error:  # noqa: BLE001
            self.failed = True
            logger.warning("The metrics can't be read: %s", " ".join(str(error).split()))
        finally:
            self.ended.set()
