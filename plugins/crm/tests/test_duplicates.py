"""Contacts that may be one person are offered for merging."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from masthead import Instance
from masthead.db import migrate
from masthead.testing import Client, Database

CONTACTS = "/api/staff/contacts"
DUPLICATES = f"{CONTACTS}/duplicates"
Make = Callable[..., Any]
Values = dict[str, Any]


def offered(staff: Client, **query: Any) -> list[tuple[str, list[int]]]:
    """Return the reasons and ids of the offered groups."""
    groups = staff.get(DUPLICATES, query).json
    return [(group["reason"], [each["id"] for each in group["contacts"]]) for group in groups]


PAIRS: list[tuple[str, Values, Values]] = [
    ("email", {"email": "ada.l@gmail.com"}, {"email": "adal@gmail.com"}),
    ("email", {"email": "adal@googlemail.com"}, {"email": "a.d.a.l@gmail.com"}),
    ("email", {"email": "ada+news@example.org"}, {"email": "ada@example.org"}),
    ("email", {"email": "ada+a@example.org"}, {"email": "ada+b@example.org"}),
    ("phone", {"phone": "+49 30 123456"}, {"phone": "0049 (0)30 / 12 34 56"}),
    ("phone", {"phone": "030 123456"}, {"phone": "030-12 34 56"}),
    ("phone", {"phone": "\uff0b49 30 123456"}, {"phone": "+4930123456"}),
    (
        "name-and-phone",
        {"name": "Ada  Lovelace", "phone": "+49 30 1234567"},
        {"name": "LOVELACE, ada", "phone": "030 1234567"},
    ),
    (
        "name-and-tag",
        {"name": "Ada Lovelace", "tags": ["Choir", "press"]},
        {"name": "Lovelace Ada", "tags": ["choir"]},
    ),
]
OTHERS: list[tuple[Values, Values]] = [
    ({"email": "ada.l@example.org"}, {"email": "adal@example.org"}),
    ({"email": "ada@example.org"}, {"email": "ada@example.com"}),
    ({"email": "+a@example.org"}, {"email": "+b@example.org"}),
    ({"phone": "112"}, {"phone": "1-12"}),
    ({"phone": "unknown"}, {"phone": "unknown"}),
    ({"phone": "030 123456"}, {"phone": "040 123456"}),
    ({"name": "Ada", "phone": "030 1234567"}, {"name": "Ada", "phone": "030 1234568"}),
    ({"name": "Ada", "tags": ["choir"]}, {"name": "Ada", "tags": ["press"]}),
    ({"name": "Ada"}, {"name": "Ada"}),
    ({}, {}),
]


@pytest.mark.parametrize(("reason", "one", "other"), PAIRS)
def test_contacts_that_agree_are_offered_with_the_reason(
    staff: Client, make_contact: Make, reason: str, one: Values, other: Values
) -> None:
    pair = [make_contact(**{"name": n, **values})["id"] for n, values in (("A", one), ("B", other))]
    make_contact("C", email="c@example.org", phone="+1 555 7654321", tags=["choir"])

    assert offered(staff) == [(reason, pair)]
    assert offered(staff, reason=reason) == [(reason, pair)]
    [group] = staff.get(DUPLICATES).json
    assert group["count"] == 2
    listed = {each["id"]: each for each in staff.get(CONTACTS).json}
    assert {"name", "email", "phone"} <= group["contacts"][0].keys()
    assert all(listed[each["id"]]["email"] == each["email"] for each in group["contacts"])


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_contacts_that_agree_by_chance_are_not_offered(
    staff: Client, make_contact: Make, one: Values, other: Values
) -> None:
    for number, values in enumerate((one, other)):
        make_contact(**{"name": f"N{number}", **values})

    assert offered(staff) == []


def test_a_change_or_a_merge_ends_the_offer(staff: Client, make_contact: Make) -> None:
    one, other = (make_contact(n, phone="+49 30 123456")["id"] for n in "ab")
    third = make_contact("c", phone="030 123456")["id"]
    assert offered(staff) == [("phone", [one, other])]

    staff.put_json(f"{CONTACTS}/{third}", {"phone": "0049 30 123456"})
    assert offered(staff) == [("phone", [one, other, third])]
    staff.post_json(f"{CONTACTS}/{one}/merge", {"otherId": third})
    staff.put_json(f"{CONTACTS}/{other}", {"phone": None})

    assert offered(staff) == []


def test_staff_can_tell_contacts_apart_and_withdraw_it(staff: Client, make_contact: Make) -> None:
    one, two, three = (make_contact(n, phone="+49 30 123456")["id"] for n in "abc")
    dismiss = f"{DUPLICATES}/dismiss"

    staff.post_json(dismiss, {"ids": [two, one, one]})
    staff.post_json(dismiss, {"ids": [one, two]})
    assert offered(staff) == [("phone", [one, two, three])]
    staff.post_json(dismiss, {"ids": [one, two, three]})
    assert offered(staff) == []
    four = make_contact("d", phone="+49 30 123456")["id"]
    assert offered(staff) == [("phone", [one, two, three, four])]
    staff.delete(f"{CONTACTS}/{four}")
    staff.post_json(dismiss, {"ids": [one, two], "dismissed": False})

    assert offered(staff) == [("phone", [one, two, three])]


@pytest.mark.parametrize(
    "ids", [[], [1], [1, 1], [1, 99], ["1", 2], None, [0, 1], list(range(1, 99))]
)
def test_wrong_ids_are_refused(staff: Client, make_contact: Make, ids: Any) -> None:
    make_contact()

    refused = staff.post_json(f"{DUPLICATES}/dismiss", {"ids": ids}, status=400)

    assert refused.json["error"].startswith("ids")
    staff.get(DUPLICATES, {"reason": "hair"}, status=400)


def test_groups_are_paged_with_the_strongest_reason_first(
    staff: Client, make_contact: Make
) -> None:
    for number in range(3):
        make_contact("Ada Lovelace", email=f"ada+{number}@example.org", tags=["choir"])
    for name in "ab":
        make_contact(name, phone="+49 30 123456")

    reasons = [reason for reason, _ids in offered(staff)]
    assert reasons == ["email", "phone", "name-and-tag"]
    page = staff.get(DUPLICATES, {"limit": 1, "offset": 1})
    assert [group["reason"] for group in page.json] == ["phone"]
    assert page.headers["X-Total-Count"] == "3"
    beyond = staff.get(DUPLICATES, {"limit": 1, "offset": 9})
    assert (beyond.json, beyond.headers["X-Total-Count"]) == ([], "3")


def test_a_large_group_shows_its_first_contacts(staff: Client) -> None:
    rows = "".join(f"N{number},+49 30 123456\n" for number in range(25))
    file = [("file", "contacts.csv", f"name,phone\n{rows}".encode(), "text/csv")]
    staff.post(f"{CONTACTS}/bulk-import", upload_files=file)

    [group] = staff.get(DUPLICATES).json

    assert (group["count"], len(group["contacts"])) == (25, 20)


@pytest.mark.slow
def test_duplicates_among_100000_contacts_are_found(staff: Client) -> None:
    rows = [f"N{n % 9000},n{n}@example.org,+49 30 {n % 99000:07},a{n % 50}" for n in range(100_000)]
    content = "\n".join(["name,email,phone,tags", *rows]).encode()
    file = [("file", "contacts.csv", content, "text/csv")]
    staff.post(f"{CONTACTS}/bulk-import", upload_files=file)

    found = staff.get(DUPLICATES, {"limit": 50})

    assert found.headers["X-Total-Count"] == "10000"


def test_contacts_of_the_release_before_are_compared_and_keep_merged_addresses(
    instance: Instance, database: Database, staff: Client, make_contact: Make, undo_keys: Make
) -> None:
    one, other = (make_contact(n, phone="+49 30 123456")["id"] for n in "ab")
    row = f"INSERT INTO crm_merged_address VALUES ({one}, 'ada@example.org', 'ada@example.org')"
    with database.transaction() as session:
        undo_keys(session)
        session.execute(text(row))
        session.execute(text("UPDATE alembic_version_crm SET version_num = '0003'"))

    migrate.upgrade(instance.database, instance.plugins)

    assert offered(staff) == [("phone", [one, other])]
    told = staff.get(f"{CONTACTS}/{one}/export").json
    assert told["addresses"] == ["ada@example.org"]
    assert told["data"]["contacts"][0]["id"] == one
