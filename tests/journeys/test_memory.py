"""The memory of a server stays bounded after many requests of all kinds, and under lasting load.

Both are ratios, which a slow machine doesn't change. The numbers of a nightly run are those of
docs/development.md.
"""

from __future__ import annotations

import os
import sys

import pytest

from tests.bench import memory, soak

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

REQUESTS = int(os.environ.get("MASTHEAD_TEST_REQUESTS", "2000"))
SECONDS = float(os.environ.get("MASTHEAD_TEST_SOAK", "120"))
MOST_TIMES_IDLE = 1.6
"""The limit of docs/operations.md for a process, in multiples of its memory when it has started."""
FLAT = 1.1
"""The allowed growth from the second sixth of the time to the last; the cache is full before."""


@pytest.mark.slow
def test_a_server_returns_the_memory_of_uploads_imports_and_requests() -> None:
    seen = list(memory.walk(REQUESTS))

    assert len(seen) == 7
    assert seen[-1].own <= MOST_TIMES_IDLE * seen[0].own, seen


@pytest.mark.exhaustive
@pytest.mark.slow
def test_memory_stays_flat_under_a_mixed_load() -> None:
    parts = list(soak.soak(SECONDS))

    assert len(parts) == soak.PARTS
    assert parts[-1] <= FLAT * parts[1], parts
