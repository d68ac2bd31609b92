"""Reading workbooks, which another process converts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from datetime import date
from xml.sax.saxutils import escape

import pytest

from masthead import Invalid
from masthead.csv import CsvColumn, CsvReader, workbook

COLUMNS = (CsvColumn("name", required=True), CsvColumn("phone"), CsvColumn("since"))
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OPEN = "urn:oasis:names:tc:opendocument:xmlns"
Cell = str | float | bool | date | None


def packed(files: Mapping[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


def xlsx(sheets: Mapping[str, list[list[Cell]]], hidden: str = "", rows: str = "") -> bytes:
    """Return an Excel workbook; ``rows`` replaces the XML of all rows."""
    files = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r"'
        f' Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        # The second format is that of dates.
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs count="2"><xf numFmtId="0"/>'
        '<xf numFmtId="14"/></cellXfs></styleSheet>',
    }
    entries, relations = "", ""
    for number, (name, table) in enumerate(sheets.items(), 1):
        state = ' state="hidden"' if name == hidden else ""
        entries += f'<sheet name="{escape(name)}" sheetId="{number}"{state} r:id="s{number}"/>'
        relations += (
            f'<Relationship Id="s{number}" Type="{RELATIONS}/worksheet"'
            f' Target="worksheets/sheet{number}.xml"/>'
        )
        cells = rows or "".join(
            f'<row r="{at}">{"".join(xlsx_cell(c, x, at) for x, c in enumerate(row))}</row>'
            for at, row in enumerate(table, 1)
        )
        files[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{MAIN}"><sheetData>{cells}</sheetData></worksheet>'
        )
    files["xl/workbook.xml"] = (
        f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets>{entries}</sheets></workbook>'
    )
    files["xl/_rels/workbook.xml.rels"] = (
        f'<Relationships xmlns="{PACKAGE}/relationships">{relations}<Relationship Id="st"'
        f' Type="{RELATIONS}/styles" Target="styles.xml"/></Relationships>'
    )
    return packed(files)


def xlsx_cell(value: Cell, column: int, row: int) -> str:
    place = f'r="{chr(65 + column)}{row}"'
    if value is None:
        return ""
    if isinstance(value, bool):
        return f'<c {place} t="b"><v>{int(value)}</v></c>'
    if isinstance(value, date):
        return f'<c {place} s="1"><v>{(value - date(1899, 12, 30)).days}</v></c>'
    if isinstance(value, str):
        return f'<c {place} t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f"<c {place}><v>{value!r}</v></c>"


def ods(sheets: Mapping[str, list[list[Cell]]], hidden: str = "", rows: str = "") -> bytes:
    """Return an OpenDocument spreadsheet; ``rows`` replaces the XML of all rows."""
    tables = "".join(
        f'<table:table table:name="{escape(name)}">'
        + (
            rows
            or "".join(f"<table:table-row>{''.join(map(ods_cell, r))}</table:table-row>" for r in t)
        )
        + "</table:table>"
        for name, t in sheets.items()
    )
    assert not hidden
    content = (
        f'<office:document-content xmlns:office="{OPEN}:office:1.0"'
        f' xmlns:table="{OPEN}:table:1.0" xmlns:text="{OPEN}:text:1.0"><office:body>'
        f"<office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = f'<m:manifest xmlns:m="{OPEN}:manifest:1.0"/>'
    return packed({"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest})


def ods_cell(value: Cell) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, bool):
        shown, kind = str(value).upper(), f'boolean" office:boolean-value="{str(value).lower()}'
    elif isinstance(value, date):
        shown, kind = str(value), f'date" office:date-value="{value.isoformat()}'
    elif isinstance(value, str):
        shown, kind = value, "string"
    else:
        shown, kind = "4.91E+10", f'float" office:value="{value!r}'
    return (
        f'<table:table-cell office:value-type="{kind}"><text:p>{escape(shown)}</text:p>'
        "</table:table-cell>"
    )


FORMATS: dict[str, Callable[..., bytes]] = {"xlsx": xlsx, "ods": ods}
TABLE: list[list[Cell]] = [["name", "phone", "since"], ["Rosa", 4.912e10, date(2020, 2, 29)]]
each_format = pytest.mark.parametrize("make", FORMATS.values(), ids=FORMATS)


def read(content: bytes, sheet: str | None = None) -> list[tuple[int, tuple[str, ...]]]:
    reader = CsvReader(io.BytesIO(content), COLUMNS, sheet=sheet)
    return [(row.line, tuple(row.values.values())) for row in reader]


@each_format
def test_numbers_have_no_decimals_and_dates_are_iso(make: Callable[..., bytes]) -> None:
    rows: list[list[Cell]] = [
        *TABLE,
        ["Ida", "+41 44", True],
        [7, 1.5, "x"],
        [None, None, None],
        ["Otto", 41440000001],
    ]

    assert read(make({"Contacts": rows})) == [
        (2, ("Rosa", "49120000000", "2020-02-29")),
        (3, ("Ida", "+41 44", "TRUE")),
        (4, ("7", "1.5", "x")),
        (6, ("Otto", "41440000001", "")),
    ]


@each_format
def test_the_table_may_begin_below_notes_and_beside_empty_columns(
    make: Callable[..., bytes],
) -> None:
    rows: list[list[Cell]] = [
        [None],
        [None, "Contacts of 2026"],
        [None, "name", "phone", "since"],
        [None, "Rosa\nMoss", "1"],
        [None, "Total", 1],
    ]

    assert read(make({"S": rows})) == [(4, ("Rosa\nMoss", "1", ""))]


@each_format
def test_a_sheet_can_be_named(make: Callable[..., bytes]) -> None:
    sheets = {"Öne": [["name"], ["Rosa"]], "Two & more": [["name"], ["Ida"]]}
    content = make(sheets)

    assert [values[0] for _row, values in read(content)] == ["Rosa"]
    assert [values[0] for _row, values in read(content, "Two & more")] == ["Ida"]
    with pytest.raises(Invalid, match=r"^sheet: There is none with this name; there are Öne, Two"):
        read(content, "Three")
    with pytest.raises(Invalid, match=r"^sheet: The file is no workbook"):
        read(b"name\nAda\n", "One")


def test_a_hidden_sheet_is_not_the_first() -> None:
    content = xlsx({"One": [["name"], ["Rosa"]], "Two": [["name"], ["Ida"]]}, hidden="One")

    assert read(content) == [(2, ("Ida",))]
    assert read(content, "One") == [(2, ("Rosa",))]


FAR = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
REPEATED = (
    '<table:table-row table:number-rows-repeated="1000000"><table:table-cell'
    ' table:number-columns-repeated="16000" office:value-type="float" office:value="1"/>'
    "</table:table-row>"
)


# The name of the part of an encrypted workbook.
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (xlsx({"S": []}, rows=FAR), "The workbook can't be read: it is damaged or too large"),
        (ods({"S": []}, rows=REPEATED), "The workbook can't be read: it is damaged"),
        (xlsx({"S": TABLE})[:-300], "The file is a damaged archive or workbook"),
        (packed({"xl/workbook.xml": "<x"}), "The workbook can't be read"),
        (packed({"mimetype": "application/epub+zip"}), "The file is a document without a table"),
        (
            packed({"mimetype": "text"}).replace(b"mimetype+", b"mimetype\xff"),
            "The file is a damaged archive or workbook",
        ),
        (packed({"word/document.xml": "<x/>"}), "The file is a Word document: save the table"),
        (packed({"contacts.csv": "name"}), "The file is an archive (zip): save the table as xlsx"),
        (
            packed({"xl/workbook.xml": b"\0" * 30_000_000}),
            "The workbook is too large when it is unpacked",
        ),
        (
            packed({f"xl/{number}": "" for number in range(1_001)}),
            "The workbook is too large when it is unpacked",
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600 + ENCRYPTED,
            "The workbook is encrypted: save it without a password",
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600,
            "The workbook can't be read: it is damaged, or has an unknown format",
        ),
    ],
)
def test_a_file_that_is_no_usable_workbook_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(Invalid) as refusal:
        read(content)

    assert message in str(refusal.value)


def test_a_workbook_without_the_columns_is_refused() -> None:
    with pytest.raises(Invalid, match="There is no column name; the first row is: Nome, x"):
        read(xlsx({"S": [["Nome", "x"], ["Rosa", "1"]]}))
    with pytest.raises(Invalid, match="There is no column name"):
        read(xlsx({"S": []}))


def test_a_slow_workbook_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "_SECONDS", 0.001)

    with pytest.raises(Invalid, match="damaged or too large"):
        read(xlsx({"S": TABLE}))


OTHERS = {
    b"%PDF-1.7": "a PDF document",
    b"\x89PNG\r\n\x1a\n": "a PNG image",
    b"\xff\xd8\xff\xe0": "a JPEG image",
    b"GIF89a": "a GIF image",
    b"{\\rtf1": "a text document (RTF)",
    b"\x1f\x8b\x08": "a gzip archive: unpack it first",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"BEGIN:VCARD\r\nVERSION:3.0\r\n": "a vCard file",
    b"\xef\xbb\xbf\r\nbegin:vcard\n": "a vCard file",
    b"BEGIN:VCALENDAR\n": "an iCalendar file",
    b"<!DOCTYPE html><table>": "an HTML page",
    b'<?xml version="1.0"?><x/>': "XML: save",
    b"dn: cn=Rosa\nmail: rosa@x.test\n": "an LDIF file",
    b"SQLite format 3\0": "an SQLite database",
}


@pytest.mark.parametrize(("content", "kind"), OTHERS.items())
def test_files_of_other_kinds_are_named(content: bytes, kind: str) -> None:
    with pytest.raises(Invalid) as refusal:
        read(content)

    assert str(refusal.value).startswith(f"The file is {kind}")
