"""The languages of pages, mails and letters for readers."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import EmailMessage
from html import unescape
from typing import Any

import pytest

from masthead import Instance, text_direction, texts_of
from masthead.testing import Client
from masthead_email.subscribers.links import link_key, sign

STAFF, SUBSCRIBE = "/api/staff/newsletter-subscribers", "/api/newsletter/subscribe"
NEWSLETTERS = "/api/staff/newsletters"
SHOWN = {"fr": "fr-CA"}
"""The tags of languages in pages: the organisation speaks the French of Canada."""
LANGUAGES = ("ar", "de", "en", "es", "fr", "ja")
Mails = Callable[[], list[EmailMessage]]
Links = Callable[[str | None], dict[str, str]]


@pytest.fixture
def settings() -> dict[str, str]:
    return {"masthead.language": "fr-CA", "masthead.name": "Café <Lumière>"}


@pytest.fixture
def links(staff: Client, instance: Instance) -> Links:
    """Return a function that adds a subscriber with a language, and returns links to pages."""
    numbers = iter(range(1000))

    def make(language: str | None) -> dict[str, str]:
        body = {"email": f"ada{next(numbers)}@example.org", "language": language}
        made = staff.post_json(STAFF, body).json
        with instance.database.transaction() as session:
            key = link_key(session)
        return {
            purpose: f"/api/newsletter/{purpose}/{sign(key, purpose, made['id'])}"
            for purpose in ("unsubscribe", "confirm")
        }

    return make


def told(instance: Instance, language: str, message: str) -> str:
    return texts_of(instance).translate(language, message)


def check_page(page: Any, instance: Instance, language: str, heading: str) -> None:
    """Check the language of a page, and the basics of its accessibility."""
    html = page.text
    direction = text_direction(language)
    assert html.startswith("<!DOCTYPE html>")
    assert f'<html lang="{SHOWN.get(language, language)}" dir="{direction}">' in html
    [shown] = re.findall(r"<h1>(.*?)</h1>", html, re.DOTALL)
    assert unescape(shown) == told(instance, language, heading)
    [title] = re.findall(r"<title>(.*?)</title>", html, re.DOTALL)
    assert title == f"{shown} – Café &lt;Lumière&gt;"
    assert "<main>" in html
    for button in re.findall(r"<button[^>]*>(.*?)</button>", html):
        assert unescape(button) == told(instance, language, heading)
    assert "<script" not in html
    assert "{{" not in html
    assert "%(" not in html


PAGES = (
    ("get", "unsubscribe", "Unsubscribe"),
    ("post", "unsubscribe", "You are unsubscribed"),
    ("get", "confirm", "Subscribe"),
    ("post", "confirm", "You are subscribed"),
)


@pytest.mark.parametrize(
    ("own", "accepted", "expected"),
    [
        *((language, "en", language) for language in LANGUAGES),
        *((None, language, language) for language in LANGUAGES),
        ("de-AT", "ja", "de"),
        ("zh-Hant", "ja;q=0.2, es-MX", "es"),
        ("pt", "sv, nl;q=0.5", "fr"),
        (None, "en;q=0.1, pt, ar;q=0.8", "ar"),
        (None, "DE", "de"),
        (None, None, "fr"),
    ],
)
def test_a_page_is_in_the_language_of_its_reader(
    app: Client,
    instance: Instance,
    links: Links,
    own: str | None,
    accepted: str | None,
    expected: str,
) -> None:
    found = links(own)
    headers = {"Accept-Language": accepted} if accepted else {}
    for method, purpose, heading in PAGES:
        page = getattr(app, method)(found[purpose], headers=headers)

        check_page(page, instance, expected, heading)
        assert ("<form" in page.text) == (method == "get")
        if method == "get":
            assert re.search(r"<bdi>ada\d+@example\.org</bdi>", page.text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_link_shows_a_page_in_the_language_of_the_browser(
    app: Client, instance: Instance, language: str
) -> None:
    headers = {"Accept-Language": f"{language}-XY, tlh"}
    for method, path in (
        ("get", "/api/newsletter/unsubscribe/1-x"),
        ("post", "/api/newsletter/confirm/1-x"),
        ("get", "/api/newsletters/99/page"),
    ):
        page = getattr(app, method)(path, headers=headers, status=404)

        check_page(page, instance, language, "This link is not valid any more")
        assert page.headers["Cache-Control"] == "no-store"


HOSTILE = (
    *("", ",", "*", "*;q=0", "de;q=2", "de;q=", "-", "de,,;;", "x" * 5000, "../../etc", "é"),
    *("en_US.UTF-8", "{{7*7}}", "<script>", "de;" * 3000, "a-" * 3000, "de\x7f", "root"),
)


def test_a_hostile_header_leads_to_the_language_of_the_organisation(
    app: Client, instance: Instance
) -> None:
    # The first languages of a long header count.
    long = "ja, " + ", ".join(["pt-BR;q=0.5"] * 500)
    for header, expected in (*((each, "fr") for each in HOSTILE), (long, "ja")):
        headers = {"Accept-Language": header}
        page = app.get("/api/newsletter/confirm/1-x", headers=headers, status=404)

        check_page(page, instance, expected, "This link is not valid any more")


def test_staff_and_visitors_say_the_language_of_a_subscriber(app: Client, staff: Client) -> None:
    app.post_json(SUBSCRIBE, {"email": "ada@example.org", "language": " PT_br "})
    app.post_json(SUBSCRIBE, {"email": "bob@example.org", "language": "zh-hant-tw-x-more"})
    app.post_json(SUBSCRIBE, {"email": "cy@example.org", "language": ""})
    for wrong in ("Klingon", "de AT", "d", "de-", 1, ["de"], "x" * 40):
        body = {"email": "dee@example.org", "language": wrong}
        assert "language" in app.post_json(SUBSCRIBE, body, status=400).json["error"]

    found = {each["email"][:3].strip("@"): each for each in staff.get(STAFF).json}
    assert {name: each["language"] for name, each in found.items()} == {
        "ada": "pt-BR",
        "bob": "zh-Hant-TW",
        "cy": None,
    }
    path = f"{STAFF}/{found['ada']['id']}"
    assert staff.put_json(path, {"language": "ar"}).json["language"] == "ar"
    assert staff.put_json(path, {"language": ""}).json["language"] is None
    body = {"operation": "set-language", "ids": [found["bob"]["id"]], "language": "JA"}
    staff.post_json(f"{STAFF}/bulk", body)
    assert [each["email"] for each in staff.get(STAFF, {"language": "ja"}).json] == [
        "bob@example.org"
    ]
    assert len(staff.get(STAFF, {"language": "und"}).json) == 2


def test_nobody_changes_the_language_of_a_subscriber_by_subscribing_again(
    app: Client, staff: Client
) -> None:
    def language() -> Any:
        [subscriber] = staff.get(STAFF).json
        return subscriber["language"]

    for given, stored in (("de", "de"), ("ja", "de"), (None, "de")):
        app.post_json(SUBSCRIBE, {"email": "ada@example.org", "language": given})
        assert language() == stored
    app.post_json("/api/newsletter/unsubscribe", {"email": "ada@example.org"})
    app.post_json(SUBSCRIBE, {"email": "ada@example.org", "language": "ja"})
    assert language() == "ja"


class TestConfirmation:
    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {"masthead.language": "es", "masthead.email.confirm": "true"}

    @pytest.mark.parametrize("given", ["en", "ar-EG", "pt", None])
    def test_the_confirmation_is_in_the_language_of_the_subscription(
        self, app: Client, instance: Instance, mails: Mails, given: str | None
    ) -> None:
        app.post_json(SUBSCRIBE, {"email": "ada@example.org", "language": given})

        [mail] = mails()
        language = texts_of(instance).language(given)
        assert language == {"ar-EG": "ar", "pt": "es", None: "es"}.get(given, given)
        assert mail["Subject"] == told(instance, language, "Please confirm your subscription")
        text = mail.get_content().replace("\r\n", "\n")
        assert "ada@example.org" in text
        [path] = re.findall(r"^http://127\.0\.0\.1:6543(/\S+)$", text, re.MULTILINE)
        page = app.get(path, headers={"Accept-Language": "en"})
        shown = language if given else "en"
        assert f'<html lang="{"en" if given == "pt" else shown}"' in page.text


@pytest.mark.parametrize("language", ["ar", "ja", "he", None])
def test_a_letter_has_a_footer_in_its_language(
    staff: Client,
    subscribe: Any,
    make_newsletter: Any,
    mails: Mails,
    instance: Instance,
    language: str | None,
) -> None:
    subscribe("ada@example.org")
    newsletter = make_newsletter(language=language, html_content="<p>{{name|x}}</p>")
    staff.post_json(f"{NEWSLETTERS}/{newsletter['id']}/send", {})

    [mail] = mails()
    html, text = (mail.get_body([kind]).get_content() for kind in ("html", "plain"))
    tag = language or "fr-CA"
    assert f'<html lang="{tag}" dir="{text_direction(tag)}">' in html
    footer = language if language in LANGUAGES else "fr"
    word = told(instance, footer, "Unsubscribe")
    link = mail["List-Unsubscribe"].strip("<>")
    shown = f'<p lang="{SHOWN.get(footer, footer)}" dir="{text_direction(footer)}"'
    assert re.search(rf'{shown}[^>]*>\s*<a href="{link}"[^>]*>{word}</a>', html)
    signature = text.split("\r\n-- \r\n")[1]
    assert signature.startswith(word)
    assert link in signature


@pytest.mark.parametrize(
    ("html", "root"),
    [
        ("<p>x</p>", '<html lang="ar" dir="rtl">'),
        ('<html lang="en"><body>x</body></html>', '<html lang="en" dir="ltr">'),
        ('<html dir="ltr"><body>x</body></html>', '<html dir="ltr" lang="ar">'),
        ('<html lang="he" dir="rtl"><body>x</body></html>', '<html lang="he" dir="rtl">'),
    ],
)
def test_the_page_of_a_letter_names_the_language_too(
    app: Client,
    staff: Client,
    subscribe: Any,
    make_newsletter: Any,
    mails: Mails,
    html: str,
    root: str,
) -> None:
    subscribe("ada@example.org")
    newsletter = make_newsletter(language="ar", public=True, html_content=html, subject="<b> & x")
    staff.post_json(f"{NEWSLETTERS}/{newsletter['id']}/send", {})

    [mail] = mails()
    shown = app.get(f"/api/newsletters/{newsletter['id']}").json
    page = app.get(f"/api/newsletters/{newsletter['id']}/page").text
    assert shown["language"] == "ar"
    assert root in mail.get_body(["html"]).get_content()
    assert page.count("<html") == 1
    assert root in page
    if html == "<p>x</p>":
        assert "<title>&lt;b&gt; &amp; x</title>" in page


def test_a_composed_email_is_in_the_language_of_the_organisation(
    staff: Client, mails: Mails
) -> None:
    body = {"subject": "x", "html_content": "<p>x</p>", "recipient_emails": ["ada@example.org"]}
    made = staff.post_json("/api/staff/compose-emails", body).json
    staff.post_json(f"/api/staff/compose-emails/{made['id']}/send", {})

    [mail] = mails()
    assert '<html lang="fr-CA" dir="ltr">' in mail.get_body(["html"]).get_content()


def test_a_change_of_the_language_needs_approval(staff: Client, make_newsletter: Any) -> None:
    path = f"{NEWSLETTERS}/{make_newsletter()['id']}"
    assert staff.put_json(path, {"language": "de"}).json["approvalStatus"] == "draft"
    assert "language" in staff.put_json(path, {"language": "?"}, status=400).json["error"]
    languages = {"audience_languages": ["de", "??"]}
    assert "audience_languages" in staff.put_json(path, languages, status=400).json["error"]


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (None, "abcdef"),
        ([], "abcdef"),
        (["de"], "ab"),
        (["de-AT"], "b"),
        (["DE_at", "ja"], "be"),
        (["und"], "f"),
        (["de", "und"], "abf"),
        (["den"], "c"),
        (["pt"], ""),
    ],
)
def test_the_audience_can_be_chosen_by_language(
    staff: Client, make_newsletter: Any, wanted: list[str] | None, names: str
) -> None:
    languages = {"a": "de", "b": "de-AT", "c": "den", "d": "dec", "e": "ja", "f": None}
    for name, language in languages.items():
        staff.post_json(STAFF, {"email": f"{name}@example.org", "language": language})
    newsletter = make_newsletter(audience_languages=wanted)
    path = f"{NEWSLETTERS}/{newsletter['id']}"

    assert staff.get(f"{path}/audience").json == {"count": len(names)}
    assert staff.post_json(f"{path}/send", {}).json["sentTo"] == len(names)
    found = staff.get(f"{path}/recipients").json
    assert sorted(each["email"][0] for each in found) == list(names)


def test_languages_of_other_tools_are_imported(staff: Client) -> None:
    cells = {
        "a": ("de_AT", "de-AT"),
        "b": ("Français", "fr"),
        "c": ("arabic", "ar"),
        "d": ("日本語", "ja"),
        "e": ("de_DE.UTF-8", "de-DE"),
        "f": ("Klingon (Earth)", None),
        "g": ("US", None),
        "h": ("de-" + "x" * 60, None),
        "i": ("", None),
    }
    for column in ("language", "LANGUAGE", "Locale", "Preferred language", "Sprache", "言語"):
        ids = [each["id"] for each in staff.get(STAFF).json]
        staff.post_json(f"{STAFF}/bulk", {"operation": "delete", "ids": ids})
        rows = "".join(f"{name}@example.org,{cell}\n" for name, (cell, _) in cells.items())
        file = ("file", "members.csv", f"email,{column}\n{rows}".encode())

        report = staff.post(f"{STAFF}/bulk-import", upload_files=[file]).json

        assert report["errors"] == []
        stored = {each["email"][0]: each["language"] for each in staff.get(STAFF).json}
        assert stored == {name: tag for name, (_, tag) in cells.items()}, column
    exported = staff.get(f"{STAFF}/export").text
    assert "language" in exported.splitlines()[0].split(",")
