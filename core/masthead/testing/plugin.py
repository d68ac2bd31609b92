"""The pytest plugin: fixtures for tests of Masthead and its plugins.

Override ``plugins`` and ``settings`` in a test module to configure its instance. Fixtures import
the modules that they need, because pytest loads this module in every project that has Masthead
installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from masthead.auth.models import Role, User
    from masthead.db import Database
    from masthead.instance import Instance
    from masthead.plugins import Installed, Plugin
    from masthead.testing.accounts import Accounts
    from masthead.testing.client import Client
    from masthead.testing.clock import Clock
    from masthead.testing.databases import Databases
    from masthead.testing.instances import Instances

pytest_plugins = ("masthead.testing.run",)


@pytest.fixture
def plugins() -> Sequence[str | Plugin]:
    """The plugins to enable in addition to core: names of installed plugins, or ``Plugin`` objects.

    An empty sequence means all installed plugins. If all are ``Plugin`` objects, installed plugins
    are not searched.
    """
    return ()


@pytest.fixture
def settings() -> Mapping[str, str]:
    """Settings by full name, as in an ini file."""
    return {}


@cache
def _installed() -> Installed:
    from masthead.plugins import installed

    return installed()


@pytest.fixture(scope="session")
def _databases(
    tmp_path_factory: pytest.TempPathFactory,
    worker_name: str,
    postgresql_server: Callable[[], str],
    pytestconfig: pytest.Config,
) -> Databases:
    from masthead.testing.databases import Databases

    folder = tmp_path_factory.mktemp("databases")
    start = pytestconfig.getoption("from_database")
    return Databases(folder, worker_name, postgresql_server, start)


@pytest.fixture
def _available(plugins: Sequence[str | Plugin]) -> Mapping[str, Plugin]:
    from masthead.core_plugin import plugin as core

    own = {plugin.name: plugin for plugin in plugins if not isinstance(plugin, str)}
    if len(own) == len(plugins) > 0:
        return {core.name: core, **own}
    return _installed().adding(own)


@pytest.fixture
def _enabled(plugins: Sequence[str | Plugin]) -> list[str]:
    return [plugin if isinstance(plugin, str) else plugin.name for plugin in plugins]


@pytest.fixture
def database_url(
    _databases: Databases, _available: Mapping[str, Plugin], _enabled: list[str]
) -> Iterator[str]:
    """The URL of a new database with the tables and roles of ``plugins``.

    It is SQLite, or PostgreSQL with ``MASTHEAD_TEST_DATABASE=postgresql``.
    """
    with _databases.fresh(_available, _enabled) as url:
        yield url


@pytest.fixture
def empty_database(_databases: Databases) -> Iterator[Database]:
    """A new database without tables, for ``migration_problems``."""
    from masthead.db import Database

    with _databases.empty() as url:
        database = Database(url)
        yield database
        database.dispose()


@pytest.fixture(scope="session")
def _instances(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Instances:
    from masthead.testing.instances import Instances
    from masthead.testing.run import received

    return Instances(tmp_path_factory.mktemp("instances"), received(pytestconfig))


@pytest.fixture
def instance(
    _instances: Instances,
    _available: Mapping[str, Plugin],
    _enabled: list[str],
    settings: Mapping[str, str],
    database_url: str,
) -> Iterator[Instance]:
    """An open instance with ``plugins`` and ``settings``; environment variables are ignored.

    It may be reused from another test, with a new database and a new data folder.
    """
    with _instances.acquire(_available, _enabled, settings, database_url) as acquired:
        yield acquired


@pytest.fixture
def another_instance(
    _instances: Instances,
    _databases: Databases,
    _available: Mapping[str, Plugin],
    _enabled: list[str],
    settings: Mapping[str, str],
) -> Iterator[Instance]:
    """Another open instance with the same ``plugins`` and ``settings``, and a new database."""
    with (
        _databases.fresh(_available, _enabled) as url,
        _instances.acquire(_available, _enabled, settings, url) as acquired,
    ):
        yield acquired


@pytest.fixture
def database(instance: Instance) -> Database:
    """The instance's database; ``with database.transaction() as session`` writes to it."""
    return instance.database


@pytest.fixture
def session(database: Database) -> Iterator[Session]:
    """A session for reading: each query reads the committed state and refreshes loaded objects."""
    from sqlalchemy.orm import Session

    with (
        database.read() as connection,
        Session(
            connection,
            info=database.session_info,
            expire_on_commit=False,
            execution_options={"populate_existing": True},
        ) as session,
    ):
        yield session


@pytest.fixture
def _accounts(instance: Instance) -> Accounts:
    from masthead.testing.accounts import Accounts

    return Accounts(instance)


@pytest.fixture
def make_user(_accounts: Accounts) -> Callable[..., User]:
    """Creates users: ``make_user("ada", role="editor", disabled=True)``."""
    return _accounts.make_user


@pytest.fixture
def make_role(_accounts: Accounts) -> Callable[..., Role]:
    """Creates roles: ``make_role("reader", "news.read")``."""
    return _accounts.make_role


@pytest.fixture
def app(instance: Instance, _instances: Instances, _accounts: Accounts) -> Client:
    """A client of the instance's app; ``app.as_role("editor")`` is authenticated.

    Each response is checked against the declaration of its endpoint.
    """
    from masthead.testing.client import Client

    shared = _instances.shared_app(instance)
    return Client(shared.app, _accounts, shared.checker)


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A stopped clock: ``clock.shift(days=1)``, ``clock.move_to("2026-05-01T00:00Z")``.

    Request it before ``app`` and other fixtures, so that they use its time too.
    """
    from masthead.testing.clock import stopped_clock

    with stopped_clock() as stopped:
        yield stopped


@pytest.fixture
def work(instance: Instance) -> Callable[..., None]:
    """Acts as a worker: ``work()`` runs all due jobs until no work is left.

    ``work("email.")`` runs the jobs whose names begin so, due or not, and no others. A failing job
    fails the test, with its error in the log.
    """
    from datetime import timedelta

    from sqlalchemy import select, update

    from masthead.db import utcnow
    from masthead.worker.jobs import jobs_of
    from masthead.worker.models import JobState
    from masthead.worker.worker import YIELD_DELAY, Worker

    def run(*names: str) -> None:
        chosen = [job for job in jobs_of(instance) if not names or job.name.startswith(names)]
        if names:
            due = update(JobState).where(JobState.name.in_([job.name for job in chosen]))
            with instance.database.transaction() as session:
                session.execute(due.values(due_at=utcnow() - timedelta(days=1)))
        worker = Worker(instance, jobs=chosen)
        while worker.turn() == YIELD_DELAY:
            pass
        with instance.database.read() as connection:
            failed = select(JobState.name, JobState.last_error).where(JobState.failures > 0)
            assert connection.execute(failed).all() == []

    return run
