from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from masthead.cli import main

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run commands on the instance whose data folder is the first argument."""
    for name in [name for name in os.environ if name.startswith("MASTHEAD_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)

    def invoke(data: str, *arguments: str, stdin: str = "") -> Result:
        return CliRunner().invoke(main, arguments, stdin, env={"MASTHEAD_DATA": data})

    return invoke


def test_an_instance_moves_by_two_commands(run: Run) -> None:
    run("one", "db", "upgrade")
    run("one", "import", "news", "-", "--publish", stdin='{"title": "A storm"}')

    exported, imported = run("one", "export", "out"), run("two", "import", "out")

    place = f"sqlite:///{Path('one/masthead.db').absolute()}"
    assert (exported.exit_code, exported.stdout) == (0, f"Exported {place} into out\n")
    assert (imported.exit_code, imported.stderr) == (0, "")
    assert imported.stdout.splitlines()[0] == "Imported out"
    assert run("two", "export", "again").exit_code == 0
    assert "A storm" in Path("again/tables/news_article.jsonl").read_text("utf-8")


@pytest.mark.slow
def test_a_second_import_says_that_nothing_is_changed(run: Run) -> None:
    run("one", "db", "upgrade")
    run("one", "export", "out")
    run("two", "import", "out")

    again = run("two", "import", "out")

    assert (again.exit_code, again.stdout) == (0, "It was imported before; nothing is changed\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        (["import", "nowhere"], 1, "nowhere is no folder; to import items, name their kind"),
        (["import", "."], 1, "has no manifest.json: it is no export, or one that didn't end"),
        (["import", ".", "--publish"], 2, "--publish, --as, --dry-run and --source are for items"),
        (
            ["import", ".", "--as", "ada"],
            2,
            "--publish, --as, --dry-run and --source are for items",
        ),
        (["export", "."], 1, ". isn't empty"),
    ],
)
def test_what_can_not_be_moved_is_said_in_one_line(
    run: Run, arguments: list[str], status: int, line: str
) -> None:
    run("one", "db", "upgrade")

    refused = run("one", *arguments)

    assert refused.exit_code == status
    assert line in refused.stderr.splitlines()[-1]


def test_tables_that_are_behind_are_not_exported(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASTHEAD_PLUGINS", "news")
    run("one", "db", "upgrade")
    monkeypatch.delenv("MASTHEAD_PLUGINS")

    refused = run("one", "export", "out")

    assert refused.stderr.startswith("Error: the tables of actions lack a revision, the tables of ")
    assert refused.stderr.endswith("; run masthead db upgrade\n")
    assert not Path("out").exists()


def test_an_instance_that_is_behind_is_left_as_it_is(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("one", "db", "upgrade")
    run("one", "export", "out")
    monkeypatch.setenv("MASTHEAD_PLUGINS", "news")
    run("two", "db", "upgrade")
    monkeypatch.delenv("MASTHEAD_PLUGINS")

    refused = run("two", "import", "out")

    assert "Error: the tables of actions lack a revision" in refused.stderr
    assert refused.stderr.endswith("; run masthead db upgrade\n")
