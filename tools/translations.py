"""Bring the catalogues of translations up to date with the texts in code and templates.

The texts of a package are the messages of ``translate(language, "…")`` and ``translatable("…")`` in
its code, and those of its templates. New messages are added to each catalogue without a
translation, and messages that are no longer used are removed.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ("ar", "de", "es", "fr", "ja")
"""The languages of the catalogues; the texts in the code are English."""
_METHODS = [
    ("**.py", "python"),
    ("**/templates/**.html", "jinja2"),
    ("**/templates/**.txt", "jinja2"),
]
_KEYWORDS = {"translate": (2,), "translatable": None, "gettext": None, "ngettext": (1, 2)}
_OPTIONS = {"**/templates/**": {"trimmed": "true", "newstyle_gettext": "true"}}


_HEADER = r"""msgid ""
msgstr ""
"Language: {}\n"
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: {}\n"
"""


def main(arguments: list[str]) -> int:
    """Update all catalogues; with --check, name those that would change or lack a translation."""
    troubles = [
        each for package in packages() for each in _update(package, arguments == ["--check"])
    ]
    print(*troubles, sep="\n", end="\n" if troubles else "")
    return int(bool(troubles))


def packages() -> list[Path]:
    """Return the folders of all packages with translations."""
    found = [*ROOT.glob("core/*/i18n"), *ROOT.glob("plugins/*/*/texts")]
    return sorted(each.parent for each in found if (each / "translations").is_dir())


def messages_of(package: Path) -> Catalog:
    """Return a catalogue of the texts of a package, without translations."""
    catalogue = Catalog(fuzzy=False)
    found = extract_from_dir(
        package, _METHODS, _OPTIONS, keywords=_KEYWORDS, comment_tags=("Translators:",)
    )
    for path, _line, message, comments, context in found:
        catalogue.add(message, None, [(path, 0)], auto_comments=comments, context=context)
    return catalogue


def catalogues_of(package: Path) -> Iterator[tuple[str, Path]]:
    """Yield the languages and the files of the catalogues of a package."""
    [folder] = (each for each in package.glob("*/translations") if each.is_dir())
    yield from ((language, folder / f"{language}.po") for language in LANGUAGES)


def _update(package: Path, checking: bool) -> Iterator[str]:
    messages = messages_of(package)
    for language, path in catalogues_of(package):
        before = path.read_bytes() if path.exists() else b""
        catalogue = read_po(io.BytesIO(before), locale=language)
        catalogue.update(messages, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        after = _written(catalogue)
        if checking and before != after:
            yield f"{path.relative_to(ROOT)} isn't up to date: run dev.py translations"
        elif before != after:
            path.write_bytes(after)
        yield from (
            f"{path.relative_to(ROOT)} lacks: {each.id}"
            for each in catalogue
            if each.id and not each.string
        )


def _written(catalogue: Catalog) -> bytes:
    written = io.BytesIO()
    write_po(
        written, catalogue, width=100, sort_output=True, omit_header=False, include_lineno=False
    )
    # The header also has times and names, which say nothing about the translations.
    _, _, entries = written.getvalue().decode().partition("\n\n")
    header = _HEADER.format(catalogue.locale_identifier, catalogue.plural_forms)
    return f"{header}\n{entries.strip()}\n".encode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
