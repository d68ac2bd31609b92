"""The manifest of an export: its plugins, tables and files, with checksums."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from masthead.db import migrate, utc_text
from masthead.db.kit.steps import newest
from masthead.errors import Invalid, StartError
from masthead.http.wire import parse_json
from masthead.instance import Instance
from masthead.schemas.field_types import Int, Str
from masthead.schemas.schema import ListOf, Object, load, optional, required, schema
from masthead.transfer.files import kept_files
from masthead.transfer.folder import open_new
from masthead.transfer.tables import ExportableTable

FORMAT = 1
"""The version of the export format; other versions can't be read."""
NAME = "manifest.json"
_MAX_SIZE = 4 * 1024 * 1024
"""The maximum number of bytes in a manifest."""

_FORMAT = schema({"format": required(Int())})
_SCHEMA = schema(
    {
        "id": required(Str()),
        "madeAt": required(Str()),
        "kit": required(Int()),
        "plugins": required(
            ListOf(
                Object(
                    schema(
                        {
                            "name": required(Str()),
                            "version": optional(Str()),
                            "revision": required(Str(), nullable=True),
                        }
                    )
                )
            )
        ),
        "tables": required(
            ListOf(
                Object(
                    schema(
                        {
                            "name": required(Str()),
                            "rows": required(Int()),
                            "sha256": required(Str()),
                            "lastId": required(Int(), nullable=True),
                        }
                    )
                )
            )
        ),
        "files": required(
            ListOf(
                Object(
                    schema(
                        {
                            "name": required(Str()),
                            "count": required(Int()),
                            "sha256": required(Str()),
                        }
                    )
                )
            )
        ),
    }
)


@dataclass(frozen=True)
class TablePart:
    """The entry of a table in the manifest."""

    name: str
    rows: int
    sha256: str
    """The checksum of the file with its rows, in hexadecimal."""
    lastId: int | None  # noqa: N815 - the name in the file
    """The largest id that a row ever had; None if the table generates no ids."""


@dataclass(frozen=True)
class FilesPart:
    """The entry of one kind of files in the manifest."""

    name: str
    count: int
    sha256: str
    """The checksum of the list of files, in hexadecimal."""


@dataclass(frozen=True)
class Manifest:
    """The contents of an export."""

    id: str
    """A random id of the export."""
    kit: int
    """The kit step of the tables."""
    plugins: Sequence[Mapping[str, Any]]
    """``name``, ``version`` and ``revision`` of each plugin."""
    tables: Sequence[TablePart]
    files: Sequence[FilesPart]

    def write(self, folder: Path, made_at: datetime) -> None:
        """Write the manifest; it must be the last file, because it marks a complete export."""
        content = {"format": FORMAT, "madeAt": utc_text(made_at), **asdict(self)}
        draft = folder / f"{NAME}.part"
        with open_new(draft) as file:
            file.write((json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode())
        draft.rename(folder / NAME)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the manifest in a folder.

        :raises StartError: if there is none, or it can't be used.
        """
        file = folder / NAME
        if not file.is_file():
            raise StartError(f"{folder} has no {NAME}: it is no export, or one that didn't end")
        with file.open("rb") as stream:
            text = stream.read(_MAX_SIZE + 1)
        if len(text) > _MAX_SIZE:
            raise StartError(f"{file} can't be used: it has more than {_MAX_SIZE} bytes")
        try:
            sent = parse_json(text)
            found = load(_FORMAT, sent)["format"]
            made = cls._made_of(load(_SCHEMA, sent)) if found == FORMAT else None
        except Invalid as error:
            raise StartError(f"{file} can't be used: {error.message}") from None
        if made is None:
            raise StartError(f"{file} has the format {found}; this Masthead reads {FORMAT} only")
        return made

    @classmethod
    def _made_of(cls, values: Mapping[str, Any]) -> Self:
        return cls(
            id=values["id"],
            kit=values["kit"],
            plugins=values["plugins"],
            tables=[TablePart(**each) for each in values["tables"]],
            files=[FilesPart(**each) for each in values["files"]],
        )

    def check_fits(self, instance: Instance, tables: Sequence[ExportableTable]) -> None:
        """Check that an instance can import the export.

        :raises StartError: with the reason if it can't.
        """
        enabled = {plugin.name for plugin in instance.plugins}
        missing = [each["name"] for each in self.plugins if each["name"] not in enabled]
        if missing:
            raise StartError(f"plugins of the export aren't enabled here: {', '.join(missing)}")
        self._check_revisions(instance)
        sent = [each.name for each in self.tables]
        _check_names("table", sent, [each.name for each in tables])
        owners = {each["name"] for each in self.plugins}
        absent = [t.name for t in tables if t.owner in owners and t.name not in sent]
        if absent:
            raise StartError(f"the export lacks the table {absent[0]}")
        files = [each.name for each in kept_files(instance)]
        _check_names("kind of files", [each.name for each in self.files], files)

    def _check_revisions(self, instance: Instance) -> None:
        if self.kit != newest():
            raise StartError(f"the tables have kit {self.kit} in the export, and {newest()} here")
        here = migrate.current(instance.database, instance.plugins)
        for each in self.plugins:
            name, revision = each["name"], each["revision"]
            if here.get(name) != revision:
                raise StartError(
                    f"the tables of {name} are of revision {revision or 'none'} in the export, and"
                    f" of {here.get(name) or 'none'} here"
                )


def _check_names(what: str, sent: Sequence[str], known: Sequence[str]) -> None:
    """Check that all names are declared here, because they become paths."""
    unknown = [name for name in sent if name not in known]
    if unknown:
        raise StartError(f"the export has a {what} that isn't known here: {unknown[0]!r}")
    if len(set(sent)) < len(sent):
        raise StartError(f"the export names a {what} twice")
