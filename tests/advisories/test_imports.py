"""Reports about imports: paths that lead out, links, and data that nobody checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from masthead import Instance
from masthead.cli import main
from masthead.testing import Desk

pytestmark = pytest.mark.slow


@pytest.fixture
def exported(
    tmp_path: Path,
    instance: Instance,
    database_url: str,
    news: Desk,
    upload: Callable[..., Any],
    picture: Callable[..., bytes],
) -> Path:
    """Return the folder of an export with one article and one image."""
    news.create_public(title="A", content="<p>Harmless</p>")
    upload(picture())
    environ = {"MASTHEAD_DATABASE_URL": database_url, "MASTHEAD_DATA": str(instance.data)}
    folder = tmp_path / "exported"
    assert run(environ, "export", str(folder)).exit_code == 0
    return folder


@pytest.fixture
def environ(tmp_path: Path) -> Mapping[str, str]:
    """The environment of an empty instance."""
    return {"MASTHEAD_DATA": str(tmp_path / "new"), "MASTHEAD_DATABASE_URL": ""}


@pytest.fixture
def load(environ: Mapping[str, str], exported: Path) -> Callable[[], Result]:
    """Return a function that imports the export into an empty instance."""
    return lambda: run(environ, "import", str(exported))


def run(environ: Mapping[str, str], *words: str) -> Result:
    return CliRunner().invoke(main, words, env=environ)


def replace(folder: Path, file: Path, old: str, new: str) -> None:
    """Change a file of an export and its checksum, as an attacker would."""
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    manifest = folder / "manifest.json"
    after = hashlib.sha256(file.read_bytes()).hexdigest()
    manifest.write_text(manifest.read_text("utf-8").replace(before, after), "utf-8")


@pytest.mark.parametrize("key", ["../../../evil.png", "/evil.png", "images/..", "images/\0"])
def test_cve_2007_4559_no_key_leads_out_of_the_folder(
    exported: Path, load: Callable[[], Result], tmp_path: Path, key: str
) -> None:
    """CVE-2007-4559 (CPython), CVE-2018-1002201 (Zip Slip): names in an archive led out of it."""
    listed = exported / "files" / "media.jsonl"
    old = json.loads(listed.read_text("utf-8").splitlines()[0])["key"]
    replace(exported, listed, json.dumps(old), json.dumps(key))

    done = load()

    assert done.exit_code == 1
    assert not list(tmp_path.rglob("evil.png"))


def test_cve_2023_40028_no_link_in_an_import_is_followed(
    exported: Path, load: Callable[[], Result], tmp_path: Path
) -> None:
    """CVE-2023-40028 (Ghost): symbolic links in an import published files of the server."""
    secret = tmp_path / "secret.png"
    [image] = (exported / "files" / "media").rglob("*.png")
    image.rename(secret)
    image.symlink_to(secret)

    done = load()

    assert (done.exit_code, done.exception.__class__) == (1, SystemExit)
    assert not list((tmp_path / "new").rglob("*.png"))


def test_cwe_354_a_changed_file_is_refused(exported: Path, load: Callable[[], Result]) -> None:
    """CWE-354: a damaged export was imported in part."""
    [image] = (exported / "files" / "media").rglob("*.png")
    image.write_bytes(image.read_bytes()[:-1])

    done = load()

    assert done.exit_code == 1
    assert "checksum" in done.output


def test_cwe_79_imported_html_is_sanitised(
    exported: Path, load: Callable[[], Result], environ: Mapping[str, str], tmp_path: Path
) -> None:
    """CWE-79: an import stored HTML that no client could have stored."""
    articles = Path("tables", "news_article.jsonl")
    script = "<script>alert(1)</script><p>Harmless</p>"
    replace(exported, exported / articles, "<p>Harmless</p>", script)

    assert load().exit_code == 0

    again = tmp_path / "again"
    assert run(environ, "export", str(again)).exit_code == 0
    stored = (again / articles).read_text("utf-8")
    assert "<p>Harmless</p>" in stored
    assert "<script>" not in stored


def test_cwe_552_new_files_are_readable_by_their_owner_only(
    load: Callable[[], Result], environ: Mapping[str, str]
) -> None:
    """CWE-552: other users of a machine could read the database."""
    assert load().exit_code == 0

    files = list(Path(environ["MASTHEAD_DATA"]).glob("masthead.db*"))
    assert files
    assert not [file for file in files if file.stat().st_mode & 0o077]
