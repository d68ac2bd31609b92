"""The files that dev.py build creates in dist/, and its errors."""

import hashlib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools.artefacts import problems
from tools.workspace import distributions

pytestmark = pytest.mark.exhaustive

ADDRESS = "https://example.org/masthead"


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.glob("masthead*")
    }


def metadata(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        return archive.read(name).decode()


def test_a_commit_always_gives_the_same_wheels_and_sdists(workspace: Path, tool: Any) -> None:
    dist = workspace / "dist"
    tool("build")
    first = digests(dist)
    (dist / "masthead_old-0.0.1.tar.gz").touch()

    tool("build")

    assert digests(dist) == first
    assert sorted(first) == sorted(
        f"{each.stem}{ending}"
        for each in distributions()
        for ending in (".tar.gz", "-py3-none-any.whl")
    )


def test_with_an_address_the_metadata_and_the_readme_lead_there(workspace: Path, tool: Any) -> None:
    project = workspace / "pyproject.toml"
    declared = project.read_text().replace('repository = ""', f'repository = "{ADDRESS}/"')
    project.write_text(declared)

    result = tool("build")

    assert (result.returncode, result.stderr) == (0, "")
    assert "names no repository" not in result.stdout
    for each in distributions():
        text = metadata(workspace / "dist" / f"{each.stem}-py3-none-any.whl")
        assert f"Project-URL: Repository, {ADDRESS}\n" in text
        assert f"[Masthead]({ADDRESS}/blob/v{each.version}/README.md)" in text
        assert list(problems(each, workspace / "dist")) == []


def test_the_check_refuses_a_module_that_git_does_not_track(workspace: Path, tool: Any) -> None:
    (workspace / "plugins/news/masthead_news/stray.py").touch()

    result = tool("build", "--check")

    assert result.returncode == 1
    assert result.stderr.splitlines() == [
        f"{path.name}: should not hold masthead_news/stray.py"
        for path in sorted((workspace / "dist").glob("masthead_news-*"))
    ]


def test_the_check_refuses_a_version_without_a_section_in_the_change_log(tool: Any) -> None:
    tool("version", "7.8.0")

    result = tool("build", "--check")

    assert (result.returncode, result.stderr) == (1, "CHANGELOG.md has no section 7.8.0\n")
