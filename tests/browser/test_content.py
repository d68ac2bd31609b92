"""Content that the ``Html`` field type accepts runs no script and sends no forbidden request."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from html import escape
from typing import Any

import html5lib
import pytest

from masthead import Html
from masthead.html import clean, clean_email

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

Vectors = Callable[[str], list[str]]
Accepted = Callable[[Callable[[str], str], Iterable[str]], list[str]]

# The places of a payload in a page. Sanitisers and browsers are known to parse the second half of
# the places differently.
PLACES = [
    "{}",
    '<p title="{}">x</p>',
    "<p class={}>x</p>",
    '<p style="{}">x</p>',
    '<a href="{}">x</a>',
    "<img src={}>",
    "<table><tr><td>{}",
    "<pre>\n{}</pre>",
    "<!--{}-->{}",
    "<svg><style>{}",
    "<math><mtext><table><mglyph><style>{}",
    "<noscript>{}</noscript>{}",
    "<select><textarea>{}",
    "<ul><li data-checked='{}'><label><input type=checkbox {}><oembed url='{}'>",
    "<div data-youtube-video={} data-hx-get={}><span data-value='{}' data-mention={}>x</span>",
]


@pytest.mark.parametrize("place", PLACES)
def test_no_payload_does_anything_once_it_is_stored(
    stage: Any, vectors: Vectors, accepted: Accepted, place: str
) -> None:
    stored = accepted(Html(hosts=("www.youtube.com",)).parse, vectors(place))

    assert stage.perform(stored, "parsed") == {}
    assert stage.perform(stored, "inserted") == {}


def test_no_payload_does_anything_around_an_embed(
    stage: Any, vectors: Vectors, accepted: Accepted
) -> None:
    place = "<iframe src='https://www.youtube.com/embed/x' title='{}'>{}</iframe>"
    stored = accepted(Html(hosts=("www.youtube.com",)).parse, vectors(place)[::20])

    assert sum("<iframe" in text for text in stored) >= 40
    assert stage.perform(stored, "parsed") == {}


@pytest.mark.exhaustive
def test_no_payload_does_anything_in_an_attachment_of_trix(
    stage: Any, payloads: list[str], accepted: Accepted
) -> None:
    def figure(payload: str) -> str:
        attachment = json.dumps({"content": f"<b>x</b>{payload}", "href": payload, "url": payload})
        return f'<figure data-trix-attachment="{escape(attachment)}">x</figure>'

    stored = accepted(Html().parse, map(figure, payloads))
    figures = [
        html5lib.parse(text, namespaceHTMLElements=False).find(".//figure") for text in stored
    ]
    found = [json.loads(one.get("data-trix-attachment")) for one in figures]
    shown = [one["content"] for one in found]
    shown += [
        f'<a href="{escape(one[name])}">x</a>' for one in found for name in one if "c" not in name
    ]

    assert len(found) >= 4_000
    assert len(shown) > len(found)
    assert stage.perform(shown, "parsed") == {}
    assert stage.perform(shown, "inserted") == {}


def test_thousands_of_payloads_are_accepted(vectors: Vectors, accepted: Accepted) -> None:
    refused = [text for text in vectors("{}") if not accepted(Html().cleaned, [text])]

    assert len(vectors("{}")) >= 4_000
    assert len(refused) < 50


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("sanitise", [clean, clean_email])
def test_cleaning_a_payload_twice_is_cleaning_it_once(
    vectors: Vectors, sanitise: Callable[[str], str], place: str
) -> None:
    cleaned = {sanitise(text) for text in vectors(place)}

    assert [text for text in cleaned if sanitise(text) != text] == []
