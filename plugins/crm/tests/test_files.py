"""The import of files from spreadsheets and address books, and of damaged files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.testing import Client
from masthead_crm.models import Contact

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
        "=HYPERLINK(|=1+1|Bcc: all@example.com Subject: x",
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
        "Anna Multiline Fennwick|CRLF Inside|Ends with newline",
    ),
    ("no-name-column.csv", "", (5, 0, 0), "Sigrun Arrizabal||"),
    ("ragged-rows.csv", "", (3, 0, 3), "Short Row|Two Cells|Last Row"),
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
    "unclosed-quote.csv": "Line 2: A quote is opened here and never closed",
    "numbers-old-mac-cr-macroman.csv": "The file is neither UTF-8 nor Windows-1252",
}


def counts(answer: Mapping[str, Any]) -> tuple[int, int, int]:
    assert answer["success"] is True
    return answer["imported"], answer["skipped"], answer["errorCount"]


@pytest.mark.parametrize(
    ("name", "charset", "expected", "names"), GOOD, ids=[row[0] for row in GOOD]
)
def test_each_file_is_imported_with_all_its_contacts(
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
    assert counts(send(content, charset)) == (0, expected[0] + expected[1], expected[2])


@pytest.mark.parametrize(("name", "message"), BAD.items(), ids=BAD)
def test_an_unusable_file_is_refused(send: Send, staff: Client, name: str, message: str) -> None:
    assert send((FILES / name).read_bytes(), status=400)["error"].startswith(message)
    assert staff.get(CONTACTS).json == []


def test_the_columns_of_other_tools_become_the_fields_of_a_contact(
    send: Send, staff: Client
) -> None:
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
