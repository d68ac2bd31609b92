"""Reports about sanitisers and editors that stored script for the browsers of readers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import html5lib
import pytest

from masthead.testing import Client, Desk

ACTIVE = {
    *("script", "style", "svg", "math", "object", "embed", "form", "input", "button", "textarea"),
    *("select", "template", "noscript", "base", "link", "meta", "title", "xmp", "annotation-xml"),
    *("plaintext", "frameset", "frame", "applet", "animate", "set", "foreignobject"),
}
LEADING = re.compile(r"[\x00-\x20\x7f-\xa0]+")

REPORTS = {
    "CVE-2021-38193 (ammonia), SVG as HTML": "<svg><p><style><img src=x onerror=alert(1)></style>",
    "CVE-2020-26870 (DOMPurify), nested forms": (
        "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>"
    ),
    "RUSTSEC-2025-0071 (ammonia), tags in the wrong namespace": (
        "<math><mi><a title='</mi><img src=x onerror=alert(1)>'><noscript></noscript></a></mi>"
    ),
    "RUSTSEC-2026-0193 (ammonia), annotation-xml": (
        "<math><annotation-xml encoding='text/html'><style><img src=x onerror=alert(1)></style>"
    ),
    "RUSTSEC-2026-0213 (ammonia), animation of a link": (
        "<svg><a><set attributeName='href' to='javascript:alert(1)'></set><text>a</text></a></svg>"
    ),
    "CVE-2020-6802 (Bleach), noscript": (
        "<noscript><style></noscript><img src=x onerror=alert(1)></style>"
    ),
    "CVE-2020-6816 (Bleach), raw text in SVG": (
        "<svg><xmp></svg><img src=x onerror=alert(1)></xmp><math><title></math><script>alert(1)"
    ),
    "CVE-2021-23980 (Bleach), comments in SVG": (
        "<svg></p><style><!--</style><img src=x onerror=alert(1)>--></style>"
    ),
    "CVE-2018-7753 (Bleach), references in addresses": (
        "<a href='jav&#x61;script&colon;alert(1)'>a</a><a href='&#14;javascript:alert(1)'>b</a>"
    ),
    "CVE-2018-19787 (lxml), blanks in a scheme": "<a href='j\na\tv\ra script:alert(1)'>a</a>",
    "CVE-2021-28957 (lxml), formaction": "<button formaction='javascript:alert(1)'>a</button>",
    "CVE-2021-43818 (lxml), SVG in data addresses": (
        "<img src='data:image/svg+xml;base64,PHN2Zz4='><iframe src='data:text/html,<script>'>"
    ),
    "CVE-2020-27783 (lxml), noscript and style": (
        "<noscript><p title='</noscript><script>alert(1)</script>'></noscript>"
    ),
    "CVE-2024-52595 (lxml_html_clean), context of style": (
        "<math><style><a title='</style><img src=x onerror=alert(1)>'></style></math>"
    ),
    "CVE-2019-16728 (DOMPurify), mutation in SVG": (
        "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>"
    ),
    "CVE-2022-32209 (Rails), style in select": (
        "<select><style><script>alert(1)</script></style></select>"
    ),
    "CVE-2021-41165 (CKEditor), broken comments": (
        "<!--!><img src=x onerror=alert(1)>--><!--{cke_protected}%3Cscript%3E--!><script>alert(1)"
    ),
    "CVE-2024-29881 (TinyMCE), embedded SVG": (
        "<embed src='data:image/svg+xml,<svg onload=alert(1)>'><object data='a.svg'></object>"
    ),
    "CVE-2021-29434 (Wagtail), script in links": (
        "<a href='javascript:alert(1)'>a</a><a href='vbscript:a'>b</a><a href='file:///etc'>c</a>"
    ),
    "CVE-2020-11022 (jQuery), self-closed style": (
        "<style><style/><img src=x onerror=alert(1)></style>"
    ),
    "CVE-2017-16016 (sanitize-html), raw text": "<textarea><script>alert(1)</script></textarea>",
}


def dangers(html: str) -> Iterator[str]:
    """Return what could run script when a browser shows this HTML, by html5lib's view of it."""
    for scripting in (False, True):
        tree = html5lib.HTMLParser(namespaceHTMLElements=False).parseFragment(
            html, scripting=scripting
        )
        for element in tree.iter():
            if not isinstance(element.tag, str):
                yield "a comment"
            elif element.tag.rpartition("}")[2].lower() in ACTIVE:
                yield element.tag
            for name, value in element.attrib.items():
                if str(name).lower().startswith("on") or str(name) in ("srcdoc", "formaction"):
                    yield str(name)
                address = LEADING.sub("", value).lower()
                if address.startswith(("javascript:", "vbscript:", "file:", "data:text")):
                    yield address


@pytest.mark.parametrize("html", REPORTS.values(), ids=REPORTS)
def test_no_reported_bypass_of_a_sanitiser_is_stored(
    stored: Callable[[str], str], html: str
) -> None:
    """The reports in the ids: a sanitiser passed HTML that a browser reads differently."""
    for before, after in (("", ""), ("<p>", "</p>"), ("<table><tr><td>", ""), ("<svg>", "")):
        kept = stored(f"<p>Kept</p>{before}{html}{after}")
        assert list(dangers(kept)) == [], kept
        assert "Kept" in kept


def test_no_reported_bypass_of_a_sanitiser_is_mailed(app: Client) -> None:
    """The same reports, in a newsletter, which keeps style sheets."""
    for html in REPORTS.values():
        body = {"title": "A", "subject": "A", "html_content": f"<p>Kept</p>{html}"}

        kept = app.as_role("editor").post_json("/api/staff/newsletters", body).json["html_content"]

        assert set(dangers(kept)) - {"style"} == set(), kept


@pytest.mark.parametrize("tag", ["<b>", "<div>", "<svg>", "<math>", "<table><td>", "<a><b>", "<p>"])
def test_cve_2019_15542_deep_markup_ends(news: Desk, tag: str) -> None:
    """CVE-2019-15542 (ammonia): writing deeply nested markup overflowed the stack."""
    html = tag * 20_000

    news.client.post_json("/api/staff/news", {"title": "A", "content": html}, status=[200, 400])


def test_cve_2024_47875_deep_nesting_moves_no_script(news: Desk) -> None:
    """CVE-2024-47875 (DOMPurify): a browser flattened deep trees, and moved markup around."""
    gadget = "<form></form><form><style></form><img src=x onerror=alert(1)></style></form>"

    assert list(dangers(news.create(content="<div>" * 190 + gadget)["content"])) == []
    for depth in (254, 256, 511, 512, 513):
        news.create(content="<div>" * depth + gadget, status=400)


@pytest.mark.parametrize(
    ("start", "piece"), [("<p style='", "a-"), ("<p style='a:", "url("), ("<style>", "/*")]
)
def test_cve_2020_6817_styles_are_parsed_in_linear_time(
    stored: Callable[[str], str], is_linear: Callable[..., bool], start: str, piece: str
) -> None:
    """CVE-2020-6817 (Bleach): a pattern for style attributes took exponential time."""
    assert is_linear(lambda size: stored(start + piece * size))


def test_cve_2021_26539_no_other_host_is_embedded(stored: Callable[[str], str]) -> None:
    """CVE-2021-26539 and -26540 (sanitize-html): host names were compared in another form."""
    for host in [
        "www.youtube.com.evil.example",
        "evil.example/www.youtube.com",
        "www.youtube.com@evil.example",
        "www.youtube.com%2eevil.example",
        "evil.example\\@www.youtube.com",
        "www.yоutube.com",
        "www\u3002youtube\u3002com",
        "evil.example#www.youtube.com",
    ]:
        for start in ("https://", "//", "/\\", "https:/\\"):
            kept = stored(f"<p>Kept</p><iframe src='{start}{host}/embed/a'></iframe>")
            assert "iframe" not in kept


def test_cve_2024_43788_no_name_replaces_a_property_of_the_document(
    stored: Callable[[str], str],
) -> None:
    """CVE-2024-43788 (webpack): an image named currentScript replaced document.currentScript."""
    for name in ["currentScript", "getElementById", "cookie", "body", "baseURI"]:
        kept = stored(f"<img name={name} src=a.png><form name={name}></form><iframe name={name}>")

        assert "name=" not in kept


def test_reverse_tabnabbing_is_prevented(
    stored: Callable[[str], str],
) -> None:
    """Reverse tabnabbing: the page in a new window replaced the page that opened it."""
    assert 'rel="noopener"' in stored("<a href='https://example.org' target=_blank>a</a>")


def test_cve_2023_25440_names_stay_text(editor: Client) -> None:
    """CVE-2023-25440 (CiviCRM): the first name of a contact ran as script in the list."""
    name = "<img src=x onerror=alert(1)>"
    made = editor.post_json("/api/staff/contacts", {"name": name, "notes": name}).json

    answer = editor.get(f"/api/staff/contacts/{made['id']}")
    assert (answer.json["name"], answer.content_type) == (name, "application/json")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_cve_2022_21662_addresses_and_slugs_hold_no_markup(app: Client) -> None:
    """CVE-2022-21662 (WordPress): script in the slug of a post ran on the pages of the site."""
    actions = Desk(app, "actions").as_role("editor")
    item = actions.create_public(title='"><script>alert(1)</script>')

    assert re.fullmatch("[a-z0-9-]+", item["slug"])
    for link in ("javascript:alert(1)", "data:text/html,a", "//evil.example", " \tjavascript:a"):
        assert "link" in actions.create(title="A", link=link, status=400)["error"]


def test_cve_2022_0391_addresses_with_line_ends_are_refused(app: Client) -> None:
    """CVE-2022-0391 (CPython): urlsplit dropped line ends, after other code had checked them."""
    for link in ["java\nscript:alert(1)", "https://a\n.example", "https:///a", "/\\a"]:
        Desk(app, "actions").as_role("editor").create(link=link, status=400)


def test_cve_2023_24329_addresses_with_leading_blanks_are_checked(app: Client) -> None:
    """CVE-2023-24329 (CPython): leading blanks hid the scheme of an address from urlsplit."""
    for link in [" javascript:alert(1)", "\x1fjavascript:alert(1)", "\u00a0//a"]:
        Desk(app, "actions").as_role("editor").create(link=link, status=400)
