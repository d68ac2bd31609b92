"""Metrics of a process: declared when a module is imported, recorded only after ``start``.

The values are Prometheus's own (``prometheus_client``). A program with several processes keeps them
in a folder that all of its processes share (``shared_folder``); one process keeps them in memory.
Counters and histograms append what is added to lists, and hand them over every few seconds and at
each scrape, because adding to the values in the folder costs several microseconds.
"""

from __future__ import annotations

import os
import threading
from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from prometheus_client import CollectorRegistry

SHORT = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The upper limits of a histogram's buckets in seconds, for requests and statements."""
LONG = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0)
"""The same for work in the background."""
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable by which prometheus_client finds the shared folder."""
OTHER = "other"
"""The value of each label of a metric that has too many combinations of labels."""
_MAX_SERIES = 2000


class Metric:
    """A metric with labels; use one of the subclasses.

    :param name: ``masthead_<area>_<thing>`` with the unit, as Prometheus recommends.
    :param help: one line for the person who reads it.
    :param labels: the names of the labels. Their values must come from a limited set: never an id,
        an address, a path or a user.
    """

    def __init__(self, name: str, help: str, labels: tuple[str, ...] = ()) -> None:  # noqa: A002 - Prometheus's word
        self.name = name
        self.help = help
        self.labels = labels
        self._family: Any = None
        self._children: dict[tuple[str, ...], Any] = {}
        _process.declare(self)

    @property
    def is_on(self) -> bool:
        """Whether values are recorded."""
        return self._family is not None

    def begin(self, registry: CollectorRegistry) -> None:
        """Record from now on; a metric without labels has a value at once."""
        self._family = self._make(registry)
        if not self.labels:
            self._child(())

    def end(self) -> None:
        """Record no longer."""
        self._family = None
        self._children = {}

    def flush(self) -> None:
        """Hand over what was gathered."""

    def _check(self, labels: tuple[str, ...]) -> None:
        if len(labels) != len(self.labels):
            raise ValueError(f"{self.name} has the labels {self.labels}, not {labels}")

    def _make(self, registry: CollectorRegistry) -> Any:
        raise NotImplementedError  # each kind of metric has its own

    def _child(self, labels: tuple[str, ...]) -> Any:
        child = self._children.get(labels)
        return self._new_child(labels) if child is None else child

    def _new_child(self, labels: tuple[str, ...]) -> Any:
        self._check(labels)
        if len(self._children) >= _MAX_SERIES:
            # A mistake of a plugin must not fill the memory of the server and of Prometheus.
            labels = (OTHER,) * len(labels)
        child = self._family.labels(*labels) if labels else self._family
        return self._children.setdefault(labels, child)


class Gathering(Metric):
    """A metric that keeps what is added in lists until :meth:`flush` hands it over."""

    _gathered: dict[tuple[str, ...], list[float]]
    """The amounts for each combination of labels."""

    def __init__(self, name: str, help: str, labels: tuple[str, ...] = ()) -> None:  # noqa: A002 - as above
        self._flushing = threading.Lock()
        super().__init__(name, help, labels)

    def flush(self) -> None:
        """Hand over what was gathered."""
        with self._flushing:
            for labels, amounts in list(self._gathered.items()):
                # Others only append meanwhile, so that nothing is lost and none waits for the lock.
                taken = amounts[:]
                del amounts[: len(taken)]
                if taken:
                    self._hand_over(self._child(labels), taken)

    def _begin(self, labels: tuple[str, ...]) -> list[float]:
        """Return the list of a combination of labels that may have none yet."""
        self._check(labels)
        if len(self._gathered) >= _MAX_SERIES:
            labels = (OTHER,) * len(labels)
        return self._gathered.setdefault(labels, [])

    def _hand_over(self, child: Any, amounts: list[float]) -> None:
        raise NotImplementedError  # each kind of metric has its own


class Counter(Gathering):
    """A number that only grows; Prometheus appends ``_total`` to its name."""

    def add(self, *labels: str, amount: float = 1) -> None:
        """Add ``amount``; without metrics this does nothing.

        :param labels: the values of the labels, in the order of their names.
        """
        if self._family is not None:
            gathered = self._gathered.get(labels)
            (self._begin(labels) if gathered is None else gathered).append(amount)

    def _hand_over(self, child: Any, amounts: list[float]) -> None:
        child.inc(sum(amounts))

    def _make(self, registry: CollectorRegistry) -> Any:
        from prometheus_client import Counter as Family

        self._gathered = {}
        return Family(self.name, self.help, self.labels, registry=registry)


class Gauge(Metric):
    """A number that goes up and down; the values of all live processes are added up."""

    def set(self, value: float, *labels: str) -> None:
        """Replace the value of this process; without metrics this does nothing."""
        if self._family is not None:
            self._child(labels).set(value)

    def _make(self, registry: CollectorRegistry) -> Any:
        from prometheus_client import Gauge as Family

        return Family(
            self.name, self.help, self.labels, registry=registry, multiprocess_mode="livesum"
        )


class Histogram(Gathering):
    """The distribution of durations in seconds.

    :param buckets: the upper limits of its buckets.
    """

    def __init__(
        self,
        name: str,
        help: str,  # noqa: A002 - Prometheus's word
        labels: tuple[str, ...] = (),
        buckets: tuple[float, ...] = SHORT,
    ) -> None:
        self.buckets = buckets
        super().__init__(name, help, labels)

    def observe(self, seconds: float, *labels: str) -> None:
        """Add a duration; without metrics this does nothing."""
        if self._family is not None:
            gathered = self._gathered.get(labels)
            (self._begin(labels) if gathered is None else gathered).append(seconds)

    def _hand_over(self, child: Any, amounts: list[float]) -> None:
        amounts.sort()
        ends = [bisect_right(amounts, limit) for limit in self.buckets]
        counts = [end - begin for begin, end in pairwise([0, *ends, len(amounts)])]
        child.add(counts, sum(amounts))

    def _make(self, registry: CollectorRegistry) -> Any:
        from masthead.telemetry.families import BatchedHistogram

        self._gathered = {}
        return BatchedHistogram(
            self.name, self.help, self.labels, registry=registry, buckets=self.buckets
        )


class _Process:
    """The metrics that this process has declared, and whether it records them."""

    def __init__(self) -> None:
        self.declared: list[Metric] = []
        self.samplers: list[Callable[[], object]] = []
        self.registry: CollectorRegistry | None = None
        self.pid = 0

    def declare(self, metric: Metric) -> None:
        self.declared.append(metric)
        if self.registry is not None:
            metric.begin(self.registry)


_process = _Process()


def start() -> bool:
    """Record from now on in this process; return False if it does so already.

    Call it after a fork, because processes must not share the memory of their values.
    """
    if is_on():
        return False
    import prometheus_client

    prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]  # it has no types
    _process.pid = os.getpid()
    _process.registry = prometheus_client.CollectorRegistry()
    for metric in _process.declared:
        metric.begin(_process.registry)
    return True


def stop() -> None:
    """Record no longer and forget all values, for tests."""
    _process.registry, _process.samplers = None, []
    for metric in _process.declared:
        metric.end()


def is_on() -> bool:
    """Whether this process records metrics."""
    return _process.registry is not None and _process.pid == os.getpid()


def declared() -> list[Metric]:
    """Return all metrics that this process has declared."""
    return list(_process.declared)


def add_sampler(sample: Callable[[], object]) -> None:
    """Have a function called every few seconds that sets gauges; without metrics do nothing."""
    if is_on() and sample not in _process.samplers:
        _process.samplers.append(sample)


def sample() -> None:
    """Set the gauges of this process, and hand over what counters and histograms have gathered."""
    for each in list(_process.samplers):
        each()
    flush()


def flush() -> None:
    """Hand over what counters and histograms have gathered."""
    if is_on():
        for metric in declared():
            metric.flush()


def collected() -> CollectorRegistry:
    """Return a registry with the values of all processes of the program."""
    from prometheus_client import CollectorRegistry, multiprocess

    sample()
    folder = os.environ.get(SHARED_FOLDER)
    if not folder:
        assert _process.registry is not None
        return _copy(_process.registry)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]  # it has no types
    return registry


def _copy(registry: CollectorRegistry) -> CollectorRegistry:
    """Return a new registry that reads the values of another one."""
    from prometheus_client import CollectorRegistry

    made = CollectorRegistry(auto_describe=False)
    made.register(registry)
    return made
