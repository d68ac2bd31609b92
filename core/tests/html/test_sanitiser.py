"""The output of the sanitisers, checked by html5lib, which shares no code with them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from masthead.html import clean, clean_email

words = str.split

MEBIBYTE = 1 << 20

WELL_BEHAVED = [
    '<p class="intro" id="top" lang="de" dir="ltr">Grüße &amp; Küsse, 1 &lt; 2&nbsp;€</p>',
    '<p dir="rtl" lang="ar">نشرة المتطوعين</p>\n<h2>年次報告</h2>',
    '<a href="/about" title="&quot;us&quot;">a</a> <a href="mailto:team@example.org">b</a>',
    '<a href="https://example.org/x?a=1&amp;copy=2">c</a> <a href="tel:+4930123">d</a>',
    '<p>Text<sup id="fnref1"><a href="#fn1">1</a></sup></p><ol><li id="fn1">Note</li></ol>',
    "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>",
    '<figure><img src="a.png" alt="x" width="3"><figcaption>y</figcaption></figure>',
    '<img src="data:image/png;base64,iVBORw0KGgo=">',
    '<pre><code class="language-r">x &lt;- c("a", \'b\')\n\n  y</code></pre>',
    "<pre>\n\nThe first line is empty.</pre>",
    "<details><summary>More</summary>Less</details>",
    '<p style="text-align: center; color: #145a3c; margin: 0 auto">x</p>',
    '<video src="/a.mp4" controls="" poster="/a.jpg"></video>',
    "<p>Two {{curly}} braces, a\ttab, and emoji 🧵🔧</p>",
]

ATTACKS = [
    "<script>alert(1)</script>",
    "<SCRIPT/x src=//evil.example></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img/src='x'onerror=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href=' java\nscript&colon;alert(1)'>x</a>",
    "<a href='&#1;javascript:alert(1)'>x</a>",
    "<a href='jav&#x09;ascript:alert(1)'>x</a>",
    "<a href='vbscript:x'>x</a><a href='data:text/html,<script>x</script>'>y</a>",
    "<img src='data:image/svg+xml;base64,PHN2Zz4='>",
    "<img srcset='a.png 1x, javascript:alert(1) 2x'>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg></p><style><a title='</style><img src=x onerror=alert(1)>'>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src onerror=x&gt;'>",
    "<math><annotation-xml encoding='text/html'><script>x</script></annotation-xml></math>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    "<title><img title='</title><img src=x onerror=alert(1)>'></title>",
    "<textarea><img title='</textarea><img src=x onerror=alert(1)>'>",
    "<xmp><p title='</xmp><script>alert(1)</script>'>",
    "<select><xmp><script>alert(1)</script></xmp></select>",
    "<iframe src=javascript:alert(1)></iframe><iframe srcdoc='<script>x</script>'></iframe>",
    "<iframe src=https://www.youtube.com.evil.example/embed/x></iframe>",
    "<iframe src='https://www.youtube.com@evil.example/'></iframe>",
    "<iframe src=//www.youtube.com/embed/x><script>x</script></iframe>",
    "<iframe src=//www.youtube.com/embed/x onload=alert(1) srcdoc='<script>x</script>'></iframe>",
    "<object data=x.swf></object><embed src=x><base href=//evil.example><link rel=stylesheet>",
    "<meta http-equiv=refresh content='0;url=javascript:x'><form action=x><input><button>b",
    "<p style='position:fixed;top:0'>x</p><p style='background:url(javascript:x)'>y</p>",
    "<p style='width:expression(alert(1))'>x</p><p style='-moz-binding:url(x)'>y</p>",
    "<style>@import 'x';</style><style>a{b:expr\\65ssion(x)}</style>",
    "<style></style><script>alert(1)</script></style>",
    "<style><!--</style><script>alert(1)</script>--></style>",
    "<!--><script>alert(1)</script>--><!--[if IE]><script>x</script><![endif]-->",
    "<![CDATA[<script>alert(1)</script>]]><?xml <script>x</script>?>",
    "<<!-- -->script>alert(1)<<!-- -->/script>",
    "<a{{x}} href='{{x}}javascript:alert(1)'>x</a><a href='java{{x}}script:y'>y</a>",
    '<p title="\ufdd3 onclick=alert(1) x=\ufdd3">\ufdd2script>x</p>',
    "<plaintext><script>alert(1)</script>",
    "<style>a{b:c}<{{x}}/style><{{x}}img src=x onerror=alert(1)></style>",
    "<style>a{b:c}<-->{{x}}/style><-->{{x}}img src=x onerror=alert(1)></style>",
    "<title><{{x}}/title><{{x}}script>alert(1)</title><p title='<{{x}}script>'><{{x}}script>",
]

WORDS = [
    "x",
    " ",
    "\n",
    "&",
    "&lt;",
    "<",
    "</",
    ">",
    "<!--",
    "-->",
    "<![CDATA[",
    "'",
    '"',
    "\ufdd1",
    "{{x}}",
]
NAMES = st.sampled_from(
    words(
        """a b p div span table tr td tbody caption li ul dd pre h1 ruby rt br img iframe svg
        math style
    script title textarea select noscript template plaintext body html form center font"""
    )
)
ATTRIBUTES = st.sampled_from(
    [
        *("", " class=x", " href='a&b'", ' title="</style><script>x"', " onclick=x", " /"),
        *(" style='color:red;position:fixed'", " src=//www.youtube.com/embed/x", " target=_blank"),
        *(" href='java{{x}}script:y'", ' src="', " src=x onerror=y"),
    ]
)
TANGLED = st.lists(
    st.one_of(
        st.builds("<{}{}>".format, NAMES, ATTRIBUTES),
        st.builds("</{}>".format, NAMES),
        st.sampled_from(WORDS),
        st.text(max_size=4),
    ),
    max_size=40,
).map("".join)


def harm_in(html: str) -> list[str]:
    """Return the scripts, forms, foreign code and escaping styles that a browser would find."""
    found = []
    for element in html5lib.parse(html, namespaceHTMLElements=False).iter():
        name = element.tag if isinstance(element.tag, str) else "comment"
        if name == "input" and element.get("type") == "checkbox" and "disabled" in element.attrib:
            name = "disabled check box"
        if name in HARMFUL or name.startswith("{"):
            found.append(name)
        for key, value in element.attrib.items():
            address = "".join(str(value).replace("{{x}}", "").split()).lower()
            if str(key).startswith("on") or key in ("srcdoc", "action", "formaction"):
                found.append(f"{name} {key}")
            scheme = "" if key == "title" else address.partition(":")[0]
            if scheme in ("javascript", "vbscript") or address.startswith("data:text"):
                found.append(f"{name} {key}={value}")
            if key == "style" and ("fixed" in value or "url(" in value or "expression" in value):
                found.append(f"{name} {key}={value}")
        if name == "iframe" and not element.get("src", "").startswith("https://www.youtube.com/"):
            found.append(f"iframe {element.attrib}")
    return found


HARMFUL = frozenset(
    words(
        """script object embed base link form input button textarea select template noscript
        comment plaintext frameset applet"""
    )
)


def text_of(html: str) -> str:
    tree = html5lib.parse(html, namespaceHTMLElements=False)
    return "".join("".join(tree.itertext()).split())


@pytest.mark.parametrize("html", WELL_BEHAVED)
def test_well_behaved_html_stays_byte_for_byte(html: str) -> None:
    assert clean(html) == html
    assert clean_email(html) == html


@pytest.mark.parametrize("html", ATTACKS)
def test_nothing_harmful_survives(html: str) -> None:
    for cleaned in (clean(html), clean_email(html)):
        assert harm_in(cleaned) == []
        assert harm_in(f"<div>{cleaned}</div>") == []
        assert harm_in(cleaned.replace("{{x}}", "")) == []


@given(TANGLED)
def test_nothing_harmful_survives_any_tangle(html: str) -> None:
    for cleaned in (clean(html), clean_email(html)):
        assert harm_in(cleaned) == []
        assert harm_in(cleaned.replace("{{x}}", "")) == []


@given(TANGLED)
def test_cleaning_twice_is_cleaning_once(html: str) -> None:
    once, mail = clean(html), clean_email(html)

    assert clean(once) == once
    assert clean_email(mail) == mail


@given(st.text())
def test_any_text_that_is_escaped_survives(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")

    assert text_of(clean(escaped)) == text_of(escaped)


@pytest.mark.parametrize(
    "html",
    ["<p><b>one<p>two</b> three", "<b><p>a</b>b</p>c", "<table>a<tr>b<td>c", "1 < 2 <b", "<a b='c"],
)
def test_the_text_of_sloppy_html_survives(html: str) -> None:
    assert text_of(clean(html)) == text_of(html.replace(" <b", "&lt;b").replace("<a b", "&lt;a b"))


def test_formatting_goes_on_behind_the_block_it_was_opened_in() -> None:
    assert clean("<p><b>one<p>two</b> three") == "<p><b>one</b></p><p><b>two</b> three</p>"
    assert clean('<p><a href="/x"><div>y</div></a>') == (
        '<p><a href="/x"></a></p><div><a href="/x">y</a></div>'
    )


@pytest.mark.parametrize("tag", ["div", "b", "span", "table><tr><td", "ul><li", "font color=red"])
@pytest.mark.parametrize("sanitise", [clean, clean_email])
def test_more_than_200_levels_are_refused(sanitise: object, tag: str) -> None:
    assert callable(sanitise)
    with pytest.raises(ValueError, match="nested too deeply \\(at most 200 levels\\)"):
        sanitise(f"<{tag}>" * 201)


def test_200_levels_are_accepted() -> None:
    deep = "<div>" * 200 + "x" + "</div>" * 200

    assert clean(deep) == deep


def test_siblings_without_end_tags_are_not_nested() -> None:
    assert clean("<p>a" * 500 + "<ul>" + "<li>b" * 500).count("<li>b</li>") == 500


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [*("<div>", "<a ", "<!--", "&", "<b>", "<script>", "<svg>", "</", "<"), '<a x="', "<p><b>"],
)
def test_a_mebibyte_of_anything_ends(piece: str) -> None:
    html = piece * (MEBIBYTE // len(piece))

    with suppress(ValueError):
        assert len(clean(html)) <= 6 * MEBIBYTE


def test_unclosed_formatting_does_not_multiply() -> None:
    html = f"<b class={'x' * 20_000}>" + "<p>x" * 20_000

    assert len(clean(html)) < 4 * len(html)


def test_an_embed_is_rebuilt_from_host_and_path() -> None:
    given = (
        '<iframe onload=x width="560" src="//www.youtube.com/embed/a?rel=0&amp;b=1">old</iframe>'
    )

    assert clean(given) == (
        '<iframe src="https://www.youtube.com/embed/a?rel=0&amp;b=1" width="560" loading="lazy" '
        'referrerpolicy="strict-origin-when-cross-origin"></iframe>'
    )
    assert clean(given, embed_hosts=["video.example.org"]) == ""


def test_a_link_to_a_new_window_does_not_hand_over_the_old_one() -> None:
    assert clean('<a href="/x" target="_blank" rel="me">x</a>') == (
        '<a href="/x" target="_blank" rel="me noopener">x</a>'
    )
    assert clean('<a href="/x" target="top">x</a>') == '<a href="/x" rel="noopener">x</a>'


def test_names_that_replace_properties_of_the_document_go() -> None:
    assert clean('<img name="cookie" src="/x"><a name="part">x</a>') == (
        '<img src="/x"><a name="part">x</a>'
    )


def test_a_style_that_leaves_its_box_goes_and_its_neighbours_stay() -> None:
    style = "color: red; position: absolute; margin-left: -50px; z-index: 9; width: 50%"

    assert clean(f'<p style="{style}">x</p>') == '<p style="color: red; width: 50%">x</p>'


def test_the_hosts_and_attributes_of_one_call_do_not_apply_to_another() -> None:
    html = '<iframe src="https://video.example.org/x"></iframe><p data-task="1">x</p>'
    kept = clean(html, embed_hosts=["video.example.org"], data_attributes=["data-task"])

    assert 'src="https://video.example.org/x"' in kept
    assert '<p data-task="1">' in kept
    assert clean(html) == "<p>x</p>"
    assert clean(html, embed_hosts=["video.example.org"], data_attributes=["data-task"]) == kept


@pytest.mark.parametrize("sanitise", [clean, clean_email])
def test_noncharacters_do_not_become_markup(sanitise: Callable[[str], str]) -> None:
    assert sanitise("1 > 0 -> x") == "1 &gt; 0 -&gt; x"
    assert sanitise("a\ufddc\ufdd2b&#xfddc;&#xfdd2;c") == "abc"


def test_the_attributes_that_are_removed_count_for_the_limit_of_repeated_tags() -> None:
    html = f"<p><b onclick='{'x' * 100}'>one<p>two"

    assert clean(html) == "<p><b>one</b></p><p>two</p>"
    assert clean(html + " " * 400) == f"<p><b>one</b></p><p><b>two{' ' * 400}</b></p>"
