"""The exports of mail programs are imported as contacts and as subscribers."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from masthead import Instance
from masthead.testing import Client
from masthead_email.subscribers.csv_import import ImportOptions, import_subscribers

FILES = Path(__file__).parents[2] / "plugins" / "crm" / "tests" / "files"
EXPORTS = {
    name: (FILES / name).read_bytes()
    for name in (
        "google-contacts-2024.csv",
        "google-contacts-before-2024.csv",
        "mailchimp-subscribed_members_export.csv",
        "mailchimp-unsubscribed_members_export.csv",
        "outlook-com-contacts.csv",
        "outlook-desktop-de-cp1252.csv",
    )
}
HEADERS = {
    "French": "Prénom,Nom,Adresse de messagerie",
    "Spanish": "Nombre,Apellidos,Dirección de correo electrónico",
    "Italian": "Nome,Cognome,E-mail",
    "Dutch": "Voornaam,Achternaam,E-mail",
    "Thunderbird": "First Name,Last Name,Primary Email",
}
ROWS = "Ada,Byron,ada@example.org ::: ada@example.net\n,,\nEve,,eve@example.org\n"
EXPORTS |= {name: f"{header}\n{ROWS}".encode() for name, header in HEADERS.items()}


@pytest.fixture
def plugins() -> list[str]:
    return ["crm", "email"]


@pytest.mark.slow
@pytest.mark.parametrize("content", EXPORTS.values(), ids=EXPORTS)
def test_contacts_and_subscribers_are_imported_alike(
    instance: Instance, app: Client, content: bytes
) -> None:
    staff = app.as_role("editor")
    file = [("file", "persons.csv", content, "text/csv")]

    staff.post("/api/staff/contacts/bulk-import", upload_files=file)
    import_subscribers(instance, BytesIO(content), ImportOptions(source="a mail program"))

    contacts = {c["email"]: c["name"] for c in staff.get("/api/staff/contacts").json if c["email"]}
    subscribers = staff.get("/api/staff/newsletter-subscribers").json
    assert len(contacts) > 1
    assert {s["email"]: s["name"] for s in subscribers if s["name"]} == contacts
