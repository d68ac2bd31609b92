"""The preference page: its links and forms, topics, language, and unsubscribing."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest

from masthead import Instance
from masthead.testing import Client, Clock

STAFF, PREFERENCES = "/api/staff/newsletter-subscribers", "/api/newsletter/preferences/"
ADA, NEW, BOB = "ada@example.org", "ada@new.example", "bob@example.org"
FORM = "application/x-www-form-urlencoded"
Mails = Callable[[], list[EmailMessage]]


def test_letters_and_the_unsubscribe_page_lead_to_it(
    scene: Any,
    app: Client,
    approver: Client,
    staff: Client,
    subscribe: Any,
    make_newsletter: Any,
    mails: Mails,
) -> None:
    subscribe(ADA)
    html = '<p>{{name}} <a href="http://%7B%7Bpreferences%7D%7D">Fewer</a></p>'
    letter = make_newsletter(html_content=html)
    approver.post_json(f"/api/staff/newsletters/{letter['id']}/send", {})
    body = {"subject": "S", "html_content": html, "recipient_emails": [BOB]}
    composed = staff.post_json("/api/staff/compose-emails", body).json
    staff.post_json(f"/api/staff/compose-emails/{composed['id']}/send", {})

    sent: dict[str, Any] = {str(mail["To"]): mail for mail in mails()}

    path = ""
    for address, shown in ((ADA, "comes to"), (BOB, "doesn't get")):
        text = sent[address].get_body(("html",)).get_content()
        [path] = re.findall(rf'href="http://127.0.0.1:6543({PREFERENCES}[^"]+)"', text)
        [leave] = re.findall(r"6543(/[^>]+)>", sent[address]["List-Unsubscribe"])
        page = app.get(path)
        assert address in page.text
        assert shown in page.html.main.text
        assert app.get(leave).html.main.a["href"] == f"http://127.0.0.1:6543{path}"
    assert "You are unsubscribed" in app.post(path, {"change": "unsubscribe"}).text
    statuses = {address: each["status"] for address, each in scene.people().items()}
    assert statuses == {ADA: "subscribed", BOB: "unsubscribed"}


def test_a_visit_changes_nothing_and_each_field_has_a_label(scene: Any, app: Client) -> None:
    link, before = scene.link_of(topics=["Garden"]), scene.people()

    page = app.get(link)

    assert scene.people() == before
    assert [h1.text for h1 in page.html.find_all("h1")] == ["Your newsletter"]
    assert page.html.find("script") is None
    assert page.headers["Cache-Control"] == "no-store"
    for each in page.html.find_all(["input", "select"]):
        labelled = each.get("aria-label") or each.find_parent("label")
        labelled = labelled or page.html.find("label", {"for": each.get("id")})
        assert each.get("type") == "hidden" or labelled, each


def test_it_has_the_language_of_the_browser_until_the_person_chooses_one(
    scene: Any, app: Client
) -> None:
    link = scene.link_of()

    for header, expected in (("de-AT, en;q=0.5", ("de", "ltr")), ("ar", ("ar", "rtl"))):
        page = app.get(link, headers={"Accept-Language": header}).html
        assert (page.html["lang"], page.html["dir"]) == expected
        names = {each["value"]: each.text for each in page.find(id="language").find_all("option")}
        assert (names["de"], names["ja"], names["ar"]) == ("Deutsch", "日本語", "العربية")
    form = scene.form_of(app.get(link), "letters")
    form["language"] = "ja"
    assert form.submit(headers={"Accept-Language": "de"}).html.html["lang"] == "ja"
    assert app.get(link).html.html["lang"] == "ja"
    assert scene.people()[ADA]["language"] == "ja"
    for wrong in ("xx", "../de", "DE", "\x00", "d" * 99):
        refused = app.post(link, {"change": "letters", "language": wrong}, status=400)
        assert scene.error_of(refused, "language")
    assert scene.form_of(app.post(link, {"change": "letters", "language": ""}), "letters")
    assert scene.people()[ADA]["language"] is None


def test_a_wrong_link_shows_a_page_that_says_so_and_does_nothing(scene: Any, app: Client) -> None:
    other, link = scene.link_of(BOB, purpose="unsubscribe"), scene.link_of()
    wrong = ["x", "1", "1-", "0-AAAA", "-1-AAAA", f"1-{'A' * 24}", "d1-AAAA", "%D9%A1-x", "9" * 99]
    wrong += [link.rpartition("/")[2][:-1], other.rpartition("/")[2]]

    for token in wrong:
        for body in (None, {"change": "unsubscribe"}):
            path = PREFERENCES + token
            answer = app.post(path, body, status=404) if body else app.get(path, status=404)
            assert answer.content_type == "text/html"
    app.get(link.replace("preferences", "unsubscribe"), status=404)
    app.as_role("admin").delete(f"{STAFF}/{scene.people()[ADA]['id']}")
    app.get(link, status=404)
    for change in ("letters", "address", "unsubscribe", "subscribe"):
        app.post(link, {"change": change}, status=404)
    assert [(it["email"], it["status"]) for it in scene.people().values()] == [(BOB, "subscribed")]


def test_no_other_body_changes_anything(scene: Any, app: Client) -> None:
    link, before = scene.link_of(), scene.people()
    bodies = [
        (b'{"change": "unsubscribe"}', "application/json"),
        (b"change=unsubscribe", "text/plain"),
        (b"change=unsubscribe", "multipart/form-data; boundary=x"),
        (b"change=" + b"x" * 40_000, FORM),
        (b"change=letters" + b"&topics=Garden" * 10_000, FORM),
        (b"change=letters" + b"&topics=Garden" * 500, FORM),
        (b"change=letters&topics=%ff", FORM),
        (b"", FORM),
        (b"change=delete", FORM),
        (b"change=%00", FORM),
    ]

    for body, kind in bodies:
        answer = app.post(link, body, content_type=kind, status=400)
        assert answer.content_type == "text/html"
    assert scene.people() == before


def test_the_person_chooses_topics_of_the_organisation_and_keeps_the_others(
    scene: Any, app: Client
) -> None:
    link = scene.link_of(topics=["board", "Garden"])
    form = scene.form_of(app.get(link), "letters")
    boxes = form.fields["topics"]
    assert [box.checked for box in boxes] == [True, False]

    boxes[0].checked, boxes[1].checked = False, True
    page = form.submit()

    assert "saved" in page.html.find(role="status").text
    assert scene.people()[ADA]["topics"] == ["board", "Open days"]
    revision = scene.people()[ADA]["updatedAt"]
    sent = [("change", "letters"), ("topics", "Garden"), ("topics", "board"), ("pause", "3")]
    refused = app.post(link, sent, status=400)
    assert scene.error_of(refused, "topics") == "Please choose from these topics."
    shown = scene.form_of(refused, "letters")
    assert [box.checked for box in shown.fields["topics"]] == [True, False]
    assert shown["pause"].value == "3"
    assert (scene.people()[ADA]["pausedUntil"], scene.people()[ADA]["updatedAt"]) == (
        None,
        revision,
    )
    app.post(link, {"change": "letters"})
    assert scene.people()[ADA]["topics"] == ["board"]


def test_at_most_a_hundred_topics_are_stored(scene: Any, app: Client) -> None:
    link = scene.link_of(topics=[f"t{number}" for number in range(100)])

    page = app.post(link, {"change": "letters", "topics": "Garden"}, status=400)

    assert scene.error_of(page, "topics") == "These are too many topics."


@pytest.mark.parametrize("confirming", [False, True])
def test_a_person_leaves_and_comes_back_as_by_the_form_of_the_website(
    scene: Any,
    app: Client,
    instance: Instance,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    confirming: bool,
) -> None:
    link = scene.link_of()
    monkeypatch.setitem(instance.settings._values, "masthead.email.confirm", confirming)

    left = scene.form_of(app.get(link), "unsubscribe").submit()

    found = scene.people()[ADA]
    assert (found["status"], found["unsubscribeKind"]) == ("unsubscribed", "unsubscribed")
    for change in ("letters", "address"):
        app.post(link, {"change": change, "pause": "1", "address": NEW}, status=400)
    clock.shift(minutes=16)
    back = scene.form_of(left, "subscribe").submit()
    if confirming:
        assert "open the link" in back.html.find(role="status").text
        assert scene.people()[ADA]["status"] == "unsubscribed"
        app.post(scene.new_link(ADA))
    assert scene.people()[ADA]["status"] == "subscribed"
