"""Break one guard at a time, and check that a test fails; a guard without such a test is a gap.

    python3 dev.py run python tests/mutation/run.py            every mutant, in half an hour
    python3 dev.py run python tests/mutation/run.py --every 9  every ninth

A mutant drops the visibility predicate, or half of it, at one place that uses it; or the permission
of one endpoint, in its declaration or where it is enforced; or a check of the approval workflow,
of the change log, of the trash or of previews.
Places are found by running the app, so new ones are included. It exits with 1 if a mutant
survives or prevents the setup of its tests, and prints the names of these mutants.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any
from unittest.mock import patch

import pytest
from approval import approval_mutants
from mutant import LEAKS, MATRIX, TESTS, Mutant
from outlets import outlet_mutants
from sqlalchemy import and_, false, not_, or_, select, true

import masthead.declarations
import masthead.http.routes
import masthead.web.app
from masthead import Endpoint
from masthead.content import visibility
from masthead.content.visibility import NOW
from masthead.http.endpoints import check_endpoints
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.instance import DATA, open_instance

QUIET = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", "-W", "default"]
ENDED = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED
PLAIN = ["-o", "addopts=--import-mode=importlib"]

Guard = Callable[[Any], Any]


def _has_come(table: Any) -> Any:
    due = table.c.scheduled_publish_at
    return or_(due.is_(None), due <= NOW)


def _has_not_ended(table: Any) -> Any:
    until = table.c.scheduled_unpublish_at
    return or_(until.is_(None), until > NOW)


# Weaker forms of each predicate: dropped, or without one of its parts.
WEAKER: dict[str, dict[str, Guard]] = {
    "visible": {
        "always": lambda _table: true(),
        "whether published or not": lambda table: and_(_has_come(table), _has_not_ended(table)),
        "before its time": lambda table: and_(table.c.published == true(), _has_not_ended(table)),
        "after its time": lambda table: and_(table.c.published == true(), _has_come(table)),
    },
    "hidden_ids": {
        "never": lambda table: select(table.c.id).where(false()),
        "unless published": lambda table: select(table.c.id).where(
            not_(and_(_has_come(table), _has_not_ended(table)))
        ),
        "before its time": lambda table: select(table.c.id).where(
            or_(table.c.published == false(), not_(_has_not_ended(table)))
        ),
        "after its time": lambda table: select(table.c.id).where(
            or_(table.c.published == false(), not_(_has_come(table)))
        ),
    },
}


def visibility_mutants() -> Iterator[Mutant]:
    """Yield a mutant for each use of a predicate and each way of weakening it."""
    for predicate, ways in WEAKER.items():
        for place in _uses(predicate):
            for way, weaker in ways.items():
                yield Mutant(
                    f"{predicate} {way}, at {place}",
                    LEAKS,
                    partial(_weakened, predicate, place, weaker),
                )


def _uses(predicate: str) -> list[str]:
    """Return the places that build statements with a predicate when the app is created."""
    found: dict[str, None] = {}

    def noting(table: Any, frame: FrameType) -> Any:
        found[_place(frame)] = None
        return original(table)

    original = getattr(visibility, predicate)
    with _instance() as instance, _replaced(predicate, noting):
        masthead.web.app.app_of(instance)
    return list(found)


@contextmanager
def _weakened(predicate: str, place: str, weaker: Guard) -> Iterator[None]:
    original = getattr(visibility, predicate)

    def guard(table: Any, frame: FrameType) -> Any:
        return weaker(table) if _place(frame) == place else original(table)

    with _replaced(predicate, guard):
        yield


@contextmanager
def _replaced(predicate: str, guard: Callable[[Any, FrameType], Any]) -> Iterator[None]:
    """Replace a predicate by a guard in all modules that import it."""
    original = getattr(visibility, predicate)

    def stand_in(table: Any) -> Any:
        return guard(table, sys._getframe(1))

    with ExitStack() as stack:
        for name, module in list(sys.modules.items()):
            if name.startswith("masthead") and getattr(module, predicate, None) is original:
                stack.enter_context(patch.object(module, predicate, stand_in))
        yield


def _place(frame: FrameType | None) -> str:
    """Return the lines from the predicate's use up to the object that keeps the statement."""
    lines = []
    while frame is not None:
        code = frame.f_code
        lines.append(f"{Path(code.co_filename).stem}.{code.co_name}:{frame.f_lineno}")
        if code.co_name == "__init__":
            break
        frame = frame.f_back
    return " < ".join(lines)


def permission_mutants() -> Iterator[Mutant]:
    """Yield mutants for each closed endpoint: one open to all, one open to every token."""
    with _instance() as instance:
        endpoints = instance.endpoints
    for endpoint in endpoints:
        if endpoint.permission == PUBLIC:
            continue
        for other in sorted({PUBLIC, SIGNED_IN} - {endpoint.permission}):
            yield Mutant(
                f"{endpoint.name} is declared {other}",
                [str(TESTS / "authorisation" / "test_declarations.py")],
                partial(_declared, endpoint.name, other),
            )
            yield Mutant(
                f"{endpoint.name} is let through as {other}",
                [*MATRIX, "-k", _refusing_test(endpoint)],
                partial(_enforced, endpoint.name, permission=other),
            )
        if endpoint.also_needs:
            yield Mutant(
                f"{endpoint.name} is let through without {endpoint.also_needs}",
                [*MATRIX, "-k", _refusing_test(endpoint)],
                partial(_enforced, endpoint.name, also_needs=()),
            )


def _refusing_test(endpoint: Endpoint) -> str:
    """Return a part of the name of the test in which a caller lacks only one permission."""
    if endpoint.also_needs:
        return "all_other_permissions"
    return "stranger" if endpoint.permission == SIGNED_IN else "without_permissions"


@contextmanager
def _declared(name: str, permission: str) -> Iterator[None]:
    """Declare an endpoint with another permission."""

    def check(owned: Any) -> list[Endpoint]:
        return _changed(check_endpoints(owned), name, permission=permission)

    with patch.object(masthead.declarations, "check_endpoints", check):
        yield


@contextmanager
def _enforced(name: str, **changes: Any) -> Iterator[None]:
    """Let an endpoint's route check other permissions than the declared ones."""
    add = masthead.http.routes.add_endpoints

    def add_endpoints(config: Any, endpoints: Any, settings: Any) -> None:
        add(config, _changed(endpoints, name, **changes), settings)

    with patch.object(masthead.web.app, "add_endpoints", add_endpoints):
        yield


def _changed(endpoints: Sequence[Endpoint], name: str, **changes: Any) -> list[Endpoint]:
    return [replace(e, **changes) if e.name == name else e for e in endpoints]


@contextmanager
def _instance() -> Iterator[Any]:
    with TemporaryDirectory() as folder:
        instance = open_instance({DATA.name: folder}, environ={})
        yield instance
        instance.close()


class Errors:
    """Tests that fail in their setup or teardown, which says nothing about the mutant."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failed setup or teardown; pytest calls this for each phase of a test."""
        if report.failed and report.when != "call":
            self.found.append(report.nodeid)


def tests_fail(tests: Sequence[str]) -> bool:
    """Whether the tests fail; the quick ones are tried first.

    :raises RuntimeError: if they can't be run.
    """
    return _fail("not slow", tests) or _fail("slow", tests)


def _fail(mark: str, tests: Sequence[str]) -> bool:
    printed, errors = StringIO(), Errors()
    with redirect_stdout(printed), redirect_stderr(printed):
        code = pytest.main([*PLAIN, *QUIET, "-m", mark, *tests], plugins=[errors])
    if errors.found or code not in ENDED:
        raise RuntimeError(printed.getvalue())
    return code == pytest.ExitCode.TESTS_FAILED


def survivors(mutants: Sequence[Mutant]) -> Iterator[str]:
    """Yield the names of the mutants that no test kills, or whose tests can't be run."""
    for number, mutant in enumerate(mutants, 1):
        began = time.monotonic()
        try:
            with mutant.broken():
                verdict = "killed" if tests_fail(mutant.tests) else "SURVIVES"
        except RuntimeError as error:
            verdict = "UNJUDGED"
            report(str(error))
        report(
            f"{number}/{len(mutants)} {mutant.name}: {verdict}, {time.monotonic() - began:.1f} s"
        )
        if verdict != "killed":
            yield mutant.name


def report(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Run the chosen mutants; return 1 if one survives."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--like", default="", metavar="TEXT", help="try only mutants whose name contains TEXT"
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try every Nth of them")
    parser.add_argument(
        "--unproven",
        action="store_true",
        help="don't check first that the tests pass without a mutant",
    )
    options = parser.parse_args()
    os.chdir(TESTS.parent)
    everything = [*visibility_mutants(), *permission_mutants(), *approval_mutants()]
    everything += outlet_mutants()
    chosen = [mutant for mutant in everything if options.like in mutant.name][:: options.every]
    if not options.unproven and tests_fail([*LEAKS, *MATRIX]):
        report("The tests fail without any mutant.")
        return 1
    left = list(survivors(chosen))
    report(f"{len(everything)} mutants, {len(chosen)} tried, {len(chosen) - len(left)} killed")
    return 1 if left or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
