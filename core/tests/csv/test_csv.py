"""Reading and writing CSV, in the dialects of spreadsheets and with errors."""

from __future__ import annotations

import csv
import encodings
import io
import tracemalloc
from itertools import product
from pkgutil import iter_modules

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from masthead import Invalid
from masthead.csv import CsvColumn, CsvReader, JoinedColumns, write_csv

PARTS = (("First Name",), ("Middle Name",), ("Last Name",))
COLUMNS = (
    CsvColumn("name", joined=(JoinedColumns(PARTS),), required=True),
    CsvColumn("email", ("E-Mail", "E-Mail 2")),
)
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252")
TABLE = [["name", "x", "email"], ["Zoë", "1", "zoe@example.org"], ["Ägir", "2", ""]]


def read(content: bytes, charset: str | None = None) -> list[tuple[int, dict[str, str]]]:
    rows = list(CsvReader(io.BytesIO(content), COLUMNS, charset))
    assert [row for row in rows if row.error] == []
    return [(row.line, row.values) for row in rows]


def names(content: bytes, charset: str | None = None) -> list[str]:
    return [values["name"] for _line, values in read(content, charset)]


@pytest.mark.parametrize(
    ("encoding", "delimiter", "end"), list(product(ENCODINGS, ",;\t", ("\n", "\r\n", "\r")))
)
def test_each_dialect_of_spreadsheets_is_read(encoding: str, delimiter: str, end: str) -> None:
    text = "".join(delimiter.join(row) + end for row in TABLE)

    assert read(text.encode(encoding)) == [
        (2, {"name": "Zoë", "email": "zoe@example.org"}),
        (3, {"name": "Ägir", "email": ""}),
    ]


@pytest.mark.parametrize("first", ["sep=;", '"sep=;"', "SEP=;", "\ufeffsep=;"])
def test_a_first_line_may_name_the_delimiter(first: str) -> None:
    assert read(f"{first}\r\nname;email\r\nAda, Bob;\r\n".encode()) == [
        (3, {"name": "Ada, Bob", "email": ""})
    ]


@pytest.mark.parametrize("charset", ["cp932", "shift_jis", "Shift-JIS"])
def test_a_stated_charset_is_used(charset: str) -> None:
    assert names("name,x\n山崎,1\n".encode("cp932"), charset) == ["山崎"]


@pytest.mark.parametrize(
    ("encoding", "charset"),
    [
        *((each, None) for each in ENCODINGS[:5]),
        *((each, each) for each in (*ENCODINGS[:5], "utf-16le", "UTF-16BE", "utf-32le", "gb18030")),
    ],
)
def test_a_byte_order_mark_is_not_part_of_the_first_cell(
    encoding: str, charset: str | None
) -> None:
    files = (
        "name,x\nAda,1\n",
        '"name","x"\r\n"Ada","1"',
        'sep=;\n"name";x\nAda;1',
        '\n"name"\nAda',
    )

    for mark, text in product(("", "\ufeff", "\ufeff\ufeff"), files):
        assert names((mark + text).encode(encoding), charset) == ["Ada"]


CODECS = sorted({module.name for module in iter_modules(encodings.__path__)})


@pytest.mark.parametrize("charset", CODECS)
def test_no_charset_decodes_to_lone_surrogates(charset: str) -> None:
    try:
        encoding = CsvReader(io.BytesIO("name\n".encode(charset)), COLUMNS, charset).encoding
    except (Invalid, LookupError, UnicodeError):
        return

    with pytest.raises(UnicodeError):
        "\ud800".encode(encoding)


@pytest.mark.parametrize(
    "charset", ["klingon", "zip", "rot13", "idna", "unicode_escape", "UTF7", "a\0"]
)
def test_an_unknown_charset_is_refused(charset: str) -> None:
    with pytest.raises(Invalid, match=r"^charset: "):
        read(b"name\nAda\n", charset)


def test_header_names_are_compared_without_blanks_and_case_in_any_order() -> None:
    for blank in (" ", "\u00a0", "\u3000\t"):
        header = f"\n x ,{blank}E-MAIL{blank} ,NaMe{blank}\n"
        assert read(f"{header},a@example.org,Ada\n".encode()) == [
            (3, {"name": "Ada", "email": "a@example.org"})
        ]


def test_parts_of_a_name_are_joined_where_there_is_no_name() -> None:
    header = "name,First Name,Middle Name,Last Name\n"

    assert names(f"{header},Ada,,King\n,Ada,Byron,King\nA. K.,Ada,,King\n".encode()) == [
        "Ada King",
        "Ada Byron King",
        "A. K.",
    ]
    assert names(b"Last Name,First Name\nKing,Ada\n") == ["Ada King"]
    with pytest.raises(Invalid, match="There is no column name"):
        read(b"First Name,Middle Name\nAda,Byron\n")


def test_of_several_columns_for_one_value_the_first_that_is_not_blank_counts() -> None:
    content = b"E-Mail 2,name,E-Mail\nb@x.test,Ada,a@x.test\nb@x.test,Bob, \n"

    assert [values["email"] for _line, values in read(content)] == ["a@x.test", "b@x.test"]


def test_the_first_of_several_values_in_a_cell_can_count_alone() -> None:
    columns = (CsvColumn("name"), CsvColumn("phone", ("Mobile",), first_only=True))
    content = b"name,Mobile\nA ::: B,1 ::: 2\nC,\nD, ::: 3\n"

    rows = [tuple(row.values.values()) for row in CsvReader(io.BytesIO(content), columns)]

    assert rows == [("A ::: B", "1"), ("C", ""), ("D", "")]


def test_a_row_has_the_line_where_it_starts_and_blank_rows_are_skipped() -> None:
    content = b'name,email\r\n\r\n"A\r\nB",\r\n , \r\n,,\r\nCy,c@x.test\r\n"D\n\n",d@x.test'

    assert read(content) == [
        (3, {"name": "A\r\nB", "email": ""}),
        (7, {"name": "Cy", "email": "c@x.test"}),
        (8, {"name": "D\n\n", "email": "d@x.test"}),
    ]


def test_blank_cells_at_the_end_may_be_missing_and_surplus_ones_are_ignored() -> None:
    content = b"name,email,x\nAda\nBob,,,, ,\nCy,c@x.test\n"

    assert read(content) == [
        (2, {"name": "Ada", "email": ""}),
        (3, {"name": "Bob", "email": ""}),
        (4, {"name": "Cy", "email": "c@x.test"}),
    ]


def test_a_row_with_too_many_texts_has_an_error_and_the_others_are_read() -> None:
    rows = list(CsvReader(io.BytesIO(b"name,email\nAda,,,x\nCy,c@x.test"), COLUMNS))

    assert [(row.line, row.error, row.cells) for row in rows] == [
        (2, "Has 4 cells where the header has 2", ["Ada", "", "", "x"]),
        (3, None, ["Cy", "c@x.test"]),
    ]


@pytest.mark.parametrize("delimiter", ",;\t")
def test_blanks_before_quotes_keep_no_quotes(delimiter: str) -> None:
    lines = ('"name", "email", "x"', '"Ada", "a@x.test", "1,2;3"')
    content = "\n".join(line.replace(", ", f"{delimiter} ") for line in lines)

    assert read(content.encode()) == [(2, {"name": "Ada", "email": "a@x.test"})]
    assert names(b'name, "x"\n "Ada, K.", 1\n') == ["Ada, K."]


LONG = 10 * 1024 * 1024


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "The file is empty"),
        (b"\xef\xbb\xbf", "The file is empty"),
        (b"\r\n\r\n", "The file is empty"),
        (b"sep=;\r\n", "The file is empty"),
        (b"full name,email\nAda,\n", "There is no column name; the first row is: full name, email"),
        (b"Ada,ada@example.org\n", "There is no column name; the first row is: Ada, ada@example"),
        (b"PK\x03\x04\x14\x00", "The file is a damaged archive or workbook"),
        (b"name\n\x81\x8d\n", "The file is neither UTF-8 nor Windows-1252"),
        (b"name,x,Name\nAda,,\n", "The column name is there twice"),
        (b"First Name,Last Name,first name\nA,B,C\n", "The column First Name is there twice"),
        (b'name\nAda\n"Bob\nCy\n', "Line 3: A quote is opened here and never closed"),
        (b'name,email\nAda,\n"Bob" Cy,\n', "Line 3: A cell goes on after its closing quote"),
        (b'name\n"' + b"x" * LONG + b'"\n', "has more than 1048576 characters"),
        (b"name\n" + b"x" * 200_000 + b"\n", "A cell has more than 131072 characters"),
        (b'name\n"' + b"x\n" * 100_000 + b'"\n', "A cell has more than 131072 characters"),
        (b"name" + b"," * 100_000 + b"\n", "The file has more than 1000 columns"),
        (b"n\0a\0m\0e\0\n\0A", "The file is not written in utf-16-le"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value[:20]),
)
def test_a_file_that_is_not_a_table_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(Invalid) as refusal:
        read(content)

    assert message in str(refusal.value)


def test_nul_bytes_are_left_to_the_check_of_values() -> None:
    assert names(b"name,email\nNul\0 Inside,\n") == ["Nul\0 Inside"]


@pytest.mark.slow
def test_a_file_is_read_in_chunks() -> None:
    content = io.BytesIO(b"name,email\n" + b"Ada Lovelace,ada@example.org\n" * 100_000)
    tracemalloc.start()

    count = sum(1 for _row in CsvReader(content, COLUMNS))
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count == 100_000
    assert peak < 2 * 1024 * 1024


CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(st.lists(st.tuples(CELLS, CELLS), max_size=10))
def test_written_rows_read_back_unchanged(rows: list[tuple[str, str]]) -> None:
    file = io.StringIO(newline="")
    write_csv(file, ["name", "email"], rows)

    reader = CsvReader(io.BytesIO(file.getvalue().encode()), COLUMNS)
    found = [tuple(row.values.values()) for row in reader]
    # The examples have words of this package's code, among them those of totals and headers.
    assume(not reader.ignored_rows)
    assert found == [row for row in rows if "".join(row).strip()]


@given(st.binary(max_size=200), st.sampled_from([b"", b"name,email\n", b"sep=;\nname;x\n"]))
def test_any_bytes_are_read_or_refused(content: bytes, header: bytes) -> None:
    try:
        rows = list(CsvReader(io.BytesIO(header + content), COLUMNS))
    except Invalid:
        return
    assert all(row.line > 1 for row in rows)


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠A"]


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas_can_be_made_harmless(formula: str) -> None:
    as_it_is, safe = io.StringIO(newline=""), io.StringIO(newline="")
    write_csv(as_it_is, ["name"], [[formula], ["a=b"]])
    write_csv(safe, ["name"], [[formula], ["a=b"]], spreadsheet_safe=True)

    assert list(csv.reader(io.StringIO(as_it_is.getvalue(), newline="")))[1] == [formula]
    assert list(csv.reader(io.StringIO(safe.getvalue(), newline="")))[1:] == [
        ["'" + formula],
        ["a=b"],
    ]


@pytest.mark.parametrize("spreadsheet_safe", [True, False])
@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("quotes", ["", "'", "''"])
def test_formulas_read_back_unchanged(formula: str, quotes: str, spreadsheet_safe: bool) -> None:
    file = io.StringIO(newline="")
    cells = [quotes + formula, quotes + "text", quotes]
    write_csv(file, ["name", "email", "phone"], [cells], spreadsheet_safe=spreadsheet_safe)

    columns = [CsvColumn(name) for name in ("name", "email", "phone")]
    [row] = CsvReader(io.BytesIO(file.getvalue().encode()), columns)
    assert list(row.values.values()) == cells


def test_a_column_named_error_can_be_used() -> None:
    columns = [CsvColumn("name"), CsvColumn("notes")]
    file = io.BytesIO(b"error,name\nnone,Ada\n")

    [row] = CsvReader(file, columns, mapping={"error": "notes"})

    assert row.values == {"name": "Ada", "notes": "none"}
