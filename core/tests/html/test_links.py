"""Exactly the addresses in sanitised HTML are changed."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from masthead.html import change_links, clean


def mark(address: str) -> str:
    return f"[{address}]"


@pytest.mark.parametrize(
    ("html", "changed"),
    [
        ('<a href="/a?b=1&amp;c=2">', '<a href="[/a?b=1&amp;c=2]"></a>'),
        ('<img src="a.jpg" alt="src=">', '<img src="[a.jpg]" alt="src=">'),
        ('<a title=" href=" href="b">', '<a title=" href=" href="[b]"></a>'),
        ('<p aria-x2=" href=" title="/a">', '<p aria-x2=" href=" title="/a"></p>'),
        ('<p>&lt;a href="/a"&gt;</p>', '<p>&lt;a href="/a"&gt;</p>'),
        ('<img srcset="a.jpg">', '<img srcset="[a.jpg]">'),
        ('<img srcset="a 1x,b.jpg 2x">', '<img srcset="[a] 1x,[b.jpg] 2x">'),
        ('<img srcset=" a,b 1x , c, d 3x,, ">', '<img srcset=" [a,b] 1x , [c], [d] 3x,, ">'),
        ('<img srcset=",">', '<img srcset=",">'),
        ('<video poster="p" src="v">', '<video poster="[p]" src="[v]"></video>'),
        ('<q cite="/a">', '<q cite="[/a]"></q>'),
    ],
)
def test_each_address_is_changed_and_nothing_else(html: str, changed: str) -> None:
    assert change_links(clean(html), mark) == changed


@given(st.text(st.sampled_from(" \"'<>=&,;/ahrefsrcimg12x"), max_size=80))
def test_addresses_that_stay_leave_the_html_as_it_is(html: str) -> None:
    cleaned = clean(html)

    assert clean(change_links(cleaned, lambda address: address)) == cleaned


def test_a_long_list_of_pictures_takes_no_time() -> None:
    html = f'<img srcset="{"," * 200_000}a{"," * 200_000}"><img srcset="{"a," * 200_000}">'
    began = time.perf_counter()

    change_links(html, mark)

    assert time.perf_counter() - began < 5
