"""Japanese text in Latin letters, if the optional libraries for it are installed."""

from __future__ import annotations

import re
from functools import cache
from threading import Lock
from typing import Any
from unicodedata import normalize

_LETTERS = "\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_JAPANESE = re.compile(rf"\d*[{_LETTERS}][{_LETTERS}\d]*")
_ENDINGS = {("助動詞", "*"), ("助詞", "接続助詞"), ("動詞", "接尾"), ("動詞", "非自立")}
"""The parts of speech that are written as one word with the verb before them."""
_PART_OF_SPEECH, _PRONUNCIATION = slice(2), 8
"""The places in what the dictionary has about a word."""
_OF_LOANWORDS = {
    "シェ": "she", "ジェ": "je", "チェ": "che", "ツァ": "tsa", "ツェ": "tse", "ツォ": "tso",
    "ティ": "ti", "ディ": "di", "テュ": "tyu", "デュ": "dyu", "トゥ": "tu", "ドゥ": "du",
    "ウィ": "wi", "ウェ": "we", "ウォ": "wo",
}  # fmt: skip
"""Syllables that jaconv doesn't know."""
_LOANED = re.compile("|".join(_OF_LOANWORDS))
_lock = Lock()
"""MeCab can't read several texts at once."""


def spell_japanese(text: str) -> str:
    """Return a text with Latin letters instead of Japanese ones, and spaces between these words.

    The Latin letters are those of Hepburn without marks for long vowels. Without the libraries of
    ``masthead-core[japanese]``, the text is returned as it is.
    """
    # The dictionary knows no letters of half width and digits of full width.
    wide = normalize("NFKC", text)
    tagger = _tagger() if _JAPANESE.search(wide) else None
    if tagger is None:
        return text
    return _JAPANESE.sub(lambda found: f" {_spell(tagger, found[0])} ", wide)


def _spell(tagger: Any, text: str) -> str:
    words = [""]
    with _lock:
        for word in tagger(text):
            known = word.feature[_PRONUNCIATION:]
            spoken = known[0] if known else word.surface
            is_ending = word.feature[_PART_OF_SPEECH] in _ENDINGS or words[-1].endswith("ッ")
            words[-1:] = [words[-1] + spoken] if is_ending else [words[-1], spoken]
    return " ".join(map(_in_latin, words))


@cache
def _tagger() -> Any:
    try:
        from fugashi import GenericTagger
        from ipadic import MECAB_ARGS
    except ImportError:
        return None
    return GenericTagger(MECAB_ARGS)


def _in_latin(word: str) -> str:
    from jaconv import kana2alphabet, kata2hira

    known = _LOANED.sub(lambda syllable: _OF_LOANWORDS[syllable[0]], word.replace("ー", ""))
    latin: str = kana2alphabet(kata2hira(known))
    return latin
