"""CSV tables of articles, such as views of Drupal and the tables of Joomla export them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from hashlib import sha256
from pathlib import Path

from masthead import HEAD_SIZE, Invalid, fold, kind_of_file
from masthead_importers.entries import PAGE, POST, Entry, Export
from masthead_importers.files import LARGEST_IN_MEMORY, MIB, wrong_kind
from masthead_importers.report import Report

WANTED = "a CSV table"
ALIASES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "nid"),
    "type": ("type", "content type"),
    "title": ("title",),
    "content": ("content", "body", "introtext+fulltext", "introtext", "text"),
    "slug": ("slug", "alias"),
    "description": ("description", "summary", "metadesc", "teaser"),
    "date": ("date", "publish_up", "published", "created", "authored on", "post date"),
    "category": ("category", "category_title"),
    "tags": ("tags",),
    "image": ("image", "picture"),
    "address": ("address", "path", "url", "link"),
    "public": ("public", "status", "state"),
}
"""The columns of each field, the preferred one first; a plus joins the texts of two columns."""
FIELDS = tuple(ALIASES)
_PUBLIC = frozenset({"1", "true", "yes", "y", "on", "published", "publish", "public"})
_PAGES = frozenset({"page", "basic page"})
_LONGEST_CELL = 8 * MIB
_DELIMITERS = ",;\t"


class TableExport(Export):
    """One or several CSV files with a header."""

    format = "csv"
    media_markers = ("/sites/default/files/", "/images/")

    def __init__(self, files: Sequence[Path], columns: Mapping[str, str], zone: tzinfo) -> None:
        """Take the files, and the columns of fields that differ from the usual ones."""
        super().__init__()
        self._files = files
        self._columns = columns
        self._zone = zone

    def entries(self, report: Report) -> Iterator[Entry]:
        """Read all rows."""
        for path in self._files:
            rows = csv.reader(_open(path), delimiter=_delimiter(path), strict=True)
            try:
                header = [fold(name.strip()) for name in next(rows, [])]
                places = self._places(path, header)
                for number, row in enumerate(rows, 2):
                    if any(cell.strip() for cell in row):
                        yield self._entry(_Row(places, row), number, report)
            except csv.Error as error:
                raise Invalid(f"{path.name} is damaged at line {rows.line_num}: {error}") from None

    def html(self, entry: Entry, report: Report) -> str:  # noqa: ARG002 - nothing is left out
        """Return the content, which is HTML."""
        return str(entry.source)

    def _places(self, path: Path, header: Sequence[str]) -> dict[str, list[int]]:
        """Return the numbers of the columns of each field."""
        places = {}
        for name, usual in ALIASES.items():
            chosen = self._columns.get(name)
            for columns in (chosen,) if chosen else usual:
                wanted = [fold(column.strip()) for column in columns.split("+")]
                if all(column in header for column in wanted):
                    places[name] = [header.index(column) for column in wanted]
                    break
            else:
                if chosen:
                    raise Invalid(f"{path.name} has no column {chosen}")
        if "title" not in places:
            shown = ", ".join(header)[:200]
            raise Invalid(f"{path.name} has no column title; see --map. It has: {shown}")
        return places

    def _entry(self, row: _Row, number: int, report: Report) -> Entry:
        content = row.read("content")
        entry_id = row.read("id")
        if not entry_id:
            report.warn("a row without an id is known by its title and date", f"row {number}")
            known_by = f"{row.read('title')}\n{row.read('date')}"
            entry_id = sha256(known_by.encode()).hexdigest()[:24]
        separator = ";" if ";" in row.read("tags") else ","
        return Entry(
            kind=PAGE if fold(row.read("type")) in _PAGES else POST,
            id=entry_id,
            title=row.read("title"),
            source=content,
            slug=row.read("slug"),
            description=row.read("description"),
            date=self._time(row.read("date")),
            public=not row.has("public") or row.read("public").lower() in _PUBLIC,
            category=row.read("category"),
            tags=[tag.strip() for tag in row.read("tags").split(separator) if tag.strip()],
            image=row.read("image"),
            address=self._address(row.read("address")),
        )

    def _address(self, address: str) -> str:
        if not address or "://" in address or address.startswith("/"):
            return address
        return f"{self.home}/{address}"

    def _time(self, text: str) -> str:
        """Return a time in UTC; one of another form stays as it is, and is checked later."""
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return text
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=self._zone)
        try:
            return moment.astimezone(UTC).isoformat()
        except OverflowError:
            return text


class _Row:
    """A row of a table."""

    def __init__(self, places: Mapping[str, Sequence[int]], cells: Sequence[str]) -> None:
        self._places = places
        self._cells = cells

    def has(self, name: str) -> bool:
        """Whether the table has a column for a field."""
        return name in self._places

    def read(self, name: str) -> str:
        """Return the text of a field; blank if there is none."""
        places = [place for place in self._places.get(name, ()) if place < len(self._cells)]
        return "\n".join(self._cells[place].strip() for place in places).strip()


def _open(path: Path) -> io.StringIO:
    if path.stat().st_size > LARGEST_IN_MEMORY:
        raise Invalid(f"{path.name} is larger than {LARGEST_IN_MEMORY // MIB} MiB")
    content = path.read_bytes()
    if not content or kind_of_file(content[:HEAD_SIZE]) not in (None, "text in UTF-16"):
        raise wrong_kind(path, WANTED)
    # Bodies of articles are longer than the usual limit of cells.
    csv.field_size_limit(_LONGEST_CELL)
    return io.StringIO(_decoded(content), newline="")


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _delimiter(path: Path) -> str:
    """Return the delimiter that the header contains most often."""
    header = _open(path).readline()
    return max(_DELIMITERS, key=header.count)
