"""The test run: its PostgreSQL server, and the comparison of declared and received responses.

The workers of pytest-xdist share both; they also work without it.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path
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
    """Add the options of complete runs."""
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
        help="fail unless the tests receive every declared status and response field",
    )
    parser.getgroup("masthead").addoption(
        "--received",
        type=Path,
        metavar="FILE",
        help="count the answers that earlier runs received, and add those of this run to the file;"
        " for --check-declared after several runs",
    )
    parser.addini(
        "masthead_declared",
        "operation ids that --check-declared checks, such as podcasts.* (default: all)",
        type="args",
        default=[],
    )


def received(config: pytest.Config) -> Received:
    """Return the record of the responses that this process has received."""
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
    """Return the URL of a PostgreSQL server, which is started on first use."""
    start = pytestconfig.getoption("from_database")
    if start.startswith("postgres"):
        return lambda: str(start)
    shared = getattr(pytestconfig, "workerinput", {}).get(_URL)
    return lambda: str(shared or _server(pytestconfig).url)


def pytest_collection_finish() -> None:
    """Collect garbage seldom, and not in loaded modules: it took two thirds of creating an app."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Send the URL of the PostgreSQL server to a new xdist worker."""
    from masthead.testing.databases import VARIABLE

    if os.environ.get(VARIABLE) == "postgresql":
        node.workerinput[_URL] = _server(node.config).url


_COMPLETE = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
"""The results of a run of all tests; a failed test may be the one that would receive an answer."""


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Collect the facts of an xdist worker at its end."""
    gathered = node.config.stash.setdefault(_GATHERED, set())
    gathered.update(getattr(node, "workeroutput", {}).get(_FACTS, ()))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Send the facts of a worker to the main process, or compare them at the end of the run."""
    config = session.config
    gathered = config.stash.setdefault(_GATHERED, set())
    facts = received(config).facts | gathered
    output = getattr(config, "workeroutput", None)
    if output is not None:
        output[_FACTS] = sorted(facts)
        return
    facts |= _added(facts, config.getoption("--received"))
    if config.getoption("--check-declared") and exitstatus in _COMPLETE:
        from masthead.testing.declared import missing

        config.stash[_MISSING] = missing(config.getini("masthead_declared"), facts)
        if config.stash[_MISSING]:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _added(facts: set[str], file: Path | None) -> set[str]:
    """Add facts to the file of several runs, and return all facts that it then has."""
    if file is None:
        return facts
    known = set(file.read_text("utf-8").splitlines()) if file.exists() else set()
    file.write_text("".join(f"{fact}\n" for fact in sorted(facts | known)), "utf-8")
    return facts | known


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Report the declared facts that were not received."""
    lines = config.stash.get(_MISSING, [])
    if lines:
        terminalreporter.section("declared, but received by no test", red=True)
        for line in lines:
            terminalreporter.write_line(line)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the PostgreSQL server of this process, in which another run may follow."""
    if _SERVER in config.stash:
        config.stash[_SERVER].stop()
