"""The preference page: topics, pause, language, another address, and unsubscribing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from typing import Any

import pytest
from sqlalchemy import func, select

from masthead import Instance
from masthead.testing import Client, Clock
from masthead_email.outbox.models import Delivery
from masthead_email.subscribers.links import link_key, sign
from masthead_email.subscribers.models import Subscriber

STAFF = "/api/staff/newsletter-subscribers"
PREFERENCES = "/api/newsletter/preferences/"
ADA, NEW, BOB = "ada@example.org", "ada@new.example", "bob@example.org"
FORM = "application/x-www-form-urlencoded"
Mails = Callable[[], list[EmailMessage]]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.email.topics": "Garden, Open days", "masthead.timezone": "Asia/Tokyo"}


@pytest.fixture
def link_of(clock: Clock, instance: Instance, subscribe: Any) -> Callable[..., str]:
    """Return a function that subscribes an address and returns its link to the page."""
    assert clock.now()

    def path(address: str = ADA, purpose: str = "preferences", **values: Any) -> str:
        subscribe(address)
        with instance.database.transaction() as session:
            found = select(Subscriber).where(Subscriber.email == address)
            subscriber = session.scalars(found).one()
            for name, value in values.items():
                setattr(subscriber, name, value)
            return PREFERENCES + sign(link_key(session), purpose, subscriber.id)

    return path


@pytest.fixture
def people(app: Client) -> Callable[[], dict[str, Any]]:
    """Return a function that returns the subscribers by address, as staff see them."""

    def listed() -> dict[str, Any]:
        return {each["email"]: each for each in app.as_role("admin").get(STAFF).json}

    return listed


def form_of(page: Any, change: str) -> Any:
    """Return the form of a page for a kind of change."""
    [form] = {id(it): it for it in page.forms.values() if it["change"].value == change}.values()
    return form


def error_of(page: Any, name: str) -> str:
    """Return the error beside a field, which the field names as its description."""
    found = page.html.find(attrs={"aria-describedby": re.compile(rf"\b{name}-error\b")})
    assert found is not None, page.text
    if found.name != "fieldset":
        assert found["aria-invalid"] == "true"
    return " ".join(page.html.find(id=f"{name}-error").text.split())


def new_link(mails: Mails, address: str = NEW) -> str:
    """Return the path of the link in the last mail to an address."""
    texts = [mail.get_content() for mail in mails() if mail["To"] == address]
    return [str(path) for text in texts for path in re.findall(r"127\.0\.0\.1:6543(/\S+)", text)][-1]


def recipients(mails: Mails) -> list[str]:
    """Return the recipients of all mails."""
    return sorted(str(mail["To"]) for mail in mails())


class TestThePage:
    def test_letters_and_the_unsubscribe_page_lead_to_it(
        self,
        app: Client,
        approver: Client,
        subscribe: Any,
        make_newsletter: Any,
        mails: Mails,
        staff: Client,
    ) -> None:
        subscribe(ADA)
        html = '<p>{{name}} <a href="http://%7B%7Bpreferences%7D%7D">Fewer</a></p>'
        letter = make_newsletter(html_content=html)
        approver.post_json(f"/api/staff/newsletters/{letter['id']}/send", {})
        body = {"subject": "S", "html_content": html, "recipient_emails": [BOB]}
        composed = staff.post_json("/api/staff/compose-emails", body).json
        staff.post_json(f"/api/staff/compose-emails/{composed['id']}/send", {})

        sent = {str(mail["To"]): mail for mail in mails()}

        for address, shown in ((ADA, "comes to"), (BOB, "doesn't get")):
            text = sent[address].get_body(("html",)).get_content()
            [path] = re.findall(rf'href="http://127.0.0.1:6543({PREFERENCES}[^"]+)"', text)
            [leave] = re.findall(r"<http://127\.0\.0\.1:6543(/[^>]+)>", sent[address]["List-Unsubscribe"])
            page = app.get(path)
            assert address in page.text
            assert shown in page.html.main.text
            assert app.get(leave).html.main.a["href"] == f"http://127.0.0.1:6543{path}"
        other = app.post(path, {"change": "unsubscribe"})
        assert "You are unsubscribed" in other.text
        statuses = {each["email"]: each["status"] for each in staff_list(app)}
        assert statuses == {ADA: "subscribed", BOB: "unsubscribed"}

    def test_a_visit_changes_nothing_and_the_page_has_labels_for_all_fields(
        self, app: Client, link_of: Any, people: Any
    ) -> None:
        link, before = link_of(topics=["Garden"]), people()

        page = app.get(link)

        assert people() == before
        assert [h1.text for h1 in page.html.find_all("h1")] == ["Your newsletter"]
        assert page.html.find("script") is None
        assert page.headers["Cache-Control"] == "no-store"
        for each in page.html.find_all(["input", "select"]):
            labelled = each.get("aria-label") or each.find_parent("label")
            labelled = labelled or page.html.find("label", {"for": each.get("id")})
            assert each.get("type") == "hidden" or labelled, each

    @pytest.mark.parametrize(
        ("header", "language", "direction", "title"),
        [
            ("de-AT, en;q=0.5", "de", "ltr", "Ihr Newsletter"),
            ("ar", "ar", "rtl", None),
            ("xx", "en", "ltr", "Your newsletter"),
        ],
    )
    def test_it_speaks_the_language_of_the_browser_until_the_person_chooses_one(
        self, app: Client, link_of: Any, header: str, language: str, direction: str, title: str
    ) -> None:
        link = link_of()

        page = app.get(link, headers={"Accept-Language": header}).html
        form = form_of(app.get(link), "letters")
        form["language"] = "ja"
        chosen = form.submit(headers={"Accept-Language": header}).html

        assert (page.html["lang"], page.html["dir"]) == (language, direction)
        assert title is None or page.h1.text == title
        names = {each["value"]: each.text for each in page.find(id="language").find_all("option")}
        assert (names["de"], names["ja"], names["ar"]) == ("Deutsch", "日本語", "العربية")
        assert chosen.html["lang"] == "ja"

    @pytest.mark.parametrize(
        "token",
        ["", "x", "1", "1-", "0-AAAA", "-1-AAAA", f"1-{'A' * 24}", "d1-AAAA", "%D9%A1-x", "9" * 99],
    )
    def test_a_wrong_link_shows_a_page_that_says_so(
        self, app: Client, link_of: Any, token: str
    ) -> None:
        link_of()

        for send in (app.get, lambda path, **o: app.post(path, {"change": "unsubscribe"}, **o)):
            answer = send(PREFERENCES + token, status=404)
            assert token == "" or answer.content_type == "text/html"

    def test_a_link_is_valid_for_its_purpose_and_while_the_subscriber_exists(
        self, app: Client, link_of: Any, people: Any
    ) -> None:
        other, link = link_of(BOB, purpose="unsubscribe"), link_of()

        app.get(other, status=404)
        app.post(other, {"change": "unsubscribe"}, status=404)
        app.get(link.replace("preferences", "unsubscribe"), status=404)
        app.as_role("admin").delete(f"{STAFF}/{people()[ADA]['id']}")

        app.get(link, status=404)
        app.post(link, {"change": "letters"}, status=404)
        assert people()[BOB]["status"] == "subscribed"

    @pytest.mark.parametrize(
        ("body", "kind"),
        [
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
        ],
    )
    def test_no_other_body_changes_anything(
        self, app: Client, link_of: Any, people: Any, body: bytes, kind: str
    ) -> None:
        link = link_of()
        before = people()

        answer = app.post(link, body, content_type=kind, status=400)

        assert answer.content_type == "text/html"
        assert people() == before


def staff_list(app: Client) -> list[Any]:
    """Return the subscribers as staff see them."""
    found: list[Any] = app.as_role("admin").get(STAFF).json
    return found


class TestTopics:
    def test_the_person_chooses_from_those_of_the_organisation_and_keeps_the_others(
        self, app: Client, link_of: Any, people: Any
    ) -> None:
        link = link_of(topics=["board", "Garden"])
        form = form_of(app.get(link), "letters")
        boxes = [box for box in form.fields["topics"] if box.checked]

        boxes[0].checked = False
        form.get("topics", index=1).checked = True
        page = form.submit()

        assert [box._value for box in boxes] == ["Garden"]
        assert "saved" in page.html.find(role="status").text
        assert people()[ADA]["topics"] == ["board", "Open days"]
        none = form_of(page, "letters")
        none.get("topics", index=1).checked = False
        none.submit()
        assert people()[ADA]["topics"] == ["board"]

    def test_an_unknown_topic_is_refused_with_what_was_chosen_kept(
        self, app: Client, link_of: Any, people: Any
    ) -> None:
        link = link_of(topics=["Garden"])
        sent = [("change", "letters"), ("topics", "Open days"), ("topics", "board"), ("pause", "3")]

        page = app.post(link, sent, status=400)

        assert error_of(page, "topics") == "Please choose from these topics."
        form = form_of(page, "letters")
        assert [box.checked for box in form.fields["topics"]] == [False, True]
        assert form["pause"].value == "3"
        assert (people()[ADA]["topics"], people()[ADA]["pausedUntil"]) == (["Garden"], None)

    def test_at_most_a_hundred_topics_are_stored(self, app: Client, link_of: Any) -> None:
        link = link_of(topics=[f"t{number}" for number in range(100)])

        page = app.post(link, {"change": "letters", "topics": "Garden"}, status=400)

        assert error_of(page, "topics") == "These are too many topics."


class TestPause:
    @pytest.mark.parametrize(
        ("sent", "until"),
        [
            ({"pause": "1"}, "2026-03-31T15:00:00.000Z"),
            ({"pause": "3"}, "2026-05-31T15:00:00.000Z"),
            ({"pause": "6"}, "2026-08-31T15:00:00.000Z"),
            ({"pause": "date", "until": "2026-03-03"}, "2026-03-02T15:00:00.000Z"),
            # The browser has sent the button that was chosen before the date was typed.
            ({"pause": "none", "until": " 2026-03-03 "}, "2026-03-02T15:00:00.000Z"),
            ({"pause": "keep"}, None),
            ({"pause": "none"}, None),
            ({}, None),
        ],
    )
    def test_it_ends_on_a_day_in_the_organisations_time_zone(
        self, app: Client, link_of: Any, people: Any, sent: Any, until: str | None
    ) -> None:
        link = link_of()

        page = app.post(link, {"change": "letters", **sent})

        assert people()[ADA]["pausedUntil"] == until
        assert ("It comes again from" in page.text) is (until is not None)
        kept = form_of(page, "letters").submit()
        assert people()[ADA]["pausedUntil"] == until
        assert form_of(kept, "letters")["until"].value == ""
        app.post(link, {"change": "letters", "pause": "none"})
        assert people()[ADA]["pausedUntil"] is None

    @pytest.mark.parametrize(
        ("sent", "error"),
        [
            ({"pause": "date", "until": "2026-03-01"}, "Please choose a day in the future."),
            ({"pause": "date", "until": "0001-01-01"}, "Please choose a day in the future."),
            ({"pause": "date", "until": "9999-12-31"}, "the next three years."),
            ({"pause": "date", "until": "2029-03-02"}, "the next three years."),
            ({"pause": "date", "until": ""}, "Please enter a day such as 2026-03-02."),
            ({"pause": "date", "until": "2026-02-30"}, "a day such as"),
            ({"pause": "date", "until": "20260505"}, "a day such as"),
            ({"pause": "date", "until": "3 May"}, "a day such as"),
            ({"pause": "date", "until": "２０２６-05-05"}, "a day such as"),
            ({"pause": "date", "until": "\x00"}, "a day such as"),
            ({"pause": "-1"}, "a day such as"),
            ({"pause": "1000000"}, "a day such as"),
        ],
    )
    def test_a_wrong_day_is_refused_with_what_was_typed_kept(
        self, app: Client, link_of: Any, people: Any, sent: Any, error: str
    ) -> None:
        page = app.post(link_of(), {"change": "letters", "language": "de", **sent}, status=400)

        assert error in error_of(page, "paused_until")
        assert form_of(page, "letters")["language"].value == "de"
        if "\x00" not in sent.get("until", ""):
            assert form_of(page, "letters")["until"].value == sent.get("until", "")
        assert (people()[ADA]["pausedUntil"], people()[ADA]["language"]) == (None, None)

    def test_no_newsletter_comes_until_it_ends(
        self,
        clock: Clock,
        link_of: Any,
        app: Client,
        approver: Client,
        staff: Client,
        make_newsletter: Any,
        mails: Mails,
    ) -> None:
        link_of(BOB)
        app.post(link_of(), {"change": "letters", "pause": "1"})
        html = '<a href="{{unsubscribe}}">x</a>'
        body = {"subject": "S", "html_content": html, "recipient_emails": [ADA, "cy@example.org"]}
        composed = staff.post_json("/api/staff/compose-emails", body).json

        path = f"/api/staff/newsletters/{make_newsletter()['id']}"
        audience = approver.get(f"{path}/audience").json["count"]
        sent = approver.post_json(f"{path}/send", {}).json
        assert (sent["sentTo"], sent["leftOut"]) == (audience, {"suppressed": 0, "paused": 1})
        assert audience == 1
        sent = staff.post_json(f"/api/staff/compose-emails/{composed['id']}/send", {}).json
        assert (sent["sentTo"], sent["leftOut"]) == (1, {"suppressed": 0, "paused": 1})
        assert recipients(mails) == [BOB, "cy@example.org"]
        listed = [staff.get(STAFF, {"paused": flag}).json for flag in ("true", "false")]
        assert [[each["email"] for each in found] for found in listed] == [[ADA], [BOB]]
        assert listed[0][0]["status"] == "subscribed"
        clock.shift(days=31)
        assert app.as_role("admin").get(f"{path}/audience").json["count"] == 2

    def test_it_concerns_queued_letters_too_and_no_other_mail(
        self, app: Client, link_of: Any, draft: Any, send: Any, mails: Mails, fail: Any
    ) -> None:
        link = link_of()
        sent = send()
        app.post(link, {"change": "letters", "pause": "3"})

        received = {str(mail["To"]) for mail in mails()}

        gated = sent.path.startswith("/api/staff/newsletters")
        assert (ADA in received) is not gated
        if gated:
            assert sent.report()["skippedBy"]["paused"] == 1
            [skipped] = sent.recipients(state="skipped")
            assert (skipped["email"], skipped["error"]) == (ADA, "Paused by the recipient")
        fail({ADA: "unknown"})
        assert sent.retry()["leftOut"]["paused"] == int(gated)


class TestAnotherAddress:
    @pytest.mark.parametrize("typed", ["", " ", "ada", "a@b@c", "ada@example.org\x00", "x" * 999])
    def test_a_wrong_address_is_refused_with_what_was_typed_kept(
        self, app: Client, link_of: Any, mails: Mails, typed: str
    ) -> None:
        page = app.post(link_of(), {"change": "address", "address": typed}, status=400)

        assert "such as name@example.org" in error_of(page, "address")
        assert mails() == []

    def test_the_present_address_is_refused(self, app: Client, link_of: Any) -> None:
        page = app.post(link_of(), {"change": "address", "address": " ADA@example.org"}, status=400)

        assert error_of(page, "address") == "The newsletter comes to this address already."

    def test_it_moves_after_the_confirmation_with_all_that_is_known(
        self, app: Client, link_of: Any, people: Any, mails: Mails, clock: Clock
    ) -> None:
        link = link_of(topics=["board"], subscribed_ip="192.0.2.1", language="de")
        before = people()[ADA]
        form = form_of(app.get(link), "address")
        form["address"] = " Ada@NEW.example "

        asked = form.submit()
        confirm = new_link(mails)
        shown = app.get(confirm)
        assert people()[ADA] == before
        clock.shift(hours=23)
        done = shown.form.submit()

        assert NEW in asked.html.find(role="status").text
        assert NEW in shown.text
        after = people()[NEW]
        changed = {"email": NEW, "updatedAt": after["updatedAt"]}
        assert after == before | changed
        assert list(people()) == [NEW]
        texts = {str(mail["To"]): mail.get_content() for mail in mails()}
        assert set(texts) == {NEW, ADA}
        assert NEW not in texts[ADA]
        assert app.get(done.html.main.a["href"]).status_int == 200
        assert NEW in app.get(link).text
        # The link works once.
        app.get(confirm, status=404)
        app.post(confirm, status=404, content_type=FORM)

    @pytest.mark.parametrize(
        "change",
        [
            lambda token: token[:-1] + ("A" if token[-1] != "A" else "B"),
            lambda token: token.replace(".", ".9", 1),
            lambda token: re.sub(r"\.[\w-]+\.([\w-]+)$", r".ZXZlQGV4YW1wbGUub3Jn.\1", token),
            lambda token: re.sub(r"\.[\w-]+\.([\w-]+)$", r".AA.\1", token),
            lambda token: re.sub(r"\.[\w-]+\.([\w-]+)$", r"._w.\1", token),
            lambda token: "x" + token,
            lambda token: f"{'9' * 18}{token[1:]}",
            lambda token: token.replace(".", "-"),
            lambda token: f"{token}.A",
        ],
    )
    def test_a_changed_link_does_nothing(
        self, app: Client, link_of: Any, people: Any, mails: Mails, change: Any
    ) -> None:
        app.post(link_of(), {"change": "address", "address": NEW})
        path, _, token = new_link(mails).rpartition("/")

        for send in (app.get, app.post):
            options = {"content_type": FORM} if send == app.post else {}
            answer = send(f"{path}/{change(token)}", status=404, **options)
            assert answer.content_type == "text/html"
        assert list(people()) == [ADA]

    def test_a_link_expires_after_a_day(
        self, app: Client, link_of: Any, people: Any, mails: Mails, clock: Clock
    ) -> None:
        app.post(link_of(), {"change": "address", "address": NEW})
        confirm = new_link(mails)

        clock.shift(hours=24, seconds=1)

        app.get(confirm, status=404)
        app.post(confirm, status=404, content_type=FORM)
        assert list(people()) == [ADA]

    def test_of_two_requests_the_confirmed_one_counts(
        self, app: Client, link_of: Any, people: Any, mails: Mails
    ) -> None:
        link = link_of()
        app.post(link, {"change": "address", "address": "ada@typo.example"})
        first = new_link(mails, "ada@typo.example")
        app.post(link, {"change": "address", "address": NEW})
        second = new_link(mails)

        app.post(second, content_type=FORM)

        app.post(first, status=404, content_type=FORM)
        assert list(people()) == [NEW]

    def test_requests_are_limited_per_address_and_per_subscriber(
        self, app: Client, link_of: Any, mails: Mails, clock: Clock
    ) -> None:
        ada, bob = link_of(), link_of(BOB)
        for _ in range(4):
            app.post(ada, {"change": "address", "address": NEW})
        app.post(bob, {"change": "address", "address": NEW})
        assert recipients(mails) == [NEW]

        for number in range(2):
            app.post(ada, {"change": "address", "address": f"{number}@new.example"})
        page = app.post(ada, {"change": "address", "address": "2@new.example"}, status=400)

        assert "quarter of an hour" in error_of(page, "address")
        assert form_of(page, "address")["address"].value == "2@new.example"
        clock.shift(minutes=16)
        app.post(ada, {"change": "address", "address": NEW})
        assert recipients(mails) == ["0@new.example", "1@new.example", NEW, NEW]

    @pytest.mark.parametrize("again", [None, "", "yes"])
    @pytest.mark.parametrize("left", [False, True])
    def test_an_address_of_another_subscriber_is_merged_without_any_disclosure(
        self,
        app: Client,
        link_of: Any,
        people: Any,
        mails: Mails,
        again: str | None,
        left: bool,
    ) -> None:
        other = link_of(NEW, topics=["Garden"], subscribed_ip="192.0.2.2")
        if left:
            app.post(other, {"change": "unsubscribe"})
        link = link_of(topics=["board", "Garden"], language="ja", subscribed_ip="192.0.2.1")
        asked = app.post(link, {"change": "address", "address": NEW})
        unknown = app.post(link, {"change": "address", "address": "no@new.example"})
        [mail] = [mail for mail in mails() if mail["To"] == NEW]
        [confirm] = re.findall(r"127\.0\.0\.1:6543(/\S+)", mail.get_content())

        page = app.get(confirm)
        app.post(confirm, {} if again is None else {"again": again}, content_type=FORM)

        assert asked.text.replace(NEW, "") == unknown.text.replace("no@new.example", "")
        assert (page.html.find("input", {"name": "again"}) is not None) is left
        assert list(people()) == [NEW]
        merged = people()[NEW]
        assert merged["topics"] == ["Garden", "board"]
        assert merged["language"] == "ja"
        kept = not left or again == "yes"
        assert merged["status"] == ("subscribed" if kept else "unsubscribed")
        assert merged["subscribedIp"] == (None if left and again == "yes" else "192.0.2.2")
        app.get(link, status=404)
        app.post(confirm, status=404, content_type=FORM)

    @pytest.mark.parametrize("merging", [False, True])
    def test_queued_letters_follow_once(
        self,
        link_of: Any,
        app: Client,
        approver: Client,
        make_newsletter: Any,
        mails: Mails,
        instance: Instance,
        merging: bool,
    ) -> None:
        link = link_of()
        app.post(link, {"change": "address", "address": NEW})
        confirm = new_link(mails)
        if merging:
            link_of(NEW)
        letter = make_newsletter()
        approver.post_json(f"/api/staff/newsletters/{letter['id']}/send", {})

        app.post(confirm, content_type=FORM)

        letters = [str(mail["To"]) for mail in mails() if mail["List-Unsubscribe"]]
        assert letters == [NEW]
        with instance.database.session(read_only=True) as session:
            open_ = session.scalar(
                select(func.count()).select_from(Delivery).where(Delivery.state == "queued")
            )
        assert open_ == 0

    @pytest.mark.parametrize(("kind", "asked"), [("recipient-gone", 1), ("manual", 0)])
    def test_a_suppressed_address_is_asked_as_one_that_subscribes(
        self,
        app: Client,
        link_of: Any,
        people: Any,
        mails: Mails,
        suppress: Any,
        kind: str,
        asked: int,
    ) -> None:
        suppress(NEW, kind=kind)

        page = app.post(link_of(), {"change": "address", "address": NEW})

        assert page.html.find(role="status")
        assert len(mails()) == asked
        if asked:
            app.post(new_link(mails), content_type=FORM)
            assert people()[NEW]["deliverable"] is True

    def test_the_change_is_audited_and_can_be_made_again_and_back(
        self, app: Client, link_of: Any, people: Any, mails: Mails, clock: Clock
    ) -> None:
        link = link_of()
        confirms = []
        for address in (NEW, "last@new.example", ADA):
            app.post(link, {"change": "address", "address": address})
            confirms.append(new_link(mails, address))
            app.post(confirms[-1], content_type=FORM)
            clock.shift(minutes=16)

        assert list(people()) == [ADA]
        # An earlier link doesn't work again although the address is the same as then.
        app.post(confirms[0], status=404, content_type=FORM)
        entries = app.as_role("admin").get("/api/staff/audit-log").json
        moves = [each for each in entries if each["action"] == "subscriber.move"]
        assert [each["contentId"] for each in moves] == [people()[ADA]["id"]] * 3
        assert "@" not in str([each["detail"] for each in moves])


class TestLeaving:
    @pytest.mark.parametrize("confirming", ["false", "true"])
    def test_a_person_leaves_and_comes_back_as_by_the_public_form(
        self,
        app: Client,
        link_of: Any,
        people: Any,
        instance: Instance,
        mails: Mails,
        clock: Clock,
        monkeypatch: pytest.MonkeyPatch,
        confirming: str,
    ) -> None:
        link = link_of()
        monkeypatch.setitem(
            instance.settings._values, "masthead.email.confirm", confirming == "true"
        )
        left = form_of(app.get(link), "unsubscribe").submit()
        assert (people()[ADA]["status"], people()[ADA]["unsubscribeKind"]) == (
            *("unsubscribed", "unsubscribed"),
        )
        for change in ("letters", "address"):
            app.post(link, {"change": change, "pause": "1", "address": NEW}, status=400)

        clock.shift(minutes=16)
        back = form_of(left, "subscribe").submit()

        if confirming == "true":
            assert "open the link" in back.html.find(role="status").text
            assert people()[ADA]["status"] == "unsubscribed"
            app.post(new_link(mails, ADA))
        assert people()[ADA]["status"] == "subscribed"
