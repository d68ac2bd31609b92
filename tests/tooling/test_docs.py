"""dev.py docs: the website of the documentation."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A copy of the repository as git has it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    for name in listing.stdout.decode().split("\0"):
        if (ROOT / name).is_file():
            copied = tmp_path / name
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copied)
    return tmp_path


def make_site(workspace: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.docs"]
    return subprocess.run(command, cwd=workspace, capture_output=True, text=True, check=False)


def test_links_lead_to_pages_to_readmes_of_folders_and_to_copies_of_files(workspace: Path) -> None:
    links = "[page](docs/hooks.md) [folder](plugins/news/) [file](core/masthead/app.py)"
    with (workspace / "README.md").open("a") as readme:
        readme.write(f"\n{links}\n")

    result = make_site(workspace)

    assert result.returncode == 0, result.stderr
    site = workspace / "build/docs"
    front = (site / "index.html").read_text("utf-8")
    [copied] = site.glob("_downloads/*/app.py")
    for target in ["docs/hooks.html", "plugins/news/README.html", str(copied.relative_to(site))]:
        assert f'href="{target}"' in front
        assert (site / target).is_file()


def test_the_site_loads_nothing_from_elsewhere(workspace: Path) -> None:
    assert make_site(workspace).returncode == 0

    pages = list((workspace / "build/docs").rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        text = page.read_text("utf-8")
        assert 'src="http' not in text
        assert 'rel="stylesheet" type="text/css" href="http' not in text


@pytest.mark.parametrize(
    "link", ["docs/gone.md", "docs/hooks.md#gone", "core/gone.py", "core/gone/"]
)
def test_a_link_that_leads_nowhere_fails_and_is_named(workspace: Path, link: str) -> None:
    with (workspace / "README.md").open("a") as readme:
        readme.write(f"\n[text]({link})\n")

    result = make_site(workspace)

    assert result.returncode == 1
    assert "README.md:" in result.stderr
    assert "gone" in result.stderr


def test_a_page_that_is_missing_in_the_navigation_fails_and_is_named(workspace: Path) -> None:
    (workspace / "docs/new.md").write_text("# New\n")

    result = make_site(workspace)

    assert result.returncode == 1
    assert "docs/new.md" in result.stderr
