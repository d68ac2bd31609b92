"""Columns that are given by hand, and saved mappings."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from masthead.testing import Client

CONTACTS = "/api/staff/contacts"
MAPPINGS = "/api/staff/contact-import-mappings"
CONTENT = b"Kunde;Kontakt 1;Code;E-Mail\nRosa Moss;rosa@x.test;7;other@x.test\n"
MAP = {"Kunde": "name", " kontakt 1": "email", "Code": None}
Send = Callable[..., Any]


@pytest.fixture
def import_file(staff: Client) -> Callable[..., Any]:
    """Return a function that uploads a file with further fields of the form."""

    def sent(content: bytes, status: int = 200, **fields: Any) -> Any:
        texts = {name: v if isinstance(v, str) else json.dumps(v) for name, v in fields.items()}
        file = [("file", "contacts.csv", content, "text/csv")]
        path = f"{CONTACTS}/bulk-import"
        return staff.post(path, texts, upload_files=file, status=status).json

    return sent


def columns(mapping: dict[str, str | None]) -> list[dict[str, str | None]]:
    return [{"column": column, "field": field} for column, field in mapping.items()]


def test_a_map_gives_the_fields_of_columns(import_file: Callable[..., Any], staff: Client) -> None:
    answer = import_file(CONTENT, map=MAP)

    assert answer["columns"] == columns({"Kunde": "name", "Kontakt 1": "email"})
    assert answer["ignoredColumns"] == ["Code", "E-Mail"]
    [rosa] = staff.get(CONTACTS).json
    assert (rosa["name"], rosa["email"], rosa["phone"]) == ("Rosa Moss", "rosa@x.test", None)


def test_a_map_can_be_a_query_parameter(staff: Client) -> None:
    file = [("file", "contacts.csv", CONTENT, "text/csv")]
    path = f"{CONTACTS}/bulk-import?map={json.dumps(MAP)}&dryRun=true"

    assert staff.post(path, upload_files=file).json["imported"] == 1


def test_several_columns_of_a_name_are_joined_and_of_others_the_first_text_counts(
    import_file: Callable[..., Any], staff: Client
) -> None:
    given = {"A": "name", "B": "name", "C": "phone", "D": "phone"}
    import_file(b"A,C,B,D\nRosa,,Moss,2\nIda,1,,2\n", map=given)

    found = [(each["name"], each["phone"]) for each in staff.get(CONTACTS).json]
    assert found == [("Ida", "1"), ("Rosa Moss", "2")]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("no JSON", "map: Must be an object such as"),
        ("[" * 5_000, "map: Must be an object such as"),
        ([["Kunde", "name"]], "map: Must be an object such as"),
        ({"Kunde": 1}, "map: Must be an object such as"),
        ({"Kunde": ["name"]}, "map: Must be an object such as"),
        ({str(number): None for number in range(1_001)}, "map: Must be an object such as"),
        ({"Kunde": "colour"}, "map: There is no field colour; there are name, email, phone"),
        ({"Kunde": "name", "X": None}, "There is no column x; the first row is: Kunde, Kontakt 1"),
        ({"Kunde": "email"}, "There is no column name; the first row is: Kunde, Kontakt 1"),
        ({"E-Mail": None}, "There is no column name; the first row is: Kunde, Kontakt 1"),
    ],
)
def test_a_map_that_does_not_fit_is_refused(
    import_file: Callable[..., Any], staff: Client, given: Any, message: str
) -> None:
    assert import_file(CONTENT, 400, map=given)["error"].startswith(message)
    assert staff.get(CONTACTS).json == []


def test_a_saved_mapping_is_suggested_and_used_by_its_name(
    import_file: Callable[..., Any], staff: Client
) -> None:
    small = staff.post_json(MAPPINGS, {"name": "Small", "columns": columns({"Kunde": "name"})}).json
    saved = staff.post_json(MAPPINGS, {"name": "Old CRM", "columns": columns(MAP)}).json
    assert saved["columns"] == columns({"Kunde": "name", "kontakt 1": "email", "Code": None})

    refused = import_file(CONTENT, 400)["error"]
    assert refused.startswith("There is no column name; the first row is: Kunde,")
    assert refused.endswith("; the mapping Old CRM fits this file")
    answer = import_file(CONTENT, mapping="old crm", map={"Code": "notes"})
    assert (answer["imported"], answer["suggestedMapping"]) == (1, None)
    assert staff.get(CONTACTS).json[0]["notes"] == "7"
    assert import_file(b"name,Kunde\nAda,x\n")["suggestedMapping"] == "Small"
    assert import_file(b"name\nBob\n")["suggestedMapping"] is None
    assert import_file(CONTENT, 400, mapping="New")["error"] == (
        "mapping: There is none with this name"
    )
    names = [each["name"] for each in staff.get(MAPPINGS).json]
    assert names == ["Old CRM", "Small"]
    staff.delete(f"{MAPPINGS}/{small['id']}")
    assert import_file(b"name,Kunde\nAda,x\n")["suggestedMapping"] is None


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": " old  CRM"}, "A mapping with this name already exists"),
        ({"columns": []}, "columns: Required"),
        ({"columns": columns({"A": "name", " a": None})}, "columns: A column is there twice"),
        ({"columns": columns({"A": "colour"})}, "columns: field: Must be one of name, email"),
        ({"columns": [{"column": "A"}]}, "columns: field: Required"),
        ({"columns": {"A": "name"}}, "columns: Must be an array"),
        ({"name": ""}, "name: Required"),
    ],
)
def test_a_mapping_without_sense_is_refused(
    staff: Client, changed: dict[str, Any], message: str
) -> None:
    body = {"name": "Old CRM", "columns": columns({"Kunde": "name"})}
    staff.post_json(MAPPINGS, body)

    fresh = {**body, "name": "New", **changed}
    assert staff.post_json(MAPPINGS, fresh, status=400).json["error"].startswith(message)


def test_mappings_are_shown_changed_and_deleted(
    staff: Client, app: Client, make_role: Callable[..., Any]
) -> None:
    body = {"name": "Old CRM", "columns": columns({"Kunde": "name"})}
    saved = staff.post_json(MAPPINGS, body).json
    path = f"{MAPPINGS}/{saved['id']}"

    assert staff.put_json(path, {"columns": columns({"A": None})}).json["name"] == "Old CRM"
    assert staff.get(path).json["columns"] == columns({"A": None})
    staff.put_json(path, {"columns": []}, status=400)
    make_role("reader", "contacts.read")
    reader = app.as_role("reader")
    assert reader.get(path).json == staff.get(path).json
    for client, status in ((app, 401), (reader, 403)):
        client.post_json(MAPPINGS, body, status=status)
        client.put_json(path, body, status=status)
        client.delete(path, status=status)
    staff.delete(path)
    for ask in (staff.get, staff.delete):
        ask(path, status=404)
    staff.put_json(path, body, status=404)
