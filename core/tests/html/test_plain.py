"""Plain text from HTML."""

from __future__ import annotations

import time

import pytest

from masthead.html import clean
from masthead.html.plain import plain_text


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<p>One</p><p>two</p>", ["One", "two"]),
        ("<ul><li>One</li><li>two<br>three</li></ul>", ["One", "two", "three"]),
        ("<table><tr><td>One</td><td>two</td></tr></table>", ["One", "two"]),
        ("<p>O<b>n</b>e<wbr>two</p>", ["Onetwo"]),
        (
            "<p>Fish &amp; chips&nbsp;&lt;b&gt; caf&eacute;</p>",
            ["Fish", "&", "chips", "<b>", "café"],
        ),
        ('<p title="a > b">One</p>', ["One"]),
        ('<a href="https://example.org/?a=1&gt;2">One</a>', ["One"]),
        ('<img alt="Not a word" src="/x.png">One', ["One"]),
        ("1 &lt; 2", ["1", "<", "2"]),
    ],
)
def test_between_blocks_stands_a_space_and_inside_words_nothing(
    html: str, words: list[str]
) -> None:
    assert plain_text(clean(html)).split() == words


@pytest.mark.parametrize("part", ["<", "<a ", '<a x="', "<a x=", "</", "&", "<p>", '"<b'])
def test_a_megabyte_of_anything_takes_less_than_two_seconds(part: str) -> None:
    html = part * (1024 * 1024 // len(part))
    began = time.process_time()

    plain_text(html)

    assert time.process_time() - began < 2
