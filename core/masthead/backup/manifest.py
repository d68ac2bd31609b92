"""The manifest of a backup: its origin, and the sizes and checksums of its parts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Self

from masthead.backup.archive import Archive, ArchiveWriter, Member
from masthead.db import utc_text
from masthead.errors import Invalid, StartError
from masthead.http.wire import parse_json
from masthead.schemas.field_types import Bool, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Object, load, optional, required, schema
from masthead.transfer.folder import check_key

FORMAT = 1
"""The version of the format; other versions can't be read."""
NAME = "manifest.json"
_MAX_SIZE = 64 * 1024 * 1024
"""The maximum number of bytes in a manifest."""
_MAX_LINE = 4096
"""The maximum number of bytes in a line of a list of files."""
_MAX_FILE = 1024 * 1024 * 1024
"""The maximum number of bytes in a file, which is kept in memory."""

_FORMAT = schema({"format": required(Int())})
_PLUGIN = schema(
    {
        "name": required(Str()),
        "version": optional(Str()),
        "revision": required(Str(), nullable=True),
    }
)
_DATABASE = schema(
    {
        "dialect": required(Str()),
        "version": required(Int()),
        "place": required(Str()),
        "size": required(Int()),
        "sha256": required(Str()),
    }
)
_FILES = schema(
    {
        "name": required(Str()),
        "count": required(Int()),
        "shared": required(Bool()),
        "size": required(Int()),
        "sha256": required(Str()),
    }
)
_SCHEMA = schema(
    {
        "madeAt": required(Timestamp()),
        "version": required(Str()),
        "kit": required(Int()),
        "plugins": required(ListOf(Object(_PLUGIN))),
        "database": required(Object(_DATABASE)),
        "files": required(ListOf(Object(_FILES))),
        "missing": required(ListOf(Str())),
    }
)


@dataclass(frozen=True)
class DatabasePart:
    """The copy of the database."""

    dialect: str
    version: int
    """The major version of PostgreSQL; 3 for SQLite."""
    place: str
    """The address of the database, without a password."""
    size: int
    sha256: str

    @property
    def name(self) -> str:
        """The name of its member."""
        return member_name(self.dialect)

    @property
    def member(self) -> Member:
        """The expected size and checksum."""
        return Member(self.size, self.sha256)


@dataclass(frozen=True)
class FilesPart:
    """One kind of files, and its list."""

    name: str
    count: int
    shared: bool
    """Whether the files are beside the backup, shared with others, and not in the archive."""
    size: int
    """The size of the list."""
    sha256: str
    """The checksum of the list."""


@dataclass(frozen=True)
class Entry:
    """A file in a list."""

    key: str
    member: Member


@dataclass(frozen=True)
class Manifest:
    """The contents of a backup."""

    made_at: datetime
    version: str
    """The version of Masthead."""
    kit: int
    plugins: Sequence[Mapping[str, Any]]
    """``name``, ``version`` and ``revision`` of each plugin with tables."""
    database: DatabasePart
    files: Sequence[FilesPart]
    missing: Sequence[str]
    """The files that rows of the database name and that the storage didn't have."""

    def write(self, archive: ArchiveWriter) -> None:
        """Add the manifest to an archive."""
        content = {"format": FORMAT, "madeAt": utc_text(self.made_at), **asdict(self)}
        del content["made_at"]
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        archive.add(NAME, [text.encode()], compress=True)

    @classmethod
    def read(cls, archive: Archive) -> Self:
        """Read the manifest of an archive.

        :raises StartError: if there is none, or it can't be used.
        """
        with archive.open(NAME) as stream:
            text = stream.read(_MAX_SIZE + 1)
        try:
            return cls._parsed(text)
        except Invalid as error:
            raise StartError(f"{archive.path} can't be used: {error.message}") from None

    @classmethod
    def _parsed(cls, text: bytes) -> Self:
        if len(text) > _MAX_SIZE:
            raise Invalid(f"The manifest has more than {_MAX_SIZE} bytes")
        sent = parse_json(text)
        found = load(_FORMAT, sent)["format"]
        if found != FORMAT:
            raise Invalid(f"It has the format {found}, and this Masthead reads {FORMAT} only")
        return cls._made_of(load(_SCHEMA, sent))

    @classmethod
    def _made_of(cls, values: dict[str, Any]) -> Self:
        made_at = values.pop("madeAt")
        database = DatabasePart(**values.pop("database"))
        files = [FilesPart(**each) for each in values.pop("files")]
        names = [each.name for each in files]
        if len(set(names)) < len(names):
            raise Invalid("It names a kind of files twice")
        return cls(made_at=made_at, database=database, files=files, **values)


def member_name(dialect: str) -> str:
    """Return the name of the member with the copy of a database."""
    return "database.sqlite" if dialect == "sqlite" else "database.dump"


def list_name(files: str) -> str:
    """Return the name of the member that lists the files of one kind."""
    return f"files/{files}.jsonl"


def write_list(archive: ArchiveWriter, files: str, entries: Sequence[Entry]) -> Member:
    """Add the list of the files of one kind."""
    lines = (
        json.dumps({"key": each.key, **asdict(each.member)}).encode() + b"\n" for each in entries
    )
    return archive.add(list_name(files), lines, compress=True)


def read_list(archive: Archive, part: FilesPart) -> Iterator[Entry]:
    """Yield the entries of the list of one kind of files.

    :raises StartError: for a list or an entry that can't be used.
    """
    with archive.open(list_name(part.name)) as stream:
        while line := stream.readline(_MAX_LINE):
            try:
                yield _entry(parse_json(line))
            except (Invalid, KeyError, TypeError):
                raise StartError(f"{archive.path} has an invalid list of {part.name}") from None


def _entry(line: Mapping[str, Any]) -> Entry:
    key, size, sha256 = line["key"], line["size"], line["sha256"]
    if not isinstance(key, str) or type(size) is not int or not isinstance(sha256, str):
        raise TypeError
    if not 0 <= size <= _MAX_FILE:
        raise Invalid(f"A file may have {_MAX_FILE} bytes")
    return Entry(check_key(key), Member(size, sha256))
