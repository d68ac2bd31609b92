"""Complete test runs, started by pytest in a folder of their own."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow

pytest_plugins = ["pytester"]

CONFTEST = """
import pytest
from masthead.core_plugin import plugin as core

@pytest.fixture
def plugins():
    return [core]
"""
TESTS = """
def test_that_the_document_is_received(app):
    etag = app.get("/openapi.json").headers["ETag"]

    app.get("/openapi.json", headers={"If-None-Match": etag}, status=304)

def test_that_the_process_is_well(app):
    assert app.get("/healthz").json == {"status": "ok"}
"""


@pytest.fixture
def folder(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeini("[pytest]\nmasthead_declared = core.* auth.login\n")
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS)
    return pytester


@pytest.mark.parametrize(
    "workers",
    [
        pytest.param((), id="alone", marks=pytest.mark.exhaustive),
        pytest.param(("-n", "2"), id="two workers"),
    ],
)
def test_a_complete_run_fails_and_names_unreceived_declarations(
    folder: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    result = folder.runpytest_subprocess("--check-declared", *workers)

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*received by no test*", "auth.login answers 401"])
    result.stdout.no_fnmatch_line("core.openapi *")
    result.stdout.no_fnmatch_line("core.healthz *")


@pytest.mark.exhaustive
def test_a_run_that_is_not_said_to_be_complete_passes(folder: pytest.Pytester) -> None:
    result = folder.runpytest_subprocess()

    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("*received by no test*")


def test_runs_with_a_common_file_are_complete_together(folder: pytest.Pytester) -> None:
    folder.makeini("[pytest]\nmasthead_declared = core.openapi core.healthz\n")
    common = ("--received", "received.txt")

    folder.runpytest_subprocess("-k", "document", *common)
    result = folder.runpytest_subprocess("-k", "process", "--check-declared", *common)

    assert result.ret == pytest.ExitCode.OK


@pytest.mark.exhaustive
def test_only_the_operations_that_are_named_have_to_be_complete(folder: pytest.Pytester) -> None:
    folder.makeini("[pytest]\nmasthead_declared = core.healthz\n")

    result = folder.runpytest_subprocess("--check-declared")

    assert result.ret == pytest.ExitCode.OK


@pytest.mark.exhaustive
def test_a_run_with_failures_names_missing_answers_too(folder: pytest.Pytester) -> None:
    folder.makepyfile(test_broken="def test_broken():\n    assert False\n")

    result = folder.runpytest_subprocess("--check-declared")

    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*received by no test*"])
