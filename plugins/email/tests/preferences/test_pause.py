"""Pausing the letters on the preference page."""

from __future__ import annotations

from typing import Any

from masthead.testing import Client, Clock

STAFF = "/api/staff/newsletter-subscribers"
ADA, BOB = "ada@example.org", "bob@example.org"


def test_a_pause_ends_on_a_day_in_the_organisations_time_zone(scene: Any, app: Client) -> None:
    link = scene.link_of()
    cases: list[tuple[dict[str, str], str | None]] = [
        ({"pause": "1"}, "2026-03-31T15:00:00.000Z"),
        ({"pause": "3"}, "2026-05-31T15:00:00.000Z"),
        ({"pause": "6"}, "2026-08-31T15:00:00.000Z"),
        ({"pause": "date", "until": "2026-03-03"}, "2026-03-02T15:00:00.000Z"),
        # The browser has sent the button that was chosen before the date was typed.
        ({"pause": "none", "until": " 2026-03-03 "}, "2026-03-02T15:00:00.000Z"),
        ({"pause": "keep"}, None),
        ({}, None),
    ]

    for sent, until in cases:
        page = app.post(link, {"change": "letters", **sent})
        assert scene.people()[ADA]["pausedUntil"] == until
        assert ("It comes again from" in page.text) is (until is not None)
        scene.form_of(page, "letters").submit()
        assert scene.people()[ADA]["pausedUntil"] == until
        app.post(link, {"change": "letters", "pause": "none"})
        assert scene.people()[ADA]["pausedUntil"] is None


def test_a_wrong_day_is_refused_with_what_was_typed_kept(scene: Any, app: Client) -> None:
    link = scene.link_of()
    past, far = "Please choose a day in the future.", "the next three years."
    cases = [
        ("date", "2026-03-01", past),
        ("date", "0001-01-01", past),
        ("date", "9999-12-31", far),
        ("date", "2029-03-02", far),
        ("date", "", "Please enter a day such as 2026-03-02."),
        ("date", "2026-02-30", "a day such as"),
        ("date", "20260505", "a day such as"),
        ("none", "3 May", "a day such as"),
        ("date", "２０２６-05-05", "a day such as"),
        ("-1", "", "a day such as"),
        ("1000000", "", "a day such as"),
        ("date", "\x00", "a day such as"),
    ]

    for pause, until, error in cases:
        sent = {"change": "letters", "language": "de", "pause": pause, "until": until}
        page = app.post(link, sent, status=400)
        assert error in scene.error_of(page, "paused_until")
        kept = scene.form_of(page, "letters")
        assert kept["language"].value == "de"
        assert until == "\x00" or kept["until"].value == until
    assert (scene.people()[ADA]["pausedUntil"], scene.people()[ADA]["language"]) == (None, None)


def test_no_letter_comes_until_it_ends(
    scene: Any, app: Client, approver: Client, staff: Client, make_newsletter: Any, clock: Clock
) -> None:
    scene.link_of(BOB)
    app.post(scene.link_of(), {"change": "letters", "pause": "1"})
    html = '<a href="{{unsubscribe}}">x</a>'
    body = {"subject": "S", "html_content": html, "recipient_emails": [ADA, "cy@example.org"]}
    composed = staff.post_json("/api/staff/compose-emails", body).json
    path = f"/api/staff/newsletters/{make_newsletter()['id']}"

    audience = approver.get(f"{path}/audience").json["count"]
    answers = [
        approver.post_json(f"{path}/send", {}).json,
        staff.post_json(f"/api/staff/compose-emails/{composed['id']}/send", {}).json,
    ]

    assert audience == 1
    left_out = {"suppressed": 0, "paused": 1}
    assert [(it["sentTo"], it["leftOut"]) for it in answers] == [(1, left_out), (1, left_out)]
    assert scene.recipients() == [BOB, "cy@example.org"]
    listed = [staff.get(STAFF, {"paused": flag}).json for flag in ("true", "false")]
    assert [[each["email"] for each in found] for found in listed] == [[ADA], [BOB]]
    assert listed[0][0]["status"] == "subscribed"
    clock.shift(days=31)
    later = app.as_role("admin")
    assert later.get(f"{path}/audience").json["count"] == 2
    assert later.get(STAFF, {"paused": "true"}).json == []


def test_it_concerns_queued_letters_too_and_no_other_mail(
    scene: Any, app: Client, send: Any, fail: Any
) -> None:
    link = scene.link_of()
    sent = send()
    app.post(link, {"change": "letters", "pause": "3"})

    received = scene.recipients()

    is_newsletter = sent.path.startswith("/api/staff/newsletters")
    assert (ADA in received) is not is_newsletter
    if is_newsletter:
        assert sent.report()["skippedBy"]["paused"] == 1
        [skipped] = sent.recipients(state="skipped")
        assert (skipped["email"], skipped["error"]) == (ADA, "Paused by the recipient")
    fail({ADA: "unknown"})
    assert sent.retry()["leftOut"]["paused"] == int(is_newsletter)


def test_staff_end_a_pause(scene: Any, app: Client) -> None:
    app.post(scene.link_of(), {"change": "letters", "pause": "1"})
    found = scene.people()[ADA]

    changed = app.as_role("editor").put_json(f"{STAFF}/{found['id']}", {"pausedUntil": None}).json

    assert changed["pausedUntil"] is None
    assert scene.people()[ADA] == {**found, "pausedUntil": None, "updatedAt": changed["updatedAt"]}
