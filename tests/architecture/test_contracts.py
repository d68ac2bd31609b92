"""Violations of the import contracts and of the banned imports in pyproject.toml are noticed."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tools.workspace import distributions

ROOT = Path(__file__).parents[2]

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CONTRACTS = PROJECT["tool"]["importlinter"]["contracts"]
ROOMS = re.findall(r"\w+", " ".join(next(c["layers"] for c in CONTRACTS if c.get("exhaustive"))))

CLEAN = {f"masthead/{room}/__init__.py": "" for room in ROOMS} | {
    "masthead/__init__.py": "from masthead.db.base import Base",
    "masthead/db/base.py": "Base = object",
    "masthead/db/metadata.py": "import masthead.db.base",
    "masthead/auth/models.py": "",
    "masthead/auth/services.py": "from masthead.auth import models",
    "masthead/auth/views.py": "from masthead.auth import services",
    "masthead/approval/__init__.py": "from masthead.auth import models",
    "masthead/content/__init__.py": "import masthead.search, masthead.tags",
    "masthead_news/__init__.py": "",
    "masthead_news/plugin.py": "from masthead_news import views",
    "masthead_news/views.py": "from masthead_news import services",
    "masthead_news/services.py": "from masthead import Base",
    "masthead_news/models.py": "",
    "masthead_other/__init__.py": "",
    "masthead_client/__init__.py": "",
}


def check_imports(folder: Path, files: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run import-linter with the contracts of this project on packages made of the files."""
    for name, source in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    names = ["masthead", "masthead_news", "masthead_other", "masthead_client"]
    roots = f"root_packages = {json.dumps(names)}\n"
    project, found = re.subn(r"root_packages = \[\n.*?\]\n", roots, project, flags=re.DOTALL)
    assert found == 1
    (folder / "pyproject.toml").write_text(project)
    return subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache", "--no-logo"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_packages_that_keep_the_contracts_pass(tmp_path: Path) -> None:
    result = check_imports(tmp_path, CLEAN)

    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "source", "contract"),
    [
        ("masthead/db/base.py", "import masthead_news", "Core imports no plugin"),
        ("masthead_news/models.py", "import masthead_other", "Core imports no plugin"),
        ("masthead_client/__init__.py", "import masthead", "The client imports nothing"),
        ("masthead_news/models.py", "from masthead.db import base", "Plugins import the public"),
        ("masthead_news/models.py", "import masthead_news.views", "Inside a feature"),
        ("masthead_news/services.py", "import masthead_news.plugin", "Inside a feature"),
        ("masthead/auth/models.py", "import masthead.auth.services", "Inside a feature"),
        ("masthead/auth/models.py", "import masthead.approval", "The rooms of core in order"),
        ("masthead/search/__init__.py", "import masthead.content", "The rooms of core in order"),
        ("masthead/search/__init__.py", "import masthead.tags", "The rooms of core in order"),
        ("masthead/worker/__init__.py", "import masthead.audit", "The rooms of core in order"),
        ("masthead/tags/__init__.py", "import masthead.resources", "The rooms of core in order"),
        ("masthead/unlisted/__init__.py", "", "The rooms of core in order"),
        ("masthead/db/base.py", "import masthead.db.metadata", "No cycles inside a package"),
    ],
)
def test_an_import_against_a_contract_is_noticed(
    tmp_path: Path, module: str, source: str, contract: str
) -> None:
    result = check_imports(tmp_path, {**CLEAN, module: source})

    broken = [line for line in result.stdout.splitlines() if " BROKEN" in line]
    assert result.returncode == 1
    assert [line for line in broken if line.startswith(contract)]


def test_every_distribution_is_under_contract() -> None:
    roots = PROJECT["tool"]["importlinter"]["root_packages"]

    assert sorted(roots) == sorted(each.package for each in distributions())


@pytest.mark.parametrize(
    ("module", "banned"),
    [
        ("core/masthead/auth/models.py", True),
        ("core/masthead/auth/services.py", True),
        ("plugins/news/masthead_news/services.py", True),
        ("plugins/news/masthead_news/services/drafts.py", True),
        ("plugins/news/masthead_news/views.py", False),
        ("core/masthead/web/app.py", False),
    ],
)
@pytest.mark.parametrize("library", ["pyramid", "webob"])
def test_only_models_and_services_may_not_know_the_request(
    tmp_path: Path, module: str, library: str, banned: bool
) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    path = tmp_path / module
    path.parent.mkdir(parents=True)
    path.write_text(f"from {library}.request import Request\n")

    result = subprocess.run(
        [Path(sys.executable).parent / "ruff", "check", "--no-cache", "--select", "TID251"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (result.returncode == 1) is banned, result.stdout
    assert ("know no" in result.stdout) is banned
