"""Staff filter contacts by whether mail reaches them; the addresses are those of another plugin."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.testing import Client

CONTACTS = "/api/staff/contacts"
SUPPRESSIONS = "/api/staff/email/suppressions"


@pytest.fixture
def plugins() -> list[str]:
    return ["crm", "email"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"deliverable": "true"}, ["Bob", "Ada"]),
        ({"deliverable": "false"}, ["Nobody", "Ünal", "Eve"]),
        ({"deliverable": "false", "tag": "choir"}, ["Ünal", "Eve"]),
        ({"deliverable": "true", "tag": "choir"}, ["Ada"]),
        ({"deliverable": "true", "search": "bob"}, ["Bob"]),
        ({"deliverable": "false", "status": "Inactive"}, []),
    ],
)
def test_contacts_are_filtered_by_deliverability(
    app: Client, query: dict[str, Any], names: list[str]
) -> None:
    staff = app.as_role("admin")
    for name, email, tags in (
        ("Ada", "Ada@Example.org", ["choir"]),
        ("Eve", "Eve@Example.org", ["choir"]),
        ("Ünal", "Ünal.Straße@example.org", ["choir"]),
        ("Bob", "bob@example.org", []),
        ("Nobody", None, []),
    ):
        staff.post_json(CONTACTS, {"name": name, "email": email, "tags": tags})
    for address in ("eve@example.org", "ünal.straße@example.org", "other@example.org"):
        staff.post_json(SUPPRESSIONS, {"email": address})

    found = staff.get(CONTACTS, query).json

    assert [each["name"] for each in found] == names
    wanted = query["deliverable"] == "true"
    assert all(each["deliverable"] is wanted for each in found)
