"""The command that lists hooks, and the log of their calls."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest
from click.testing import Result

from masthead.core_plugin import plugin as core
from masthead.instance import open_instance


def test_the_implementations_of_a_hook_are_listed(run: Callable[..., Result]) -> None:
    lines = run("hooks", "masthead_committing").stdout.splitlines()

    assert ["masthead_committing", "core", "trylast"] in [line.split()[:3] for line in lines]
    assert "masthead.changes.plugin:" in lines[-1]
    assert "masthead_routes" in run("hooks").stdout


def test_an_unknown_hook_is_refused(run: Callable[..., Result]) -> None:
    result = run("hooks", "masthead_rotues")

    assert result.exit_code == 2
    assert "there is no hook masthead_rotues" in result.output


def test_calls_are_logged_for_authors_of_plugins(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "masthead.hooks"):
        instance = open_instance({}, {}, {core.name: core})
        instance.hooks.masthead_sitemap(session=None)

    assert "masthead_sitemap: no plugin (" in caplog.text


def test_calls_are_not_logged_otherwise(caplog: pytest.LogCaptureFixture) -> None:
    instance = open_instance({}, {}, {core.name: core})
    instance.hooks.masthead_sitemap(session=None)

    assert caplog.text == ""
