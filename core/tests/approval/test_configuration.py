"""The approval configuration: the roles that may approve each content type."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from masthead.auth.models import Role, User
from masthead.testing.client import Client

PATH = "/api/staff/approval-config"


@pytest.fixture
def admin(app: Client) -> Client:
    return app.as_role("admin")


def test_a_new_type_can_be_approved_by_admins(admin: Client) -> None:
    [row] = admin.get(PATH).json

    assert (row["contentType"], row["roleName"]) == ("letters", "admin")


def test_rows_are_added_once_and_removed(admin: Client, make_role: Callable[..., Role]) -> None:
    role = make_role("Judges")
    body = {"contentType": "letters", "roleId": role.id}

    created = admin.post_json(PATH, body).json
    again = admin.post_json(PATH, body).json

    assert created["success"] is True
    assert again == created
    row = {**body, "id": created["id"], "roleName": "Judges"}
    answer = admin.get(PATH)
    assert row in answer.json
    assert (len(answer.json), answer.headers["X-Total-Count"]) == (2, "2")
    assert len(admin.get(f"{PATH}?limit=1").json) == 1
    assert admin.delete(f"{PATH}/{created['id']}").json == {"success": True}
    admin.delete(f"{PATH}/{created['id']}", status=404)
    assert len(admin.get(PATH).json) == 1


def test_unknown_types_and_roles_are_refused(admin: Client, make_role: Callable[..., Role]) -> None:
    role = make_role("judges").id
    for body, field in (
        ({"contentType": "news", "roleId": role}, "contentType"),
        ({"contentType": "letters", "roleId": 999}, "roleId"),
        ({"contentType": "letters", "roleId": str(role)}, "roleId"),
        ({"contentType": "letters"}, "roleId"),
        ({"roleId": role}, "contentType"),
    ):
        assert admin.post_json(PATH, body, status=400).json["error"].startswith(field)
    assert len(admin.get(PATH).json) == 1


def test_the_configuration_is_for_admins_only(app: Client, make_user: Callable[..., User]) -> None:
    editor = app.as_user(make_user(role="editor"))
    for client, status in ((app, 401), (editor, 403)):
        client.get(PATH, status=status)
        client.post_json(PATH, {"contentType": "letters", "roleId": 1}, status=status)
        client.delete(f"{PATH}/1", status=status)
    assert len(app.as_role("admin").get(PATH).json) == 1
