"""The README and the metadata of a distribution that is copied for publication."""

import tomllib
from pathlib import Path

import pytest

from tools.artefacts import problems_of_readme
from tools.staging import Source, stage
from tools.workspace import Distribution, distributions

ROOT = Path(__file__).parents[2]
ADDRESS = "https://example.org/masthead"
NAMES = [distribution.folder.name for distribution in distributions()]


@pytest.fixture
def distribution(request: pytest.FixtureRequest) -> Distribution:
    """The distribution in the folder that the parameter names."""
    [found] = [each for each in distributions() if each.folder.name == request.param]
    return found


def resolved(address: str, text: str) -> str:
    return Source(address, "0.1.0").resolve(text, ROOT / "plugins/news")


@pytest.mark.parametrize("address", ["", ADDRESS])
@pytest.mark.parametrize("distribution", NAMES, indirect=True)
def test_each_link_of_a_readme_leads_somewhere_on_an_index(
    distribution: Distribution, address: str
) -> None:
    text = (distribution.folder / "README.md").read_text("utf-8")

    source = Source(address, distribution.version)

    assert list(problems_of_readme(source.resolve(text, distribution.folder))) == []


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("../../README.md", "blob/v0.1.0/README.md"),
        ("../../docs/hooks.md#own-hooks", "blob/v0.1.0/docs/hooks.md#own-hooks"),
        ("masthead_news/plugin.py", "blob/v0.1.0/plugins/news/masthead_news/plugin.py"),
        ("../feeds/", "tree/v0.1.0/plugins/feeds"),
    ],
)
def test_a_relative_link_leads_to_the_tag_of_the_version(link: str, target: str) -> None:
    assert (
        resolved(ADDRESS, f"See [`the` file]({link}).") == f"See [`the` file]({ADDRESS}/{target})."
    )


def test_a_relative_link_is_text_while_the_repository_has_no_address() -> None:
    assert resolved("", "For [Masthead](../../README.md),\nby [a\nname](x.md#y).") == (
        "For Masthead,\nby a\nname."
    )


@pytest.mark.parametrize("link", ["https://example.org/", "mailto:ada@example.org", "#news"])
@pytest.mark.parametrize("address", ["", ADDRESS])
def test_other_links_stay(link: str, address: str) -> None:
    assert resolved(address, f"[there]({link})") == f"[there]({link})"


@pytest.mark.parametrize("distribution", ["news"], indirect=True)
def test_the_copy_has_the_package_without_tests(distribution: Distribution, tmp_path: Path) -> None:
    staged = stage(distribution, tmp_path)

    assert (staged / "masthead_news/plugin.py").is_file()
    assert sorted(path.name for path in staged.iterdir()) == [
        "LICENSE",
        "README.md",
        "masthead_news",
        "pyproject.toml",
    ]


def test_the_addresses_of_the_project_are_a_table_of_pyproject() -> None:
    urls = tomllib.loads(Source(ADDRESS, "0.1.0").urls())["project"]["urls"]

    assert urls["Repository"] == ADDRESS
    assert urls["Changelog"] == f"{ADDRESS}/blob/v0.1.0/CHANGELOG.md"
    assert Source("", "0.1.0").urls() == ""
