"""Checks of the deployer's texts, for the start of servers and workers, and masthead doctor."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from masthead.errors import StartError
from masthead.i18n.catalogues import SOURCE, catalogue_files, read_catalogue, texts_folders
from masthead.i18n.inventory import (
    TEMPLATES,
    TRANSLATIONS,
    catalogues_by_plugin,
    files_without_effect,
    own_catalogues,
    own_files,
    text_files,
)
from masthead.i18n.settings import TEXTS
from masthead.i18n.texts import BLOCKS, texts_of
from masthead.instance import Instance
from masthead.organisation.settings import LANGUAGE

if TYPE_CHECKING:
    from babel.messages.catalog import Message

logger = logging.getLogger(__name__)

_PLACEHOLDER = re.compile(r"%(?:\((\w+)\)s|%)|%")
_LINE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:#.*|(?:(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)\s*)?"
    rb'"(?:[^"\\]|\\.)*"\s*)'
)
"""A line of a PO file."""
_BLOCK = re.compile(r"\{%[-+]?\s*block\s+(\w+)")
_INHERITS = re.compile(r"\{%[-+]?\s*(?:extends|include|import|from)\s")
_NUMBER = "num"
"""The placeholder that every text with a plural has."""


def check_texts(instance: Instance) -> None:
    """Check the texts that replace others; log a warning for each that has no effect.

    :raises StartError: for a broken one, naming its file and line.
    """
    _check_own(instance)
    for warning in warnings_of(instance):
        logger.warning("%s", warning)


def broken_trouble(instance: Instance) -> str | None:
    """Return the first mistake in the texts that stops a start."""
    try:
        _check_own(instance)
    except StartError as error:
        return str(error)
    return None


def unused_trouble(instance: Instance) -> str | None:
    """Return the settings, files and texts that have no effect."""
    try:
        return "; ".join(warnings_of(instance)) or None
    except StartError:
        return None  # The other check tells of a catalogue that can't be read.


def warnings_of(instance: Instance) -> Iterator[str]:
    """Yield a sentence about each setting, file and text that has no effect.

    :raises StartError: for a catalogue that can't be read.
    """
    language, folder = instance.settings[LANGUAGE], instance.settings[TEXTS]
    if not any(_satisfies(language, each) for each in _languages(instance)):
        yield f"masthead.language is {language}, which has no translations; English is used"
    if folder is None:
        return
    if not folder.is_dir():
        yield f"masthead.texts is {folder}, but there is no such folder"
    for name in files_without_effect(instance):
        yield f"{folder / name} replaces nothing; see masthead texts list"
    yield from _unknown_messages(instance, folder)


def _check_own(instance: Instance) -> None:
    if instance.settings[TEXTS] is None:
        return
    texts_of(instance).check()
    _check_blocks(instance)
    for file in own_catalogues(instance).values():
        _check_quotes(file)
        _check_placeholders(file)


def _languages(instance: Instance) -> set[str]:
    """Return the languages with a catalogue, without reading any."""
    packages = [each.texts for each in instance.plugins if each.texts]
    folders = texts_folders(packages, instance.settings[TEXTS], TRANSLATIONS)
    return {SOURCE, *(language for language, _ in catalogue_files(folders))}


def _satisfies(wanted: str, language: str) -> bool:
    return f"{wanted}-".startswith(f"{language}-")


def _check_blocks(instance: Instance) -> None:
    """Check that templates of mails have the blocks of subject and text."""
    own = own_files(instance)
    for replaced in text_files(instance):
        if replaced.name not in own or not set(BLOCKS) <= _blocks(replaced.file):
            continue
        file = own[replaced.name]
        missing = set(BLOCKS) - _blocks(file)
        # The blocks may be those of the template that it extends.
        if missing and not _INHERITS.search(file.read_text("utf-8")):
            raise StartError(f"{file} lacks the block {min(missing)}")


def _blocks(file: Traversable) -> set[str]:
    return set(_BLOCK.findall(file.read_text("utf-8")))


def _check_quotes(file: Traversable) -> None:
    """Check that each text of a catalogue is quoted; Babel takes a part of it otherwise.

    :raises StartError: naming the line.
    """
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        if line.strip() and not _LINE.fullmatch(line):
            where = f"{file}, line {number}"
            raise StartError(f"{where}: a text stands in quotes, after msgid or msgstr")


def _check_placeholders(file: Traversable) -> None:
    """Check that translations have no placeholders that their messages lack.

    :raises StartError: naming the line.
    """
    for message in read_catalogue(file):
        if not message.id or not message.string or message.fuzzy:
            continue
        known = _placeholders(message.id)
        if not isinstance(message.id, str):
            known.add(_NUMBER)
        for name in sorted(_placeholders(message.string) - known):
            where = f"{file}, line {message.lineno}"
            if name == "%":
                raise StartError(f"{where}: a percent sign is written as %%")
            raise StartError(f"{where}: there is no value %({name})s for this text")


def _placeholders(text: str | tuple[str, ...] | list[str]) -> set[str]:
    """Return the names of values in a text, and ``%`` if a percent sign stands alone."""
    if isinstance(text, str):
        found = _PLACEHOLDER.finditer(text)
        return {each[1] or "%" for each in found if each[0] != "%%"}
    return set().union(*map(_placeholders, text))


def _unknown_messages(instance: Instance, folder: Path) -> Iterator[str]:
    """Yield a sentence about each translation of a text that no template and no plugin has."""
    catalogues = own_catalogues(instance)
    if not catalogues:
        return
    known = {key for _, each in catalogues_by_plugin(instance, SOURCE) for key in map(_key, each)}
    known |= set(_own_messages(instance, folder / TEMPLATES))
    for file in catalogues.values():
        for message in read_catalogue(file):
            if message.id and message.string and _key(message) not in known:
                yield f"{file}, line {message.lineno}: no template and no plugin has this text"


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _own_messages(instance: Instance, folder: Path) -> Iterator[str]:
    """Yield the texts that the deployer's templates translate."""
    from masthead.i18n.templates import template_names

    for name in template_names(folder):
        yield from texts_of(instance).messages_in((folder / name).read_text("utf-8"))
