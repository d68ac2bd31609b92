"""The field type of the tags of languages."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.schemas.language_tags import LanguageTag


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("de", "de"),
        (" DE_at ", "de-AT"),
        ("zh-hant-TW", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("de-CH-1996", "de-CH"),
        ("ca-valencia", "ca"),
        ("en-US-u-ca-gregory", "en-US"),
        ("zh-cmn-Hans", "zh"),
        ("tlh", "tlh"),
    ],
)
def test_a_tag_is_stored_in_its_usual_form(given: str, stored: str) -> None:
    assert LanguageTag().parse(given) == stored
    assert LanguageTag().parse(stored) == stored


@pytest.mark.parametrize(
    "given", ["", "d", "Deutsch", "de AT", "de-", "-de", "de--AT", "d\u0435", 1, None, "de-" * 20]
)
def test_other_values_are_refused(given: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        LanguageTag().parse(given)
