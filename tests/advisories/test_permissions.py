"""Reports about access: mass assignment, other people's items, escalation, lost administrators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import Instance, User
from masthead.auth.models import Role
from masthead.testing import Client, Desk

USERS, ROLES, PROFILE = "/api/staff/users", "/api/staff/roles", "/api/staff/profile"
CONFIG = "/api/staff/approval-config"
MakeUser = Callable[..., User]
MakeRole = Callable[..., Role]

FORGED: dict[str, Any] = {
    "published": True,
    "publishedAt": "2020-01-01T00:00:00Z",
    "approvalStatus": "approved",
    "approval_status": "approved",
    "approvedBy": 1,
    "approved_at": "2020-01-01T00:00:00Z",
    "slug": "forged",
    "staged": False,
    "createdBy": 1,
    "id": 999,
    "revision": 999,
}


@pytest.fixture
def root(make_user: MakeUser) -> User:
    """The only administrator."""
    return make_user("root", role="admin")


def own(app: Client, user: User) -> Client:
    return app.as_user(user)


def test_cve_2023_39345_a_draft_is_not_approved_by_its_body(news: Desk, app: Client) -> None:
    """CVE-2023-39345 (Strapi): private fields of the model were set by the body of a request."""
    made = news.create(**{name: v for name, v in FORGED.items() if name != "published"})

    shown = news.show(made["id"])
    assert (shown["approvalStatus"], shown["published"]) == ("draft", False)
    assert made["id"] != FORGED["id"]
    app.get("/api/news/forged", status=404)
    assert app.get("/api/news").json == []


def test_cve_2012_2055_a_profile_changes_no_role(app: Client, make_user: MakeUser) -> None:
    """CVE-2012-2055 (GitHub): a form with a forged field gave its sender somebody else's access."""
    eve = make_user("eve")
    forged = {"roles": ["admin"], "permissions": ["admin"], "disabled": False, "id": 1}
    forged |= {"role": "admin", "isAdmin": True, "generation": 0, "builtIn": True, "user_id": 1}

    own(app, eve).put_json(PROFILE, {"displayName": "Eve", **forged})

    shown = own(app, eve).get(PROFILE).json
    assert (shown["roles"], shown["id"]) == (["editor"], eve.id)
    own(app, eve).get(USERS, status=403)


def test_cve_2022_39322_no_visitor_sets_the_state_of_a_submission(app: Client) -> None:
    """CVE-2022-39322 (Keystone): access rules of single fields were not applied to writes."""
    proposal = {"title": "A", "description": "B", "contactName": "C", "contactEmail": "c@d.org"}
    message = {"name": "A", "email": "a@b.org", "subject": "C", "message": "D"}
    forged = {"status": "accepted", "id": 77, "notes": "Approved", "createdAt": "2001-01-01T00:00Z"}

    app.post_json("/api/ycs/submit-action", proposal | forged)
    app.post_json("/api/contact", message | forged)
    app.post_json("/api/newsletter/subscribe", {"email": "a@b.org", **forged})

    staff = app.as_role("admin")
    for path in ("action-proposals", "contact-messages", "newsletter-subscribers"):
        [item] = staff.get(f"/api/staff/{path}").json
        assert item["status"] in ("new", "subscribed")
        assert item["id"] != forged["id"]
        assert not item.get("notes")
        assert item["createdAt"] > "2002"


def test_cve_2017_1001000_an_id_in_the_body_or_query_changes_nothing(news: Desk) -> None:
    """CVE-2017-1001000 (WordPress): the checked id and the changed id were different parameters."""
    mine, other = news.create(title="Mine"), news.create(title="Other")
    path = f"/api/staff/news/{mine['id']}"

    news.client.put_json(f"{path}?id={other['id']}", {"id": other["id"], "title": "Changed"})

    assert news.show(other["id"])["title"] == "Other"
    for suffix in ("abc", "%20", ".0", "e0", "/", "%00", ";a", "+", "%0a"):
        news.client.put_json(f"{path}{suffix}", {"title": "Changed"}, status=404)


def test_drupal_sa_core_2018_006_transitions_are_checked_on_each_way(
    news: Desk, admin: Client
) -> None:
    """Drupal SA-CORE-2018-006: some ways to a state of the moderation were not checked."""
    item = news.create()

    news.edit(item["id"], published=True, status=400)
    news.edit(item["id"], approvalStatus="approved")
    assert news.bulk("publish", [item["id"]])["affected"] == 0
    news.approve(item["id"], status=403)
    news.request(item["id"])
    news.approve(item["id"], status=403)
    news.reject(item["id"], status=403)
    assert admin.get("/api/news").json == []
    for value in ("", "news ", "NEWS", "users", "newsletters", None, ["news"]):
        body = {"contentType": value, "contentId": item["id"]}
        news.client.post_json("/api/staff/approval/approve", body, status="4*")
    assert news.show(item["id"])["approvalStatus"] == "pending"


def test_cwe_862_an_edit_of_published_content_needs_approval(news: Desk) -> None:
    """CWE-862: the permission to publish was checked for new content, not for later edits."""
    item = news.create_public(title="Before", content="<p>Before</p>")

    news.edit(item["id"], title="After", content="<p>After</p>", slug="after")

    assert news.public_item(item["slug"])["title"] == "Before"
    assert "After" not in news.client.get("/api/feed/news").text


def test_cwe_639_ids_of_other_areas_open_nothing(
    app: Client, make_role: MakeRole, make_user: MakeUser
) -> None:
    """CWE-639: everybody could read, change or delete an item whose id they guessed."""
    make_role("visitor")
    eve = own(app, make_user("eve", role="visitor"))
    areas = ["news", "events", "actions", "people", "tags", "contacts", "pages", "newsletters"]
    areas += ["newsletter-subscribers", "compose-emails", "email-templates", "contact-messages"]

    for area in areas:
        path = f"/api/staff/{area}/1"
        eve.delete(path, status=403)
        eve.put_json(path, {"title": "A", "name": "A"}, status=403)
        app.delete(path, status=401)


def test_cwe_639_notifications_of_others_stay_hidden(
    app: Client, news: Desk, admin: Client, make_user: MakeUser
) -> None:
    """CWE-639: a notification was read and deleted by whoever knew its number."""
    chief = make_user("chief", role="admin")
    news.request(news.create()["id"])
    [notice] = own(app, chief).get("/api/staff/notifications").json

    path = f"/api/staff/notifications/{notice['id']}"
    admin.delete(path, status=404)
    news.client.post_json(f"{path}/read", {}, status=404)
    assert own(app, chief).get("/api/staff/notifications").json[0]["read"] is False


def test_cwe_269_roles_are_changed_by_administrators_only(
    app: Client, make_role: MakeRole, make_user: MakeUser, instance: Instance
) -> None:
    """CWE-269: a manager of content gave a role, an approval or a user more power."""
    everything = [name for name in instance.permissions if name != "admin"]
    role = make_role("manager", *everything)
    eve = own(app, make_user("eve", role="manager"))

    eve.put_json(f"{ROLES}/{role.id}", {"permissions": ["admin"]}, status=403)
    eve.post_json(ROLES, {"name": "Mine", "permissions": ["admin"]}, status=403)
    eve.put_json(f"{USERS}/{make_user('bob').id}", {"roles": ["admin"]}, status=403)
    eve.post_json(CONFIG, {"contentType": "news", "roleId": role.id}, status=403)
    eve.delete(f"{CONFIG}/1", status=403)
    eve.get("/api/staff/audit-log", status=403)


def test_cwe_266_no_role_gets_an_undeclared_permission(admin: Client) -> None:
    """CWE-266: a role was saved with a permission that a later version gave a meaning."""
    for name in ("root", "*", "news.*", "news.admin", "", "ADMIN", "signed-in"):
        admin.post_json(ROLES, {"name": "A", "permissions": [name]}, status=400)


def test_2fauth_331_the_last_administrator_stays(app: Client, root: User) -> None:
    """2FAuth issue 331: the last administrator could become a user, and nobody could undo it."""
    client, path = own(app, root), f"{USERS}/{root.id}"
    admins = next(r for r in client.get(ROLES).json if r["name"] == "admin")

    changes: list[dict[str, Any]] = [{"roles": []}, {"roles": ["editor"]}, {"disabled": True}]
    for change in changes:
        client.put_json(path, change, status=400)
    client.delete(path, status=400)
    client.put_json(f"{ROLES}/{admins['id']}", {"permissions": []}, status=400)
    client.delete(f"{ROLES}/{admins['id']}", status=400)
    client.get(USERS)


def test_cve_2023_22894_no_parameter_filters_by_hidden_fields(news: Desk) -> None:
    """CVE-2023-22894 (Strapi), CVE-2023-31133 (Ghost), CVE-2023-30843 (Payload): filters leaked."""
    news.create_public()
    plain = news.client.get("/api/news").json
    assert not {"createdBy", "password", "email", "username"} & set(str(plain).split("'"))

    for query in [
        "filter[author][password][_starts_with]=a",
        "filters[createdBy][password][$startsWith]=a",
        "filter=author.password:~^'a'",
        "sort=author.password",
        "order=password",
        "populate=*",
        "fields=*.*.*",
        "include=authors,createdBy",
        "expand=user",
        "deep[createdBy][_filter][password]=a",
        "select=password",
        'where={"password":{"like":"a%25"}}',
    ]:
        # The parameters that exist take public fields only.
        is_refused = query.startswith(("sort=", "fields=", "include="))
        answer = news.client.get(f"/api/news?{query}", status=400 if is_refused else 200)
        assert is_refused or answer.json == plain


def test_cwe_497_strangers_learn_no_state_of_the_server(app: Client) -> None:
    """CWE-497: errors and files in public folders told everybody details of the installation."""
    for path in ("/readyz", "/healthz", "/nowhere", "/api/news?limit=x"):
        answer = app.get(path, status="*")
        text = f"{answer.headers}{answer.text}".lower()
        for word in ("waitress", "pyramid", "python", "sqlite", "postgresql", "/var/", "traceback"):
            assert word not in text
    for path in ("/.env", "/.git/config", "/server-status", "/metrics", "/debug", "/auth.secret"):
        app.get(path, status=404)


def test_cwe_204_errors_are_alike_for_known_and_unknown_items(app: Client, news: Desk) -> None:
    """CWE-204: the error for a hidden item was another one than that for a missing item."""
    hidden, missing = news.create()["id"], 2**40

    for path in ("/api/staff/news/{}", "/api/news/{}", "/api/images/images/{}"):
        answers = [app.get(path.format(n), status="4*") for n in (hidden, missing)]
        assert answers[0].status == answers[1].status
        assert answers[0].json == answers[1].json
