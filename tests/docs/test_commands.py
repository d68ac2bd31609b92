"""Commands of ``masthead`` in the documentation exist and have the options that they are given.

Blocks that are only shown, and code in the text, aren't run by any test.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from masthead.cli import main
from tests.docs.conftest import Document

PLACEHOLDERS = {"…", "...", "COMMAND"}


@pytest.fixture(autouse=True)
def _all_plugins(own_plugins: list[str]) -> None:
    """Load the commands of all plugins, as any run of the program does for its configuration."""
    CliRunner().invoke(main, ["--help"], env={"MASTHEAD_PLUGINS": " ".join(own_plugins)})


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words after each ``masthead`` that begins a command of a shell."""
    for line in text.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = list(lexer)
        while "masthead" in words:
            begin = words.index("masthead")
            rest = words[begin + 1 :]
            end = next((n for n, word in enumerate(rest) if word[0] in "|&;<>()"), len(rest))
            if begin == 0 or "=" in words[begin - 1]:
                yield rest[:end]
            words = rest


def unknown_word(words: list[str]) -> str | None:
    """Return the first word that is neither a command nor an option of the one before."""
    command: click.Command = main
    context = click.Context(main)
    for word in words:
        if word.startswith("-") and word != "-":
            known = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
            if word.partition("=")[0] not in {*known, "--help"}:
                return word
        elif isinstance(command, click.Group) and word not in PLACEHOLDERS:
            found = command.get_command(context, word)
            if found is None:
                return word
            command = found
    return None


def test_each_shown_command_exists_with_its_options(document: Document) -> None:
    shown = [*document.blocks("console"), *document.code]
    wrong = {" ".join(words): word for words in parsed(shown) if (word := unknown_word(words))}

    assert wrong == {}


def parsed(texts: list[str]) -> Iterator[list[str]]:
    for text in texts:
        try:
            yield from commands(text)
        except ValueError:
            pass  # code of another language, with a single quote


@pytest.mark.parametrize("text", ["masthead mail bounce", "X=1 masthead doctor --jason"])
def test_a_wrong_command_is_found(text: str) -> None:
    [words] = commands(text)

    assert unknown_word(words) in {"bounce", "--jason"}
