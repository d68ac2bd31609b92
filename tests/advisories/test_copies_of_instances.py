"""Reports about copies of an instance: data that nobody checks, and work that is done twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from masthead import Instance
from masthead.cli import main
from masthead.testing import Desk

pytestmark = pytest.mark.slow


@pytest.fixture
def exported(tmp_path: Path, instance: Instance, database_url: str, news: Desk) -> Path:
    """Return the folder of an export with one article."""
    news.create_public(title="A", content="<p>Harmless</p>")
    environ = {"MASTHEAD_DATABASE_URL": database_url, "MASTHEAD_DATA": str(instance.data)}
    folder = tmp_path / "exported"
    assert CliRunner().invoke(main, ["export", str(folder)], env=environ).exit_code == 0
    return folder


@pytest.fixture
def environ(tmp_path: Path) -> Mapping[str, str]:
    """The environment of an empty instance."""
    return {"MASTHEAD_DATA": str(tmp_path / "new"), "MASTHEAD_DATABASE_URL": ""}


def tamper(folder: Path, table: str, old: str, new: str) -> None:
    """Change the rows of a table and their checksum."""
    file = folder / "tables" / f"{table}.jsonl"
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    manifest = folder / "manifest.json"
    after = hashlib.sha256(file.read_bytes()).hexdigest()
    manifest.write_text(manifest.read_text("utf-8").replace(before, after), "utf-8")


def run(environ: Mapping[str, str], *words: str) -> Result:
    return CliRunner().invoke(main, words, env=environ)


def test_cwe_79_imported_html_is_sanitised(
    exported: Path, environ: Mapping[str, str], tmp_path: Path
) -> None:
    """CWE-79: an import stored HTML that no client could have stored."""
    script = json.dumps("<script>alert(1)</script><p>Harmless</p>")[1:-1]
    tamper(exported, "news_article", "<p>Harmless</p>", script)

    done = run(environ, "import", str(exported))

    if done.exit_code == 0:
        again = tmp_path / "again"
        assert run(environ, "export", str(again)).exit_code == 0
        assert "<script>" not in (again / "tables" / "news_article.jsonl").read_text("utf-8")


def test_cwe_552_new_files_are_readable_by_their_owner_only(
    exported: Path, environ: Mapping[str, str]
) -> None:
    """CWE-552: other users of a machine could read the database."""
    assert run(environ, "import", str(exported)).exit_code == 0

    files = list(Path(environ["MASTHEAD_DATA"]).glob("masthead.db*"))
    assert files
    assert not [file for file in files if file.stat().st_mode & 0o077]
