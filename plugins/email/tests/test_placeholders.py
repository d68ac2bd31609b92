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
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from sqlalchemy import update

from masthead import forget_person
from masthead.html import clean_email
from masthead.testing import Client, Database
from masthead_email.newsletters.models import Newsletter
from masthead_email.rendering.mime import MimeTemplate, Recipient
from masthead_email.rendering.rendered_message import render_message
from masthead_email.settings import FIELDS

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
        self.values += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def sent(html: str, name: str, value: str, subject: str = "AA{{%s}}ZZ") -> EmailMessage:
    mail = render_message(clean_email(html.replace("%s", name)), None, unsubscribe=False)
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
    return str(mail.get_body(["html"]).get_content())  # type: ignore[union-attr]


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
    plain = str(mail.get_body(["plain"]).get_content())  # type: ignore[union-attr]
    assert plain.startswith(f"{greeting} {expected}")


def test_sections_can_be_nested_and_span_elements() -> None:
    html = "{{#a}}<p>A</p>{{^b}}<p>no B</p>{{/b}}{{#b}}<p>B</p>{{/b}}{{/a}}<p>end</p>"
    mail = render_message(clean_email(html), None, unsubscribe=False)
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
    mail = render_message(clean_email(html), None, unsubscribe=False)
    template = MimeTemplate(Mail(html=mail.html, text="x"))
    for name in ("", "Ada"):
        filled = template.fill(Recipient(7, "a@example.org", name, "", {}))
        read = Reader(html_of(message_from_bytes(filled, EmailMessage, policy=default)))
        assert not {each for each, _ in read.values} & {"onclick", "onmouseover"}
        assert not any(value.startswith("javascript") for _, value in read.values)
        assert not any("fixed" in value and "{{" not in value for _, value in read.values)


WRONG = {
    "{{nmae}}": "did you mean {{name}}?",
    "{{NAME}}": "did you mean {{name}}?",
    "{{emial|you}}": "did you mean {{email}}?",
    "{{unsubcribe}}": "did you mean {{unsubscribe}}?",
    "{{#nmae}}x{{/nmae}}": "did you mean {{name}}?",
    "{{names}}": "did you mean {{name}}?",
    "{{name": "isn't closed",
    "{{ name }": "isn't closed",
    "{{}}": "is no placeholder",
    "{{na me}}": "is no placeholder",
    "{{7*7}}": "is no placeholder",
    "{{{name}}}": "must have two braces",
    "{{#name}}x": "isn't closed by {{/name}}",
    "x{{/name}}": "has no {{#name}} before it",
    "{{#name}}{{#email}}x{{/name}}{{/email}}": "has no",
    "{{#name}}{{/name}}": "is empty",
}
UNKNOWN = {"{{constructor}}", "{{__class__}}", "{{name.__class__}}", "{{zip_code}}", "{{content}}"}
KINDS: Mapping[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    NEWSLETTERS: (
        {"title": "May", "subject": "May", "html_content": "<p>x</p>"},
        ("subject", "html_content", "text_content"),
    ),
    COMPOSED: (
        {"subject": "May", "html_content": "<p>x</p>", "recipient_emails": ["a@example.org"]},
        ("subject", "html_content", "text_content"),
    ),
    TEMPLATES: (
        {"name": "May", "subject": "May", "html_content": "<p>x</p>"},
        ("subject", "html_content", "text_content", "html_wrapper"),
    ),
}


def text_for(field: str, text: str) -> str:
    return f"<p>{{{{content}}}}</p>{text}" if field == "html_wrapper" else text


@pytest.mark.parametrize(
    ("path", "field"), [(path, field) for path, (_, fields) in KINDS.items() for field in fields]
)
def test_a_wrong_placeholder_is_refused_where_it_is_saved(
    staff: Client, path: str, field: str
) -> None:
    body = KINDS[path][0]
    made = staff.post_json(path, body).json
    # Templates may have placeholders of other plugins.
    unknown = UNKNOWN if path != TEMPLATES else set()
    for text, reason in {**WRONG, **dict.fromkeys(unknown, "Unknown placeholder")}.items():
        wrong = {field: text_for(field, text)}
        for answer in (
            staff.post_json(path, body | wrong, status=400),
            staff.put_json(f"{path}/{made['id']}", wrong, status=400),
        ):
            assert answer.json["error"].startswith(f"{field}: ")
            assert reason in answer.json["error"]
    assert staff.get(path).json == [made]


@pytest.mark.parametrize("path", KINDS)
def test_right_placeholders_and_other_braces_are_accepted(staff: Client, path: str) -> None:
    body, fields = KINDS[path]
    text = "{{name|Friends}} {{ email }} {name} {{^name}}x{{/name}} ${name} {% name %} }} { {x}"
    given = {field: text_for(field, text) for field in fields}

    made = staff.post_json(path, body | given).json

    assert {field: made[field] for field in fields} == given


def test_a_template_may_declare_a_name_that_looks_misspelt(staff: Client) -> None:
    body = KINDS[TEMPLATES][0] | {"subject": "{{names}}"}

    staff.post_json(TEMPLATES, body, status=400)
    assert staff.post_json(TEMPLATES, body | {"variables": "name, names"}).json["subject"]


def test_an_older_letter_is_sent_and_changed_and_a_test_names_its_mistakes(
    staff: Client, make_newsletter: Any, database: Database, mails: Mails
) -> None:
    newsletter = make_newsletter()
    path = f"{NEWSLETTERS}/{newsletter['id']}"
    with database.transaction() as session:
        session.execute(update(Newsletter).values(html_content="<p>Hi {{nmae}}, {{x y}}</p>"))

    tested = staff.post_json(f"{path}/test", {"email": "ada@example.org"}).json
    staff.put_json(path, {"notes": "Look at it again"})

    assert tested["mistakes"] == [
        "html_content: {{x y}} is no placeholder, such as {{name}}",
        "html_content: Unknown placeholder {{nmae}}: did you mean {{name}}?",
    ]
    [mail] = mails()
    assert "<p>Hi , {{x y}}</p>" in html_of(mail)


LINKS = (
    "{{unsubscribe}}",
    "{{ unsubscribe }}",
    "%7B%7Bunsubscribe%7D%7D",
    "%7b%7b%20unsubscribe%20%7d%7d",
    "&#123;&#123;unsubscribe&#125;&#125;",
    "http://{{unsubscribe}}",
    "https://{{unsubscribe}}",
    "http://%7B%7Bunsubscribe%7D%7D",
    "http://&#123;&#123;unsubscribe}}",
    "https://editor.example/letters/{{unsubscribe}}",
    "/{{unsubscribe}}",
    "mailto:{{unsubscribe}}",
)


@pytest.mark.parametrize("link", LINKS)
def test_the_unsubscribe_link_works_as_editors_write_it(
    app: Client, staff: Client, subscribe: Subscribe, make_newsletter: Any, mails: Mails, link: str
) -> None:
    subscribe("ada@example.org")
    newsletter = make_newsletter(html_content=f'<p>Hi <a href="{link}">Leave</a></p>')
    staff.post_json(f"{NEWSLETTERS}/{newsletter['id']}/send", {})

    [mail] = mails()

    [[_, address]] = [pair for pair in Reader(html_of(mail)).values if pair[0] == "href"]
    assert address == mail["List-Unsubscribe"].strip("<>")
    plain = mail.get_body(["plain"]).get_content()
    assert plain.count(address) == 1
    assert "Unsubscribe" not in plain
    app.post(urlsplit(address).path)
    assert staff.get("/api/staff/newsletter-subscribers").json[0]["status"] == "unsubscribed"


@pytest.mark.parametrize(
    "html",
    [
        "<p>&#123;&#123;unsubscribe}} &lbrace;&lbrace;name&rbrace;&rbrace;</p>",
        '<p title="{{unsubscribe}}">x</p>',
        "<p>{{#name}}{{unsubscribe}}{{/name}}</p>",
    ],
)
def test_a_letter_without_a_link_for_everybody_gets_a_footer(
    staff: Client, subscribe: Subscribe, make_newsletter: Any, mails: Mails, html: str
) -> None:
    subscribe("ada@example.org")
    staff.post_json(f"{NEWSLETTERS}/{make_newsletter(html_content=html)['id']}/send", {})

    [mail] = mails()

    assert ">Unsubscribe</a>" in html_of(mail)
    assert "Unsubscribe: http" in mail.get_body(["plain"]).get_content()


@pytest.mark.parametrize("status", ["unsubscribed", None])
def test_a_composed_email_greets_subscribers_and_lets_everybody_unsubscribe(
    app: Client, staff: Client, mails: Mails, status: str | None
) -> None:
    app.post_json("/api/newsletter/subscribe", {"email": "ada@example.org", "name": "Ada"})
    subscribers = "/api/staff/newsletter-subscribers"
    if status:
        staff.put_json(f"{subscribers}/1", {"status": status})
    html = '<p>Hi {{name|friend}}</p><a href="{{unsubscribe}}">Leave</a>'
    body = KINDS[COMPOSED][0] | {"html_content": html}
    body["recipient_emails"] = ["ada@example.org", "eve@example.org"]
    made = staff.post_json(COMPOSED, body).json

    staff.post_json(f"{COMPOSED}/{made['id']}/send", {})

    sent_mails = {mail["To"]: mail for mail in mails()}
    assert set(sent_mails) - {"eve@example.org"} == (set() if status else {"Ada <ada@example.org>"})
    for mail in sent_mails.values():
        assert ("Hi Ada" in html_of(mail)) == ("ada@" in mail["To"])
        link = mail["List-Unsubscribe"].strip("<>")
        assert f'href="{link}"' in html_of(mail)
        path = urlsplit(link).path
        assert mail["To"].strip("<>").rpartition("<")[2] in app.get(path).text
        app.post(path)
        app.post(path)
    found = {each["email"]: each for each in staff.get(subscribers).json}
    assert {each["status"] for each in found.values()} == {"unsubscribed"}
    assert set(found) == {"ada@example.org", "eve@example.org"}


def test_a_link_of_a_delivery_is_valid_for_its_own_address_only(
    app: Client, staff: Client, database: Database, mails: Mails
) -> None:
    body = KINDS[COMPOSED][0] | {"html_content": "<p>{{unsubscribe}}</p>"}
    made = staff.post_json(COMPOSED, body).json
    staff.post_json(f"{COMPOSED}/{made['id']}/send", {})
    [mail] = mails()
    path = urlsplit(mail["List-Unsubscribe"].strip("<>")).path
    for wrong in (path.replace("/d1-", "/d2-"), path.replace("/d1-", "/1-"), path + "A"):
        assert "<h1>" in app.get(wrong, status=404).text
    app.get(path.replace("unsubscribe", "confirm"), status=404)

    with database.transaction() as session:
        forget_person(session, "a@example.org")

    page = app.get(path, status=404)
    assert page.content_type == "text/html"
    assert "This link is not valid any more" in page.text
    app.post(path, status=404)
    assert staff.get("/api/staff/newsletter-subscribers").json == []


class TestFields:
    """Further fields of subscribers."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.email.fields": "city member_since"}

    def test_fields_fill_placeholders_and_are_validated(
        self, staff: Client, make_newsletter: Any, mails: Mails
    ) -> None:
        path = "/api/staff/newsletter-subscribers"
        new = {"email": "ada@example.org", "fields": {"city": "Łódź <b>", "member_since": None}}
        made = staff.post_json(path, new).json
        assert made["fields"] == {"city": "Łódź <b>"}
        staff.post_json(path, {"email": "eve@example.org"})
        for wrong in (
            {"town": "x"},
            {"city": 1},
            {"city": "a\nb\x01"},
            [],
            "x",
            {"city": "x" * 201},
        ):
            error = staff.put_json(f"{path}/{made['id']}", {"fields": wrong}, status=400).json
            assert error["error"].startswith("fields: ")

        newsletter = make_newsletter(html_content="<p>In {{city|your town}}{{#city}}!{{/city}}</p>")
        staff.post_json(f"{NEWSLETTERS}/{newsletter['id']}/send", {})

        sent_html = {mail["To"]: html_of(mail) for mail in mails()}
        assert "<p>In Łódź &lt;b&gt;!</p>" in sent_html["ada@example.org"]
        assert "<p>In your town</p>" in sent_html["eve@example.org"]
        assert staff.put_json(f"{path}/{made['id']}", {"fields": None}).json["fields"] is None

    @pytest.mark.parametrize("names", ["name", "a-b", "1a", "{{x}}"])
    def test_a_reserved_or_wrong_name_of_a_field_is_refused(self, names: str) -> None:
        with pytest.raises(ValueError, match="names such as"):
            FIELDS.parse(names)
