"""Tags, which are unique by name regardless of case, with slugs that follow the name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.audit.models import AuditEntry
from masthead.auth.models import Role, User
from masthead.testing.client import Client

PATH = "/api/staff/tags"


@pytest.fixture
def editor(app: Client) -> Client:
    return app.as_role("editor")


@pytest.fixture
def make_tag(editor: Client) -> Callable[[str], Any]:
    return lambda name: editor.post_json(PATH, {"name": name}).json


def test_a_tag_gets_a_slug_from_its_name(make_tag: Callable[[str], Any]) -> None:
    assert make_tag("  Clean Water ") == {"id": 1, "name": "Clean Water", "slug": "clean-water"}
    assert make_tag("日本")["slug"] == "ri-ben"
    assert make_tag("C")["slug"] == "c"
    assert make_tag("C++")["slug"] == "c-2"
    assert make_tag("☕")["slug"] == "untitled"
    assert len(make_tag("x" * 200)["slug"]) == 80


def test_names_are_unique_regardless_of_case(
    editor: Client, make_tag: Callable[[str], Any]
) -> None:
    first, other = make_tag("Straße"), make_tag("Water")

    for name in ("straße", "STRASSE", "Strasse", " Straße "):
        refused = editor.post_json(PATH, {"name": name}, status=400)
        assert refused.json["error"] == "Tag already exists"
        refused = editor.put_json(f"{PATH}/{other['id']}", {"name": name}, status=400)
        assert refused.json["error"] == "Tag already exists"
    assert editor.get(PATH).json == [first, other]


def test_a_name_is_required(editor: Client, make_tag: Callable[[str], Any]) -> None:
    tag = make_tag("Water")
    for body in ({}, {"name": None}, {"name": " "}, {"name": 5}, {"name": "x" * 201}):
        assert editor.post_json(PATH, body, status=400).json["error"].startswith("name")
        assert editor.put_json(f"{PATH}/{tag['id']}", body, status=400).json["error"]
    assert editor.get(PATH).json == [tag]


def test_staff_choose_the_slug_of_a_tag(
    app: Client, editor: Client, make_tag: Callable[[str], Any]
) -> None:
    tag, other = make_tag("Water"), make_tag("Air")

    def change(slug: Any, name: str = "Water", status: int = 200, **more: Any) -> Any:
        body = {"name": name, "slug": slug, **more}
        return editor.put_json(f"{PATH}/{tag['id']}", body, status=status).json

    assert change("h2o")["slug"] == "h2o"
    assert change("h2o", "Fresh water")["slug"] == "h2o"
    assert change("air", status=400)["error"] == "slug: already taken"
    assert change("H2O", status=400)["error"].endswith("such as h2o")
    redirects = app.get("/api/redirects").json
    assert redirects == [{"from": "/tags/water", "to": "/tags/h2o"}]

    taken = {"name": "Sea", "slug": "water"}
    refused = editor.post_json(PATH, taken, status=400).json["error"]
    assert refused.startswith("slug: Still leads to another item")
    assert editor.post_json(PATH, {**taken, "takeOver": True}).json["slug"] == "water"
    assert app.get("/api/redirects").json == []
    assert change(None, "Clean air")["slug"] == "clean-air"
    assert other == editor.get(PATH).json[0]


def test_the_slug_follows_a_new_name(
    app: Client, editor: Client, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("Water")
    make_tag("Clean Air")

    def rename(name: str) -> Any:
        return editor.put_json(f"{PATH}/{tag['id']}", {"name": name}).json

    assert rename("Fresh Water") == {"id": tag["id"], "name": "Fresh Water", "slug": "fresh-water"}
    assert rename("fresh water")["slug"] == "fresh-water"
    assert rename("Clean, Air")["slug"] == "clean-air-2"
    assert rename("Clean, Air!")["slug"] == "clean-air-2"
    assert rename("Water") == tag
    assert make_tag("Fresh Water")["slug"] == "fresh-water-2"
    assert [each["name"] for each in app.get("/api/tags").json] == [
        "Clean Air",
        "Fresh Water",
        "Water",
    ]


def test_tags_are_listed_by_name_in_public_and_for_staff(
    app: Client, editor: Client, make_tag: Callable[[str], Any]
) -> None:
    for name in ("water", "Air", "earth", "Ärger", "Zebra"):
        make_tag(name)

    names = [each["name"] for each in app.get("/api/tags").json]

    assert names == ["Air", "Ärger", "earth", "water", "Zebra"]
    assert editor.get(PATH).json == app.get("/api/tags").json
    page = app.get("/api/tags?limit=2&offset=1")
    assert [each["name"] for each in page.json] == ["Ärger", "earth"]
    assert page.headers["X-Total-Count"] == "5"
    assert "offset=3" in page.headers["Link"]
    for path in ("/api/tags", PATH):
        editor.get(f"{path}?limit=0", status=400)


def test_the_public_list_answers_conditional_requests(
    app: Client, make_tag: Callable[[str], Any]
) -> None:
    make_tag("Water")
    etag = app.get("/api/tags").headers["ETag"]

    app.get("/api/tags", headers={"If-None-Match": etag}, status=304)
    make_tag("Air")
    assert app.get("/api/tags", headers={"If-None-Match": etag}).headers["ETag"] != etag


def test_a_deleted_tag_is_gone(
    editor: Client, make_tag: Callable[[str], Any], session: Session
) -> None:
    tag = make_tag("Water")

    assert editor.delete(f"{PATH}/{tag['id']}").json == {"success": True}

    editor.delete(f"{PATH}/{tag['id']}", status=404)
    editor.put_json(f"{PATH}/{tag['id']}", {"name": "Air"}, status=404)
    assert make_tag("Water")["id"] != tag["id"]
    entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "tag.delete")).one()
    assert entry.detail == {"name": "Water"}


def test_the_endpoints_for_staff_need_permissions(
    app: Client,
    make_tag: Callable[[str], Any],
    make_role: Callable[..., Role],
    make_user: Callable[..., User],
) -> None:
    tag = make_tag("Water")
    make_role("reader", "tags.read")
    reader, nobody = app.as_role("reader"), app.as_user(make_user(role=None))

    assert reader.get(PATH).json == [tag]
    for client, status in ((app, 401), (nobody, 403)):
        client.get(PATH, status=status)
    for client, status in ((app, 401), (nobody, 403), (reader, 403)):
        client.post_json(PATH, {"name": "Air"}, status=status)
        client.put_json(f"{PATH}/{tag['id']}", {"name": "Air"}, status=status)
        client.delete(f"{PATH}/{tag['id']}", status=status)
    assert app.get("/api/tags").json == [tag]


def test_a_name_that_folding_makes_too_long_is_refused(
    editor: Client, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("Water")
    body = {"name": "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 200}

    for refused in (
        editor.post_json(PATH, body, status=400),
        editor.put_json(f"{PATH}/{tag['id']}", body, status=400),
    ):
        assert refused.json["error"] == "name: At most 200 characters"


SAME = [
    "climate  change",
    "Climate\u00a0Change",
    "climate\u3000 change",
    "climate\tchange",
    "climate cha\u00adnge",
    "climate\u200b change",
    "cli\u200dmate change\ufeff",
    "\u202eclimate change",
    "ｃｌｉｍａｔｅ change",
]


@pytest.mark.parametrize("name", SAME)
def test_names_that_differ_invisibly_are_one_tag(
    editor: Client, make_tag: Callable[[str], Any], name: str
) -> None:
    first, other = make_tag("climate change"), make_tag("water")

    for refused in (
        editor.post_json(PATH, {"name": name}, status=400),
        editor.put_json(f"{PATH}/{other['id']}", {"name": name}, status=400),
    ):
        assert refused.json["error"] == "Tag already exists"
    assert editor.get(PATH).json == [first, other]


def test_normal_forms_and_joiners_make_no_other_tag(
    editor: Client, make_tag: Callable[[str], Any]
) -> None:
    for name, same in (("Café", "Cafe\u0301"), ("کتاب‌ها", "کتابها"), ("क्‍ष", "क्ष")):
        assert make_tag(name)["name"] == name
        refused = editor.post_json(PATH, {"name": same}, status=400)
        assert refused.json["error"] == "Tag already exists"


@pytest.mark.parametrize(
    "name", ["wa\u200bter", "wa\u00adter", "\u202ewater", "wa\x7fter", "🌍\u2060"]
)
def test_a_new_name_has_nothing_invisible(editor: Client, name: str) -> None:
    error = editor.post_json(PATH, {"name": name}, status=400).json["error"]

    assert error.startswith("name: Must not contain ")
    assert editor.get(PATH).json == []


@pytest.mark.parametrize("name", ["\u200b", "\u2800", "\ufeff\u00ad", "\u3164 \u2063"])
def test_a_name_that_nobody_sees_is_blank(editor: Client, name: str) -> None:
    assert editor.post_json(PATH, {"name": name}, status=400).json["error"] == "name: Required"


def test_blanks_of_a_name_become_single_spaces(make_tag: Callable[[str], Any]) -> None:
    assert make_tag("clean \t\u00a0 water\nnow")["name"] == "clean water now"
