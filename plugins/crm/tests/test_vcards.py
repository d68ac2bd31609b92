"""The import of vCards of all versions, and the export of contacts as vCards."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import vobject
from click.testing import CliRunner, Result

from masthead.cli import main
from masthead.testing import Client

CONTACTS = "/api/staff/contacts"
FIELDS = ("name", "email", "phone", "status", "tags", "notes")
Values = dict[str, Any]
Make = Callable[..., Any]
PHOTO = base64.b64encode(bytes(range(256)) * 20).decode()


def card(*lines: str, version: str = "3.0") -> str:
    return "\r\n".join(("BEGIN:VCARD", f"VERSION:{version}", *lines, "END:VCARD", ""))


@pytest.fixture
def send(staff: Client) -> Callable[..., Any]:
    """Return a function that imports a file over HTTP."""

    def sent(content: str | bytes, status: int = 200, **query: Any) -> Any:
        octets = content.encode() if isinstance(content, str) else content
        path = f"{CONTACTS}/bulk-import" + "".join(f"?{n}={v}" for n, v in query.items())
        file = [("file", "contacts.vcf", octets, "text/vcard")]
        return staff.post(path, upload_files=file, status=status).json

    return sent


def stored(staff: Client) -> list[Values]:
    """Return the fields of all contacts, the oldest first."""
    ids = sorted(each["id"] for each in staff.get(CONTACTS).json)
    shown = [staff.get(f"{CONTACTS}/{number}").json for number in ids]
    return [{name: each[name] for name in FIELDS if each[name]} for each in shown]


MANY = ("EMAIL;TYPE=HOME:a@example.org", "EMAIL;TYPE=WORK,PREF:b@example.org")
CARDS: list[tuple[str, str, Values]] = [
    ("a name", card("FN:Ada Lovelace"), {"name": "Ada Lovelace"}),
    ("parts of a name", card("N:Lovelace;Ada;King;Lady;"), {"name": "Lady Ada King Lovelace"}),
    ("a blank FN", card("FN: ", "N:Lovelace;Ada"), {"name": "Ada Lovelace"}),
    ("an organisation", card("FN:", "N:;;;;", "ORG:Choir;Altos"), {"name": "Choir, Altos"}),
    ("a nickname", card("NICKNAME:Ada"), {"name": "Ada"}),
    (
        "escapes",
        card(r"FN:Ada\, Bob \\ Co\; Ltd", r"NOTE:one\ntwo\Nthree\:"),
        {"name": "Ada, Bob \\ Co; Ltd", "notes": "one\ntwo\nthree:"},
    ),
    ("folded lines", card("FN:Ada", " Love", "\tlace "), {"name": "AdaLovelace"}),
    ("lower case", card("fn:Ada", "email;type=internet:A@Example.org"), {"email": "a@example.org"}),
    (
        "version 4.0",
        card(
            "FN:Ada",
            "EMAIL;PREF=2:a@example.org",
            'EMAIL;PREF=1;ALTID="x;y:z":b@example.org',
            "TEL;VALUE=uri;TYPE=cell:tel:+49-30-1234567",
            version="4.0",
        ),
        {"email": "b@example.org", "phone": "+49-30-1234567", "notes": "email: a@example.org"},
    ),
    ("preferred", card("FN:Ada", *MANY), {"email": "b@example.org"}),
    ("further addresses", card("FN:Ada", *MANY), {"notes": "email (Home): a@example.org"}),
    (
        "Apple's labels",
        card(
            "FN:Ada",
            "item1.EMAIL;type=INTERNET;type=pref:a@example.org",
            "item1.X-ABLabel:_$!<Other>!$_",
            "item2.EMAIL;type=INTERNET:b@example.org",
            "item2.X-ABLabel:_$!<Work>!$_",
            "item3.TEL:1234567",
            "item3.X-ABLabel:Choir\\, first",
        ),
        {"email": "a@example.org", "phone": "1234567", "notes": "email (Work): b@example.org"},
    ),
    (
        "a fax number",
        card("FN:Ada", "TEL;TYPE=FAX;TYPE=PREF:1", "TEL;TYPE=CELL:2"),
        {"phone": "2", "notes": "phone (Fax): 1"},
    ),
    (
        "categories",
        card("FN:Ada", r"CATEGORIES:choir,friends\, old,myContacts, CHOIR", "CATEGORIES:press"),
        {"tags": ["choir", "friends, old", "press"]},
    ),
    (
        "organisation and title",
        card("FN:Ada", "ORG:Choir;Altos", "TITLE:Singer", "NOTE:Hello"),
        {"notes": "Hello\norganization: Choir, Altos\ntitle: Singer"},
    ),
    (
        "a photo",
        card("FN:Ada", f"PHOTO;ENCODING=b;TYPE=JPEG:{PHOTO[:60]}", f" {PHOTO[60:]}", "NOTE:n"),
        {"name": "Ada", "notes": "n"},
    ),
    (
        "a photo of version 2.1",
        card("FN:Ada", "PHOTO;JPEG;BASE64:", f"  {PHOTO[:70]}", PHOTO[70:], "", version="2.1"),
        {"name": "Ada"},
    ),
    (
        "quoted-printable",
        card(
            "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=90=D0=B4=D0=B0;=C3=84=",
            "=C3=B6;;;",
            "NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0Atwo =3D three",
            "TEL;CELL;PREF:+49 30 1234567",
            "EMAIL;INTERNET:a@example.org",
            version="2.1",
        ),
        {
            "name": "Äö Ада",
            "notes": "one\ntwo = three",
            "phone": "+49 30 1234567",
            "email": "a@example.org",
        },
    ),
    (
        "another charset",
        card("FN;CHARSET=windows-1251;QUOTED-PRINTABLE:=C0=E4=E0", version="2.1"),
        {"name": "Ада"},
    ),
    (
        "an unknown charset",
        card("FN;CHARSET=klingon;QUOTED-PRINTABLE:B=F6b", version="2.1"),
        {"name": "Böb"},
    ),
    (
        "backslashes of version 2.1",
        card(r"FN:Ada\;B", r"NOTE:C:\new", version="2.1"),
        {"name": "Ada;B", "notes": "C:\\new"},
    ),
    (
        "a vCard in a vCard",
        card("FN:Ada", "AGENT:", *card("FN:Bob").split("\r\n")[:-1], "NOTE:n", version="2.1"),
        {"name": "Ada", "notes": "n"},
    ),
    ("a formula", card("FN:=1+1", "TEL:'+49", "NOTE:@a"), {"name": "=1+1", "phone": "'+49"}),
    ("no version", "BEGIN:VCARD\nFN:Ada\nEND:VCARD", {"name": "Ada"}),
    ("blanks before", "\ufeff\r\n  begin:vcard\rFN:Ada\rEnd:vCard\r", {"name": "Ada"}),
    ("rubbish", card("FN:Ada", "nonsense", ";:", ":", "=", "a b:c", "N;:"), {"name": "Ada"}),
]


@pytest.mark.parametrize(("text", "expected"), [it[1:] for it in CARDS], ids=[c[0] for c in CARDS])
def test_a_vcard_becomes_a_contact(
    send: Callable[..., Any], staff: Client, text: str, expected: Values
) -> None:
    report = send(text)

    assert (report["imported"], report["errors"]) == (1, [])
    [contact] = stored(staff)
    assert contact.items() >= expected.items()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_encoding_of_a_file_is_detected(
    send: Callable[..., Any], staff: Client, encoding: str
) -> None:
    send(card("FN:Zoë Müller").encode(encoding))

    assert stored(staff)[0]["name"] == "Zoë Müller"


MIXED = [
    card("FN:Ada", r"NOTE:1\n2\n3", "EMAIL:ada@example.org", "PHOTO:x", "ADR:;;Street", "X-A:b"),
    card("FN:Bob", "EMAIL:nobody"),
    card("X-ADDRESSBOOKSERVER-KIND:group", "FN:Choir"),
    card("UID:1"),
    card("FN:Eve", "EMAIL:ADA@example.org"),
    card("EMAIL:zoe@example.org"),
    card("FN:Open").replace("END:VCARD\r\n", ""),
    card("FN:Zoe", "EMAIL:zoe@example.org", "BDAY:2000-01-01"),
    card("FN:Long", *["NOTE:a"] * 1_000),
    card("FN:Large", "NOTE:" + "a" * 200_000),
    card("FN:Photo", "EMAIL:photo@example.org", "PHOTO:" + "a" * 200_000),
    card("FN:Last").replace("END:VCARD\r\n", ""),
]


def test_errors_are_reported_by_vcard_and_the_others_are_imported(
    send: Callable[..., Any], staff: Client
) -> None:

    planned = send("".join(MIXED), dryRun="true")
    report = send("".join(MIXED))

    assert planned == report
    assert (report["imported"], report["skipped"], report["errorCount"]) == (3, 1, 8)
    assert [error["row"] for error in report["errors"]] == [2, 3, 4, 6, 7, 9, 10, 12]
    texts = [error["error"] for error in report["errors"]]
    assert texts[0].startswith("email: ")
    assert texts[1:3] == [
        "Is a group, no contact",
        "Has neither a name nor another value that contacts have",
    ]
    assert texts[3:] == [
        "name: Required",
        "Has no END:VCARD",
        "Has more than 1000 properties",
        "Has a property of more than 131072 characters",
        "Has no END:VCARD",
    ]
    assert report["ignoredColumns"] == ["ADR", "BDAY", "PHOTO"]
    assert [contact["name"] for contact in stored(staff)] == ["Ada", "Zoe", "Photo"]


def test_a_file_of_vcards_that_is_no_text_is_refused(send: Callable[..., Any]) -> None:
    assert "error" in send(card("FN:A").encode() + b"\x81\x8d", status=400)


HOSTILE: list[Values] = [
    {"name": "Ada, Bob; Co \\ \\n", "notes": "END:VCARD\nBEGIN:VCARD\nFN:x\n\\N;,:\n\n  z"},
    {"name": "=1+1", "phone": "+49 30 1234567", "tags": ["@a", "b, c", 'q"d"', "-1", "x;y", "\\"]},
    {"name": "Ж" * 100, "notes": "🎻" * 300, "email": "post@bücher.example"},
    {"name": "a\u2028b", "notes": "tab\tand\u2029line", "status": "Member"},
    {"name": "'=x", "notes": "' quote", "tags": [" ", "a:b", "^n"][1:]},
    {"name": "=C3=A4", "notes": "soft=\nbreak="},
]


def test_hostile_texts_survive_an_export_and_an_import(
    staff: Client, make_contact: Make, send: Callable[..., Any]
) -> None:
    for values in HOSTILE:
        make_contact(**values)
    before = stored(staff)

    exported = staff.get(f"{CONTACTS}/export", {"format": "vcard"})
    for each in staff.get(CONTACTS).json:
        staff.delete(f"{CONTACTS}/{each['id']}")
    report = send(exported.body)

    assert (report["imported"], report["errors"]) == (len(HOSTILE), [])
    assert stored(staff) == before
    assert exported.content_type == "text/vcard"
    assert exported.headers["Content-Disposition"] == 'attachment; filename="contacts.vcf"'
    lines = exported.body.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert all(b"\n" not in line for line in lines)
    read = list(vobject.readComponents(exported.body.decode()))
    assert [str(each.fn.value) for each in read] == [values["name"] for values in before]


def test_the_csv_of_the_api_is_safe_in_spreadsheets(
    staff: Client, make_contact: Make, send: Callable[..., Any]
) -> None:
    for values in HOSTILE:
        make_contact(**values)
    before = stored(staff)

    exported = staff.get(f"{CONTACTS}/export")
    for each in staff.get(CONTACTS).json:
        staff.delete(f"{CONTACTS}/{each['id']}")
    send(exported.body)

    assert stored(staff) == before
    assert exported.content_type == "text/csv"
    assert b"'=1+1" in exported.body
    staff.get(f"{CONTACTS}/export", {"format": "pdf"}, status=400)


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, database_url: str, tmp_path: Path
) -> Callable[..., Result]:
    """Return a function that runs ``masthead contacts …``."""
    monkeypatch.setenv("MASTHEAD_DATABASE_URL", database_url)
    monkeypatch.setenv("MASTHEAD_PLUGINS", "crm")
    monkeypatch.setenv("MASTHEAD_DATA", str(tmp_path))
    return lambda *words: CliRunner().invoke(main, ["contacts", *words])


def test_the_commands_read_and_write_vcards(
    command: Callable[..., Result], staff: Client, tmp_path: Path
) -> None:
    file, copy = tmp_path / "in.txt", tmp_path / "out.vcf"
    file.write_text(card("FN:Ada", "PHOTO:x") + card("UID:1"))

    done = command("import", str(file))

    assert done.exit_code == 1
    assert done.stdout == "imported 1, skipped 0, errors 1\n"
    assert done.stderr.splitlines()[-3:] == [
        "columns left out: PHOTO",
        "card 1 is read as name: Ada; status: Event Attendee",
        "card 2: Has neither a name nor another value that contacts have",
    ]
    assert command("export", str(copy)).exit_code == 0
    assert copy.read_bytes().startswith(b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\n")
    assert [each["name"] for each in staff.get(CONTACTS).json] == ["Ada"]


def test_a_vcard_is_a_contact_even_if_it_looks_like_a_line_below_a_table(
    send: Callable[..., Any], staff: Client
) -> None:
    answer = send(card("FN:Total", "TEL:+33 1 47 44 45 46") + card("FN:name", "EMAIL:a@b.test"))

    assert (answer["imported"], answer["ignoredRows"]) == (2, [])
    assert [each["name"] for each in stored(staff)] == ["Total", "name"]


def test_a_vcard_with_long_texts_is_an_error_and_the_others_are_imported(
    send: Callable[..., Any],
) -> None:
    long = f"NOTE:{'x' * 70_000}"
    answer = send(card("FN:Ada", long, long) + card("FN:Bob"))

    assert answer["imported"] == 1
    message = "Its values have more than 131072 characters together"
    assert answer["errors"] == [{"row": 1, "error": message}]


@pytest.mark.parametrize("charset", ["unicode-escape", "utf-7", "rot13", "none"])
def test_no_stated_charset_stops_an_import(send: Callable[..., Any], charset: str) -> None:
    text = f"FN;ENCODING=QUOTED-PRINTABLE;CHARSET={charset}:A=5Cud800"

    answer = send(card(text, version="2.1"))

    assert (answer["imported"], answer["preview"][0]["values"]["name"]) == (1, r"A\ud800")
