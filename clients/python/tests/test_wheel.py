"""The wheel alone, with httpx, is a client whose types mypy knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.examples.conftest import ROOT, build, run, uv

pytestmark = pytest.mark.slow

USE = """
from masthead_client import Client, types

with Client("http://127.0.0.1:1") as client:
    print(type(client.staff.news).__name__, len(types.NewsArticle.__annotations__) > 5)
"""


def test_the_client_is_installed_from_its_wheel_alone(tmp_path: Path) -> None:
    build(ROOT / "clients/python", tmp_path)
    uv("venv", tmp_path / "venv")
    python = tmp_path / "venv/bin/python"
    [wheel] = tmp_path.glob("*.whl")
    constraints = ROOT / "constraints.txt"
    uv("pip", "install", "--python", python, "--constraints", constraints, wheel)

    (tmp_path / "use.py").write_text(USE)

    assert run(python, "-I", "use.py", cwd=tmp_path) == "StaffNews True\n"
    assert list(tmp_path.glob("venv/lib/*/site-packages/masthead_client/py.typed"))
    assert not list(tmp_path.glob("venv/lib/*/site-packages/masthead"))
