"""Letters: wrong placeholders are refused when they are saved; links, names and fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from email.message import EmailMessage
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import update

from masthead import forget_person
from masthead.testing import Client, Database
from masthead_email.newsletters.models import Newsletter
from masthead_email.settings import FIELDS

NEWSLETTERS = "/api/staff/newsletters"
COMPOSED = "/api/staff/compose-emails"
TEMPLATES = "/api/staff/email-templates"
Mails = Callable[[], list[EmailMessage]]
Subscribe = Callable[..., None]


def html_of(mail: EmailMessage) -> str:
    body = mail.get_body(["html"])
    assert body is not None
    return str(body.get_content())


def links_in(html: str) -> list[str]:
    """Return the addresses of links."""
    found = []

    class Reader(HTMLParser):
        def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend(value or "" for name, value in attrs if name == "href")

    Reader().feed(html)
    return found


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

    [address] = links_in(html_of(mail))
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


def test_the_columns_for_outlook_arrive_with_their_values(
    staff: Client, subscribe: Subscribe, make_newsletter: Any, mails: Mails
) -> None:
    subscribe("ada@example.org")
    row = '<!--[if mso]><table width="600"><tr><td width="300"><![endif]-->'
    button = '<!--[if mso]><v:rect href="{{unsubscribe}}">Leave, {{email}}</v:rect><![endif]-->'
    last = "<!--[if mso]></td></tr></table><![endif]-->"
    newsletter = make_newsletter(html_content=f"<div>{row}<p>Left</p>{last}{button}</div>")
    staff.post_json(f"{NEWSLETTERS}/{newsletter['id']}/send", {})

    [mail] = mails()

    html, link = mail.get_body(["html"]).get_content(), mail["List-Unsubscribe"].strip("<>")
    assert f"<div>{row}<p>Left</p>{last}" in html
    assert f'<v:rect href="{link}">Leave, ada@example.org</v:rect><![endif]-->' in html
    # A link that only Outlook shows is none for the others.
    assert ">Unsubscribe</a>" in html
