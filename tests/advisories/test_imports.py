"""Reports about archives and imports: paths that lead out, links, and data that nobody checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from masthead import Instance
from masthead.cli import main

pytestmark = pytest.mark.slow


@pytest.fixture
def exported(
    tmp_path: Path,
    instance: Instance,
    database_url: str,
    upload: Callable[..., Any],
    picture: Callable[..., bytes],
) -> Path:
    """Return the folder of an export with one image."""
    upload(picture())
    environ = {"MASTHEAD_DATABASE_URL": database_url, "MASTHEAD_DATA": str(instance.data)}
    folder = tmp_path / "exported"
    done = CliRunner().invoke(main, ["export", str(folder)], env=environ)
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def load(tmp_path: Path, exported: Path) -> Callable[[], Result]:
    """Return a function that imports the export into an empty instance."""
    environ = {"MASTHEAD_DATA": str(tmp_path / "new"), "MASTHEAD_DATABASE_URL": ""}
    return lambda: CliRunner().invoke(main, ["import", str(exported)], env=environ)


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
