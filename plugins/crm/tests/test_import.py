"""The import of files as people have them, and what is no such file."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from masthead import Instance
from masthead.audit.models import AuditEntry
from masthead.cli import main
from masthead.testing.client import Client
from masthead_crm.columns import COLUMNS, join_tags, split_tags
from masthead_crm.models import Contact
from masthead_crm.services.importing import import_contacts
from masthead_crm.settings import MAX_CSV

CONTACTS = "/api/staff/contacts"
FILES = Path(__file__).parent / "files"
Send = Callable[..., Any]

# File, charset; imported, skipped, errors; the names of the first, a middle and the last contact.
GOOD = [
    (
        "columns-in-other-order.csv",
        "",
        (5, 0, 0),
        "Sigrun Arrizabal|Nadir Mizunoe|Ottilie Farrokhian",
    ),
    ("duplicates-small.csv", "", (5, 3, 0), "Aino Larkhill|No Mail Two|Umlaut Domain"),
    ("excel-ar-cp1256.csv", "cp1256", (3, 0, 0), "ليلى المثالية|نورة بنت خيال|يوسف الافتراضي"),
    (
        "excel-csv-utf8-bom.csv",
        "",
        (8, 0, 0),
        "Gwen Farrokhian|Søren Ødegårdslie|Leading Space",
    ),
    (
        "excel-de-semicolon-cp1252.csv",
        "",
        (8, 0, 0),
        "Bahar Achterberg|Marisol O’Mizunoe|Ähnlich Öfter-Übel",
    ),
    ("excel-ja-cp932.csv", "cp932", (0, 0, 6), ""),
    ("excel-sep-line.csv", "", (20, 0, 0), "Bahar Achterberg|Paloma Jankelow|Aroha Fairhollow"),
    ("excel-spoiled-values.csv", "", (4, 0, 0), "Dagny Larkhill|TRUE|Jan 01"),
    (
        "excel-unicode-text-utf16.txt",
        "",
        (6, 0, 0),
        "Bahar Ostrander|Elif Quispelo|Zainab Falkenried",
    ),
    (
        "formula-and-markup.csv",
        "",
        (8, 0, 0),
        "=HYPERLINK(|=1+1|Bcc: all@example.com\r\nSubject: x",
    ),
    (
        "google-contacts-2024.csv",
        "",
        (7, 0, 1),
        "Ulrik Uhlenbrock|Wanja Marchetelli|Ghita W. Okonjima",
    ),
    (
        "google-contacts-before-2024.csv",
        "",
        (5, 0, 0),
        "Jasna Gundersby|Birk M. Narasimhal|Luuk Zwanenberg",
    ),
    ("header-only.csv", "", (0, 0, 0), ""),
    ("invalid-utf8.csv", "", (3, 0, 0), "Grüße Müller-Erfunden|Good Ã¼ber|Broken Ã"),
    ("invalid-values.csv", "", (2, 0, 7), "Lower Status|Many Tags|Many Tags"),
    (
        "libreoffice-calc.csv",
        "",
        (9, 0, 0),
        "Sigrun McEikeland|ნინო მაგალითაძე|Kalina Ostrander",
    ),
    (
        "mailchimp-subscribed_members_export.csv",
        "",
        (8, 0, 0),
        "Dilnoza Kornbluth|Sanne Nordahlen|Esperanza Mizunoe",
    ),
    (
        "mailchimp-unsubscribed_members_export.csv",
        "",
        (6, 0, 0),
        "Quirin Dahlgaard|Elif Kestrelby|Fionn Dragomirov",
    ),
    ("nul-bytes.csv", "", (0, 0, 2), ""),
    (
        "numbers-old-mac-cr-macroman.csv",
        "mac-roman",
        (40, 0, 0),
        "Toivo Mahlangeni|Ingvar McWinterlich|Birk Ashgrove",
    ),
    (
        "outlook-com-contacts.csv",
        "",
        (5, 0, 0),
        "Catarina Mizunoe|Alasdair Rautavaar|Viggo Vesterholm",
    ),
    (
        "outlook-desktop-de-cp1252.csv",
        "",
        (6, 0, 0),
        "Søren Ødegårdslie|Zdenka Okonjima|Tendai Stavropolou",
    ),
    (
        "quoted-newlines.csv",
        "",
        (5, 0, 0),
        "Anna\nMultiline Fennwick|CRLF\r\nInside|Ends with newline",
    ),
    ("ragged-rows.csv", "", (0, 0, 6), ""),
    (
        "repeated-addresses.csv",
        "",
        (11, 4, 0),
        "Ilse Gundersby|Leocadia Chandrika|Zainab Karimbekov",
    ),
    ("unicode-cases.csv", "", (9, 2, 0), "Zoé Nguyễn|نورة|ß"),
]
BAD = {
    "bom-only.csv": "The file is empty",
    "empty.csv": "The file is empty",
    "messy-headers.csv": "The column Name is there twice",
    "no-header.csv": "There is no column name",
    "no-name-column.csv": "There is no column name",
    "unclosed-quote.csv": "Line 2: A quote is opened here and never closed",
    "numbers-old-mac-cr-macroman.csv": "The file is neither UTF-8 nor Windows-1252",
}


@pytest.fixture
def send(staff: Client) -> Send:
    """Sends a file: its bytes, and what stands beside it in the form or in the query."""

    def sent(content: bytes, charset: str = "", query: str = "", status: int = 200) -> Any:
        path = f"{CONTACTS}/bulk-import{query}"
        fields = {"charset": charset} if charset else {}
        file = [("file", "contacts.csv", content, "text/csv")]
        return staff.post(path, fields, upload_files=file, status=status).json

    return sent


def counts(answer: Mapping[str, Any]) -> tuple[int, int, int]:
    assert answer["success"] is True
    return answer["imported"], answer["skipped"], answer["errorCount"]


@pytest.mark.parametrize(
    ("name", "charset", "expected", "names"), GOOD, ids=[row[0] for row in GOOD]
)
def test_each_file_gives_the_contacts_that_are_in_it(
    send: Send,
    staff: Client,
    session: Session,
    name: str,
    charset: str,
    expected: tuple[int, int, int],
    names: str,
) -> None:
    content = (FILES / name).read_bytes()

    tried = send(content, charset, "?dryRun=true")
    assert staff.get(CONTACTS).json == []
    answer = send(content, charset)

    assert counts(answer) == counts(tried) == expected
    assert answer["errors"] == tried["errors"]
    assert len(answer["errors"]) == expected[2]
    found = session.scalars(select(Contact.name).order_by(Contact.id)).all()
    if names:
        first, middle, last = names.split("|")
        assert found[0].startswith(first)
        assert found[len(found) // 2].startswith(middle)
        assert found[-1].startswith(last)
    with_address = sum(1 for contact in staff.get(CONTACTS).json if contact["email"])
    assert counts(send(content, charset))[:2] == (
        expected[0] - with_address,
        expected[1] + with_address,
    )


@pytest.mark.parametrize(("name", "message"), BAD.items(), ids=BAD)
def test_a_file_of_which_nothing_can_be_used_is_refused(
    send: Send, staff: Client, name: str, message: str
) -> None:
    assert send((FILES / name).read_bytes(), status=400)["error"].startswith(message)
    assert staff.get(CONTACTS).json == []


def test_what_other_tools_export_becomes_what_a_contact_has(send: Send, staff: Client) -> None:
    for name in ("mailchimp-subscribed_members_export.csv", "google-contacts-2024.csv"):
        send((FILES / name).read_bytes())
    send((FILES / "outlook-desktop-de-cp1252.csv").read_bytes())
    found = {contact["name"]: contact for contact in staff.get(CONTACTS).json}

    mailchimp = found["Ruvim McDragomirov"]
    assert mailchimp["tags"] == ["north"]
    assert mailchimp["notes"].startswith('Met at the "open garden" day; wants')
    google = found["Rafi Garibotti"]
    assert (google["email"], google["phone"]) == ("rgaribotti.225@firma.test", "07700 900845")
    assert google["tags"] == ["Mitglieder", "Ehrenamt"]
    outlook = found["Eamon Sundervold"]
    assert (outlook["phone"], outlook["tags"]) == ("07700 900999", ["Mitglied", "Förderer"])


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


def test_an_address_that_is_known_is_skipped_in_any_case(
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
    content = b'name,email\n"A\nB",\n,x@example.org\n"C\n\nD",nobody\nE\n' + b",\n,y\n" * 1_200
    answer = send(content)

    assert counts(answer) == (1, 0, 1_203)
    assert answer["errors"][:3] == [
        {"row": 4, "error": "name: Required"},
        {"row": 5, "error": "email: Must be an e-mail address"},
        {"row": 8, "error": "Has 1 cells where the header has 2"},
    ]
    assert len(answer["errors"]) == 1_000


def test_an_import_is_in_the_audit_log(send: Send, session: Session) -> None:
    send(b"name\nAda\n")

    entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "contacts.import")).one()
    assert entry.actor_id is not None
    assert entry.detail == {"imported": 1}


@pytest.mark.parametrize(
    ("content", "charset", "message"),
    [
        (b"name\nAda", "klingon", "charset: Is not known"),
        (b"name\n\xff", "utf-8", "The file is not written in utf-8"),
        (b"PK\x03\x04" + b"\0" * 50, "", "The file is no text: save it as CSV"),
        (b'name\n"' + b"x" * 200_000 + b'"', "", "Line 2: A cell has more than 131072 characters"),
        (b'name\nAda\n"Bob', "", "Line 3: A quote is opened here and never closed"),
        (b"name" + b"," * 100_000, "", "The file has more than 1000 columns"),
    ],
)
def test_what_is_no_table_is_refused_and_nothing_is_saved(
    send: Send, staff: Client, content: bytes, charset: str, message: str
) -> None:
    assert send(content, charset, status=400)["error"].startswith(message)
    assert staff.get(CONTACTS).json == []


def test_a_form_without_a_file_is_refused(staff: Client) -> None:
    path = f"{CONTACTS}/bulk-import"

    assert staff.post(path, {"charset": "utf-8"}, status=400).json == {"error": "No file provided"}
    staff.post_json(path, {"file": "name"}, status=400)
    twice = [("file", "a.csv", b"name\nA"), ("file", "b.csv", b"name\nB")]
    staff.post(path, upload_files=twice, status=400)
    file = [("file", "a.csv", b"name\nA")]
    staff.post(f"{path}?dryRun=maybe", upload_files=file, status=400)


class TestSmall:
    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {MAX_CSV.name: "2000"}

    def test_a_file_may_have_so_many_bytes(self, send: Send) -> None:
        assert "2000 bytes" in send(b"name\n" + b"Ada\n" * 500, status=400)["error"]


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, database_url: str, tmp_path: Path
) -> Callable[..., Result]:
    """Runs ``masthead contacts …``."""
    monkeypatch.setenv("MASTHEAD_DATABASE_URL", database_url)
    monkeypatch.setenv("MASTHEAD_PLUGINS", "crm")
    monkeypatch.setenv("MASTHEAD_DATA", str(tmp_path))
    return lambda *words: CliRunner().invoke(main, ["contacts", *map(str, words)])


def test_the_command_imports_and_names_what_it_could_not(
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
    refused = run("import", FILES / "no-name-column.csv")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: There is no column name")


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "name": TEXT.filter(str.strip),
            "phone": TEXT,
            "notes": st.one_of(TEXT, st.just('a;b,"c"\r\nd')),
            "status": st.sampled_from(["Member", "Contact"]),
            "tags": st.lists(TEXT.filter(str.strip), max_size=4),
        }
    ),
    max_size=5,
)


@given(ROWS)
@settings(
    deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_is_exported_can_be_imported_again(
    run: Callable[..., Result], staff: Client, instance: Instance, rows: list[dict[str, Any]]
) -> None:
    for row in rows:
        staff.post_json(CONTACTS, row)
    before = staff.get(CONTACTS).json
    exported = run("export").stdout_bytes
    with instance.database.transaction() as session:
        session.execute(delete(Contact))

    result = import_contacts(instance, io.BytesIO(exported))

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
def test_tags_read_back_as_they_were(tags: list[str]) -> None:
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


def test_an_export_for_spreadsheets_calculates_nothing(
    run: Callable[..., Result], make_contact: Callable[..., Any]
) -> None:
    make_contact("=1+1", phone="+49 30", tags=["a"])

    assert "=1+1,,+49 30,Event Attendee,a,,,2" in run("export").stdout
    assert "'=1+1,,'+49 30,Event Attendee,a,,,2" in run("export", "--spreadsheet-safe").stdout


def test_no_name_of_a_column_means_two_things() -> None:
    names = [
        name.casefold()
        for column in COLUMNS
        for name in {column.name, *column.aliases, *(n for part in column.joined for n in part)}
    ]

    assert len(names) == len(set(names))
