"""Conditional comments for Outlook: kept in e-mails, cleaned, and nothing breaks out of them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from masthead.html import clean, clean_email

VML = 'xmlns:v="urn:schemas-microsoft-com:vml"'
KEPT = [
    "<!--[if mso]><table><tr><td><![endif]--><p>x</p><!--[if mso]></td></tr></table><![endif]-->",
    '<!--[if gte mso 9]><img src="https://example.org/a.png" alt="a &gt; b"><br><![endif]-->',
    "<!--[if (gte mso 9)|(IE)]><b>x</b><![endif]-->",
    "<!--[if !mso]><!--><p>x</p><!--<![endif]-->",
    f'<!--[if mso]><v:rect href="{{{{unsubscribe}}}}" {VML}><w:anchorlock/>x</v:rect><![endif]-->',
    '<!--[if mso]><v:fill type="frame" src="https://example.org/a.png" color="#fff"/><![endif]-->',
    "<!--[if mso]><style>td>p{color:red}</style><![endif]-->",
    "<!--[if mso]>{{#name}}Dear {{name}}{{/name}}<![endif]-->",
    "<table><tbody><tr><!--[if mso]><td><![endif]--><td>x</td></tr></tbody></table>",
]


@pytest.mark.parametrize("html", KEPT)
def test_a_clean_comment_stays_byte_for_byte_in_an_email_only(html: str) -> None:
    assert clean_email(html) == html
    assert "<!--" not in clean(html)
    assert "mso" not in clean(html)


def test_comments_in_the_head_stay_in_the_head() -> None:
    office = "<xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml>"
    comment = f"<!--[if gte mso 9]>{office}<![endif]-->"
    mail = clean_email(
        f'<html {VML} xmlns:o="x"><head>{comment}<title>T</title></head><body>x</body></html>'
    )

    assert mail.startswith(f"<!DOCTYPE html>\n<html {VML}>\n<head>\n")
    assert f"{comment}\n</head>" in mail
    assert clean_email(mail) == mail


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("<!-- note --><p>x</p>", "<p>x</p>"),
        ("<!--[if mso]><![endif]-->x", "x"),
        ("<!--[if mso]><script>a</script><![endif]-->x", "x"),
        ("<!--[if mso]>open <p>x</p>", ""),
        ("<!--<![endif]-->x", "x"),
        ("<!--[if !mso]> -->x", "<!--[if !mso]><!-->x<!--<![endif]-->"),
        ("<!--[if  MSO ]><b>x</b><![endif]-->", "<!--[if MSO]><b>x</b><![endif]-->"),
        ("<!--[if mso onload=x]><b>x</b><![endif]-->", ""),
        ("<![if mso]><p>x</p><![endif]>", "<p>x</p>"),
        ("<v:rect>x</v:rect>", "x"),
    ],
)
def test_other_and_incomplete_comments_are_removed_or_completed(given: str, kept: str) -> None:
    assert clean_email(given) == kept
    assert clean_email(clean_email(given)) == clean_email(given)


HARMFUL = [
    "<script>alert(1)</script>",
    "<script src=https://evil.example/x.js>",
    "<img src=x onerror=alert(1)>",
    "<td onmouseover='alert(1)'>",
    "<v:rect onload=alert(1) href='javascript:alert(1)'>",
    "<v:fill src='javascript:alert(1)' />",
    "<v:shape path='x' style='behavior:url(https://evil.example/x)'>",
    "<object data=x classid=y></object><embed src=x><iframe src=x></iframe><applet code=x>",
    "<link rel=stylesheet href=https://evil.example/x.css><base href=https://evil.example>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'><form action=x><input name=y>",
    "<a href='java{{x}}script:alert(1)'>x</a>",
    "<style>@import url(x);p{behavior:url(x)}</style>",
    "<p title='--><script>alert(1)</script>'>",
    "<p title='--&gt;<script>alert(1)</script>'>",
    "--&gt;<script>alert(1)</script>",
    "-{{x}}-&gt;<img src=x onerror=alert(1)>",
    "<style>a{b:'-{{x}}->'}--{{x}}></style><img src=x onerror=alert(1)>",
    "<style>a{b:-->c}</style>",
    "<![endif]--><script>alert(1)</script>",
    "<![endif]--!><script>alert(1)</script>",
    "<!--><script>alert(1)</script>",
    "<td --><script>alert(1)</script>",
    "<b--!><i-->x",
    "<xml><o:p><w:binData>x</w:binData></xml>",
    "<svg onload=alert(1)><math><mi xlink:href='javascript:alert(1)'>",
]
AROUND = ["<!--[if mso]>{}<![endif]-->", "<table><!--[if mso]>{}<![endif]--></table>",
          "<!--[if !mso]><!-->{}<!--<![endif]-->", "<html><head><!--[if mso]>{}<![endif]--></head>",
          "<!--[if mso]><p title=\"{}\">x<![endif]-->"]  # fmt: skip


class Reader(HTMLParser):
    """Collects harmful tags and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.harm: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in (
            "script",
            "object",
            "embed",
            "iframe",
            "applet",
            "link",
            "base",
            "form",
            "input",
        ):
            self.harm.append(tag)
        if tag in ("svg", "math", "w:bindata"):
            self.harm.append(tag)
        for name, value in attrs:
            address = re.sub(r"\{\{.*?\}\}|\s", "", value or "").lower()
            is_bad = address.startswith(("javascript:", "vbscript:")) or "behavior" in address
            is_bad = is_bad and name != "title"
            if name.startswith("on") or name == "http-equiv" or is_bad:
                self.harm.append(f"{tag} {name}={value}")

    def handle_comment(self, data: str) -> None:
        if not re.fullmatch(r"\[if [^\]]*\]>(.*<!\[endif\]|<!)|<!\[endif\]", data, re.DOTALL):
            self.harm.append(f"comment {data}")


def harm_in(html: str) -> list[str]:
    """Return the harm for a program that reads comments, and for Outlook, which reads into them."""
    as_outlook = re.sub(r"<!--\[if[^\]]*\]>(<!-->)?|(<!--)?<!\[endif\]-->", "", html)
    found = []
    for text in (html, as_outlook):
        # A placeholder may expand to nothing.
        for each in (text, re.sub(r"\{\{.*?\}\}", "", text)):
            reader = Reader()
            reader.feed(each)
            reader.close()
            found += reader.harm
    return found


@pytest.mark.parametrize(("harmful", "around"), list(product(HARMFUL, AROUND)))
def test_nothing_harmful_survives_in_a_comment_or_breaks_out(harmful: str, around: str) -> None:
    mail = clean_email(around.replace("{}", harmful))

    assert harm_in(mail) == []
    assert "@import" not in re.sub('title="[^"]*"', "", mail)
    assert clean_email(mail) == mail


PIECES = st.sampled_from(
    [
        *(
            "<!--[if mso]>",
            "<![endif]-->",
            "<!--[if !mso]><!-->",
            "<!--<![endif]-->",
            "<!--",
            "-->",
        ),
        *(
            "--",
            ">",
            "<",
            "!",
            "{{x}}",
            "<table>",
            "</td>",
            "<td ",
            '"',
            "'",
            " title=",
            "x",
            "&gt;",
        ),
        *("<style>", "</style>", "<v:rect", "/>", "<script>", "</script>", "[if mso]", "]>", "\n"),
        *("<head>", "</head>", "<body>", "<title>", "</title>", "&#45;", "\ufddc0\ufddc", "--!>"),
        *HARMFUL,
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_no_tangle_of_comments_is_harmful_or_changes_when_cleaned_again(html: str) -> None:
    mail = clean_email(html)

    assert harm_in(mail) == []
    assert clean_email(mail) == mail
    assert "\ufddc" not in mail
