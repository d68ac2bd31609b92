"""A test run as a whole: one PostgreSQL server, and the account of what was declared and received.

Both are shared by the workers of pytest-xdist, and work without it.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from masthead.testing.databases import Server
    from masthead.testing.declared import Received

_RECEIVED = pytest.StashKey["Received"]()
_GATHERED = pytest.StashKey[set[str]]()
_MISSING = pytest.StashKey[list[str]]()
_SERVER = pytest.StashKey["Server"]()
_URL = "masthead_postgresql"
_FACTS = "masthead_seen"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what a complete run is asked for."""
    parser.getgroup("masthead").addoption(
        "--from-database",
        default="",
        metavar="URL",
        help="begin each test with a copy of this database, upgraded, instead of an empty one;"
        " without items of its own, and of the kind that MASTHEAD_TEST_DATABASE says",
    )
    parser.getgroup("masthead").addoption(
        "--check-declared",
        action="store_true",
        help="fail where the tests received not every status and answer field that is declared",
    )
    parser.addini(
        "masthead_declared",
        "operation ids that --check-declared looks at, such as podcasts.* (default: all)",
        type="args",
        default=[],
    )


def received(config: pytest.Config) -> Received:
    """What the tests of this process have received so far."""
    from masthead.testing.declared import Received

    return config.stash.setdefault(_RECEIVED, Received())


def _server(config: pytest.Config) -> Server:
    from masthead.testing.databases import Server

    return config.stash.setdefault(_SERVER, Server())


@pytest.fixture(scope="session")
def worker_name(pytestconfig: pytest.Config) -> str:
    """The name of this process among the workers of the run."""
    return str(getattr(pytestconfig, "workerinput", {}).get("workerid", "main"))


@pytest.fixture(scope="session")
def postgresql_server(pytestconfig: pytest.Config) -> Callable[[], str]:
    """Gives the URL of a PostgreSQL server, which is started where none runs yet."""
    start = pytestconfig.getoption("from_database")
    if start.startswith("postgres"):
        return lambda: str(start)
    shared = getattr(pytestconfig, "workerinput", {}).get(_URL)
    return lambda: str(shared or _server(pytestconfig).url)


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays to the end: it was two thirds of making an app."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker where the run's PostgreSQL server is; called where xdist starts one."""
    from masthead.testing.databases import VARIABLE

    if os.environ.get(VARIABLE) == "postgresql":
        node.workerinput[_URL] = _server(node.config).url


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker's tests have received; called where xdist ends one."""
    gathered = node.config.stash.setdefault(_GATHERED, set())
    gathered.update(getattr(node, "workeroutput", {}).get(_FACTS, ()))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Hand over what was received, or draw up the account where the run ends here."""
    config = session.config
    gathered = config.stash.setdefault(_GATHERED, set())
    facts = received(config).facts | gathered
    output = getattr(config, "workeroutput", None)
    if output is not None:
        output[_FACTS] = sorted(facts)
    elif config.getoption("--check-declared") and exitstatus == pytest.ExitCode.OK:
        from masthead.testing.declared import missing

        config.stash[_MISSING] = missing(config.getini("masthead_declared"), facts)
        if config.stash[_MISSING]:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say what was declared and never received."""
    lines = config.stash.get(_MISSING, [])
    if lines:
        terminalreporter.section("declared, but received by no test", red=True)
        for line in lines:
            terminalreporter.write_line(line)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the PostgreSQL server of this process; another run may follow in it."""
    gc.unfreeze()
    if _SERVER in config.stash:
        config.stash[_SERVER].stop()
