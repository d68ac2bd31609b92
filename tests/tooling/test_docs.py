"""The website that dev.py docs builds."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.exhaustive


def test_links_lead_to_pages_readmes_and_copies_of_files_and_nothing_is_loaded_from_elsewhere(
    workspace: Path, tool: Any
) -> None:
    links = "[page](docs/hooks.md) [folder](plugins/news/) [file](core/masthead/web/app.py)"
    with (workspace / "README.md").open("a") as readme:
        readme.write(f"\n{links}\n")

    result = tool("docs")

    assert result.returncode == 0, result.stderr
    site = workspace / "build/docs"
    front = (site / "index.html").read_text("utf-8")
    [copied] = site.glob("_downloads/*/app.py")
    for target in ["docs/hooks.html", "plugins/news/README.html", str(copied.relative_to(site))]:
        assert f'href="{target}"' in front
        assert (site / target).is_file()
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        text = page.read_text("utf-8")
        assert 'src="http' not in text
        assert 'rel="stylesheet" type="text/css" href="http' not in text


def test_each_link_that_leads_nowhere_and_each_page_without_a_place_is_named(
    workspace: Path, tool: Any
) -> None:
    links = ["docs/gone.md", "docs/hooks.md#gone", "core/gone.py", "core/gone/"]
    with (workspace / "README.md").open("a") as readme:
        readme.writelines(f"\n[text]({link})\n" for link in links)
    (workspace / "docs/new.md").write_text("# New\n")

    result = tool("docs")

    *warnings, end = result.stderr.splitlines()
    assert result.returncode == 1
    assert end == "dev.py docs: the site has the problems above"
    assert "docs/new.md: WARNING: document isn't included in any toctree" in warnings[0]
    assert [("README.md:" in line, "gone" in line) for line in warnings[1:]] == [(True, True)] * 4
