"""Every address that the ``Url`` field type accepts is harmless in a link and as an image."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from itertools import chain
from typing import Any

import pytest

from masthead import Url

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

Vectors = Callable[[str], list[str]]
Accepted = Callable[[Callable[[str], str], Iterable[str]], list[str]]

PLACES = ["{}", " {}", "/{}", "/a?b={}", "https://example.org/{}", "HTTP://{}", "mailto:{}"]


def addresses(vectors: Vectors, accepted: Accepted) -> list[str]:
    return accepted(Url().parse, chain.from_iterable(map(vectors, PLACES)))


def test_no_accepted_address_does_anything(
    stage: Any, vectors: Vectors, accepted: Accepted
) -> None:
    found = addresses(vectors, accepted)
    shown = [f'<a href="{escape(one)}">x</a>' for one in found]
    shown += [f'<img src="{escape(one)}">' for one in found[::10] if "mailto" not in one[:6]]

    assert len(found) >= 4_000
    assert stage.perform(shown, "parsed") == {}
    assert stage.perform(shown, "inserted") == {}


def test_a_browser_goes_where_the_address_says(
    stage: Any, vectors: Vectors, accepted: Accepted
) -> None:
    found = [one for one in addresses(vectors, accepted) if one.startswith(("/", "http"))]
    page = stage.show("".join(f'<a href="{escape(one)}">x</a>' for one in found))

    places = page.eval_on_selector_all("a", "all => all.map(link => [link.protocol, link.host])")

    strange = [
        (one, protocol, host)
        for one, (protocol, host) in zip(found, places, strict=True)
        if protocol not in ("https:", "http:", ":")
        or (one.startswith("/") and host != "stage.test")
    ]
    assert strange == []
