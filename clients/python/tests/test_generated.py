"""The files that tools/client.py makes are those of the present interface."""

from __future__ import annotations

from pathlib import Path

import pytest

from masthead import Instance
from masthead.web.openapi.document import document
from tools.client import differing
from tools.workspace import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture
def plugins() -> list[str]:
    """Enable all installed plugins."""
    return []


def test_the_generated_files_are_those_of_the_interface(instance: Instance) -> None:
    found = differing(document(instance.endpoints, instance))

    names = [str(Path(path).relative_to(ROOT)) for path in found]
    assert names == [], "run: python3 dev.py run python -m tools.client"
