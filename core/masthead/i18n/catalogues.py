"""Catalogues of translations: gettext files of plugins, and of the deployer.

They are read as PO files, so that nobody has to compile them.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from masthead.errors import StartError
from masthead.organisation.settings import is_language

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog
    from babel.support import Translations

SOURCE: str = "en"
"""The language of the texts in code and templates, which needs no catalogue."""
_SUFFIX = ".po"


def read_catalogues(folders: Sequence[Traversable]) -> Mapping[str, Translations]:
    """Return the translations by language tag.

    :param folders: folders with files such as ``de.po``; a later one replaces single texts of the
        earlier ones. Missing folders are empty.
    :raises StartError: for a file that can't be read, naming the line.
    """
    from babel.support import Translations

    found: dict[str, Translations] = {SOURCE: Translations()}
    for language, file in catalogue_files(folders):
        read = _compiled(file)
        if language in found:
            found[language].merge(read)
        else:
            found[language] = read
    # A regional variant may have only the texts that differ.
    for language, own in found.items():
        if parent := next((each for each in _broader(language) if each in found), None):
            own.add_fallback(found[parent])
    return found


def texts_folders(packages: Iterable[str], own: Traversable | None, name: str) -> list[Traversable]:
    """Return the folders with a name of the packages of texts, and that of the deployer."""
    folders = [resources.files(package) / name for package in packages]
    return [*folders, own / name] if own is not None else folders


def catalogue_files(folders: Iterable[Traversable]) -> Iterable[tuple[str, Traversable]]:
    """Yield the language and the file of each catalogue of some folders, in their order."""
    for folder in folders:
        if folder.is_dir():
            for file in sorted(folder.iterdir(), key=lambda each: each.name):
                language = file.name.removesuffix(_SUFFIX)
                if file.name.endswith(_SUFFIX) and is_language(language):
                    yield language, file


def read_catalogue(file: Traversable) -> Catalog:
    """Return the content of a PO file.

    :raises StartError: if it can't be read, naming the line.
    """
    from babel.messages.pofile import PoFileError, read_po

    try:
        with file.open("rb") as opened:
            return read_po(opened, abort_invalid=True)
    except PoFileError as error:
        raise StartError(f"{file}, line {error.lineno + 1}: {error}") from None
    # An unknown character set raises a LookupError.
    except (OSError, ValueError, LookupError) as error:
        raise StartError(f"{file} can't be read: {error}") from None


def _broader(language: str) -> Iterable[str]:
    """Yield the tags with fewer parts: zh-Hant and zh of zh-Hant-TW."""
    while language := language.rpartition("-")[0]:
        yield language


def _compiled(file: Traversable) -> Translations:
    from babel.messages.mofile import write_mo
    from babel.support import Translations

    catalogue = read_catalogue(file)
    for message in catalogue:
        # Babel takes a plural for translated that has some of its forms only.
        if not isinstance(message.string, str) and not all(message.string or ()):
            message.string = ""
    compiled = io.BytesIO()
    try:
        write_mo(compiled, catalogue)
        compiled.seek(0)
        return Translations(compiled)
    # For example, the rule of plural forms may be wrong, or the character set unknown.
    except (ValueError, LookupError) as error:
        raise StartError(f"{file} can't be read: {error}") from None
