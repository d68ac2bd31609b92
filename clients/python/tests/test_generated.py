"""The files that tools/client.py makes are those of the present interface."""

from __future__ import annotations

from pathlib import Path

import pytest

from masthead.instance import open_instance
from masthead.web.openapi.document import document
from tools.client import differing
from tools.workspace import ROOT

pytestmark = pytest.mark.slow


def test_the_generated_files_are_those_of_the_interface(tmp_path: Path) -> None:
    instance = open_instance({"masthead.data": str(tmp_path)}, {})
    found = differing(document(instance.endpoints, instance))
    instance.close()

    names = [str(path.relative_to(ROOT)) for path in found]
    assert names == [], "run: python3 dev.py run python -m tools.client"
