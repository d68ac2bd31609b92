"""Modules that every command loads, and that a worker keeps in memory while it runs."""

from __future__ import annotations

import subprocess
import sys

import pytest

LARGE = (
    "PIL",
    "obstore",
    "cryptography",
    "lxml",
    "css_inline",
    "icalendar",
    "regex",
    "alembic",
    "prometheus_client",
    "opentelemetry",
    "babel",
    "jinja2",
    "fugashi",
)
"""Packages that are slow to load and large in memory, and that few processes need."""
PROGRAM = """
import sys
from masthead.cli import main
from masthead.db.migrate import pending
from masthead.instance import open_instance
from masthead.worker.jobs import jobs_of
with __import__("tempfile").TemporaryDirectory() as folder:
    instance = open_instance({"masthead.data": folder}, {})
    jobs_of(instance)
    pending(instance.database, instance.plugins)
    instance.close()
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.slow
def test_a_command_begins_without_what_it_may_never_need() -> None:
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )

    loaded = told.stdout.split()
    assert {"masthead_email", "masthead_media", "masthead_events"} < {*loaded}
    assert [name for name in LARGE if name in loaded] == []
