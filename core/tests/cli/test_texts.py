"""``masthead texts``, and the check of the deployer's texts at the start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
PASSWORD = "templates/core/mails/password.txt"


@pytest.fixture
def folder(tmp_path: Path, environ: dict[str, str]) -> Path:
    """The deployer's folder of texts, which doesn't exist yet."""
    environ["MASTHEAD_TEXTS"] = str(tmp_path / "texts")
    return tmp_path / "texts"


def test_a_template_is_copied_once_and_listed_as_replaced(run: Run, folder: Path) -> None:
    assert run("texts", "copy", "core/mails/password.txt").output == f"Wrote {folder / PASSWORD}\n"
    assert "{% trans %}" in (folder / PASSWORD).read_text("utf-8")
    (folder / PASSWORD).write_text("mine")
    again = run("texts", "copy", PASSWORD)
    assert (again.exit_code, "exists already" in again.output) == (1, True)
    assert (folder / PASSWORD).read_text() == "mine"
    assert "did you mean" in run("texts", "copy", "core/mails/pasword.txt").output
    for outside in ("../../x", "/etc/passwd", "core/mails/../../x"):
        assert "there is no template" in run("texts", "copy", outside).output
    (folder / "notes.txt").touch()
    lines = [line.split() for line in run("texts", "list").output.splitlines()]
    assert [PASSWORD, "core", "yes"] in lines
    assert ["translations/de.po", "core", "no"] in lines
    assert ["notes.txt", "-", "nothing"] in lines


def test_all_messages_are_printed_as_a_catalogue_that_can_be_used(run: Run, folder: Path) -> None:
    printed = run("texts", "messages", "de").output
    (folder / "translations").mkdir(parents=True)
    for language in ("de", "it", "tlh"):
        catalogue = folder / "translations" / f"{language}.po"
        catalogue.write_text(run("texts", "messages", language).output, "utf-8")
    assert 'msgstr "Neues Passwort wählen"' in printed
    assert "Warning" not in run("texts", "list").output
    own = printed.replace("Neues Passwort wählen", "Anderes Passwort")
    (folder / "translations" / "de.po").write_text(own, "utf-8")
    again = run("texts", "messages", "de").output
    assert again.replace("#. masthead.texts\n", "#. Plugin core\n") == own
    assert 'msgstr "Neues' not in run("texts", "messages", "it").output
    assert run("texts", "messages", "../x").exit_code == 2


def test_copying_needs_a_folder(run: Run) -> None:
    assert "masthead.texts isn't set" in run("texts", "copy", PASSWORD).output


def test_a_broken_text_stops_a_worker_with_one_line(run: Run, folder: Path) -> None:
    (folder / PASSWORD).parent.mkdir(parents=True)
    (folder / PASSWORD).write_text("\n{{ x")
    stopped = run("worker")
    assert stopped.exit_code == 1
    assert f"{folder / PASSWORD}, line 2" in stopped.output
