"""The resource of newsletters for staff, and their approval."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from masthead.testing import Client, Clock

STAFF = "/api/staff/newsletters"
BODY = {"title": "May", "subject": "News of May", "html_content": "<p>Hello</p>"}
AUDIENCE = tuple(
    f"audience_{each}"
    for each in ["topics", "sources", "languages", "since", "engaged_since", "idle_since", "fields"]
)
LETTERS = sorted(Path(__file__).with_name("letters").glob("0*.html"))
MakeNewsletter = Callable[..., Any]


def test_a_newsletter_is_created_as_a_draft(clock: Clock, staff: Client) -> None:
    made = staff.post_json(STAFF, BODY | {"notes": "Ask Ada", "status": "sent", "published": True})

    now = clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
    audience = dict.fromkeys(AUDIENCE)
    author = {"id": made.json["created_by"]["id"], "username": "some-editor", "displayName": None}
    assert made.json == {
        "id": made.json["id"],
        "title": "May",
        "subject": "News of May",
        "html_content": "<p>Hello</p>",
        "text_content": None,
        "mjml_content": None,
        "public": False,
        "language": None,
        **audience,
        "notes": "Ask Ada",
        "scheduled_send_at": None,
        "status": "draft",
        "sent_at": None,
        "published": False,
        "staged": False,
        "approvalStatus": "draft",
        "approval_requested_at": None,
        "approval_requested_by": None,
        "approval_requested_by_user": None,
        "approved_at": None,
        "approved_by": None,
        "approved_by_user": None,
        "rejected_at": None,
        "rejected_by": None,
        "rejected_by_user": None,
        "rejection_reason": None,
        "approval_comment": None,
        **dict.fromkeys(("created_by", "edited_by"), author),
        "created_at": now,
        "updated_at": now,
    }
    assert staff.get(STAFF).json == [made.json]
    assert staff.get(f"{STAFF}/{made.json['id']}").json == made.json


@pytest.mark.parametrize("field", ["title", "subject", "html_content"])
@pytest.mark.parametrize("value", [None, "", " ", 1, [], "\x01", "x" * (1024 * 1024 + 1)])
def test_a_missing_or_invalid_required_field_is_refused(
    staff: Client, field: str, value: Any
) -> None:
    missing = {name: text for name, text in BODY.items() if name != field}

    assert field in staff.post_json(STAFF, BODY | {field: value}, status=400).json["error"]
    assert field in staff.post_json(STAFF, missing, status=400).json["error"]
    assert staff.get(STAFF).json == []


@pytest.mark.parametrize(
    "fields",
    [
        {"scheduled_send_at": "2001-01-01T00:00:00Z"},
        {"scheduled_send_at": "tomorrow"},
        {"scheduled_send_at": 1},
        {"text_content": "x" * (1024 * 1024 + 1)},
        {"notes": {"a": 1}},
    ],
)
def test_an_invalid_optional_field_is_refused(staff: Client, fields: Any) -> None:
    made = staff.post_json(STAFF, BODY).json

    staff.post_json(STAFF, BODY | fields, status=400)
    staff.put_json(f"{STAFF}/{made['id']}", fields, status=400)

    assert staff.get(STAFF).json == [made]


def test_the_list_is_newest_first_and_includes_the_html(clock: Clock, staff: Client) -> None:
    for title in ("April", "May", "June"):
        staff.post_json(STAFF, BODY | {"title": title})
        clock.shift(seconds=1)

    listed = staff.get(STAFF, {"limit": 2}).json

    assert [each["title"] for each in listed] == ["June", "May"]
    assert listed[0]["html_content"] == "<p>Hello</p>"


@pytest.mark.parametrize("letter", LETTERS, ids=lambda path: path.stem)
def test_letters_keep_their_styles_and_a_put_of_them_changes_nothing(
    staff: Client, letter: Path
) -> None:
    html = letter.read_text("utf-8")
    made = staff.post_json(STAFF, BODY | {"html_content": html})
    path = f"{STAFF}/{made.json['id']}"

    again = staff.put_json(path, made.json)

    assert again.body == made.body
    assert again.headers["ETag"] == made.headers["ETag"]
    assert ("<style" in html) == ("<style" in made.json["html_content"])
    assert "<script" not in made.json["html_content"]
    assert "{{unsubscribe}}" in made.json["html_content"]


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ('<p style="position:fi&#12;xed">x</p>', "<p>x</p>"),
        ('<p style="background:u&#xc;rl(//evil.example/p)">x</p>', "<p>x</p>"),
        ('<p style="width:expres&#12;sion(alert(1))">x</p>', "<p>x</p>"),
        ('<a href="java{&#12;{x}}script:alert(1)">x</a>', "<a>x</a>"),
        ("<p>a&#12;b</p>", "<p>ab</p>"),
    ],
)
def test_a_control_character_as_a_reference_hides_nothing_from_the_sanitiser(
    staff: Client, html: str, kept: str
) -> None:
    made = staff.post_json(STAFF, BODY | {"html_content": html})

    assert made.json["html_content"] == kept
    again = staff.put_json(f"{STAFF}/{made.json['id']}", made.json)
    assert again.body == made.body
    assert again.headers["ETag"] == made.headers["ETag"]


@pytest.mark.parametrize("html", ["<script>1</script>", "<!-- -->", "&#12;", "<style>/**/</style>"])
def test_html_that_is_empty_after_sanitising_is_refused(staff: Client, html: str) -> None:
    refused = staff.post_json(STAFF, BODY | {"html_content": html}, status=400)

    assert refused.json["error"] == "html_content: Required"
    assert staff.get(STAFF).json == []


def test_a_put_changes_only_the_given_fields(staff: Client) -> None:
    made = staff.post_json(STAFF, BODY | {"notes": "x", "text_content": "Hello"})
    path = f"{STAFF}/{made.json['id']}"

    changed = staff.put_json(path, {"subject": "Late news", "notes": None}).json

    assert changed["subject"] == "Late news"
    assert changed["notes"] is None
    assert changed["text_content"] == "Hello"
    staff.put_json(path, {"subject": "x"}, headers={"If-Match": made.headers["ETag"]}, status=412)
    staff.put_json(path, {"subject": "x", "etag": "1"}, status=400)


def test_a_delete_is_permanent(staff: Client) -> None:
    path = f"{STAFF}/{staff.post_json(STAFF, BODY).json['id']}"

    staff.delete(path)

    for ask in (staff.get, staff.delete):
        ask(path, status=404)
    staff.put_json(path, {}, status=404)


def test_the_approval_fields_are_in_snake_case(
    approver: Client, make_newsletter: MakeNewsletter
) -> None:
    approved = make_newsletter()

    assert (approved["approvalStatus"], approved["published"]) == ("approved", True)
    assert approved["approval_requested_at"]
    assert approved["approved_by"] == approver.get("/api/staff/profile").json["id"]


def test_a_rejected_newsletter_shows_the_reason(
    staff: Client, approver: Client, make_newsletter: MakeNewsletter
) -> None:
    item = {"contentType": "newsletters", "contentId": make_newsletter(approved=False)["id"]}
    staff.post_json("/api/staff/approval/request", item)
    approver.post_json("/api/staff/approval/reject", item | {"reason": "Too long"})

    [rejected] = staff.get(STAFF).json
    assert (rejected["approvalStatus"], rejected["rejection_reason"]) == ("rejected", "Too long")
    assert rejected["published"] is False


def test_notifications_name_the_newsletter(
    staff: Client, approver: Client, make_newsletter: MakeNewsletter
) -> None:
    newsletter = make_newsletter()

    [request] = approver.get("/api/staff/notifications").json
    [result] = staff.get("/api/staff/notifications").json

    assert request["title"] == "Approval Request: Newsletter"
    assert result["title"] == "Approval Approved: Newsletter"
    assert (result["contentType"], result["contentId"]) == ("newsletters", newsletter["id"])


@pytest.mark.parametrize("field", ["title", "subject", "html_content", "text_content"])
def test_an_edit_by_a_user_who_may_not_approve_removes_the_approval(
    staff: Client, approver: Client, make_newsletter: MakeNewsletter, field: str
) -> None:
    path = f"{STAFF}/{make_newsletter()['id']}"

    kept = approver.put_json(path, {field: "An approver's"}).json
    edited = staff.put_json(path, {field: "Somebody's"}).json

    assert (kept["approvalStatus"], kept["published"]) == ("approved", True)
    assert (edited["approvalStatus"], edited["published"]) == ("draft", False)
    editors = [each["edited_by"]["username"] for each in (kept, edited)]
    assert editors == ["some-admin", "some-editor"]
    editor = edited["edited_by"]["id"]
    assert staff.get(f"{STAFF}?edited_by={editor}").json == [edited]
    assert staff.get(f"{STAFF}?edited_by={editor + 1}").json == []


def test_an_unchanged_put_and_changes_of_notes_and_time_keep_the_approval(
    staff: Client, make_newsletter: MakeNewsletter
) -> None:
    newsletter = make_newsletter()
    path = f"{STAFF}/{newsletter['id']}"

    staff.put_json(path, newsletter)
    staff.put_json(path, {"notes": "Sent it to Ada", "scheduled_send_at": "2199-01-01"})

    assert staff.get(path).json["approvalStatus"] == "approved"


def test_an_edit_of_another_returns_a_request(
    staff: Client, approver: Client, make_user: Callable[..., Any]
) -> None:
    item = staff.post_json(STAFF, BODY).json["id"]
    wanted = {"operation": "request", "items": [{"contentType": "newsletters", "contentId": item}]}
    assert staff.post_json("/api/staff/approval/bulk", wanted).json["affected"] == 1
    unread = "/api/staff/notifications?unreadOnly=true"
    assert [each["type"] for each in approver.get(unread).json] == ["approval_request"]

    staff.as_user(make_user("ben")).put_json(f"{STAFF}/{item}", {"subject": "Another"})

    assert approver.get(unread).json == []
    [told] = staff.get(unread).json
    assert (told["type"], told["message"]) == (
        "approval_returned",
        'ben changed "May", so it is a draft again and needs a new request',
    )


def test_a_duplicate_is_a_draft_without_a_time(
    staff: Client, make_newsletter: MakeNewsletter
) -> None:
    sent = make_newsletter(notes="Ask Ada", scheduled_send_at="2199-01-01", audience_topics=["a"])

    copy = staff.post(f"{STAFF}/{sent['id']}/duplicate").json

    assert (copy["title"], copy["subject"]) == (f"{sent['title']} (copy)", sent["subject"])
    assert (copy["approvalStatus"], copy["status"]) == ("draft", "draft")
    assert copy["scheduled_send_at"] is None
    same = ("html_content", "text_content", "notes", "audience_topics")
    assert [copy[name] for name in same] == [sent[name] for name in same]


class TestLiveEdits:
    """Edits of approved content are live at once, except those of newsletters."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.approval.edits": "live"}

    @pytest.mark.parametrize("field", ["title", "subject", "html_content", "text_content"])
    def test_an_unapproved_edit_is_not_sent(
        self, staff: Client, approver: Client, make_newsletter: MakeNewsletter, field: str
    ) -> None:
        path = f"{STAFF}/{make_newsletter()['id']}"

        kept = approver.put_json(path, {field: "An approver's"}).json
        edited = staff.put_json(path, {field: "Somebody's"}).json

        assert (kept["approvalStatus"], kept["published"]) == ("approved", True)
        assert (edited["approvalStatus"], edited["published"]) == ("draft", False)
        answer = staff.post_json(f"{path}/send", {}, status=400)
        assert answer.json == {"error": "Newsletter must be approved before sending"}


class TestFourEyes:
    """The users who edited an item or requested its approval can't approve it."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.approval.four_eyes": "true"}

    def test_the_editor_of_a_newsletter_cannot_approve_it(
        self, staff: Client, approver: Client
    ) -> None:
        newsletter = staff.post_json(STAFF, BODY).json
        item = {"contentType": "newsletters", "contentId": newsletter["id"]}
        approver.put_json(f"{STAFF}/{newsletter['id']}", {"title": "June"})
        staff.post_json("/api/staff/approval/request", item)

        approver.post_json("/api/staff/approval/approve", item, status=403)


def test_scheduling_with_a_stored_time_that_has_passed_is_refused(
    clock: Clock, staff: Client, make_newsletter: MakeNewsletter
) -> None:
    past = {"scheduled_send_at": (clock.now() + timedelta(hours=1)).isoformat()}
    path = f"{STAFF}/{make_newsletter(**past)['id']}"
    clock.shift(hours=2)

    refused = staff.post_json(f"{path}/schedule", past, status=400)

    assert refused.json["error"] == "scheduled_send_at: Must be in the future"
    assert staff.get(path).json["status"] == "draft"


def test_staff_filter_and_sort_newsletters(staff: Client) -> None:
    first, second = (staff.post_json(STAFF, BODY | {"title": name}).json for name in ("B", "A"))
    item = {"contentType": "newsletters", "contentId": first["id"], "comment": "Before Friday"}
    staff.post_json("/api/staff/approval/request", item)

    [asked] = staff.get(f"{STAFF}?approvalStatus=pending").json
    assert (asked["id"], asked["approval_comment"]) == (first["id"], "Before Friday")
    assert asked["approval_requested_by_user"] == asked["created_by"]
    assert staff.get(f"{STAFF}?sort=title").json == [second, asked]
    assert staff.get(
        f"{STAFF}?sort=-title&created_by={asked['created_by']['id']}&limit=1"
    ).json == [asked]
    assert staff.get(f"{STAFF}?status=sent").json == []
    [waiting] = staff.as_role("admin").get("/api/staff/approval/pending").json
    assert (waiting["contentType"], waiting["staged"]) == ("newsletters", False)
