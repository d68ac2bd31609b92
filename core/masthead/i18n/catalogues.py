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

if TYPE_CHECKING:
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
    for language, file in _files(folders):
        read = _read(file)
        if language in found:
            found[language].merge(read)
        else:
            found[language] = read
    return found


def texts_folders(packages: Iterable[str], own: Traversable | None, name: str) -> list[Traversable]:
    """Return the folders with a name of the packages of texts, and that of the deployer."""
    folders = [resources.files(package) / name for package in packages]
    return [*folders, own / name] if own is not None else folders


def _files(folders: Iterable[Traversable]) -> Iterable[tuple[str, Traversable]]:
    for folder in folders:
        if folder.is_dir():
            for file in sorted(folder.iterdir(), key=lambda each: each.name):
                if file.name.endswith(_SUFFIX):
                    yield file.name.removesuffix(_SUFFIX), file


def _read(file: Traversable) -> Translations:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import PoFileError, read_po
    from babel.support import Translations

    compiled = io.BytesIO()
    try:
        with file.open("rb") as opened:
            write_mo(compiled, read_po(opened, abort_invalid=True))
    except PoFileError as error:
        raise StartError(f"{file}, line {error.lineno + 1}: {error}") from None
    except (OSError, ValueError) as error:
        raise StartError(f"{file} can't be read: {error}") from None
    compiled.seek(0)
    return Translations(compiled)
