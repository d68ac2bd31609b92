"""The resource of templates for staff, and their wrapper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session

from masthead import Instance
from masthead.testing import Client, Clock, Database
from masthead_email.templates.models import Template
from masthead_email.templates.services import wrapped_html

STAFF = "/api/staff/email-templates"
BODY = {"name": "Welcome", "subject": "Hello {{name}}", "html_content": "<p>{{ city }}</p>"}
FOLDER = Path(__file__).with_name("letters")
WRAPPER = "<div>{{content}}<p>{{unsubscribe}}</p></div>"


def test_the_variables_are_derived_from_the_texts(staff: Client) -> None:
    made = staff.post_json(STAFF, BODY | {"html_wrapper": WRAPPER, "category": "invite"})

    times = {name: made.json[name] for name in ("created_at", "updated_at")}
    assert made.json == times | {
        "id": made.json["id"],
        "name": "Welcome",
        "subject": "Hello {{name}}",
        "html_content": "<p>{{ city }}</p>",
        "text_content": None,
        "category": "invite",
        "variables": "name,city,unsubscribe",
        "html_wrapper": WRAPPER,
        "mjml_content": None,
        "mjml_wrapper": None,
    }
    assert staff.get(STAFF).json == [made.json]
    assert staff.get(f"{STAFF}/{made.json['id']}").json == made.json


def test_given_variables_stay_and_derived_ones_follow_the_texts(staff: Client) -> None:
    given = staff.post_json(STAFF, BODY | {"variables": "name, place"}).json
    found = staff.post_json(STAFF, BODY).json

    kept = staff.put_json(f"{STAFF}/{given['id']}", {"subject": "{{other}}"}).json
    again = staff.put_json(f"{STAFF}/{found['id']}", {**found, "subject": "{{other}}"}).json
    cleared = staff.put_json(f"{STAFF}/{given['id']}", {"variables": None}).json

    assert kept["variables"] == "name, place"
    assert again["variables"] == cleared["variables"] == "other,city"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("subject", None),
        ("html_content", ""),
        ("html_wrapper", "<p>No place</p>"),
        ("html_wrapper", '<p title="{{content}}">In an attribute</p>'),
        ("html_wrapper", "<style>{{content}}</style>"),
        ("category", "c" * 201),
        ("variables", 1),
    ],
)
def test_an_invalid_field_is_refused(staff: Client, field: str, value: Any) -> None:
    made = staff.post_json(STAFF, BODY).json

    assert field in staff.post_json(STAFF, BODY | {field: value}, status=400).json["error"]
    path = f"{STAFF}/{made['id']}"
    assert field in staff.put_json(path, {field: value}, status=400).json["error"]
    assert staff.get(STAFF).json == [made]


@pytest.mark.parametrize("field", ["name", "subject", "html_content"])
def test_a_missing_required_field_is_refused(staff: Client, field: str) -> None:
    body = {name: value for name, value in BODY.items() if name != field}

    assert field in staff.post_json(STAFF, body, status=400).json["error"]


def test_the_list_is_newest_first_and_can_be_filtered_by_category(
    clock: Clock, staff: Client
) -> None:
    for name, category in (("a", "invite"), ("b", "newsletter"), ("c", "invite")):
        staff.post_json(STAFF, BODY | {"name": name, "category": category})
        clock.shift(seconds=1)

    def names(**query: str) -> list[str]:
        return [each["name"] for each in staff.get(STAFF, query).json]

    assert names() == ["c", "b", "a"]
    assert names(category="invite") == ["c", "a"]
    assert names(category="unheard") == []


def test_a_template_can_be_changed_and_deleted(staff: Client) -> None:
    made = staff.post_json(STAFF, BODY)
    path = f"{STAFF}/{made.json['id']}"

    assert staff.put_json(path, {"name": "Hello"}).json["name"] == "Hello"
    staff.put_json(path, {"name": "x"}, headers={"If-Match": made.headers["ETag"]}, status=412)
    staff.delete(path)

    staff.get(path, status=404)
    staff.put_json(path, {}, status=404)
    staff.delete(path, status=404)


def test_a_duplicate_has_the_same_texts(staff: Client) -> None:
    template = staff.post_json(STAFF, BODY).json

    copy = staff.post(f"{STAFF}/{template['id']}/duplicate").json

    assert copy["name"] == "Welcome (copy)"
    same = ("subject", "html_content", "text_content", "category", "variables")
    assert [copy[name] for name in same] == [template[name] for name in same]


def test_what_looks_like_a_placeholder_and_is_none_is_refused(staff: Client) -> None:
    html = (FOLDER / "placeholder-edge-cases.html").read_text("utf-8")

    error = staff.post_json(STAFF, BODY | {"html_content": html}, status=400).json["error"]

    assert error.startswith("html_content: {{color:blue}} is no placeholder")


def test_a_wrapper_is_kept_and_its_variables_are_derived(staff: Client) -> None:
    html = "<script>x</script><p>{{name}} {{content}}</p>"
    wrapper = (FOLDER / "letter-wrapper.html").read_text("utf-8")

    made = staff.post_json(STAFF, BODY | {"html_content": html, "html_wrapper": wrapper}).json
    again = staff.put_json(f"{STAFF}/{made['id']}", made).json

    assert again == made
    assert "<script" not in made["html_content"]
    assert "name" in made["variables"].split(",")
    assert "content" in made["variables"].split(",")
    assert "{{content}}" in made["html_wrapper"]


def test_the_wrapper_surrounds_the_html(staff: Client, session: Session) -> None:
    plain = staff.post_json(STAFF, BODY).json["id"]
    wrapped = staff.post_json(STAFF, BODY | {"html_wrapper": WRAPPER}).json["id"]

    def html(template_id: int) -> str:
        return wrapped_html(session.get_one(Template, template_id))

    assert html(plain) == "<p>{{ city }}</p>"
    assert html(wrapped) == "<div><p>{{ city }}</p><p>{{unsubscribe}}</p></div>"


def test_hook_mail_templates_returns_the_existing_ids(
    staff: Client, instance: Instance, database: Database
) -> None:
    made = staff.post_json(STAFF, BODY).json["id"]

    with database.transaction() as session:
        answers = instance.hooks.masthead_mail_templates(session=session, ids=[made, made + 1])

    assert answers == [[made]]
