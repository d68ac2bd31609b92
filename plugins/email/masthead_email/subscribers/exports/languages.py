"""Languages in the files of other tools: tags, locales, and names of languages."""

from __future__ import annotations

import re
from functools import cache

from masthead import LanguageTag
from masthead_email.subscribers.exports.status_columns import compact

NAMES = (
    *("Locale", "Lang", "Language code", "Preferred language", "Subscriber language"),
    *("User language", "Contact language", "Preferred locale", "Sprache", "Langue", "Idioma"),
    *("Lingua", "Língua", "Taal", "Språk", "Sprog", "Kieli", "Język", "Jazyk", "Nyelv", "Dil"),
    *("Limbă", "Γλώσσα", "Язык", "Мова", "اللغة", "שפה", "言語", "语言", "語言", "언어"),
)
"""The names of columns with the language of a person."""
_NAMED_IN = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "tr", "ru", "uk", "ar", "ja")
"""The languages in which names of languages are known."""
_TAG = LanguageTag()
_LONGEST_TAG = 35
_LOCALE = re.compile(r"([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)(?:[.@].*)?", re.ASCII)


def read_language(text: str) -> str:
    """Return the tag of a language; blank if it isn't known.

    :param text: a tag, a locale such as ``de_AT.UTF-8``, or the name of a language.
    """
    found = _LOCALE.fullmatch(text.strip())
    if found is not None and len(found[1]) <= _LONGEST_TAG:
        tag = _TAG.parse(found[1])
        if tag.partition("-")[0] in _tags():
            return tag
    return _by_name().get(compact(text), "")


@cache
def _tags() -> frozenset[str]:
    from babel import Locale

    return frozenset(Locale("en").languages)


@cache
def _by_name() -> dict[str, str]:
    """Return the tags of languages by their compact names."""
    from babel import Locale

    return {
        compact(name): tag.replace("_", "-")
        for language in reversed(_NAMED_IN)
        for tag, name in Locale(language).languages.items()
    }
