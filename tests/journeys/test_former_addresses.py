"""The data of a person is found and erased under all addresses that they had, and no other data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import MetaData, text

from masthead import Instance
from masthead.cli import main
from masthead.testing import Client, Clock, Database

CONTACTS = "/api/staff/contacts"
COMPOSED = "/api/staff/compose-emails"
PUBLIC = {
    "newsletter-subscribers": ("/api/newsletter/subscribe", {}, "email"),
    "contact-messages": ("/api/contact", {"name": "A", "subject": "S", "message": "M"}, "email"),
    "proposals": (
        "/api/ycs/submit-action",
        {"title": "T", "description": "D", "contactName": "A"},
        "contactEmail",
    ),
}
"""The forms of visitors, by the kind of data that they store."""
KINDS = {*PUBLIC, "compose-emails", "mails", "notifications"}
"""The kinds of data that are planted under an address."""
OLD, NEW, LAST = "oldqz@example.org", "newqz@example.org", "lastqz@example.org"


@pytest.fixture
def settings() -> Mapping[str, str]:
    """Mail the messages of visitors to staff."""
    return {"masthead.email.staff": "desk@example.org"}


@pytest.fixture
def staff(clock: Clock, app: Client) -> Client:
    assert clock.now()
    return app.as_role("admin")


class Scene:
    """The steps of a test: staff change contacts, a minute passes after each step."""

    def __init__(self, app: Client, staff: Client, clock: Clock) -> None:
        self._app = app
        self._staff = staff
        self._clock = clock

    def add(self, address: str | None, name: str = "Ada") -> int:
        """Create a contact."""
        made: int = self._staff.post_json(CONTACTS, {"name": name, "email": address}).json["id"]
        self._clock.shift(minutes=1)
        return made

    def change(self, contact: int, address: str | None) -> None:
        """Change the address of a contact."""
        self._staff.put_json(f"{CONTACTS}/{contact}", {"email": address})
        self._clock.shift(minutes=1)

    def merge(self, contact: int, other: int) -> None:
        """Merge the second contact into the first."""
        self._staff.post_json(f"{CONTACTS}/{contact}/merge", {"otherId": other})
        self._clock.shift(minutes=1)

    def plant(self, address: str, *kinds: str) -> None:
        """Store data of some kinds, by default of all, under an address."""
        for kind, (path, body, name) in PUBLIC.items():
            if not kinds or kind in kinds:
                self._app.post_json(path, {**body, name: address})
        if not kinds:
            body = {"subject": address[:3], "html_content": "<p>Hi</p>"}
            body |= {"recipient_emails": [address, "eve@example.org"]}
            made = self._staff.post_json(COMPOSED, body).json["id"]
            self._staff.post(f"{COMPOSED}/{made}/send")
        self._clock.shift(minutes=1)

    def export(self, contact: int) -> Any:
        """Return the data on the person of a contact."""
        return self._staff.get(f"{CONTACTS}/{contact}/export").json

    def history(self, contact: int) -> list[str]:
        """Return the subjects in the mail history of a contact."""
        shown = self._staff.get(f"{CONTACTS}/{contact}").json
        return [mail["subject"] for mail in shown["emailHistory"]]


@pytest.fixture
def scene(app: Client, staff: Client, clock: Clock) -> Scene:
    return Scene(app, staff, clock)


@pytest.fixture
def erase(
    monkeypatch: pytest.MonkeyPatch, database_url: str, instance: Instance
) -> Callable[..., Result]:
    """Return a function that runs ``masthead contacts erase …``."""
    monkeypatch.setenv("MASTHEAD_DATABASE_URL", database_url)
    monkeypatch.setenv("MASTHEAD_DATA", str(instance.data))
    return lambda *words, typed="y\n": CliRunner().invoke(
        main, ["contacts", "erase", *words], input=typed
    )


def tables_that_name(database: Database, needle: str) -> Iterator[str]:
    """Yield the tables whose rows contain a text."""
    found = MetaData()
    with database.engine.connect() as connection:
        found.reflect(connection)
        for table in found.sorted_tables:
            rows = connection.execute(text(f'SELECT * FROM "{table.name}"'))
            if any(needle in str(tuple(row)) for row in rows):
                yield table.name


def changed_once(scene: Scene) -> int:
    contact = scene.add(OLD)
    scene.change(contact, NEW)
    return contact


def changed_twice(scene: Scene) -> int:
    contact = scene.add(OLD)
    scene.change(contact, NEW)
    scene.change(contact, LAST)
    return contact


def changed_and_changed_back(scene: Scene) -> int:
    contact = changed_twice(scene)
    scene.change(contact, OLD)
    return contact


def removed(scene: Scene) -> int:
    contact = scene.add(OLD)
    scene.change(contact, None)
    return contact


def merged(scene: Scene) -> int:
    contact, other = scene.add(NEW), scene.add(OLD)
    scene.merge(contact, other)
    return contact


def merged_into_one_without_an_address(scene: Scene) -> int:
    contact, other = scene.add(None), scene.add(OLD)
    scene.merge(contact, other)
    scene.change(contact, NEW)
    return contact


def changed_and_merged(scene: Scene) -> int:
    contact, other = scene.add(LAST), scene.add(OLD)
    scene.change(other, NEW)
    scene.merge(contact, other)
    return contact


def merged_after_the_other_got_its_address(scene: Scene) -> int:
    contact = scene.add(OLD)
    scene.change(contact, NEW)
    other = scene.add(OLD)
    scene.merge(contact, other)
    return contact


CHANGES = [
    changed_twice,
    merged,
    *(
        pytest.param(change, marks=pytest.mark.exhaustive)
        for change in (
            changed_once,
            changed_and_changed_back,
            removed,
            merged_into_one_without_an_address,
            changed_and_merged,
            merged_after_the_other_got_its_address,
        )
    ),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_person_is_found_and_erased_by_each_address_that_they_had(
    scene: Scene,
    change: Callable[[Scene], int],
    database: Database,
    erase: Callable[..., Result],
) -> None:
    scene.plant(OLD)
    contact = change(scene)

    told, history = scene.export(contact), scene.history(contact)
    erased = erase(OLD, "--yes")

    assert set(told["data"]) == {*KINDS, "contacts"}
    assert OLD in told["addresses"]
    assert told["leftOutAddresses"] == []
    assert history == ["old"]
    assert erased.exit_code == 0, erased.output
    assert list(tables_that_name(database, "qz@")) == []


@pytest.mark.parametrize("kind", PUBLIC)
@pytest.mark.parametrize("change", [removed, merged])
def test_data_that_arrives_under_a_former_address_later_belongs_to_the_person(
    scene: Scene, change: Callable[[Scene], int], kind: str
) -> None:
    contact = change(scene)
    current = scene.export(contact)["email"]

    scene.plant(OLD, kind)

    told = scene.export(contact)
    # A subscriber has the address now; a message or proposal only names it.
    taken = kind == "newsletter-subscribers" and change is removed
    assert (kind in told["data"]) is not taken
    assert told["leftOutAddresses"] == ([OLD] if taken else [])
    assert told["email"] == current


def reassigned(scene: Scene) -> tuple[int, int]:
    first = scene.add(OLD)
    scene.change(first, NEW)
    return first, scene.add(OLD, "Bob")


def reassigned_and_left_again(scene: Scene) -> tuple[int, int]:
    first, second = reassigned(scene)
    scene.change(second, LAST)
    return first, second


def swapped(scene: Scene) -> tuple[int, int]:
    first, second = scene.add(OLD), scene.add(NEW, "Bob")
    scene.change(first, None)
    scene.change(second, OLD)
    scene.change(first, NEW)
    return first, second


@pytest.mark.parametrize(
    "change",
    [
        swapped,
        *(
            pytest.param(it, marks=pytest.mark.slow)
            for it in (reassigned, reassigned_and_left_again)
        ),
    ],
)
def test_an_address_that_somebody_else_got_leads_to_no_data_of_the_other_person(
    scene: Scene,
    change: Callable[[Scene], tuple[int, int]],
    database: Database,
    erase: Callable[..., Result],
) -> None:
    scene.plant(OLD)
    scene.plant(NEW)
    first, second = change(scene)

    former, owner = scene.export(first), scene.export(second)
    asked = erase(NEW, typed="y\n")

    assert former["leftOutAddresses"] == [OLD]
    assert former["addresses"] == [NEW]
    assert [it["id"] for it in former["data"]["contacts"]] == [first]
    assert OLD not in str(former["data"])
    assert [it["id"] for it in owner["data"]["contacts"]] == [second]
    assert NEW not in str(owner["data"])
    assert f"now belong to others: {OLD}\n" in asked.output
    assert list(tables_that_name(database, NEW)) == []
    assert {*scene.export(second)["data"]} == {*KINDS, "contacts"}
    assert erase(OLD, "--yes").exit_code == 0
    assert list(tables_that_name(database, "qz@")) == []


def test_an_address_that_a_user_or_subscriber_got_later_leads_to_nothing(
    scene: Scene, make_user: Any, clock: Clock
) -> None:
    contact = scene.add(OLD)
    scene.change(contact, NEW)
    scene.change(contact, LAST)

    make_user("eve", email=OLD)
    scene.plant(NEW, "newsletter-subscribers")

    assert clock.now()
    told = scene.export(contact)
    assert (told["addresses"], sorted(told["leftOutAddresses"])) == ([LAST], [NEW, OLD])


def test_the_new_address_of_a_user_leads_to_the_data_under_the_former_one(
    app: Client, scene: Scene, make_user: Any, clock: Clock, erase: Callable[..., Result]
) -> None:
    user = app.as_user(make_user("ada", email=OLD, password="correct horse battery"))
    scene.plant(OLD, "contact-messages")
    contact = scene.add(NEW)
    body = {"email": NEW, "currentPassword": "correct horse battery"}
    user.put_json("/api/staff/profile", body)
    clock.shift(minutes=1)

    told = scene.export(contact)

    assert told["addresses"] == [NEW, OLD]
    assert "contact-messages" in told["data"]
    assert erase(OLD, "--yes").exit_code == 0
    assert user.get("/api/staff/profile").json["email"] == NEW


def test_a_clerk_learns_no_address_from_items_that_they_may_not_read(
    app: Client, scene: Scene, make_role: Any, make_user: Any
) -> None:
    make_role("clerk", "contacts.read", "messages.read")
    user = app.as_user(make_user("ada", email=NEW, password="correct horse battery"))
    contact = scene.add(NEW)
    body = {"email": OLD, "currentPassword": "correct horse battery"}
    user.put_json("/api/staff/profile", body)

    told = app.as_role("clerk").get(f"{CONTACTS}/{contact}/export").json

    assert scene.export(contact)["addresses"] == [NEW, OLD]
    assert (told["addresses"], told["leftOutAddresses"]) == ([NEW], [])


def test_an_erasure_shows_the_addresses_and_can_leave_one_out(
    scene: Scene, database: Database, erase: Callable[..., Result]
) -> None:
    contact = scene.add(OLD)
    scene.change(contact, NEW)
    scene.plant(OLD, "contact-messages")

    refused = erase(NEW, typed="n\n")
    done = erase(NEW, "--except", OLD)

    assert refused.output.startswith(f"Addresses of the person: {NEW}, {OLD}\n")
    assert refused.exit_code == 1
    assert done.output.startswith(f"Addresses of the person: {NEW}\n")
    assert done.output.endswith("Erased contacts 1\n")
    assert list(tables_that_name(database, NEW)) == []
    assert "site_message" in set(tables_that_name(database, OLD))
    assert erase(NEW, "--except", "nobody", "--yes").exit_code == 2


def test_a_deleted_contact_leaves_no_former_address(
    staff: Client, scene: Scene, database: Database
) -> None:
    contact = changed_twice(scene)

    staff.delete(f"{CONTACTS}/{contact}")

    assert list(tables_that_name(database, "qz@")) == []


def test_an_import_skips_the_former_address_of_a_contact(staff: Client, scene: Scene) -> None:
    scene.change(scene.add(OLD), NEW)

    file = [("file", "contacts.csv", f"name,email\nAda,{OLD}\n".encode(), "text/csv")]
    assert staff.post(f"{CONTACTS}/bulk-import", upload_files=file).json["skipped"] == 1
