"""The HTML that is allowed in e-mails but not in pages."""

from __future__ import annotations

import re

import pytest

from masthead.html import clean_email

LETTER = """<!DOCTYPE html>
<html lang="ar" dir="rtl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Letter &amp; more</title>
<style>
  .card > p { color: red !important }
  @media (max-width: 600px) { .wrap { width: 100% } }
</style>
</head>
<body bgcolor="#ffffff" style="margin:0">
<div style="display:none;max-height:0">Preview</div>
<table cellpadding="0" bgcolor="#eeeeee">
<tbody><tr><td align="center" valign="top">x</td></tr></tbody></table>
<a href="{{unsubscribe}}">Leave, {{ name }}</a> <img src="https://example.org/o.gif?m={{email}}">
</body>
</html>
"""


def test_a_whole_letter_stays_byte_for_byte() -> None:
    assert clean_email(LETTER) == LETTER


def test_a_style_sheet_of_a_fragment_stays_in_front() -> None:
    assert (
        clean_email("<p>x</p><style>p{color:red}</style>") == "<style>p{color:red}</style><p>x</p>"
    )


def test_a_style_sheet_loads_no_code_and_cannot_end_its_element() -> None:
    sheet = "@import url(x.css);a{b:expression(x);c:url(data:x)}p{d:url(https://e.example/f.png)}"

    assert clean_email(f"<style>{sheet}<b></style>x") == (
        "<style>a{b:none;c:none}p{d:url(https://e.example/f.png)}b></style>x"
    )


def test_escapes_in_a_style_sheet_hide_nothing() -> None:
    assert clean_email("<style>a{b:e\\78pression(1);c:'\\201c'}</style>") == (
        "<style>a{b:epression(1);c:'\\201c'}</style>"
    )


# Declarations of positioned boxes, disguised in several ways.
HIDDEN = [
    "position:/**/fixed",
    "position/* ; */:fixed",
    "position:/*;a:*/fixed",
    "po/**/sition:fixed",
    "//**/*x*/position://**/*x*/fixed",
    "position:/{{x}}*;a:*{{x}}/fixed",
    "position:{{x}}/* {{y}} */fixed",
    "position:-webkit-sticky",
    "--a:fixed;position:var(--a)",
    "--a:fixed;position: env(b, var(--a))",
    r"position:\66ixed",
    r"position:f\000069 xed",
    r"p\6fsition:fixed",
    r"posi\tion:fixed",
    r"position:/\2a*/fixed/**/",
]


@pytest.mark.parametrize("style", HIDDEN)
def test_neither_comments_nor_escapes_hide_a_floating_box(style: str) -> None:
    for mail in (f'<p style="{style}">x</p>', f"<style>p{{{style}}}</style>x"):
        cleaned = clean_email(mail)

        shown = cleaned.replace("{{x}}", "").replace("{{y}}", "")
        assert "/*" not in shown
        assert not re.search(r"position\s*:\s*(?:fixed|-webkit|var|env)", shown)
        assert clean_email(cleaned) == cleaned


def test_comments_are_removed_from_styles_and_the_rest_stays() -> None:
    mail = (
        "<style>/* a */p{color:red/*}*/}/* b</style>"
        '<p style="/* c */color:red;background-position:calc(1px);position:relative">x</p>'
    )

    assert clean_email(mail) == (
        "<style>p{color:red}</style>"
        '<p style="color:red;background-position:calc(1px);position:relative">x</p>'
    )


def test_an_empty_placeholder_makes_no_script_of_an_address() -> None:
    assert clean_email('<a href="{{x}}javascript:y">z</a>') == "<a>z</a>"
    assert clean_email('<a href="java{{x}}script:y">z</a>') == "<a>z</a>"


def test_a_brace_written_as_a_reference_opens_no_placeholder() -> None:
    assert clean_email("&lbrace;&#x7B;name}}") == "&#123;&#123;name}}"


def test_an_address_without_scheme_gets_one() -> None:
    assert clean_email('<img src="//example.org/x.png">') == '<img src="https://example.org/x.png">'
