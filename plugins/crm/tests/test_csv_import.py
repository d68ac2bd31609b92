"""The import of contacts by the API and the command, and the export."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from masthead import Instance, is_blank
from masthead.audit.models import AuditEntry
from masthead.testing import Client
from masthead_crm.columns import join_tags, split_tags
from masthead_crm.csv_import import CONTACTS_CSV
from masthead_crm.models import Contact
from masthead_crm.settings import MAX_CSV

CONTACTS = "/api/staff/contacts"
FILES = Path(__file__).parent / "files"
Send = Callable[..., Any]


def counts(answer: Mapping[str, Any]) -> tuple[int, int, int]:
    assert answer["success"] is True
    return answer["imported"], answer["skipped"], answer["errorCount"]


def test_rows_become_contacts_like_others(send: Send, staff: Client) -> None:
    answer = send(
        b"name,email,phone,status,tags,notes\n"
        b'Ada,ADA@example.org,1,member,"Choir; press,choir",garden\n'
        b"Bob,,,,,\n"
    )

    assert counts(answer) == (2, 0, 0)
    bob, ada = staff.get(CONTACTS).json
    assert {name: ada[name] for name in ("email", "phone", "status", "tags", "notes")} == {
        "email": "ada@example.org",
        "phone": "1",
        "status": "Member",
        "tags": ["Choir", "press"],
        "notes": "garden",
    }
    assert (bob["status"], bob["email"], bob["tags"]) == ("Event Attendee", None, [])
    assert [c["name"] for c in staff.get(CONTACTS, {"tag": "choir"}).json] == ["Ada"]
    assert [c["name"] for c in staff.get(CONTACTS, {"search": "garden"}).json] == ["Ada"]
    assert staff.put_json(f"{CONTACTS}/{bob['id']}", {"phone": "2"}).headers["ETag"] == '"2"'
    assert staff.post_json(CONTACTS, {"name": "Cy"}).json["id"] > bob["id"]


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u3000", "\u2003 \t", "\u00a0,\u00a0"])
def test_blank_cells_stand_for_defaults(send: Send, staff: Client, blank: str) -> None:
    header = "name,email,phone,status,tags,notes\n"
    cell = blank.partition(",")[0]

    answer = send(f'{header}Ada,{cell},{cell},{cell},"{blank}",{cell}\n'.encode())

    assert counts(answer) == (1, 0, 0)
    [ada] = staff.get(CONTACTS).json
    assert ada["status"] == "Event Attendee"
    assert [ada[name] for name in ("email", "phone", "tags", "notes")] == [None, None, [], None]


@pytest.mark.parametrize("column", ["name", "email", "phone", "status", "tags", "notes"])
def test_a_control_character_is_not_blank(send: Send, column: str) -> None:
    header = "name,email,phone,status,tags,notes"
    row = {"name": "Ada", "phone": "1", column: "\x1f"}
    cells = ",".join(row.get(name, "") for name in header.split(","))

    answer = send(f"{header}\n{cells}\n".encode())
    assert counts(answer) == (0, 0, 1)
    assert answer["errors"][0]["error"].startswith(f"{column}: Must")


def test_a_tag_counts_once_whatever_blanks_surround_it(send: Send, staff: Client) -> None:
    answer = send('name,tags\nAda,"choir,\u00a0Choir,""\u3000choir "",press\u00a0"\n'.encode())

    assert counts(answer) == (1, 0, 0)
    assert staff.get(CONTACTS).json[0]["tags"] == ["choir", "press"]
    assert [c["name"] for c in staff.get(CONTACTS, {"tag": "press"}).json] == ["Ada"]


def test_a_known_address_is_skipped_in_any_case(
    send: Send, staff: Client, make_contact: Callable[..., Any]
) -> None:
    make_contact(email="ada@example.org")

    content = (
        b"name,email\nEve,ADA@Example.ORG\nBob,bob@example.org\nEve,Bob@example.org\nCy,\nCy,\n"
    )
    assert counts(send(content)) == (3, 2, 0)
    assert [c["name"] for c in staff.get(CONTACTS).json] == ["Cy", "Cy", "Bob", "Ada"]


def test_errors_name_the_line_where_a_row_starts_and_the_first_thousand_are_listed(
    send: Send,
) -> None:
    content = b'name,email\n"A\nB",\n,x@example.org\n"C\n\nD",nobody\nE,,x\n' + b",\n,y\n" * 1_200
    answer = send(content)

    assert counts(answer) == (1, 0, 1_203)
    assert answer["errors"][:3] == [
        {"row": 4, "error": "name: Required"},
        {"row": 5, "error": "email: Must be an e-mail address"},
        {"row": 8, "error": "Has 3 cells where the header has 2"},
    ]
    assert len(answer["errors"]) == 1_000


@pytest.mark.parametrize("query", ["?dryRun=true", ""])
def test_the_answer_says_how_the_file_was_understood(send: Send, query: str) -> None:
    answer = send(
        b"Company,First Name,Last Name,E-mail,tags,\nX,Rosa,Moss,ROSA@example.org,a;b,\nTotal: 1\n",
        query=query,
    )

    assert answer["columns"] == [
        {"column": "First Name", "field": "name"},
        {"column": "Last Name", "field": "name"},
        {"column": "E-mail", "field": "email"},
        {"column": "tags", "field": "tags"},
    ]
    assert answer["ignoredColumns"] == ["Company"]
    assert answer["ignoredRows"] == [{"row": 3, "text": "Total: 1"}]
    assert answer["preview"] == [
        {
            "row": 2,
            "values": {"name": "Rosa Moss", "email": "rosa@example.org", "tags": ["a", "b"]},
        }
    ]


def test_a_workbook_is_imported(send: Send, staff: Client) -> None:
    content = (FILES / "phones.xlsx").read_bytes()

    assert send(content, query="?dryRun=true")["imported"] == 2
    answer = send(content)

    assert (counts(answer), answer["ignoredColumns"]) == ((2, 0, 0), ["Beitritt"])
    found = [(c["name"], c["email"], c["phone"]) for c in staff.get(CONTACTS).json]
    assert found == [
        ("Otto Fern", None, "+41 44 000 00 01"),
        ("Rosa Moss", "rosa@example.org", "49120000000"),
    ]
    assert counts(send(content)) == (0, 2, 0)
    answer = send(content, query="?sheet=Members", status=400)
    assert answer["error"] == "sheet: There is none with this name; there are Mitglieder"


UNSEEN = ["\u200b", "\u3164", "\u2800", "\u00ad\u2060", "\u202e", "\ufe0f", " \u115f\u00a0"]


@pytest.mark.parametrize("unseen", UNSEEN, ids=ascii)
def test_text_of_invisible_characters_is_blank(send: Send, staff: Client, unseen: str) -> None:
    content = f"name,First Name,Last Name,email,phone,tags\n{unseen},A,{unseen},{unseen},,x\n"
    content += f"{unseen},{unseen},{unseen},{unseen}b@x.test{unseen},,\n"

    answer = send(content.encode())

    assert counts(answer) == (1, 0, 1)
    assert answer["errors"] == [{"row": 3, "error": "name: Required"}]
    [found] = staff.get(CONTACTS).json
    assert (found["name"], found["email"]) == ("A", None)


def test_an_import_is_in_the_audit_log(send: Send, session: Session) -> None:
    send(b"name\nAda\n")

    entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "contacts.import")).one()
    assert entry.actor_id is not None
    assert entry.detail == {"imported": 1}


@pytest.mark.parametrize(
    ("content", "charset", "message"),
    [
        (b"name\nAda", "klingon", "charset: Is not known"),
        (b"+2AA-,email\r\nx,y", "utf-7", "charset: Is not known"),
        (b"name\n\xff", "utf-8", "The file is not written in utf-8"),
        (b"PK\x03\x04" + b"\0" * 50, "", "The file is a damaged archive or workbook"),
        (b'name\n"' + b"x" * 200_000 + b'"', "", "Line 2: A cell has more than 131072 characters"),
        (b'name\nAda\n"Bob', "", "Line 3: A quote is opened here and never closed"),
        (b"name" + b"," * 100_000, "", "The file has more than 1000 columns"),
    ],
)
def test_a_file_that_is_not_a_table_is_refused_and_nothing_is_saved(
    send: Send, staff: Client, content: bytes, charset: str, message: str
) -> None:
    assert send(content, charset, status=400)["error"].startswith(message)
    assert staff.get(CONTACTS).json == []


def test_a_form_without_a_file_is_refused(staff: Client) -> None:
    path = f"{CONTACTS}/bulk-import"

    assert staff.post(path, {"charset": "utf-8"}, status=400).json["error"] == "No file provided"
    staff.post_json(path, {"file": "name"}, status=400)
    twice = [("file", "a.csv", b"name\nA"), ("file", "b.csv", b"name\nB")]
    staff.post(path, upload_files=twice, status=400)
    file = [("file", "a.csv", b"name\nA")]
    staff.post(f"{path}?dryRun=maybe", upload_files=file, status=400)


class TestSmall:
    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {MAX_CSV.name: "2000"}

    def test_a_setting_limits_the_size_of_a_file(self, send: Send) -> None:
        assert "2000 bytes" in send(b"name\n" + b"Ada\n" * 500, status=400)["error"]


def test_the_command_imports_rows_and_reports_errors(
    run: Callable[..., Result], session: Session
) -> None:
    tried = run("import", FILES / "invalid-values.csv", "--dry-run")
    assert session.scalars(select(Contact.name)).all() == []
    done = run("import", FILES / "invalid-values.csv")

    assert tried.output == done.output
    assert (done.exit_code, done.stdout) == (1, "imported 2, skipped 0, errors 7\n")
    assert "line 2: email: Must be an e-mail address\n" in done.stderr
    mac = run("import", FILES / "numbers-old-mac-cr-macroman.csv", "--charset", "mac-roman")
    assert (mac.exit_code, mac.stdout) == (0, "imported 40, skipped 0, errors 0\n")
    refused = run("import", FILES / "no-header.csv")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: There is no column name")
    # A pipe can't be read twice.
    assert run("import", "-").exit_code == 2


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12)
SEEN = TEXT.filter(lambda text: not is_blank(text))
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "name": SEEN,
            "phone": TEXT,
            "notes": st.one_of(TEXT, st.just('a;b,"c"\r\nd')),
            "status": st.sampled_from(["Member", "Contact"]),
            "tags": st.lists(SEEN, max_size=4),
        }
    ),
    max_size=5,
)


@given(ROWS)
@settings(max_examples=12)
def test_an_export_can_be_imported(
    run: Callable[..., Result], staff: Client, instance: Instance, rows: list[dict[str, Any]]
) -> None:
    for row in rows:
        staff.post_json(CONTACTS, row)
    before = staff.get(CONTACTS).json
    exported = run("export").stdout_bytes
    with instance.database.transaction() as session:
        session.execute(delete(Contact))

    result = CONTACTS_CSV.run(instance, io.BytesIO(exported))

    after = staff.get(CONTACTS).json
    kept = ("name", "phone", "notes", "status")
    assert (result.imported, result.error_count) == (len(rows), 0)
    assert [[c[n] or "" for n in kept] for c in after] == [
        [c[n] or "" for n in kept] for c in before
    ]
    assert [c["tags"] for c in after] == [split_tags(join_tags(c["tags"])) for c in before]
    with instance.database.transaction() as session:
        session.execute(delete(Contact))


@pytest.mark.parametrize(
    "tags",
    [
        ["choir"],
        ["Berlin, Germany", "a;b"],
        ['say "hi"', '"x"'],
        ["* starred", "a ::: b"],
        ["", ":", " a"],
    ],
)
def test_tags_read_back_unchanged(tags: list[str]) -> None:
    kept = [tag.strip() for tag in tags if tag.strip()]

    assert split_tags(join_tags(kept)) == kept


@pytest.mark.parametrize(
    ("cell", "tags"),
    [
        ("a;b, c", ["a", "b", "c"]),
        ('"north","2030 summer camp"', ["north", "2030 summer camp"]),
        ("* myContacts ::: Mitglieder ::: Ehrenamt", ["Mitglieder", "Ehrenamt"]),
        ('says ""hi"",comma', ['says ""hi""', "comma"]),
        ('"open, b', ['"open', "b"]),
        ("Choir,choir, CHOIR", ["Choir"]),
        (" ;, \n", []),
    ],
)
def test_a_cell_lists_tags_in_several_ways(cell: str, tags: list[str]) -> None:
    assert split_tags(cell) == tags


def test_a_spreadsheet_safe_export_has_no_formulas(
    run: Callable[..., Result], make_contact: Callable[..., Any]
) -> None:
    make_contact("=1+1", phone="+49 30", tags=["a"])

    assert "=1+1,,+49 30,Event Attendee,a,,,2" in run("export").stdout
    assert "'=1+1,,'+49 30,Event Attendee,a,,,2" in run("export", "--spreadsheet-safe").stdout


@pytest.mark.parametrize("option", [[], ["--spreadsheet-safe"]])
def test_both_exports_of_formulas_can_be_imported(
    run: Callable[..., Result], staff: Client, instance: Instance, option: list[str]
) -> None:
    starts = ["=1+1", "+49 30", "-1", "@A", "＝1", "'=1", "''+1", "'A"]
    for number, start in enumerate(starts):
        values = {"name": start, "phone": start, "notes": start, "tags": [start, "b"]}
        staff.post_json(CONTACTS, {**values, "email": f"a{number}@example.org"})
    kept = ("name", "email", "phone", "notes", "tags")
    before = [[each[name] for name in kept] for each in staff.get(CONTACTS).json]
    exported = run("export", *option).stdout_bytes
    with instance.database.transaction() as session:
        session.execute(delete(Contact))

    assert CONTACTS_CSV.run(instance, io.BytesIO(exported)).imported == len(starts)
    assert [[each[name] for name in kept] for each in staff.get(CONTACTS).json] == before
