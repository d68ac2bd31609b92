"""Rendered messages, read by an independent parser."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import parseaddr
from html import escape
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masthead.html import clean_email
from masthead_email.rendering.footers import Footer
from masthead_email.rendering.mime import MimeTemplate, Recipient
from masthead_email.rendering.rendered_message import render_message

FOOTER = Footer('<p><a href="{{unsubscribe}}">Unsubscribe</a></p>', "{{unsubscribe}}\n")
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
HEADER_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200) | st.sampled_from(
    [
        "=?utf-8?q?a=0D=0ABcc:_x@y?=",
        "a\r\nBcc: x@y.test",
        "x\u2028Bcc: y",
        'quote " and \\ backslash',
        "x" * 200,
        "é" * 200,
        "👩‍👩‍👧‍👦" * 20,
    ]
)
PIECES = st.lists(
    TEXT
    | st.sampled_from(["{{name}}", "{{ email }}", "{{unknown}}", "{{x}}", ".", "\n.", "From "]),
    max_size=8,
).map("".join)


@dataclass
class Mail:
    subject: str = "News"
    sender: str = "Our Club <news@example.org>"
    reply_to: str | None = None
    html: str | None = "<p>Hello</p>"
    text: str = "Hello"
    unsubscribe: bool = False
    message_id_seed: str = "5eed"
    created_at: datetime = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def recipient(**values: Any) -> Recipient:
    plain: dict[str, Any] = {"number": 7, "address": "ada@example.org", "name": "Ada"}
    return Recipient(**{**plain, "unsubscribe": "https://x.test/u/7-abc", "values": {}, **values})


def parsed(sent: bytes) -> EmailMessage:
    assert sent.endswith(b"\r\n")
    lines = sent.split(b"\r\n")
    assert max(map(len, lines)) <= 998
    assert not any(line.startswith(b".") for line in lines)
    assert b"\n" not in sent.replace(b"\r\n", b"")
    assert b"\r" not in sent.replace(b"\r\n", b"")
    sent.decode("ascii")
    message = message_from_bytes(sent, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    assert part is not None
    octets = part.get_payload(decode=True)
    assert isinstance(octets, bytes)
    return octets.decode().removesuffix("\r\n")


def mailbox_of(message: EmailMessage) -> tuple[str, str]:
    """Parse To by the older API: the newer one adds a space between two encoded words of a name."""
    (raw,) = [value for field, value in message.raw_items() if field == "To"]
    name, address = parseaddr(re.sub(r"\r?\n", "", raw))
    return str(make_header(decode_header(name))), address


def lines(text: str) -> str:
    return re.sub(r"\r\n?|\n", "\r\n", text).removesuffix("\r\n")


def one_line(text: str) -> str:
    return re.sub("[\x00-\x20\x7f-\x9f\u2028\u2029]+", " ", text).strip(" ")


def replaced(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\{\{\s*([^\W\d][\w.-]*)\s*\}\}", lambda m: values.get(m[1], ""), text)


@settings(max_examples=60)
@given(subject=HEADER_TEXT, name=HEADER_TEXT, html=PIECES, text=PIECES, x=TEXT)
def test_an_independent_parser_reads_the_original_content(
    subject: str, name: str, html: str, text: str, x: str
) -> None:
    mail = Mail(subject=subject + " {{name}}", html=html, text=text, reply_to="v@example.net")
    message = parsed(MimeTemplate(mail).fill(recipient(name=name, values={"x": x})))

    values = {"name": name, "email": "ada@example.org", "x": x, "unsubscribe": ""}
    assert set(message.keys()) == {
        *("MIME-Version", "Date", "From", "Reply-To", "To", "Subject", "Message-ID"),
        "Content-Type",
    }
    assert str(message["Subject"]) == one_line(replaced(mail.subject, values))
    assert mailbox_of(message) == (one_line(name), "ada@example.org")
    assert body(message, "plain") == lines(replaced(text, values))
    in_html = {key: escape(value) for key, value in values.items()}
    assert body(message, "html") == lines(replaced(html, in_html))


@settings(max_examples=40)
@given(name=HEADER_TEXT)
def test_body_lines_have_at_most_76_columns(name: str) -> None:
    mail = Mail(text="a" * 73 + " {{name}}" + "é" * 30 + "{{name}} .", html="." * 300 + "{{name}}")
    sent = MimeTemplate(mail).fill(recipient(name=name))
    assert max(map(len, sent.partition(b"\r\n\r\n")[2].split(b"\r\n"))) <= 76


def test_values_are_not_scanned_for_placeholders() -> None:
    mail = Mail(text="{{name}} {{{name}}} {{x|upper}} {{}} {{", html="<b>{{name}}</b>")
    sent = parsed(MimeTemplate(mail).fill(recipient(name="{{email}} <b>")))
    assert body(sent, "plain") == "{{email}} <b> {{{email}} <b>} upper {{}} {{"
    assert body(sent, "html") == "<b>{{email}} &lt;b&gt;</b>"


def test_a_newsletter_supports_one_click_unsubscription() -> None:
    link = "https://api.example.org/api/newsletter/unsubscribe/7-" + "a" * 200
    sent = MimeTemplate(Mail(unsubscribe=True)).fill(recipient(unsubscribe=link))
    assert b"\r\nList-Unsubscribe: <" + link.encode() + b">\r\n" in sent
    message = parsed(sent)
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_the_message_id_is_the_same_at_each_attempt() -> None:
    template = MimeTemplate(Mail())
    assert parsed(template.fill(recipient()))["Message-ID"] == template.message_id(7)
    assert template.message_id(7) != template.message_id(8)


@pytest.mark.parametrize(
    "address",
    ["a@b.test>\r\nBcc: <c@d.test", "a@b.test, c@d.test", "a b@c.test", "@", "a", "a@b@c.test", ""],
)
def test_an_address_that_breaks_the_header_is_rejected(address: str) -> None:
    with pytest.raises(ValueError, match="address"):
        MimeTemplate(Mail()).fill(recipient(address=address))


def test_a_message_has_a_plain_part_and_inlined_styles() -> None:
    html = (
        '<style>.a{color:red}</style><p class="a">Hi {{name}}, <a href="https://x.test">see</a></p>'
    )
    mail = render_message(html, None, language="en", footer=FOOTER)
    assert mail.html is not None
    assert '<p class="a" style="color: red;">Hi {{name}}' in mail.html
    assert mail.html.count("{{unsubscribe}}") == 1
    assert "Hi {{name}}, [see](https://x.test)" in mail.text
    assert mail.text.count("{{unsubscribe}}") == 1


@pytest.mark.parametrize(
    "html", ["<p>Hi</p>", "<!DOCTYPE html><html><head></head><body><p>Hi</p></body></html>"]
)
def test_a_message_has_one_doctype(html: str) -> None:
    mail = str(render_message(clean_email(html), None, language="en", footer=FOOTER).html)

    assert mail.startswith("<!DOCTYPE html>")
    assert mail.count("<!DOCTYPE") == 1
    assert mail.count("<html") == 1


def test_a_message_with_an_unsubscribe_link_gets_no_footer() -> None:
    html = '<body><a href="{{ unsubscribe }}">Leave</a></body>'
    mail = render_message(html, "Leave: {{unsubscribe}}", language="en", footer=FOOTER)
    assert mail.html is not None
    assert "Unsubscribe" not in mail.html
    assert mail.text == "Leave: {{unsubscribe}}"


def test_rendering_fetches_nothing_remote() -> None:
    html = '<link rel="stylesheet" href="http://127.0.0.1:9/a.css"><p>Hi</p>'
    assert "<p>Hi</p>" in str(render_message(html, None, language="en").html)
