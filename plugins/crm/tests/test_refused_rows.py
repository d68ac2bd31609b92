"""Refused rows that come back, and second imports of a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from click.testing import Result

from masthead.testing import Client

CONTACTS = "/api/staff/contacts"
FILES = Path(__file__).parent / "files"
Send = Callable[..., Any]


def counts(answer: Mapping[str, Any]) -> tuple[int, int, int]:
    return answer["imported"], answer["skipped"], answer["errorCount"]


REFUSED = (
    "name,email,phone,status,tags,Company\n"
    "Ada,,1,,,\n"
    'Bob,nobody,"+49 30",Guest,"a, b",\'=1+1\n'
    ",c@x.test,2\n"
    'D,d@x.test,,,,X,"more\nlines"\n'
    "Eve,,,,,\n"
)


def test_refused_rows_come_back_with_reasons_and_can_be_mended(send: Send, staff: Client) -> None:
    assert send(REFUSED.encode())["refused"] is None
    answer = send(REFUSED.encode(), query="?refused=true")

    assert counts(answer) == (0, 2, 3)
    refused = list(csv.reader(io.StringIO(answer["refused"], newline="")))
    assert refused == [
        ["error", "name", "email", "phone", "status", "tags", "Company"],
        ["email: Must be an e-mail address", "Bob", "nobody", "'+49 30", "Guest", "a, b", "'=1+1"],
        ["name: Required", "", "c@x.test", "2", "", "", ""],
        ["Has 7 cells where the header has 6", "D", "d@x.test", "", "", "", "X", "more\nlines"],
    ]

    again = send(answer["refused"].encode(), query="?refused=true")
    assert (counts(again), again["refused"]) == ((0, 0, 3), answer["refused"])
    assert again["ignoredColumns"] == ["Company"]
    mended = answer["refused"].replace("nobody", "").replace("Guest", "").replace(",,c@", ",Cy,c@")
    assert counts(send(mended.encode())) == (2, 0, 1)
    assert counts(send(mended.encode())) == (0, 2, 1)
    mended = REFUSED.replace("nobody", "").replace("Guest", "")
    assert counts(send(mended.encode())) == (0, 3, 2)
    found = {c["name"]: c["phone"] for c in staff.get(CONTACTS).json}
    assert found == {"Ada": "1", "Bob": "+49 30", "Cy": "2", "Eve": None}


def test_a_second_import_skips_rows_without_an_address_unless_they_are_asked_for(
    send: Send, staff: Client
) -> None:
    content = b"name,email,phone\nCy,,\nCy,,\nAda,ada@x.test,\nDora,,1\n"

    assert counts(send(content)) == (4, 0, 0)
    assert counts(send(content, query="?dryRun=true")) == (0, 4, 0)
    assert counts(send(content)) == (0, 4, 0)
    # More of the same, as in the export of a later day.
    assert counts(send(content + b"Cy,,\n")) == (1, 4, 0)
    assert counts(send(b"name;email;phone\r\nDora;;1;\r\n")) == (0, 1, 0)
    assert counts(send(b"name,phone,email\nDora,1,\n")) == (1, 0, 0)
    assert counts(send(content, query="?repeat=true&dryRun=true")) == (3, 1, 0)
    assert counts(send(content, query="?repeat=true")) == (3, 1, 0)
    [ada] = staff.get(CONTACTS, {"search": "ada"}).json
    assert ada["email"] == "ada@x.test"


def test_a_deleted_contact_can_be_imported_again(send: Send, staff: Client) -> None:
    send(b"name\nCy\n")
    [cy] = staff.get(CONTACTS).json
    staff.put_json(f"{CONTACTS}/{cy['id']}", {"email": "cy@x.test", "name": "Cyril"})
    assert counts(send(b"name\nCy\n")) == (0, 1, 0)

    staff.delete(f"{CONTACTS}/{cy['id']}")
    assert counts(send(b"name\nCy\n")) == (1, 0, 0)


def test_the_command_takes_mappings_and_writes_refused_rows(
    run: Callable[..., Result], staff: Client, tmp_path: Path
) -> None:
    source, refused = tmp_path / "source.csv", tmp_path / "refused.csv"
    source.write_text("Kunde;Code\nRosa;x@y.test\n;1\n", "utf-8")
    columns = [{"column": "Kunde", "field": "name"}]
    staff.post_json("/api/staff/contact-import-mappings", {"name": "Old", "columns": columns})

    assert "the mapping Old fits this file" in run("import", source).stderr
    done = run("import", source, "--map", "Kunde=name", "--map", "Code=", "--refused", refused)
    assert (done.exit_code, done.stdout) == (1, "imported 1, skipped 0, errors 1\n")
    assert done.stderr.splitlines() == [
        "columns: Kunde → name",
        "columns left out: Code",
        "line 2 is read as name: Rosa",
        "line 3: name: Required",
    ]
    assert refused.read_bytes() == (b"\xef\xbb\xbferror,Kunde,Code\r\nname: Required,,1\r\n")
    again = run("import", source, "--mapping", "old", "--map", "Code=phone", "--repeat")
    assert (again.exit_code, again.stdout) == (1, "imported 1, skipped 0, errors 1\n")
    assert run("import", source, "--map", "Kunde").exit_code == 2
    none = tmp_path / "none.csv"
    run("import", FILES / "columns-in-other-order.csv", "--refused", none)
    assert not none.exists()
    workbook = run("import", FILES / "phones.xlsx", "--sheet", "Mitglieder")
    assert (workbook.exit_code, workbook.stdout) == (0, "imported 2, skipped 0, errors 0\n")


def test_a_merged_contact_remembers_the_row_of_the_other_one(send: Send, staff: Client) -> None:
    content = b"name,email,phone\nAda,ada@x.test,\nAda,,030 1234567\n"
    send(content)
    other, kept = sorted(each["id"] for each in staff.get(CONTACTS).json)[::-1]

    staff.post_json(f"{CONTACTS}/{kept}/merge", {"otherId": other})

    assert counts(send(content)) == (0, 2, 0)
