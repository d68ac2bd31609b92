"""Linters of OpenAPI documents have nothing to say about the document of all plugins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.clients.conftest import FOLDER, Run

pytestmark = [pytest.mark.exhaustive, pytest.mark.any_database]


def test_redocly_has_no_warning(api: Path, run: Run) -> None:
    report = run("redocly", "lint", api, "--config", FOLDER / "redocly.yaml", "--format", "json")

    found = json.loads(report[report.index("{") : report.rindex("}") + 1])
    assert found["totals"] == {"errors": 0, "warnings": 0, "ignored": 0}


def test_spectral_has_no_warning(api: Path, run: Run) -> None:
    report = run(
        "spectral", "lint", api, "--ruleset", FOLDER / "spectral.yaml", "--fail-severity", "hint"
    )

    assert "No results" in report
