"""Letters in MJML: compiled when they are saved, and cleaned like the rest."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from masthead.testing import Client

pytest.importorskip("mjml", reason="the extra mjml isn't installed")

LETTER = (Path(__file__).parent / "letters" / "components.mjml").read_text("utf-8")
NEWSLETTERS = "/api/staff/newsletters"
COMPOSED = "/api/staff/compose-emails"
TEMPLATES = "/api/staff/email-templates"
BODIES: dict[str, dict[str, Any]] = {
    NEWSLETTERS: {"title": "May", "subject": "News"},
    COMPOSED: {"subject": "News", "recipient_emails": ["ada@example.org"]},
    TEMPLATES: {"name": "Welcome", "subject": "News"},
}


def body(*rows: str) -> str:
    return "\n".join(("<mjml>", "<mj-body>", *rows, "</mj-body>", "</mjml>"))


def section(content: str) -> str:
    return body(f"<mj-section><mj-column>{content}</mj-column></mj-section>")


SHORT = section("<mj-text>Dear {{name|friends}}</mj-text>")
# Each component, with a part of the compiled letter.
KEPT = {
    "lang": ' lang="de" dir="auto">\n<head>',
    "mj-title": "<title>Der Garten &amp; die Werkstatt</title>",
    "mj-preview": "Ein Blick in den Mai</div>",
    "mj-style": ".note > b { color: #206040; }",
    "mj-style inline": ".big { font-size: 22px; }",
    "mj-breakpoint": "@media only screen and (min-width:320px)",
    "mj-attributes": "color:#101112",
    "mj-class": "color:#202122",
    "mj-column": ".mj-column-per-50 { width:50% !important",
    "mj-group": "mj-outlook-group-fix",
    "mj-section": "background:#f4f4f0 url('https://example.org/bg.png')",
    "mj-section, Outlook": '<v:fill position="0.5, 0" origin="0.5, 0"',
    "mj-wrapper": 'class="wrapped"',
    "mj-hero": 'background="https://example.org/hero.png"',
    "mj-text": 'Dear {{name|friends}},<br><a href="{{unsubscribe}}">leave</a> &amp; more',
    "mj-button": '<a href="https://example.org/join?m={{email}}"',
    "mj-image": 'src="https://example.org/tree.png"',
    "mj-divider": "border-top:solid 4px #206040",
    "mj-spacer": "height:50px",
    "mj-table": '<th scope="row">Mon</th>',
    "mj-raw": '<p class="note">as it is</p>',
    "mj-social": 'src="https://example.org/mastodon.png"',
    "mj-navbar": '<input type="checkbox"',
    "mj-navbar, rule": '.mj-menu-checkbox[type="checkbox"]:checked ~ .mj-inline-links',
    "mj-navbar-link": 'href="https://example.org/garden"',
    "mj-accordion": '<input type="checkbox" class="mj-accordion-checkbox"',
    "mj-accordion, rule": "input.mj-accordion-checkbox:checked+* .mj-accordion-content",
    "mj-accordion-text": "Opening hours",
    "mj-carousel": '<input checked="checked" type="radio" name="mj-carousel-radio-',
    "mj-carousel-image": '<label for="mj-carousel-',
    "Outlook": "<!--[if mso | IE]><table",
    "others": "<!--[if !mso]><!--",
}


@pytest.mark.parametrize("path", BODIES)
def test_every_component_survives(staff: Client, path: str) -> None:
    made = staff.post_json(path, {**BODIES[path], "mjml_content": LETTER}).json

    assert made["mjml_content"] == LETTER.strip()
    assert {name for name, part in KEPT.items() if part not in made["html_content"]} == set()
    for tag in ("<mj", "<link", "<script", "@import", "imgur", "mailjet", "\ufdd3"):
        assert tag not in made["html_content"]
    kept = staff.put_json(f"{path}/{made['id']}", {"html_content": made["html_content"]}).json
    assert {**kept, "updated_at": ""} == {**made, "updated_at": ""}, "it changes when cleaned again"


def test_a_newsletter_in_mjml_reaches_its_reader(
    staff: Client,
    subscribe: Callable[..., None],
    make_newsletter: Callable[..., Any],
    mails: Callable[[], list[EmailMessage]],
) -> None:
    subscribe("ada@example.org")
    made = make_newsletter(html_content="<p>replaced</p>", mjml_content=LETTER)

    staff.post_json(f"{NEWSLETTERS}/{made['id']}/send", {})

    (mail,) = mails()
    html = mail.get_body(("html",)).get_content()
    assert "Dear friends," in html
    assert ":checked ~ .mj-inline-links" in html
    assert "<!--[if mso | IE]>" in html
    assert html.count("/api/newsletter/unsubscribe/") == 1
    text = mail.get_body(("plain",)).get_content()
    assert "Dear friends," in text
    assert "replaced" not in html + text


def test_mjml_and_html_never_differ(staff: Client) -> None:
    made = staff.post_json(COMPOSED, {**BODIES[COMPOSED], "mjml_content": SHORT}).json
    path = f"{COMPOSED}/{made['id']}"

    renamed = staff.put_json(path, {**made, "title": "Again"}).json
    changed = staff.put_json(path, {**made, "mjml_content": SHORT.replace("Dear", "Hi")}).json
    by_hand = staff.put_json(path, {**changed, "html_content": "<p>by hand</p>"}).json

    assert renamed["html_content"] == made["html_content"]
    assert "Hi {{name" in changed["html_content"]
    assert (by_hand["html_content"], by_hand["mjml_content"]) == ("<p>by hand</p>", None)
    for nothing in ({}, {"mjml_content": None}, {"html_content": ""}):
        staff.post_json(COMPOSED, BODIES[COMPOSED] | nothing, status=400)


def test_a_wrapper_in_mjml_has_a_place_for_the_content(staff: Client) -> None:
    wrapper = section("<mj-raw><tr><td>{{content}}</td></tr></mj-raw>")
    letter = {**BODIES[TEMPLATES], "html_content": "<p>Hello</p>"}

    made = staff.post_json(TEMPLATES, letter | {"mjml_wrapper": wrapper}).json
    without = staff.post_json(TEMPLATES, letter | {"mjml_wrapper": SHORT}, status=400).json

    assert "{{content}}" in made["html_wrapper"]
    assert "<!--[if mso | IE]>" in made["html_wrapper"]
    assert without["error"] == "mjml_wrapper: Must contain {{content}}"


MISTAKES = {
    "<p>x</p>": "Line 1: p is no element of MJML: put HTML into mj-text or mj-raw",
    "x": "Line 1: text can't stand in the document: 'x'; put it into mj-text or mj-raw",
    "<!-- x -->": "Must be an element mjml",
    "<!-- x": "Line 1: a comment isn't closed",
    "<mjml>\n<mj-body>": "Line 2: mj-body isn't closed",
    "<mjml></mjml><mjml></mjml>": "Line 1: mjml can't be in the document, only in the whole "
    "document",
    body("<mj-section>", "</mj-colum>"): "Line 4: </mj-colum> ends nothing; mj-section is open",
    body("<mj-secton>"): "Line 3: mj-secton is no element of MJML: did you mean mj-section?",
    body("<mj-text>x</mj-text>"): "Line 3: mj-text can't be in mj-body, only in mj-attributes, "
    "mj-column, mj-hero",
    section("\n<mj-text>\n\nx</mj-column>\n<mj-text>x</mj-text>"): "Line 6: </mj-column> ends "
    "nothing in mj-text",
    section("\n<mj-text>x"): "Line 4: mj-text isn't closed",
    section("\n\nHello <mj-text/>"): "Line 5: text can't stand in mj-column: 'Hello'; put it into "
    "mj-text or mj-raw",
    section("\n<mj-image src=x.png />"): "Line 4: <mj-image isn't a complete tag whose attributes "
    "have quoted values",
    body("<mj-include path='/etc/passwd' />"): "Line 3: mj-include isn't allowed: a letter reads "
    "no files; put the content here",
    section("<mj-text>{{nmae}}</mj-text>"): "Unknown placeholder {{nmae}}: did you mean {{name}}?",
    section("<mj-social><mj-social-element name='github'/></mj-social>"): "The icon "
    "https://www.mailjet.com/images/theme/v1/icons/ico-social/github.png is on another site: set "
    "src of mj-social-element, icon-wrapped-url and icon-unwrapped-url of mj-accordion, left-icon "
    "and right-icon of mj-carousel",
}


@pytest.mark.parametrize("source", MISTAKES)
def test_a_mistake_is_refused_with_its_line_and_element(staff: Client, source: str) -> None:
    refused = staff.post_json(
        COMPOSED, {**BODIES[COMPOSED], "mjml_content": source}, status=400
    ).json

    assert refused["error"] == f"mjml_content: {MISTAKES[source]}"


MANY = 1024 * 1024
HOSTILE = {
    "nesting": "<mjml><mj-body>" + "<mj-wrapper>" * 50_000,
    "opaque nesting": section("<mj-text>" + "<div>" * 100_000 + "</mj-text>"),
    "tags that don't end": "<mjml " + "a='b' " * 150_000,
    "attributes that don't end": "<mjml " + "a=" * 400_000,
    "comments": "<mjml>" + "<!--" * 200_000,
    "columns": body("<mj-section>" + "<mj-column/>" * 60_000 + "</mj-section>"),
    "texts that don't end": section("<mj-text>" * 100_000),
    "carousel": section("<mj-carousel>" + "<mj-carousel-image src='x'/>" * 30_000),
    "copies": section(
        f"<mj-social color='{'c' * 500_000}'>" + "<mj-social-element/>" * 1_900 + "</mj-social>"
    ),
    "brackets": "<" * MANY,
    "marks": section("<mj-button href='" + "\ufdd30\ufdd3" * 100_000 + "'>x" + "y" * 400_000),
    "a megabyte of text": section(f"<mj-text>{'<b>x</b> ' * 100_000}</mj-text>"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mjml_is_refused_in_time(staff: Client, name: str) -> None:
    source = HOSTILE[name][:MANY]
    start = time.process_time()

    answer = staff.post_json(COMPOSED, {**BODIES[COMPOSED], "mjml_content": source}, status="*")

    assert answer.status_code in ((200, 201) if name == "a megabyte of text" else (400,))
    assert time.process_time() - start < 5


def test_without_the_extra_it_is_named(staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    made = staff.post_json(COMPOSED, {**BODIES[COMPOSED], "mjml_content": SHORT}).json
    monkeypatch.setitem(sys.modules, "mjml", None)

    refused = staff.post_json(COMPOSED, {**BODIES[COMPOSED], "mjml_content": SHORT}, status=400)
    staff.put_json(f"{COMPOSED}/{made['id']}", {**made, "title": "Still editable"})

    assert refused.json["error"] == (
        "mjml_content: MJML needs the extra mjml of the plugin: pip install 'masthead-email[mjml]'"
    )
