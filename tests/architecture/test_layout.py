"""Features have the same file names, and names of a plugin's objects begin with its name."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from masthead.plugins import Plugin, collect, installed, make_manager
from tools.workspace import distributions

ROOT = Path(__file__).parents[2]
PLUGINS = sorted(path.parent.name for path in ROOT.glob("plugins/*/pyproject.toml"))

FEATURE = ["models", "schemas", "services", "views"]
SYNONYMS = {
    "model": "models",
    "schema": "schemas",
    "serializers": "schemas",
    "service": "services",
    "actions": "services",
    "view": "views",
    "api": "views",
    "handlers": "views",
    "resources": "views",
    "hooks": "plugin",
    "errors": "the core's errors",
    "utils": "a name that says what is in it",
    "helpers": "a name that says what is in it",
    "common": "a name that says what is in it",
    "misc": "a name that says what is in it",
}


def settings(plugin: Plugin) -> list[str]:
    """Return the names of the settings that the plugin declares."""
    declared = collect(make_manager([plugin]), "masthead_settings")
    return [setting.name for _, setting in declared]


def synonyms(files: list[Path]) -> list[str]:
    return [f"{file.name}: rather {SYNONYMS[file.stem]}" for file in files if file.stem in SYNONYMS]


def features() -> Iterator[Path]:
    """Yield the folder of each feature of core and of each plugin."""
    for package in sorted((ROOT / "core/masthead").iterdir()):
        if any((package / f"{name}.py").is_file() for name in FEATURE):
            yield package
    for name in PLUGINS:
        yield ROOT / "plugins" / name / f"masthead_{name}"


def named_plugins(source: str, names: list[str]) -> list[str]:
    """Return the strings, including docstrings, that name a plugin's package or distribution."""
    pattern = re.compile(rf"\bmasthead[_-]({'|'.join(names)})\b|\bmasthead\.({'|'.join(names)})\.")
    strings = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return [text for text in strings if isinstance(text, str) and pattern.search(text)]


@pytest.mark.parametrize("name", PLUGINS)
def test_a_plugins_name_leads_its_distribution(name: str) -> None:
    content = tomllib.loads((ROOT / f"plugins/{name}/pyproject.toml").read_text("utf-8"))

    assert content["project"]["name"] == f"masthead-{name}"
    assert content["tool"]["flit"]["module"]["name"] == f"masthead_{name}"
    assert content["project"]["entry-points"]["masthead.plugins"] == {
        name: f"masthead_{name}.plugin:plugin"
    }


@pytest.mark.parametrize("name", PLUGINS)
def test_a_plugins_name_leads_its_tables_migrations_and_settings(name: str) -> None:
    plugin = installed()[name]

    tables = list(plugin.metadata.tables) if plugin.metadata is not None else []

    assert plugin.name == name
    assert [table for table in tables if not table.startswith(f"{name}_")] == []
    assert [one for one in settings(plugin) if not one.startswith(f"masthead.{name}.")] == []
    assert plugin.migrations in (None, f"masthead_{name}.migrations")


@pytest.mark.parametrize("name", PLUGINS)
def test_a_plugin_has_the_files_that_every_plugin_has(name: str) -> None:
    folder = ROOT / "plugins" / name
    expected = ["README.md", "LICENSE", "tests", f"masthead_{name}/py.typed"]
    expected += [f"masthead_{name}/__init__.py", f"masthead_{name}/plugin.py"]

    assert [path for path in expected if not (folder / path).exists()] == []


def test_a_synonym_of_a_file_name_is_noticed() -> None:
    assert synonyms([Path("news/view.py"), Path("news/views.py")]) == ["view.py: rather views"]


def test_no_feature_calls_a_file_by_another_name() -> None:
    assert [synonyms(sorted(feature.rglob("*.py"))) for feature in features()] == [
        [] for _ in features()
    ]


def test_the_tests_of_core_mirror_its_folders() -> None:
    tests, code = ROOT / "core/tests", ROOT / "core/masthead"
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}

    assert [str(folder) for folder in sorted(folders) if not (code / folder).is_dir()] == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = 'masthead_news.models'", True),
        ("x = 'pip install masthead-news'", True),
        ("x = 'masthead.news.page_size'", True),
        ("x = 'masthead_newsletters'", False),
        ("x = 'news'", False),
    ],
)
def test_a_string_that_names_a_plugin_is_noticed(source: str, found: bool) -> None:
    assert bool(named_plugins(source, ["news"])) is found


def test_the_core_names_no_plugin_in_a_string() -> None:
    found = {
        str(path.relative_to(ROOT)): strings
        for path in sorted((ROOT / "core/masthead").rglob("*.py"))
        if (strings := named_plugins(path.read_text("utf-8"), PLUGINS))
    }

    assert found == {}


def test_every_distribution_ships_the_license() -> None:
    text = (ROOT / "LICENSE").read_text("utf-8")
    folders = [each.folder for each in distributions()]

    assert [str(one) for one in folders if (one / "LICENSE").read_text("utf-8") != text] == []


def test_core_ships_the_credits_of_the_libraries_that_it_brings() -> None:
    text = (ROOT / "NOTICE").read_text("utf-8")

    assert (ROOT / "core/NOTICE").read_text("utf-8") == text


def test_every_distribution_names_the_same_readers_and_pythons() -> None:
    found = distributions()
    readers = {tuple(e.declaration["project"]["classifiers"]) for e in found if e.is_plugin}

    assert len(readers) == 1
    assert len({each.declaration["project"]["requires-python"] for each in found}) == 1
