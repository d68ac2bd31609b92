"""The markup of posts: blocks, shortcodes and the paragraphs of classic posts."""

from __future__ import annotations

import time

import pytest

from masthead_importers.report import Report
from masthead_importers.wordpress.blocks import write_bare_addresses, write_blocks
from masthead_importers.wordpress.paragraphs import add_paragraphs
from masthead_importers.wordpress.shortcodes import Shortcodes

IMAGES = {"1": ("/a.png", "A"), "2": ("/b.png", "")}
YOUTUBE = (
    '<iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk" allowfullscreen></iframe>'
)


def replaced(html: str, report: Report | None = None) -> str:
    codes = Shortcodes(IMAGES.get, lambda post: ["2"] if post == "7" else [])
    return codes.replace(html, "7", report or Report())


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (
            '[caption id="x" width="300"]<img src="/a.png"> A <i>tree</i>[/caption]',
            '<figure><img src="/a.png"><figcaption>A <i>tree</i></figcaption></figure>',
        ),
        (
            '[caption caption="A & B"]<a href="x"><img src="/a.png"></a>[/caption]',
            '<figure><a href="x"><img src="/a.png"></a><figcaption>A &amp; B</figcaption></figure>',
        ),
        (
            '[gallery ids="1,2,3"]',
            '<figure><img src="/a.png" alt="A"></figure><figure><img src="/b.png" alt=""></figure>',
        ),
        ("[gallery]", '<figure><img src="/b.png" alt=""></figure>'),
        ("[embed]https://youtu.be/abcdefghijk[/embed]", YOUTUBE),
        ("[youtube abcdefghijk]", YOUTUBE),
        (
            "[embed]https://other.example/a[/embed]",
            '<p><a href="https://other.example/a">https://other.example/a</a></p>',
        ),
        (
            '[audio mp3="/a.mp3"][/audio]',
            '<audio controls src="/a.mp3"></audio><p><a href="/a.mp3">/a.mp3</a></p>',
        ),
        (
            "[[gallery]] and [sic] and [1] [...] [a] a[i] [x y]",
            "[gallery] and [sic] and [1] [...] [a] a[i] [x y]",
        ),
        ("a [my_form] b", "a  b"),
        ('a [contact-form-7 id="1" title="x ] y"] b', "a  b"),
        ("[vc_row][vc_column width='1/2']Text[/vc_column][/vc_row]", "Text"),
        ("[row]One [row]two[/row] three[/row]", "One two three"),
        ("[/row] [quote]", "  [quote]".replace("  ", " ")),
        ("[caption]no image[/caption]", "no image"),
        ("[gallery", "[gallery"),
    ],
)
def test_shortcodes_become_html_or_leave_their_text(written: str, shown: str) -> None:
    assert replaced(written) == shown


def test_unknown_shortcodes_are_reported() -> None:
    report = Report()

    replaced("[vc_row]Text[/vc_row] [my_form]", report)

    assert list(report.lines()) == [
        *("warning: an unknown shortcode is removed: [my_form] (1)", "  post 7"),
        *("warning: an unknown shortcode is removed: [vc_row] (1)", "  post 7"),
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("", ""),
        ("One", "<p>One</p>\n"),
        ("One\ntwo\n\n\nThree", "<p>One<br>\ntwo</p>\n<p>Three</p>\n"),
        ("One<br />\ntwo", "<p>One<br>\ntwo</p>\n"),
        ("One\r\n\r\nTwo", "<p>One</p>\n<p>Two</p>\n"),
        ("<h2>Head</h2>\nText", "<h2>Head</h2><p>Text</p>\n"),
        ("<p>One\n\ntwo</p>", "<p>One</p>\n<p>two</p>"),
        (
            "<ul>\n<li>One</li>\n<li>two\nthree</li>\n</ul>",
            "<ul>\n<li>One</li>\n<li>two<br>\nthree</li>\n</ul>",
        ),
        ("<pre>a\n\nb</pre>", "<pre>a\n\nb</pre>"),
        (
            "Text <b>bold</b>\n\n<pre>x\n</pre>\n\nend",
            "<p>Text <b>bold</b></p>\n<pre>x\n</pre><p>end</p>\n",
        ),
        (
            "<blockquote>One\n\ntwo</blockquote>",
            "<blockquote><p>One</p>\n<p>two</p>\n</blockquote>",
        ),
    ],
)
def test_lines_of_classic_posts_become_paragraphs(written: str, shown: str) -> None:
    assert add_paragraphs(written) == shown


def test_the_comments_of_blocks_are_removed() -> None:
    written = (
        '<!-- wp:heading {"level":3} -->\n<h3>Head</h3>\n<!-- /wp:heading -->'
        '<!-- wp:embed {"url":"https://youtu.be/abcdefghijk"} --><figure class="wp-block-embed">'
        '<div class="wp-block-embed__wrapper">\nhttps://youtu.be/abcdefghijk\n</div></figure>'
        "<!-- /wp:embed --><!-- wp:spacer /--><!--more-->"
    )
    report = Report()

    shown = write_blocks(written, lambda _: None, "7", report)

    assert shown == f'\n<h3>Head</h3>\n<figure class="wp-block-embed">{YOUTUBE}</figure>'
    assert list(report.lines()) == [
        *("warning: a block without content of its own is removed: spacer (1)", "  post 7"),
    ]


def test_synced_blocks_are_inserted_and_may_not_contain_themselves() -> None:
    synced = {"1": '<p>Call</p><!-- wp:block {"ref":1} /-->'}

    shown = write_blocks('<!-- wp:block {"ref":1} /-->', synced.get, "7", Report())

    assert shown == "<p>Call</p>" * 5


def test_synced_blocks_inside_each_other_cannot_multiply_without_end() -> None:
    block = '<!-- wp:block {"ref":1} /-->'

    shown = write_blocks(block, {"1": f"<p>Call</p>{block * 40}"}.get, "7", Report())

    assert shown.count("Call") == 500


def test_an_address_alone_in_a_line_is_a_player_in_classic_posts() -> None:
    shown = write_bare_addresses("See\nhttps://youtu.be/abcdefghijk\nhere https://youtu.be/x")

    assert add_paragraphs(shown) == (f"<p>See</p>\n{YOUTUBE}<p>here https://youtu.be/x</p>\n")


@pytest.mark.parametrize(
    "hostile",
    [
        "[a " * 5_000,
        "[caption]" * 2_000,
        "[caption]" * 1_000 + "[/caption]" * 1_000,
        '[x y="' * 3_000,
        "<!-- wp:a " * 3_000,
        "<!--" * 5_000,
        "<p " * 5_000,
        "<pre>" * 3_000,
        "\n" * 20_000 + "x",
        " \n " * 5_000 + "x",
        "https://a\n" * 2_000,
    ],
)
def test_hostile_markup_takes_linear_time(hostile: str) -> None:
    start = time.process_time()

    add_paragraphs(replaced(write_blocks(write_bare_addresses(hostile), IMAGES.get, "7", Report())))

    assert time.process_time() - start < 0.5
