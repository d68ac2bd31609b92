"""Static images: three exist from the start, and staff add others."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.audit.models import AuditEntry
from masthead.testing import Client

IMAGES = "/api/staff/static-images"
FROM_THE_START = ["hero", "logo", "social-card"]
BANNER = {
    "id": "banner-2",
    "name": "Banner",
    "description": "Stands above the news.",
    "imageUrl": "/api/images/images/1.png",
    "recommendedFormat": "PNG",
    "recommendedSize": "1200x300",
    "contentDescription": "A hedge in bloom",
}


def test_three_exist_from_the_start(app: Client) -> None:
    listed = app.get("/api/static-images")

    assert [image["id"] for image in listed.json] == FROM_THE_START
    assert app.get("/api/static-images/logo").json == listed.json[1]
    assert listed.json[1].keys() == BANNER.keys() | {"image"}
    assert (listed.json[1]["imageUrl"], listed.json[1]["contentDescription"]) == ("", None)


def test_the_formats_recommended_from_the_start_can_be_uploaded(app: Client) -> None:
    formats = {image["recommendedFormat"] for image in app.get("/api/static-images").json}

    named = {name for text in formats for name in text.split(" or ")}
    assert named <= {"JPEG", "PNG", "WebP", "GIF"}


def test_staff_fill_them_in(app: Client, staff: Client) -> None:
    sent = {"imageUrl": "/api/images/images/1.png", "contentDescription": "Our tree"}

    changed = staff.put_json(f"{IMAGES}/logo", sent)

    assert changed.json == staff.get(f"{IMAGES}/logo").json
    assert changed.headers["ETag"] == '"2"'
    shown = app.get("/api/static-images/logo").json
    assert {name: shown[name] for name in sent} == sent


def test_staff_add_others_that_are_listed_by_id(app: Client, staff: Client) -> None:
    made = staff.post_json(IMAGES, BANNER).json

    assert app.get("/api/static-images/banner-2").json == {**BANNER, "image": None}
    assert {name: made[name] for name in BANNER} == BANNER
    staff.post_json(IMAGES, {"id": "0", "name": "Zero"})
    ids = ["0", "banner-2", *FROM_THE_START]
    assert [image["id"] for image in app.get("/api/static-images").json] == ids
    assert [image["id"] for image in staff.get(IMAGES).json] == ids
    part = app.get("/api/static-images", {"limit": 2, "offset": 1})
    assert [image["id"] for image in part.json] == ids[1:3]
    assert part.headers["X-Total-Count"] == "5"


def test_an_id_is_taken_once(staff: Client) -> None:
    refused = staff.post_json(IMAGES, {"id": "logo", "name": "Another"}, status=400)

    assert refused.json["error"] == "id: There is one already"
    assert staff.get(f"{IMAGES}/logo").json["name"] == "Logo"


def test_an_id_never_changes(staff: Client) -> None:
    changed = staff.put_json(f"{IMAGES}/logo", {"id": "sign", "name": "Sign"}).json

    assert (changed["id"], changed["name"]) == ("logo", "Sign")


def test_a_deleted_one_is_gone_for_good(app: Client, staff: Client, session: Session) -> None:
    assert staff.delete(f"{IMAGES}/hero").json == {"success": True}

    app.get("/api/static-images/hero", status=404)
    for method in (staff.get, staff.delete):
        method(f"{IMAGES}/hero", status=404)
    staff.put_json(f"{IMAGES}/hero", {}, status=404)
    entry = session.scalars(select(AuditEntry)).one()
    assert (entry.action, entry.content_type, entry.content_id, entry.detail) == (
        "content.delete",
        "static-images",
        None,
        {"id": "hero"},
    )


@pytest.mark.parametrize(
    ("change", "named"),
    [
        *(({"id": bad}, "id: ") for bad in (None, "", "Logo", "a b", "a_b", "-a", "a-", "a--b")),
        *(({"id": bad}, "id: ") for bad in ("é", "a/b", "..", "٣", "x" * 81, 7, ["a"])),
        ({"name": None}, "name: "),
        ({"name": "x" * 201}, "name: "),
        ({"description": "x" * 2001}, "description: "),
        ({"imageUrl": "javascript:x"}, "imageUrl: "),
        ({"imageUrl": "mailto:a@example.org"}, "imageUrl: "),
        ({"recommendedSize": 512}, "recommendedSize: "),
    ],
)
def test_a_bad_body_makes_nothing(staff: Client, change: Any, named: str) -> None:
    error = staff.post_json(IMAGES, BANNER | change, status=400).json["error"]

    assert error.startswith(named)
    assert [image["id"] for image in staff.get(IMAGES).json] == FROM_THE_START


@pytest.mark.parametrize("image_id", ["nothing", "%00", "LOGO", "logo%00", "x" * 3000, "7"])
def test_an_image_that_is_not_there_is_not_found(app: Client, staff: Client, image_id: str) -> None:
    app.get(f"/api/static-images/{image_id}", status=404)
    staff.get(f"{IMAGES}/{image_id}", status=404)
    staff.put_json(f"{IMAGES}/{image_id}", {"name": "A"}, status=404)
    staff.delete(f"{IMAGES}/{image_id}", status=404)


def test_an_answer_is_kept_until_something_changes(app: Client, staff: Client) -> None:
    for path in ("/api/static-images", "/api/static-images/logo"):
        etag = app.get(path).headers["ETag"]

        app.get(path, headers={"If-None-Match": etag}, status=304)
        staff.put_json(f"{IMAGES}/logo", {"description": f"For {path}"})
        app.get(path, headers={"If-None-Match": etag}, status=200)
