"""The catalogues of translations of all packages: up to date, complete, with equal values."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from tools import translations

pytestmark = pytest.mark.slow

PACKAGES = translations.packages()
VALUE = re.compile(r"%\((\w+)\)s")
CATALOGUES = [
    pytest.param(package, language, path, id=f"{package.name}-{language}")
    for package in PACKAGES
    for language, path in translations.catalogues_of(package)
]


def texts(message: Message) -> list[str]:
    """Return the translations of a message: one, or one for each form of the plural."""
    found = message.string
    return list(found) if isinstance(found, (list, tuple)) else [found or ""]


def test_core_and_the_plugin_of_mail_have_catalogues() -> None:
    assert {"masthead", "masthead_email"} <= {package.name for package in PACKAGES}


@pytest.mark.parametrize(("package", "language", "path"), CATALOGUES)
def test_a_catalogue_is_complete_and_has_the_values_of_the_text(
    package: Path, language: str, path: Path
) -> None:
    catalogue = read_po(io.BytesIO(path.read_bytes()), locale=language, abort_invalid=True)
    used = {(each.id, each.context) for each in translations.messages_of(package) if each.id}

    assert {(each.id, each.context) for each in catalogue if each.id} == used
    assert not catalogue.obsolete
    for message in filter(lambda each: each.id, catalogue):
        source = message.id if isinstance(message.id, str) else message.id[-1]
        assert not message.fuzzy, source
        for text in texts(message):
            assert text.strip(), f"{source} is not translated"
            missing = set(VALUE.findall(source)) - set(VALUE.findall(text))
            # A form of the plural may write its number in words, as in "one day".
            assert not missing or not isinstance(message.id, str), source
            assert set(VALUE.findall(text)) <= set(VALUE.findall(source)), source
            assert text.count("%") == len(VALUE.findall(text)) + 2 * text.count("%%"), source
            assert text == text.strip() or source != source.strip(), source
            assert "{{" not in text, source
            assert not re.search(r"<[^>]*>", text) or re.search(r"<[^>]*>", source), source


def test_the_catalogues_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    status = translations.main(["--check"])

    printed = capsys.readouterr()
    # A warning of Babel is that of a call that it takes for a text.
    assert (printed.out, printed.err, status) == ("", "", 0)
