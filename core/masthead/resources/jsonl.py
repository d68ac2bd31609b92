"""The import of JSON lines: valid lines are stored, and mistakes are reported line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import partial
from itertools import islice
from typing import Any

import colander
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.errors import Invalid, Refusal
from masthead.http.wire import parse_json
from masthead.instance import Instance
from masthead.schemas.schema import bound, load, schema

BATCH = 200


@dataclass(frozen=True)
class Importer:
    """The import of lines as items of one kind."""

    body: colander.SchemaNode
    """The fields of a line."""
    check: Callable[[Mapping[str, Any]], None]
    """Raise ``Invalid`` for values that contradict each other; gets them by wire name."""
    store: Callable[[Session, list[dict[str, Any]], bool, Caller | None], None]
    """Create the items of checked lines, all or none; gets the session, the lines, whether to
    publish the items, and their creator."""


@dataclass
class Line:
    """A line of the file, and the outcome of its import."""

    number: int
    """Counted from 1."""
    values: dict[str, Any] = dataclass_field(default_factory=dict)
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
) -> Iterator[Line]:
    """Store each line of JSON as an item, in one transaction per 200 lines; skip blank lines.

    :param publish: whether to approve and publish the items at once.
    :param actor: the creator of the items.
    :returns: each line, after it was stored or refused.
    """
    reader = _LineReader(importer, instance)
    read = (reader.read(n, text) for n, text in enumerate(lines, 1) if text.strip())
    while batch := list(islice(read, BATCH)):
        store = partial(_store, instance, importer, publish=publish, actor=actor)
        _store_valid(store, [line for line in batch if line.error is None])
        yield from batch


class _LineReader:
    """Check lines field by field, so that an invalid optional value doesn't spoil the others."""

    def __init__(self, importer: Importer, instance: Instance) -> None:
        self._check = importer.check
        fields = bound(importer.body, instance.settings)
        self._fields = [schema({field.name: field}) for field in fields]
        """Each as a schema of its own."""

    def read(self, number: int, text: bytes) -> Line:
        line = Line(number)
        try:
            sent = parse_json(text)
            for alone in self._fields:
                self._read_field(line, alone, sent)
            self._check(line.values)
        except Invalid as error:
            line.error = error.message
        return line

    def _read_field(self, line: Line, alone: colander.SchemaNode, sent: dict[str, Any]) -> None:
        [field] = alone.children
        try:
            line.values |= load(alone, {k: v for k, v in sent.items() if k == field.name})
        except Invalid as error:
            if field.required:
                raise
            line.warnings.append(error.message)


def _store_valid(store: Callable[[list[Line]], None], lines: list[Line]) -> None:
    """Store lines together; if the service refuses one of them, store each by itself."""
    try:
        store(lines)
    except Refusal as refusal:
        if len(lines) == 1:
            lines[0].error = refusal.message
            return
        for line in lines:
            _store_valid(store, [line])


def _store(
    instance: Instance,
    importer: Importer,
    lines: list[Line],
    *,
    publish: bool,
    actor: Caller | None,
) -> None:
    with instance.database.transaction() as session:
        importer.store(session, [line.values for line in lines], publish, actor)
