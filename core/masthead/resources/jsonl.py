"""The import of JSON lines: valid lines are stored, and mistakes are reported line by line."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import UTC, tzinfo
from itertools import islice
from typing import Any

import colander
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.db import utc_text
from masthead.db.locking import lock
from masthead.errors import Invalid, Refusal
from masthead.http.wire import parse_json
from masthead.instance import Instance
from masthead.resources.external_ids import known_ids, remember_ids
from masthead.schemas.field_types import FieldType, Str, Timestamp, is_blank
from masthead.schemas.foreign_times import read_foreign_time
from masthead.schemas.schema import Nullable, bound, load, schema

BATCH = 200
EXTERNAL_ID, ID = "externalId", "id"
"""The names of the id in the other system; the first counts if a line has both."""


@dataclass(frozen=True)
class Importer:
    """The import of lines as items of one kind."""

    name: str
    """The name of the content type or resource."""
    model: Any
    body: colander.SchemaNode
    """The fields of a line."""
    check: Callable[[Mapping[str, Any]], None]
    """Raise ``Invalid`` for values that contradict each other; gets them by wire name."""
    store: Callable[[Session, list[dict[str, Any]], bool, Caller | None], Sequence[Any]]
    """Create the items of checked lines, all or none, and return them in order; gets the session,
    the lines, whether to publish the items, and their creator."""


@dataclass(frozen=True)
class Origin:
    """The system that a file comes from."""

    source: str = ""
    """Its name; equal external ids of different systems are different items."""
    zone: tzinfo = UTC
    """The time zone of times without one."""


@dataclass
class Line:
    """A line of the file, and the outcome of its import."""

    number: int
    """Counted from 1."""
    values: dict[str, Any] = dataclass_field(default_factory=dict)
    external_id: str | None = None
    """The id of the item in the other system."""
    skipped: bool = False
    """Whether an item with this external id exists, or an earlier line has it."""
    warnings: list[str] = dataclass_field(default_factory=list)
    """Messages about invalid optional values, which were left out."""
    error: str | None = None
    """The reason why the line was not stored; None where it was."""


def import_lines(
    instance: Instance,
    importer: Importer,
    lines: Iterable[bytes],
    *,
    publish: bool,
    actor: Caller | None,
    origin: Origin | None = None,
    dry_run: bool = False,
) -> Iterator[Line]:
    """Store each line of JSON as an item, in one transaction per 200 lines; skip blank lines.

    :param publish: whether to approve and publish the items at once.
    :param actor: the creator of the items.
    :param origin: the system that the file comes from.
    :param dry_run: whether to roll each transaction back.
    :returns: each line, after it was stored, skipped or refused.
    """
    origin = origin or Origin()
    reader = _LineReader(importer, instance, origin.zone)
    writer = _LineWriter(instance, importer, origin.source, publish, actor, dry_run)
    read = (reader.read(n, text) for n, text in enumerate(lines, 1) if text.strip())
    while batch := list(islice(read, BATCH)):
        writer.store([line for line in batch if line.error is None])
        yield from batch


class _LineReader:
    """Check lines field by field, so that an invalid optional value doesn't spoil the others."""

    def __init__(self, importer: Importer, instance: Instance, zone: tzinfo) -> None:
        self._check = importer.check
        self._zone = zone
        fields = bound(importer.body, instance.settings)
        self._fields = [schema({field.name: field}) for field in fields]
        """Each as a schema of its own."""
        self._times = {field.name for field in fields if _is_time(field.typ)}
        own = {field.name for field in fields}
        self._external = [name for name in (EXTERNAL_ID, ID) if ID not in own and name not in own]

    def read(self, number: int, text: bytes) -> Line:
        line = Line(number)
        try:
            sent = parse_json(text.removeprefix(BOM_UTF8) if number == 1 else text)
            line.external_id = self._read_external_id(sent)
            for alone in self._fields:
                self._read_field(line, alone, sent)
            self._check(line.values)
        except Invalid as error:
            line.error = error.message
        return line

    def _read_external_id(self, sent: Mapping[str, Any]) -> str | None:
        """Return the id in the other system; None if the line has none."""
        for name in self._external:
            value = sent.get(name)
            if value is None or is_blank(value):
                continue
            if isinstance(value, int) and not isinstance(value, bool):
                return str(value)
            try:
                return Str().parse(value)
            except ValueError as error:
                raise Invalid(f"{name}: {error}") from None
        return None

    def _read_field(self, line: Line, alone: colander.SchemaNode, sent: dict[str, Any]) -> None:
        [field] = alone.children
        try:
            own = {k: self._read_value(k, v) for k, v in sent.items() if k == field.name}
            line.values |= load(alone, own)
        except Invalid as error:
            if field.required:
                raise
            line.warnings.append(error.message)

    def _read_value(self, name: str, value: Any) -> Any:
        if name not in self._times or value is None or is_blank(value):
            return value
        try:
            return utc_text(read_foreign_time(value, self._zone))
        except ValueError as error:
            raise Invalid(f"{name}: {error}") from None


class _LineWriter:
    """Stores checked lines."""

    def __init__(
        self,
        instance: Instance,
        importer: Importer,
        source: str,
        publish: bool,
        actor: Caller | None,
        dry_run: bool,
    ) -> None:
        self._instance = instance
        self._importer = importer
        self._source = source
        self._publish = publish
        self._actor = actor
        self._dry_run = dry_run
        self._tried = set[str]()
        """The external ids of a dry run, which stores none."""

    def store(self, lines: Sequence[Line]) -> None:
        """Store lines together; if the service refuses one of them, store each by itself."""
        try:
            with self._instance.database.session() as session, session.begin() as transaction:
                self._store(session, lines)
                if self._dry_run:
                    transaction.rollback()
        except Refusal as refusal:
            if len(lines) == 1:
                lines[0].error = refusal.message
                return
            for line in lines:
                self.store([line])

    def _store(self, session: Session, lines: Sequence[Line]) -> None:
        kind, source = self._importer.name, self._source
        external_ids = {line.external_id for line in lines if line.external_id is not None}
        known = set[str]()
        if external_ids:
            lock(session, f"{kind}.external-ids")
            known = known_ids(session, self._importer.model, kind, source, external_ids)
            known |= self._tried
        new = []
        for line in lines:
            line.skipped = line.external_id in known
            if not line.skipped:
                new.append(line)
            if line.external_id is not None:
                known.add(line.external_id)
        values = [line.values for line in new]
        items = self._importer.store(session, values, self._publish, self._actor) if new else ()
        made = {
            line.external_id: item.id
            for line, item in zip(new, items, strict=True)
            if line.external_id is not None
        }
        remember_ids(session, kind, source, made)
        if self._dry_run:
            self._tried |= made.keys()


def _is_time(kind: FieldType) -> bool:
    return isinstance(kind.inner if isinstance(kind, Nullable) else kind, Timestamp)
