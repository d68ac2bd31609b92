"""Titles, descriptions and classes are plain text, which an escaping website shows as sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

import pytest

from masthead import Str

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

Vectors = Callable[[str], list[str]]
Accepted = Callable[[Callable[[str], str], Iterable[str]], list[str]]


def test_no_text_does_anything_between_tags_or_as_a_class(
    stage: Any, vectors: Vectors, accepted: Accepted
) -> None:
    texts = accepted(Str(2_000).parse, vectors("{}"))
    shown = [f'<h1 class="{escape(text)}">{escape(text)}</h1>' for text in texts]

    assert len(texts) >= 4_000
    assert stage.perform(shown, "parsed") == {}
    assert stage.perform(shown, "inserted") == {}


def test_a_text_is_shown_as_it_was_stored(stage: Any, vectors: Vectors, accepted: Accepted) -> None:
    texts = accepted(Str(2_000).parse, vectors("{}"))
    page = stage.show("".join(f'<p class="{escape(one)}">{escape(one)}</p>' for one in texts))

    shown = page.eval_on_selector_all("p", "all => all.map(p => [p.className, p.textContent])")

    # An HTML parser normalises every kind of newline.
    lines = [one.replace("\r\n", "\n").replace("\r", "\n") for one in texts]
    assert shown == [[one, one] for one in lines]
