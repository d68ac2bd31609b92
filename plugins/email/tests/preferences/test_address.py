"""The change of a subscriber's address, which a link in a mail to the new address confirms."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest
from sqlalchemy import select

from masthead import Instance, forget_person
from masthead.testing import Client, Clock
from masthead_email.outbox.models import Delivery
from masthead_email.subscribers.links import link_key, sign

ADA, NEW, BOB = "ada@example.org", "ada@new.example", "bob@example.org"
FORM = "application/x-www-form-urlencoded"
Mails = Callable[[], list[EmailMessage]]


def test_a_wrong_address_is_refused_with_what_was_typed_kept(scene: Any) -> None:
    link = scene.link_of()

    for typed in ("", " ", "ada", "a@b@c", "ada@example.org\x00", "x" * 999):
        page = scene.ask(link, typed, status=400)
        assert "such as name@example.org" in scene.error_of(page, "address")
        assert "\x00" in typed or scene.form_of(page, "address")["address"].value == typed.strip()
    present = scene.ask(link, " ADA@example.org", status=400)
    assert scene.error_of(present, "address") == "The newsletter comes to this address already."
    assert scene.recipients() == []


def test_it_moves_after_the_confirmation_with_all_that_is_known(
    scene: Any, app: Client, mails: Mails, clock: Clock
) -> None:
    link = scene.link_of(topics=["board"], subscribed_ip="192.0.2.1", language="de")
    before = scene.people()[ADA]
    form = scene.form_of(app.get(link), "address")
    form["address"] = " Ada@NEW.example "

    asked = form.submit()
    path = scene.new_link()
    shown = app.get(path)
    assert scene.people()[ADA] == before
    clock.shift(hours=23)
    done = shown.form.submit()

    assert NEW in asked.html.find(role="status").text
    assert NEW in shown.text
    after = scene.people()
    assert after == {NEW: before | {"email": NEW, "updatedAt": after[NEW]["updatedAt"]}}
    texts = {str(mail["To"]): mail.get_content() for mail in mails()}
    assert set(texts) == {NEW, ADA}
    assert NEW not in texts[ADA]
    assert NEW in app.get(done.html.main.a["href"]).text
    # The link works once.
    app.get(path, status=404)
    scene.confirm(path, status=404)


def test_changed_expired_and_used_links_do_nothing(scene: Any, app: Client, clock: Clock) -> None:
    link = scene.link_of()
    scene.ask(link)
    path = scene.new_link()
    start, _, token = path.rpartition("/")
    number, expires, address, mac = token.split(".")
    other = "A" if mac[-1] != "A" else "B"
    wrong = [
        f"{number}.{expires}.{address}.{mac[:-1]}{other}",
        f"{number}.9{expires}.{address}.{mac}",
        f"{number}.{expires}.ZXZlQGV4YW1wbGUub3Jn.{mac}",
        *(f"{number}.{expires}.{text}.{mac}" for text in ("AA", "_w", "A")),
        f"{'9' * 18}.{expires}.{address}.{mac}",
        *(f"x{token}", f"{token}.A", token.replace(".", "-"), "x", link.rpartition("/")[2]),
    ]

    for each in wrong:
        assert app.get(f"{start}/{each}", status=404).content_type == "text/html"
        scene.confirm(f"{start}/{each}", status=404)
    scene.ask(link, "ada@typo.example")
    second = scene.new_link("ada@typo.example")
    link = scene.confirm(second).html.main.a["href"]
    # The other one is invalid after a change, also when the address is the same again.
    scene.confirm(path, status=404)
    clock.shift(minutes=16)
    scene.ask(link, ADA)
    third = scene.new_link(ADA)
    clock.shift(hours=24, seconds=1)
    scene.confirm(third, status=404)
    assert list(scene.people()) == ["ada@typo.example"]


def test_requests_are_limited_per_address_and_per_subscriber(scene: Any, clock: Clock) -> None:
    ada, bob = scene.link_of(), scene.link_of(BOB)
    for _ in range(4):
        scene.ask(ada)
    scene.ask(bob)
    assert scene.recipients() == [NEW]

    for number in range(2):
        scene.ask(ada, f"{number}@new.example")
    page = scene.ask(ada, "2@new.example", status=400)

    assert "quarter of an hour" in scene.error_of(page, "address")
    assert scene.form_of(page, "address")["address"].value == "2@new.example"
    clock.shift(minutes=16)
    scene.ask(ada)
    assert scene.recipients() == ["0@new.example", "1@new.example", NEW, NEW]


def test_letters_in_the_former_mailbox_only_unsubscribe(
    scene: Any, app: Client, instance: Instance
) -> None:
    preferences = scene.link_of()
    number = scene.people()[ADA]["id"]
    with instance.database.transaction() as session:
        key = link_key(session)
    paths = [
        preferences,
        *(
            f"/api/newsletter/{purpose}/{sign(key, purpose, number, *address)}"
            for purpose in ("preferences", "confirm")
            for address in ((), (ADA,))
        ),
    ]
    leave = f"/api/newsletter/unsubscribe/{sign(key, 'unsubscribe', number)}"
    for path in (*paths, leave):
        assert ADA in app.get(path).text
    scene.ask(preferences)
    moved = scene.confirm(scene.new_link()).html.main.a["href"]

    for path in paths:
        app.get(path, status=404)
        app.post(path, {"change": "unsubscribe"}, status=404)
    page = app.get(leave)
    assert page.html.main.a is None
    assert NEW not in page.text
    assert "comes to" in app.get(moved).html.main.text
    page.form.submit()
    assert scene.people()[NEW]["status"] == "unsubscribed"
    assert NEW in app.get(moved).text


@pytest.mark.parametrize(("left", "again"), [(False, ""), (True, ""), (True, "again=yes")])
def test_an_address_of_another_subscriber_is_merged_without_any_disclosure(
    scene: Any, app: Client, left: bool, again: str
) -> None:
    other = scene.link_of(NEW, topics=["Garden"], subscribed_ip="192.0.2.2")
    if left:
        app.post(other, {"change": "unsubscribe"})
    link = scene.link_of(topics=["board", "Garden"], language="fr", subscribed_ip="192.0.2.1")
    asked, unknown = scene.ask(link), scene.ask(link, "no@new.example")
    path = scene.new_link()

    page = app.get(path)
    scene.confirm(path, again)

    assert asked.text.replace(NEW, "") == unknown.text.replace("no@new.example", "")
    assert (page.html.find("input", {"name": "again"}) is not None) is left
    assert list(scene.people()) == [NEW]
    merged = scene.people()[NEW]
    assert (merged["topics"], merged["language"]) == (["Garden", "board"], "fr")
    assert merged["status"] == ("unsubscribed" if left and not again else "subscribed")
    assert merged["subscribedIp"] == (None if again else "192.0.2.2")
    app.get(link, status=404)
    scene.confirm(path, status=404)


@pytest.mark.parametrize("merging", [False, True])
def test_queued_letters_follow_once(
    scene: Any, approver: Client, make_newsletter: Any, mails: Mails, merging: bool
) -> None:
    scene.ask(scene.link_of())
    path = scene.new_link()
    if merging:
        scene.link_of(NEW)
    letter = f"/api/staff/newsletters/{make_newsletter()['id']}"
    approver.post_json(f"{letter}/send", {})

    scene.confirm(path)

    assert [str(mail["To"]) for mail in mails() if mail["List-Unsubscribe"]] == [NEW]
    report = approver.get(f"{letter}/deliveries").json
    assert (report["queued"], report["sent"], report["skipped"]) == (0, 1, int(merging))


@pytest.mark.parametrize("sent", [True, False])
def test_a_request_for_another_address_is_forgotten_with_its_person(
    scene: Any, instance: Instance, mails: Mails, sent: bool
) -> None:
    scene.ask(scene.link_of(BOB), "bob@new.example")
    link = scene.link_of("b" + BOB)
    scene.ask(link)
    if sent:
        assert len(mails()) == 2
    with instance.database.transaction() as session:
        forget_person(session, "b" + BOB)

    with instance.database.session(read_only=True) as session:
        texts = [str(each) for each in session.scalars(select(Delivery.values)) if each]
    assert len(texts) == 1
    assert "bbob" not in texts[0]
    assert [str(mail["To"]) for mail in mails()].count(NEW) == int(sent)


@pytest.mark.parametrize(("kind", "asked"), [("recipient-gone", 1), ("manual", 0)])
def test_a_suppressed_address_is_asked_as_one_that_subscribes(
    scene: Any, suppress: Any, clock: Clock, kind: str, asked: int
) -> None:
    suppress(NEW, kind=kind)
    clock.shift(days=365)

    page = scene.ask(scene.link_of())

    assert page.html.find(role="status")
    assert len(scene.recipients()) == asked
    if asked:
        scene.confirm(scene.new_link())
        assert scene.people()[NEW]["deliverable"] is True


def test_changes_are_audited_without_addresses_and_possible_again(
    scene: Any, app: Client, clock: Clock
) -> None:
    link = scene.link_of()
    for address in (NEW, "last@new.example", ADA):
        scene.ask(link, address)
        link = scene.confirm(scene.new_link(address)).html.main.a["href"]
        clock.shift(minutes=16)

    assert list(scene.people()) == [ADA]
    entries = app.as_role("admin").get("/api/staff/audit-log").json
    moves = [each for each in entries if each["action"] == "subscriber.move"]
    assert [each["contentId"] for each in moves] == [scene.people()[ADA]["id"]] * 3
    assert not re.search("@", str([each["detail"] for each in moves]))
