"""The PostgreSQL server of the tests is temporary."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import make_url

from masthead.db import Database
from masthead.testing.postgres import create_database, drop_database

pytestmark = pytest.mark.slow

KILLED = """
import os, signal
from masthead.testing.postgres import running_postgres

with running_postgres() as url:
    print(url, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_server_ends_and_cleans_up_when_its_process_is_killed() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True, check=False
    )

    folder = Path(str(make_url(ended.stdout.strip()).query["host"]))
    deadline = time.monotonic() + 20
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert ended.returncode == -9
    assert not folder.exists()


def test_a_database_can_be_a_copy_of_another(postgresql_server: Callable[[], str]) -> None:
    server, template, copy = postgresql_server(), f"one_{uuid4().hex}", f"two_{uuid4().hex}"
    snapshot = Database(create_database(server, template))
    with snapshot.transaction() as session:
        session.connection().exec_driver_sql("CREATE TABLE toy_things AS SELECT 42 AS n")
    snapshot.dispose()

    database = Database(create_database(server, copy, template=template))
    with database.read() as connection:
        found = connection.exec_driver_sql("SELECT n FROM toy_things").scalar()
    # Dropping doesn't wait for open connections.
    drop_database(server, copy)
    drop_database(server, template)
    drop_database(server, template)

    assert found == 42
    database.dispose()
