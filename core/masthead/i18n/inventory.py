"""The list of all texts: the files of plugins, and those of the deployer that replace them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from masthead.i18n.catalogues import catalogue_files, read_catalogue
from masthead.i18n.settings import TEXTS
from masthead.instance import Instance
from masthead.organisation.settings import is_language

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

TEMPLATES = "templates"
TRANSLATIONS = "translations"


@dataclass(frozen=True)
class TextFile:
    """A template or a catalogue of a plugin."""

    name: str
    """The path in a folder of texts, such as ``templates/core/mails/password.txt``."""
    plugin: str
    file: Traversable


def text_files(instance: Instance) -> list[TextFile]:
    """Return the templates and catalogues of all enabled plugins, in their order."""
    found = []
    for plugin in instance.plugins:
        if plugin.texts:
            package = resources.files(plugin.texts)
            for folder in (TEMPLATES, TRANSLATIONS):
                found += [
                    TextFile(f"{folder}/{name}", plugin.name, file)
                    for name, file in sorted(_files_in(package / folder))
                ]
    return found


def own_files(instance: Instance) -> dict[str, Traversable]:
    """Return the files of the deployer by their paths in the folder, without hidden ones."""
    folder: Path | None = instance.settings[TEXTS]
    return dict(sorted(_files_in(folder))) if folder is not None else {}


def files_without_effect(instance: Instance) -> list[str]:
    """Return the paths of the deployer's files that replace nothing.

    Templates whose name, or whose folder's name, begins with ``_`` are those that other templates
    of the deployer include. A catalogue of another language replaces nothing and has an effect.
    """
    known = {each.name for each in text_files(instance)}
    return [name for name in own_files(instance) if name not in known and not _is_addition(name)]


def catalogues_by_plugin(instance: Instance, language: str) -> Iterator[tuple[str, Catalog]]:
    """Yield each plugin with messages, and a catalogue of them with the built-in translations.

    :param language: the tag of a language; for a new one, the messages have no translations.
    """
    for plugin in instance.plugins:
        if plugin.texts:
            files = dict(catalogue_files([resources.files(plugin.texts) / TRANSLATIONS]))
            if language in files:
                yield plugin.name, read_catalogue(files[language])
            elif files:
                yield plugin.name, _untranslated(read_catalogue(min(files.items())[1]))


def own_catalogues(instance: Instance) -> dict[str, Traversable]:
    """Return the catalogues of the deployer by language."""
    folder: Path | None = instance.settings[TEXTS]
    return dict(catalogue_files([folder / TRANSLATIONS])) if folder is not None else {}


def _untranslated(catalogue: Catalog) -> Catalog:
    for message in catalogue:
        message.string = "" if isinstance(message.id, str) else ("", "")
    return catalogue


def _is_addition(name: str) -> bool:
    folder, *parts = name.split("/")
    if folder == TRANSLATIONS:
        [*above, file] = parts
        return not above and file.endswith(".po") and is_language(file.removesuffix(".po"))
    return folder == TEMPLATES and any(part.startswith("_") for part in parts)


def _files_in(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    if folder.is_dir():
        for each in folder.iterdir():
            if each.name.startswith(".") or each.name == "__pycache__":
                continue
            if each.is_dir():
                yield from _files_in(each, f"{prefix}{each.name}/")
            else:
                yield prefix + each.name, each
