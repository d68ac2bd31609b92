"""The organisation: facts that staff set, with the settings as defaults."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.testing import Client

SITE = "/api/staff/site"
UNSET = {
    **dict.fromkeys(("name", "tagline", "description", "language", "timeZone")),
    "social": [],
    **dict.fromkeys(("email", "phone", "address", "footer")),
}
DEFAULTS = {"name": "", "language": "en", "timeZone": "UTC"}
LINK = {"label": "Fediverse", "kind": "mastodon", "url": "https://social.example/@alder"}


def test_before_anything_is_set_the_settings_count(app: Client, staff: Client) -> None:
    answer = staff.get(SITE)

    assert answer.json == {**UNSET, "defaults": DEFAULTS}
    assert answer.headers["ETag"] == '"0"'
    shown = app.get("/api/site").json
    assert shown == {
        **UNSET,
        **DEFAULTS,
        "dir": "ltr",
        "images": app.get("/api/static-images").json,
        "navigation": app.get("/api/navigation").json,
    }


def test_what_is_set_overrides_the_settings_and_null_resets_it(app: Client, staff: Client) -> None:
    social = [LINK]
    own = {
        "name": "ضفة ألدر",
        "language": "AR_eg",
        "timeZone": "Africa/Cairo",
        "social": social,
        "footer": '<p onclick="x()">Ferry Lane 4</p>',
    }

    saved = staff.put_json(SITE, own)

    assert saved.headers["ETag"] == '"1"'
    assert saved.json["language"] == "ar-EG"
    assert saved.json["footer"] == "<p>Ferry Lane 4</p>"
    shown = app.get("/api/site").json
    assert shown | {"language": "ar-EG", "dir": "rtl", "timeZone": "Africa/Cairo"} == shown
    assert shown["social"] == social

    staff.put_json(SITE, dict.fromkeys(own))
    assert staff.get(SITE).json == {**UNSET, "defaults": DEFAULTS}
    assert app.get("/api/site").json["dir"] == "ltr"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("language", "German"),
        ("timeZone", "Europe/Nowhere"),
        ("timeZone", "../../etc/passwd"),
        ("social", [{"label": "X", "url": "javascript:alert(1)"}]),
        ("social", [{"url": "https://social.example"}]),
        ("social", [{"label": "X", "url": "https://social.example"}] * 51),
        ("email", "nobody"),
        ("name", ["Alder"]),
    ],
)
def test_a_wrong_value_is_refused_and_nothing_changes(
    staff: Client, field: str, value: Any
) -> None:
    refused = staff.put_json(SITE, {"tagline": "River", field: value}, status=400).json

    assert refused["error"].startswith(f"{field}: ")
    assert staff.get(SITE).json["tagline"] is None


def test_a_stale_change_is_refused(staff: Client) -> None:
    staff.put_json(SITE, {"tagline": "Mending"}, headers={"If-Match": '"0"'})

    staff.put_json(SITE, {"tagline": "Growing"}, headers={"If-Match": '"0"'}, status=412)
    staff.put_json(SITE, {"tagline": "Mending"})

    answer = staff.get(SITE)
    assert (answer.json["tagline"], answer.headers["ETag"]) == ("Mending", '"1"')


def test_a_change_is_in_the_audit_log_without_its_values(app: Client, staff: Client) -> None:
    staff.put_json(SITE, {"name": "Alder Bank", "phone": "123"})
    staff.put_json(SITE, {"name": "Alder Bank"})

    entries = app.as_role("admin").get("/api/staff/audit-log").json

    assert [(e["action"], e["detail"]) for e in entries if e["action"].startswith("site")] == [
        ("site.update", {"fields": ["name", "phone"]})
    ]


def test_a_former_fact_can_be_restored(app: Client, staff: Client) -> None:
    staff.put_json(SITE, {"name": "Alder Bank", "social": [LINK], "timeZone": "Europe/Berlin"})
    staff.put_json(SITE, {"tagline": "Mending"})
    app.as_role("admin").put_json(SITE, {"name": None, "social": [], "timeZone": None})

    [newest, former, first] = staff.get(f"{SITE}/revisions").json
    compared = staff.get(f"{SITE}/revisions/compare").json["differences"]
    staff.post_json(f"{SITE}/revisions/{former['number']}/restore", {"etag": "1"}, status=400)
    restored = staff.post_json(f"{SITE}/revisions/{former['number']}/restore", {}).json

    assert (newest["changed"], first["saves"]) == (["name", "social", "timeZone"], 0)
    assert {each["field"] for each in compared} == {"name", "social", "timeZone"}
    assert restored["unfit"] == []
    facts = staff.get(SITE).json
    assert (facts["name"], facts["tagline"], facts["social"]) == ("Alder Bank", "Mending", [LINK])
    entries = app.as_role("admin").get("/api/staff/audit-log").json
    assert next(e["detail"]["fields"] for e in entries if e["action"] == "site.update") == [
        "name",
        "social",
        "timeZone",
    ]
