"""A histogram of prometheus_client to which many values can be added at once."""

from __future__ import annotations

from collections.abc import Sequence

from prometheus_client import Histogram


class BatchedHistogram(Histogram):
    """A histogram with one more method; the library has none for several values."""

    def add(self, counts: Sequence[float], total: float) -> None:
        """Add values.

        :param counts: the number of values in each bucket, the last one for those above all limits.
        :param total: the sum of the values.
        """
        self._sum.inc(total)
        for bucket, count in zip(self._buckets, counts, strict=True):
            if count:
                bucket.inc(count)
