"""Declared statuses that no other test receives."""

from __future__ import annotations

import os
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from webtest.forms import Upload

from masthead import Instance
from masthead.testing import Client, Desk
from masthead.worker.heartbeat import beat
from masthead_email.delivery.runner import DeliveryRunner
from masthead_webhooks.delivery import send_due

LATER = "2099-01-01T00:00:00.000Z"


@pytest.fixture
def settings(tmp_path: Any) -> Mapping[str, str]:
    return {
        "masthead.email.transport": f"file://{tmp_path}/mail",
        "masthead.email.fields": "city",
        "masthead.email.tracking": "clicks",
        "masthead.forms.success_page": "https://www.example.org/thanks",
    }


@pytest.fixture
def admin(app: Client) -> Client:
    return app.as_role("admin")


def made(admin: Client, path: str, **body: Any) -> Any:
    """Return the answer of a create."""
    return admin.post_json(f"/api/staff/{path}", body).json


def uploaded(admin: Client) -> Any:
    """Return an image with an alternative text."""
    file = BytesIO()
    Image.new("RGB", (400, 300)).save(file, "PNG")
    upload = Upload("dot.png", file.getvalue(), "image/png")
    key = admin.post("/api/staff/upload/image", {"file": upload}).json["key"]
    return admin.put_json(f"/api/staff/images/{key}", {"altText": "A dot"}).json


def see(admin: Client, path: str, item: Any, **changed: Any) -> None:
    """Read an item, change it, and fail to change it with a stale revision."""
    address = f"/api/staff/{path}/{item['id']}"
    assert admin.get(address).json["id"] == item["id"]
    admin.put_json(address, changed)
    admin.put_json(address, changed, headers={"If-Match": '"0"'}, status=412)
    assert item["id"] in [each["id"] for each in admin.get(f"/api/staff/{path}").json]


def test_a_list_refuses_an_invalid_page(instance: Instance, admin: Client) -> None:
    lists = [e for e in instance.endpoints if e.page is not None and "{" not in e.path]

    assert len(lists) > 10
    for endpoint in lists:
        assert "limit" in admin.get(endpoint.path, {"limit": "0"}, status=400).json["error"]


def test_forms_lead_to_the_page_of_success(app: Client) -> None:
    sent = {"title": "A title", "description": "Why", "contactName": "Ada"}
    sent |= dict.fromkeys(("email", "contactEmail"), "ada@example.org")

    for path in ("/api/newsletter/subscribe", "/api/ycs/submit-action"):
        assert "/thanks?" in app.post(path, sent, status=303).headers["Location"]


@pytest.mark.usefixtures("instance")
def test_events_are_rejected_shown_and_not_sent_twice(app: Client) -> None:
    desk = Desk(app, "events").as_role("admin")
    event = desk.create(startDate=LATER)
    desk.request(event["id"])
    desk.reject(event["id"], reason="Not yet")
    see(desk.client, "events", event, location="The garden")
    shown = desk.publish(desk.create(title="Harvest", startDate=LATER)["id"])

    for address in (f"/api/events/{shown['slug']}", f"/api/events/{shown['id']}/related"):
        etag = app.get(address).headers["ETag"]
        app.get(address, headers={"If-None-Match": etag}, status=304)
    app.get("/api/events/0/related", status=404)


@pytest.mark.parametrize("path", ["/api/redirects", "/api/search?q=water"])
def test_an_unchanged_answer_is_not_sent_twice(app: Client, path: str) -> None:
    etag = app.get(path).headers["ETag"]
    app.get(path, headers={"If-None-Match": etag}, status=304)


@pytest.mark.parametrize(
    ("name", "field"), [("news", "image"), ("events", "image"), ("actions", "coverImage")]
)
def test_items_show_their_images_and_the_persons_who_decided(
    app: Client, admin: Client, make_user: Any, name: str, field: str
) -> None:
    person = make_user("ada", role="admin", display_name="Ada")
    ada = app.as_user(person)
    [tag, image] = [made(admin, "tags", name="Water")["id"], uploaded(admin)["url"]]
    values = {f"{field}Url": image, "tagIds": [tag]} | (
        {"startDate": LATER} if name == "events" else {}
    )
    first, second = (made(ada, name, title="Water", **values) for _ in range(2))
    for each in (first, second):
        asked = {"contentType": name, "contentId": each["id"], "comment": "Please"}
        ada.post_json("/api/staff/approval/request", asked)
        assert ada.get("/api/staff/approval/pending").json[0]["requestedBy"]["displayName"] == "Ada"
    ada.post_json("/api/staff/approval/reject", {**asked, "reason": "Not yet", "comment": "No"})
    shown = ada.get(f"/api/staff/{name}").json
    assert {each["rejectedByUser"]["displayName"] for each in shown if each["rejectedByUser"]}
    assert all(each["approvalComment"] for each in shown)
    ada.post_json("/api/staff/approval/request", asked)
    for each in (first, second):
        ada.post_json("/api/staff/approval/approve", {**asked, "contentId": each["id"]})

    slug = admin.get(f"/api/staff/{name}/{first['id']}").json["slug"]
    for path in (f"/api/{name}?include=related", f"/api/{name}/{slug}?include=related"):
        answer = app.get(path).json
        item = answer[0] if isinstance(answer, list) else answer
        assert item[field]["widths"] is not None
        assert item["related"][0][field]["url"] == image
    assert app.get("/api/search?q=water").json["items"][0]["image"]["url"] == image
    assert admin.get("/api/staff/audit-log").json[0]["actor"]["displayName"] == "Ada"


def test_the_site_shows_all_that_was_set(app: Client, admin: Client) -> None:
    texts = dict.fromkeys(("name", "tagline", "description", "phone", "address"), "A text")
    key = uploaded(admin)["url"]
    admin.put_json("/api/staff/site", {**texts, "email": "office@example.org", "language": "de"})
    admin.put_json("/api/staff/static-images/logo", {"imageUrl": key})
    page = made(admin, "pages", title="Über uns", content="<p>Wir</p>", lang="de", published=True)
    entry = made(admin, "navigation", label="We", isFolder=True, order=1)
    below = {"label": "Us", "path": "/us", "parentId": entry["id"], "order": 1}
    admin.post_json("/api/staff/navigation", below)

    shown = app.get("/api/site").json

    assert "A dot" in {each["image"]["alt"] for each in shown["images"] if each["image"]}
    assert shown["navigation"]
    assert (shown["phone"], shown["email"]) == ("A text", "office@example.org")
    assert app.get(f"/api/pages/{page['slug']}").json["dir"] == "ltr"


def test_people_are_shown_and_not_sent_twice(app: Client, admin: Client) -> None:
    texts = {"imageUrl": "/ada.png", "briefMessage": "Hi", "lang": "de"}
    person = made(admin, "people", name="Ada", role="Chair", **texts)
    see(admin, "people", person, published=True)

    etag = app.get("/api/people").headers["ETag"]
    app.get("/api/people", headers={"If-None-Match": etag}, status=304)


def test_stages_and_rules_are_shown(admin: Client) -> None:
    letter = {"subject": "Hello", "html_content": "<p>Hello</p>", "text_content": "Hello"}
    template = made(admin, "email-templates", name="Hello", category="invite", **letter)
    see(admin, "email-templates", template, name="Good day")
    stage = made(admin, "progression-stages", name="Met", description="", order=1)
    rule = made(
        admin,
        "follow-up-rules",
        name="Call",
        triggerStageId=stage["id"],
        daysAfter=1,
        catchupType="call",
        emailTemplateId=template["id"],
        active=True,
    )

    see(admin, "progression-stages", stage, order=2)
    see(admin, "follow-up-rules", rule, daysAfter=2)


def test_a_contact_shows_what_was_sent(instance: Instance, admin: Client) -> None:
    contact = made(admin, "contacts", name="Ada", email="ada@example.org")
    letter = {"subject": "Hello", "html_content": "<p>Hello</p>", "text_content": "Hello"}
    to = {"recipient_emails": ["ada@example.org"]}
    later = made(admin, "compose-emails", **letter, **to, scheduled_send_at=LATER)
    see(admin, "compose-emails", later, title="For later")
    admin.post_json(f"/api/staff/compose-emails/{later['id']}/preview", {})
    now = made(admin, "compose-emails", **letter, **to)
    admin.post_json(f"/api/staff/compose-emails/{now['id']}/send", {})
    runner = DeliveryRunner(instance)
    while runner.run(instance, lambda: True):
        pass

    [mail] = admin.get(f"/api/staff/contacts/{contact['id']}").json["emailHistory"]
    assert mail["status"] == "sent"
    assert mail["sentAt"] is not None
    sent = {each["id"]: each["sent_at"] for each in admin.get("/api/staff/compose-emails").json}
    assert sent[now["id"]] is not None


def test_a_mapping_is_shown(admin: Client) -> None:
    columns = [{"column": "Who", "field": "name"}]
    mapping = made(admin, "contact-import-mappings", name="Sheet", columns=columns)
    see(admin, "contact-import-mappings", mapping, name="Sign-up sheet")


def test_a_subscriber_shows_the_consent_and_its_end(admin: Client) -> None:
    path = "newsletter-subscribers"
    table = (
        "email,status,subscribedAt,subscribedIp,confirmedAt,confirmedIp,unsubscribeReason\n"
        "ada@example.org,unsubscribed,2026-01-01,192.0.2.1,2026-01-02,192.0.2.2,Too many\n"
        "Total: 1\n"
    )
    file = [("file", "list.csv", table.encode(), "text/csv")]
    told = admin.post(f"/api/staff/{path}/bulk-import", upload_files=file).json
    assert told["ignoredRows"] == [{"row": 3, "text": "Total: 1"}]

    ada = made(admin, path, email="ada@example.org")

    assert (ada["confirmedIp"], ada["unsubscribeReason"]) == ("192.0.2.2", "Too many")
    see(admin, path, ada, fields={"city": "Bern"}, topics=["Garden"])


def test_a_subscriber_shows_the_last_engagement(app: Client, admin: Client) -> None:
    path = "newsletter-subscribers"
    app.post_json("/api/newsletter/subscribe", {"email": "bob@example.org"})

    bob = made(admin, path, email="bob@example.org")

    see(admin, path, bob, name="Bob")
    assert bob["engagedAt"] is not None


def test_lists_show_letters_in_mjml_and_their_audience(admin: Client) -> None:
    mjml = "<mjml><mj-body><mj-section><mj-column><mj-text>A</mj-text></mj-column></mj-section>"
    letter = {"subject": "News", "mjml_content": f"{mjml}</mj-body></mjml>"}
    wrapper = letter["mjml_content"].replace(">A<", ">{{content}}<")
    since = dict.fromkeys(("since", "engaged_since", "idle_since"), "2026-01-01T00:00:00.000Z")
    named = {"topics": ["Garden"], "sources": ["form"], "languages": ["de"]}
    audience = {**since, **named, "fields": {"city": ["Bern"]}}
    values = {f"audience_{name}": value for name, value in audience.items()}

    made(admin, "newsletters", title="May", language="de", **letter, **values)
    made(admin, "compose-emails", recipient_emails=["ada@example.org"], **letter)
    made(admin, "email-templates", name="Hello", mjml_wrapper=wrapper, **letter)

    for path in ("newsletters", "compose-emails", "email-templates"):
        [shown] = admin.get(f"/api/staff/{path}").json
        assert shown["mjml_content"] == letter["mjml_content"]


def test_the_system_shows_its_workers(instance: Instance, admin: Client) -> None:
    beat(instance.database, "a-worker")

    [worker] = admin.get("/api/staff/system").json["workers"]
    assert worker["pid"] == os.getpid()


def test_users_show_their_language(admin: Client, make_user: Any) -> None:
    user = make_user("ada", role="editor")
    admin.put_json(f"/api/staff/users/{user.id}", {"language": "de"})

    languages = [each["language"] for each in admin.get("/api/staff/users").json]
    assert "de" in languages


def test_a_newsletter_shows_why_it_was_rejected(admin: Client) -> None:
    letter = {"subject": "News", "html_content": "<p>News</p>", "text_content": "News"}
    item = made(admin, "newsletters", title="May", **letter, scheduled_send_at=LATER)
    asked = {"contentType": "newsletters", "contentId": item["id"]}
    admin.post_json("/api/staff/approval/request", asked)
    admin.post_json("/api/staff/approval/reject", {**asked, "reason": "Too long"})

    shown = admin.get(f"/api/staff/newsletters/{item['id']}").json
    assert shown["rejection_reason"] == "Too long"
    see(admin, "newsletters", item, notes="Shorter")


def test_an_image_shows_its_source(admin: Client) -> None:
    uploaded(admin)

    assert [image["altText"] for image in admin.get("/api/staff/images").json] == ["A dot"]


def test_a_webhook_shows_its_calls(instance: Instance, admin: Client) -> None:
    values = {"url": "https://127.0.0.1:1/", "events": ["*"], "contentTypes": ["news"]}
    webhook = made(admin, "webhooks", **values, description="Site")
    see(admin, "webhooks", webhook, description="Website", contentTypes=[])
    path = f"/api/staff/webhooks/{webhook['id']}"
    admin.post_json(f"{path}/test", {})
    send_due(instance, lambda: True)

    [delivery] = admin.get(f"{path}/deliveries").json
    assert (delivery["state"], delivery["attempts"]) == ("waiting", 1)
    assert admin.get(path).json["failingSince"] is not None
    with instance.database.transaction() as session:
        instance.hooks.masthead_imported(session=session)
    [listed] = admin.get("/api/staff/webhooks").json
    assert listed["failingSince"] is not None
    assert listed["switchedOff"] is not None
    admin.post_json(f"{path}/deliveries/{delivery['id']}/replay", {}, status=400)
