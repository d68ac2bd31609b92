"""Placeholders: each value is encoded for its place, and wrong placeholders are refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html.parser import HTMLParser
from itertools import product
from urllib.parse import unquote, urlsplit

import pytest

from masthead.html import clean_email
from masthead_email.rendering.mime import MimeTemplate, Recipient
from masthead_email.rendering.rendered_message import render_message

NEWSLETTERS = "/api/staff/newsletters"
COMPOSED = "/api/staff/compose-emails"
TEMPLATES = "/api/staff/email-templates"
Mails = Callable[[], list[EmailMessage]]
Subscribe = Callable[..., None]

NAMES = ("name", "email", "unsubscribe", "city")
PLACES: Mapping[str, str] = {
    "text": "<p>AA{{%s}}ZZ</p>",
    "with blanks": "<p>AA{{ %s }}ZZ</p>",
    "in a section": "<p>AA{{#%s}}{{%s}}{{/%s}}ZZ</p>",
    "in the title": "<html><head><title>AA{{%s}}ZZ</title></head><body><p>x</p></body></html>",
    "attribute": '<p title="AA{{%s}}ZZ">x</p>',
    "whole link": '<a href="{{%s}}">x</a>',
    "path": '<a href="https://example.org/AA{{%s}}ZZ">x</a>',
    "query": '<a href="https://example.org/?q=AA{{%s}}ZZ">x</a>',
    "mailto": '<a href="mailto:AA{{%s}}ZZ">x</a>',
    "srcset": '<img srcset="https://example.org/AA{{%s}}ZZ 2x" alt="">',
    "style": '<p style="font-family: AA{{%s}}ZZ">x</p>',
    "style sheet": "<style>.a{font-family: AA{{%s}}ZZ}</style><p>x</p>",
}
HOSTILE = (
    "Ada",
    "Tom & Jerry <b>",
    '" onmouseover="alert(1)',
    "'><script>alert(1)</script>",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "//evil.example/x",
    "@evil.example",
    "https://evil.example/?a=1&b=2",
    "x\r\nBcc: eve@example.net\r\n\r\n<p>",
    "x\u2028Bcc: eve@example.net",
    "=?utf-8?q?a=0D=0ABcc:_x@y?=",
    "{{email}} {{unsubscribe}} {{#name}}",
    "%0d%0aBcc:x%7B%7Bemail%7D%7D",
    "red;position:fixed;background:url(https://evil.example)",
    "}</style><img src=x onerror=alert(1)>",
    "]]> --> <![endif]-->",
    "اسم",
    "名" * 60,
    "",
    "   ",
)


@dataclass
class Mail:
    subject: str = "News"
    sender: str = "Our Club <news@example.org>"
    reply_to: str | None = None
    html: str | None = None
    text: str = "Hello"
    unsubscribe: bool = False
    message_id_seed: str = "5eed"
    created_at: datetime = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


class Reader(HTMLParser):
    """Collects the structure of HTML, and the values in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[str]]] = []
        self.texts: list[str] = []
        self.values: list[tuple[str, str]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, [name for name, _ in attrs]))
        # The root element names the language.
        self.values += [(name, value or "") for name, value in attrs if tag != "html"]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def sent(html: str, name: str, value: str, subject: str = "AA{{%s}}ZZ") -> EmailMessage:
    mail = render_message(clean_email(html.replace("%s", name)), None, language="en")
    template = MimeTemplate(Mail(subject.replace("%s", name), html=mail.html, text=mail.text))
    recipient = Recipient(7, "ada@example.org", "", "", {})
    if name == "name":
        recipient = replace(recipient, name=value)
    elif name == "unsubscribe":
        recipient = replace(recipient, unsubscribe=value)
    elif name != "email":
        recipient = replace(recipient, values={name: value})
    return message_from_bytes(template.fill(recipient), EmailMessage, policy=default)


def html_of(mail: EmailMessage) -> str:
    body = mail.get_body(["html"])
    assert body is not None
    return str(body.get_content())


@pytest.mark.parametrize("place", PLACES)
def test_a_value_changes_neither_structure_nor_header_at_any_place(place: str) -> None:
    usual = Reader(html_of(sent(PLACES[place], "name", "Ada")))
    for name, value in product(("name", "city"), HOSTILE):
        mail = sent(PLACES[place], name, value)

        filled = Reader(html_of(mail))
        assert filled.tags == usual.tags, value
        assert set(mail.keys()) == {
            *("MIME-Version", "Date", "From", "To", "Subject", "Message-ID", "Content-Type"),
        }
        assert not {"\r", "\n", "\u2028"} & set(str(mail["Subject"])), value
        for attribute, content in filled.values:
            if attribute in ("href", "srcset"):
                assert urlsplit(content.strip()).scheme in ("", "http", "https", "mailto"), value
                assert urlsplit(content.strip()).hostname in (None, "example.org", "evil.example")
                assert (urlsplit(content.strip()).hostname != "evil.example") or (
                    place == "whole link" and value.startswith("https://evil")
                )
            if attribute == "style":
                assert content.count(";") <= 1
                assert "(" not in content
        if place == "style sheet":
            assert not {";", "("} & set("".join(filled.texts).split("AA")[1].split("ZZ")[0])


@pytest.mark.parametrize("value", HOSTILE)
def test_a_value_is_read_as_it_is_in_text_attributes_and_addresses(value: str) -> None:
    def between(text: str) -> str:
        return text.split("AA")[1].split("ZZ", maxsplit=1)[0].replace("\r\n", "\n")

    lines = value.replace("\r\n", "\n")
    assert between("".join(Reader(html_of(sent(PLACES["text"], "city", value))).texts)) == lines
    [attribute] = Reader(html_of(sent(PLACES["attribute"], "city", value))).values
    assert between(attribute[1]) == lines
    for place in ("path", "query", "mailto"):
        [link] = Reader(html_of(sent(PLACES[place], "city", value))).values
        assert unquote(between(link[1])).replace("\r\n", "\n") == lines


def test_an_address_in_plain_text_stays_one_word() -> None:
    text = "{{city}}: https://example.org/{{ city }}?a={{city}} mailto:{{city}} {{city}}"
    template = MimeTemplate(Mail(text=text, html=None))
    mail = template.fill(Recipient(7, "ada@example.org", "", "", {"city": "a b&c"})).decode()

    assert (
        mail.replace("=\r\n", "")
        .replace("=3D", "=")
        .replace("=20", " ")
        .endswith("a b&c: https://example.org/a%20b%26c?a=a%20b%26c mailto:a%20b%26c a b&c\r\n")
    )


@pytest.mark.parametrize(
    ("value", "greeting"), [("Ada", "Dear Ada!"), ("", "Hello!"), ("  ", "Hello!")]
)
def test_fallbacks_and_sections_depend_on_the_value(value: str, greeting: str) -> None:
    text = "{{#city}}Dear {{city}}{{/city}}{{^city}}Hello{{/city}}!"
    html = f'<p>{text} {{{{city|Tom &amp; "all"}}}}</p><a title="{{{{#city}}}}A{{{{/city}}}}">x</a>'
    mail = sent(html, "city", value, subject=text + " {{city|Friends}}")

    fallback = value if value.strip() else "Friends"
    assert mail["Subject"] == f"{greeting} {fallback}"
    read = Reader(html_of(mail))
    expected = value if value.strip() else 'Tom & "all"'
    assert f"{greeting} {expected}" in "".join(read.texts)
    assert ("title", "A" if value.strip() else "") in read.values
    body = mail.get_body(["plain"])
    assert body is not None
    plain = str(body.get_content())
    assert plain.startswith(f"{greeting} {expected}")


def test_sections_can_be_nested_and_span_elements() -> None:
    html = "{{#a}}<p>A</p>{{^b}}<p>no B</p>{{/b}}{{#b}}<p>B</p>{{/b}}{{/a}}<p>end</p>"
    mail = render_message(clean_email(html), None, language="en")
    template = MimeTemplate(Mail(html=mail.html, text=mail.text))

    def texts(**values: str) -> str:
        filled = template.fill(Recipient(7, "a@example.org", "", "", values))
        message = message_from_bytes(filled, EmailMessage, policy=default)
        return " ".join("".join(Reader(html_of(message)).texts).split())

    assert texts() == "end"
    assert texts(b="1") == "end"
    assert texts(a="1") in ("Ano Bend", "A no B end")
    assert texts(a="1", b="1") in ("ABend", "A B end")


@pytest.mark.parametrize(
    "html",
    [
        '<a title="{{#name}}">x{{/name}}" onclick="alert(1)">y</a>',
        '<p>{{#name}}x<b title="{{/name}} onmouseover=alert(1) ">y</b></p>',
        '<a href="java{{#name}}/{{/name}}script:alert(1)">x</a>',
        '<p style="position:{{#name}}x{{/name}}fixed">x</p>',
    ],
)
def test_leaving_out_a_section_makes_no_markup(html: str) -> None:
    mail = render_message(clean_email(html), None, language="en")
    template = MimeTemplate(Mail(html=mail.html, text="x"))
    for name in ("", "Ada"):
        filled = template.fill(Recipient(7, "a@example.org", name, "", {}))
        read = Reader(html_of(message_from_bytes(filled, EmailMessage, policy=default)))
        assert not {each for each, _ in read.values} & {"onclick", "onmouseover"}
        assert not any(value.startswith("javascript") for _, value in read.values)
        assert not any("fixed" in value and "{{" not in value for _, value in read.values)
